/* SPDX-License-Identifier: GPL-2.0 */
/* A device for the tests of the library: ioctl() answers as a test wants. */
#ifndef BLINKTREE_LIB_TESTS_FAKE_DEVICE_H
#define BLINKTREE_LIB_TESTS_FAKE_DEVICE_H

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>

#include "blinktree.h"
#include "../../tests/common/tap.h"

/* The behaviour of the next ioctls. Each case sets the fields that it needs. */
static struct {
	unsigned int calls;
	/* Most operations or entries per call, 0 for none at all. */
	unsigned int limit;
	/* This call, counted from 1, does nothing, as after a signal. */
	unsigned int idle_call;
	/* This call, counted from 1, fails with this error; a batch fails half way. */
	unsigned int fail_call;
	int fail_errno;
	struct blink_tree_ioc_info info;
	/* Keys of the tree: 0, 10, 20, ... */
	__u64 keys;
	__u32 levels;
	__u32 trees;
	__s32 result;
	/* The last request, and what it was to create. */
	unsigned long request;
	struct blink_tree_ioc_create create;
	struct blink_tree_ioc_open open;
} fake;

static int fake_batch(struct blink_tree_ioc_batch *arg)
{
	struct blink_tree_ioc_op *ops =
		(struct blink_tree_ioc_op *)(uintptr_t)arg->ops;

	if (fake.calls == fake.idle_call)
		return 0;
	if (fake.calls == fake.fail_call) {
		arg->done = arg->count > 0;
		if (arg->done)
			ops[0].result++;
		errno = fake.fail_errno;
		return -1;
	}
	while (arg->done < arg->count && arg->done < fake.limit)
		ops[arg->done++].result++;
	return 0;
}

/* Return at most @limit entries per call. */
static int fake_load(struct blink_tree_ioc_load *arg)
{
	if (fake.calls == fake.idle_call)
		return 0;
	if (fake.calls == fake.fail_call) {
		arg->done = arg->count > 0;
		errno = fake.fail_errno;
		return -1;
	}
	arg->done = arg->count < fake.limit ? arg->count : fake.limit;
	return 0;
}

static int fake_scan(struct blink_tree_ioc_scan *arg)
{
	struct blink_tree_entry *out =
		(struct blink_tree_entry *)(uintptr_t)arg->entries;
	bool desc = arg->flags & BLINK_TREE_SCAN_DESC;
	unsigned int room = fake.limit;
	__u64 i, key;

	if (arg->capacity < room)
		room = arg->capacity;
	arg->flags &= ~BLINK_TREE_SCAN_DONE;
	arg->count = 0;
	if (fake.calls == fake.idle_call)
		return 0;
	for (i = 0; i < fake.keys; i++) {
		key = 10 * (desc ? fake.keys - 1 - i : i);
		if (key < arg->first || key > arg->last)
			continue;
		if (arg->count == room)
			return 0;
		out[arg->count++] = (struct blink_tree_entry){ key, key + 1 };
		if (desc)
			arg->last = key - 1;
		else
			arg->first = key + 1;
	}
	arg->flags |= BLINK_TREE_SCAN_DONE;
	return 0;
}

static int fake_levels(struct blink_tree_ioc_levels *arg)
{
	struct blink_tree_level_stats *levels =
		(struct blink_tree_level_stats *)(uintptr_t)arg->levels;
	__u32 i;

	arg->height = 3;
	if (!arg->capacity)
		return 0;
	/* The tree grows between two calls. */
	arg->count = fake.levels + (fake.calls == 2 ? 0 : 5);
	for (i = 0; i < arg->count && i < arg->capacity; i++)
		levels[i].nodes = 100 + i;
	return 0;
}

static int fake_list(struct blink_tree_ioc_list *arg)
{
	struct blink_tree_list_entry *out =
		(struct blink_tree_list_entry *)(uintptr_t)arg->trees;

	arg->count = 0;
	while (arg->count < arg->capacity && arg->cursor < fake.trees)
		out[arg->count++].id = ++arg->cursor;
	return 0;
}

static int fake_op(struct blink_tree_ioc_op *op)
{
	op->result = fake.result;
	op->old = 77;
	if (op->opcode == BLINK_TREE_OP_FLOOR ||
	    op->opcode == BLINK_TREE_OP_POP_MAX)
		op->key -= 1;
	op->value = 78;
	return 0;
}

int __wrap_ioctl(int fd, unsigned long request, ...)
{
	void *arg;
	va_list list;

	(void)fd;
	va_start(list, request);
	arg = va_arg(list, void *);
	va_end(list);
	fake.request = request;
	if (++fake.calls == fake.fail_call && request != BLINK_TREE_IOC_BATCH &&
	    request != BLINK_TREE_IOC_LOAD) {
		errno = fake.fail_errno;
		return -1;
	}
	if (_IOC_NR(request) == _IOC_NR(BLINK_TREE_IOC_CREATE)) {
		memcpy(&fake.create, arg, _IOC_SIZE(request));
		return open("/dev/null", O_RDONLY | O_CLOEXEC);
	}
	switch (request) {
	case BLINK_TREE_IOC_OPEN:
		fake.open = *(struct blink_tree_ioc_open *)arg;
		return open("/dev/null", O_RDONLY | O_CLOEXEC);
	case BLINK_TREE_IOC_INFO:
		/* Like a module of the same version, unless a case sets another. */
		*(struct blink_tree_ioc_info *)arg = fake.info;
		return 0;
	case BLINK_TREE_IOC_ATTR:
		return 0;
	case BLINK_TREE_IOC_OP:
		return fake_op(arg);
	case BLINK_TREE_IOC_BATCH:
		return fake_batch(arg);
	case BLINK_TREE_IOC_LOAD:
		return fake_load(arg);
	case BLINK_TREE_IOC_SCAN:
		return fake_scan(arg);
	case BLINK_TREE_IOC_STATS:
		((struct blink_tree_ioc_stats *)arg)->entries = fake.keys;
		return 0;
	case BLINK_TREE_IOC_LEVELS:
		return fake_levels(arg);
	case BLINK_TREE_IOC_LIST:
		return fake_list(arg);
	case BLINK_TREE_IOC_VERIFY:
		((struct blink_tree_ioc_verify *)arg)->height = 4;
		return 0;
	}
	errno = ENOTTY;
	return -1;
}

#endif /* BLINKTREE_LIB_TESTS_FAKE_DEVICE_H */
