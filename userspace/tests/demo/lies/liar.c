// SPDX-License-Identifier: GPL-2.0
/*
 * An ioctl() for LD_PRELOAD that lies: now and then it returns a wrong answer of the
 * kind that the environment variable LIAR names. A program that checks answers must
 * notice this. With "instructions" it pretends that the machine counts instructions,
 * and returns the same number for each interval.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/blink_tree.h>

typedef int ioctl_fn(int fd, unsigned long request, ...);

static ioctl_fn *real;
static const char *lie;
/* Opportunities so far, and the number of them for each lie. */
static unsigned long chances;
static unsigned long patience;

static void __attribute__((constructor)) begin(void)
{
	const char *text = getenv("LIAR_PATIENCE");

	real = (ioctl_fn *)dlsym(RTLD_NEXT, "ioctl");
	lie = getenv("LIAR") ?: "";
	patience = text ? strtoul(text, NULL, 10) : 1000;
}

/* Whether to tell a lie of this kind now. */
static bool now(const char *kind)
{
	return !strcmp(lie, kind) && ++chances % patience == 0;
}

static void *address(__u64 user)
{
	return (void *)(uintptr_t)user;
}

/* Change nothing, but answer as if the operation had been executed. */
static int pretend(int fd, struct blink_tree_ioc_op *op)
{
	struct blink_tree_ioc_op look = { .opcode = BLINK_TREE_OP_LOOKUP,
					  .key = op->key };
	bool found;

	real(fd, BLINK_TREE_IOC_OP, &look);
	found = !look.result;
	op->old = look.value;
	if (op->opcode == BLINK_TREE_OP_STORE)
		op->result = found;
	else if (op->opcode == BLINK_TREE_OP_INSERT)
		op->result = found ? -EEXIST : 0;
	else
		op->result = found ? 0 : -ENOENT;
	return 0;
}

/* Return the value of the last lookup of this key if it has changed since. */
static void age(struct blink_tree_ioc_op *op)
{
	static __u64 key, value;

	if (op->key == key && op->value != value && now("stale")) {
		op->value = value;
		return;
	}
	key = op->key;
	value = op->value;
}

static int execute(int fd, struct blink_tree_ioc_op *op)
{
	int ret;

	if ((op->opcode == BLINK_TREE_OP_ERASE && now("erase")) ||
	    (op->opcode == BLINK_TREE_OP_INSERT && now("insert")) ||
	    (op->opcode == BLINK_TREE_OP_STORE && now("store")))
		return pretend(fd, op);
	ret = real(fd, BLINK_TREE_IOC_OP, op);
	if (op->opcode == BLINK_TREE_OP_LOOKUP && !ret && now("lookup"))
		op->value++;
	if (op->opcode == BLINK_TREE_OP_LOOKUP && !ret)
		age(op);
	if (op->opcode == BLINK_TREE_OP_STORE && op->result == 1 && now("old"))
		op->old--;
	if (op->opcode == BLINK_TREE_OP_CMPXCHG && op->result == -ESTALE &&
	    now("cmpxchg"))
		op->old++;
	if (op->opcode == BLINK_TREE_OP_FLOOR && !ret && now("floor"))
		op->value++;
	return ret;
}

/* One operation after the other, so that each result can be a lie. */
static int execute_batch(int fd, struct blink_tree_ioc_batch *batch)
{
	struct blink_tree_ioc_op *ops = address(batch->ops);

	for (batch->done = 0; batch->done < batch->count; batch->done++)
		execute(fd, &ops[batch->done]);
	return 0;
}

static int scan(int fd, struct blink_tree_ioc_scan *range)
{
	struct blink_tree_entry *entries = address(range->entries);
	int ret = real(fd, BLINK_TREE_IOC_SCAN, range);

	if (ret || range->count < 3)
		return ret;
	if (range->flags & BLINK_TREE_SCAN_COUNT) {
		if (now("count"))
			range->count--;
		return ret;
	}
	if (now("skip"))
		memmove(entries + 1, entries + 2,
			(--range->count - 1) * sizeof(*entries));
	if (now("twice"))
		entries[1] = entries[0];
	return ret;
}

/* A result with this number as its value, or as its former value. */
static void set_value(struct blink_tree_record *record, __u64 number)
{
	unsigned char *value = (unsigned char *)(record + 1);

	memcpy(value + (record->key_length + 7) / 8 * 8, &number,
	       sizeof(number));
}

/* A result whose value is the one after the right one. */
static void spoil_value(struct blink_tree_record *record)
{
	const unsigned char *value = (unsigned char *)(record + 1);
	__u64 number;

	memcpy(&number, value + (record->key_length + 7) / 8 * 8,
	       sizeof(number));
	set_value(record, number + 1);
}

/* The result of a single operation. */
static void spoil_single(struct blink_tree_record *result)
{
	if (!result->result &&
	    ((result->opcode == BLINK_TREE_OP_FLOOR && now("pair")) ||
	     (result->opcode == BLINK_TREE_OP_LOOKUP && now("least"))))
		spoil_value(result);
}

/* One result of many. */
static void spoil(struct blink_tree_record *result)
{
	if ((result->opcode == BLINK_TREE_OP_LOOKUP && !result->result &&
	     now("name")) ||
	    (result->opcode == BLINK_TREE_OP_STORE && result->result == 1 &&
	     now("exchange")))
		spoil_value(result);
	if (result->opcode == BLINK_TREE_OP_GET_OR_INSERT &&
	    result->result == 1 && now("first"))
		set_value(result, 0);
}

static void spoil_all(const struct blink_tree_ioc_records *arg)
{
	struct blink_tree_record *result = address(arg->output);
	__u64 i;

	if (arg->done == 1)
		spoil_single(result);
	for (i = 0; arg->done > 1 && i < arg->done; i++) {
		spoil(result);
		result = (void *)((char *)result + result->length);
	}
}

/* Execute no insertion, but answer as if the key had been added. */
static int forget(int fd, struct blink_tree_ioc_records *arg)
{
	struct blink_tree_record *operation = address(arg->input);
	struct blink_tree_record *result = address(arg->output);
	int ret;

	operation->opcode = BLINK_TREE_OP_NR;
	ret = real(fd, BLINK_TREE_IOC_RECORDS, arg);
	operation->opcode = BLINK_TREE_OP_GET_OR_INSERT;
	result->opcode = BLINK_TREE_OP_GET_OR_INSERT;
	result->result = 0;
	return ret;
}

static int execute_records(int fd, struct blink_tree_ioc_records *arg)
{
	const struct blink_tree_record *operation = address(arg->input);
	int ret;

	if (operation->opcode == BLINK_TREE_OP_GET_OR_INSERT && now("forget"))
		return forget(fd, arg);
	ret = real(fd, BLINK_TREE_IOC_RECORDS, arg);
	if (!ret)
		spoil_all(arg);
	return ret;
}

/* Leave the first of several records out: of a name, of all names, or of numbers. */
static int scan_records(int fd, struct blink_tree_ioc_record_scan *arg)
{
	bool prefix = arg->flags & BLINK_TREE_RECORD_SCAN_PREFIX;
	struct blink_tree_record *first = address(arg->output);
	int ret = real(fd, BLINK_TREE_IOC_RECORD_SCAN, arg);
	__u32 length;

	if (ret || arg->count < 2 || arg->flags & BLINK_TREE_RECORD_SCAN_COUNT)
		return ret;
	if (!now(prefix ? "prefix" : first->key_length == 8 ? "alias" : "gap"))
		return ret;
	length = first->length;
	arg->output_used -= length;
	arg->count--;
	memmove(first, (char *)first + length, arg->output_used);
	return ret;
}

static int stats(int fd, struct blink_tree_ioc_stats *arg)
{
	int ret = real(fd, BLINK_TREE_IOC_STATS, arg);

	if (!ret && now("indexes"))
		arg->indexes++;
	return ret;
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list list;
	void *arg;

	va_start(list, request);
	arg = va_arg(list, void *);
	va_end(list);
	switch (request) {
	case BLINK_TREE_IOC_OP:
		return execute(fd, arg);
	case BLINK_TREE_IOC_BATCH:
		return execute_batch(fd, arg);
	case BLINK_TREE_IOC_SCAN:
		return scan(fd, arg);
	case BLINK_TREE_IOC_RECORDS:
		return execute_records(fd, arg);
	case BLINK_TREE_IOC_RECORD_SCAN:
		return scan_records(fd, arg);
	case BLINK_TREE_IOC_STATS:
		return stats(fd, arg);
	}
	return real(fd, request, arg);
}

static int counter = -1;

long syscall(long number, ...)
{
	if (number == SYS_perf_event_open && now("instructions"))
		counter = open("/dev/null", O_RDONLY | O_CLOEXEC);
	errno = ENOENT;
	return counter;
}

ssize_t read(int fd, void *buffer, size_t size)
{
	static __u64 counted;
	__u64 reading[3] = { counted += 1000, 1, 1 };
	ssize_t (*real_read)(int fd, void *buffer, size_t size);

	if (fd != counter || fd < 0) {
		real_read = dlsym(RTLD_NEXT, "read");
		return real_read(fd, buffer, size);
	}
	memcpy(buffer, reading, sizeof(reading));
	return sizeof(reading);
}
