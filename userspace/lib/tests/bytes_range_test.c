// SPDX-License-Identifier: GPL-2.0
/*
 * Ranges of keys of any kind, with an ioctl() that returns few entries per call, fails in
 * the middle, and writes the rest of the range in another form. The program is linked
 * with --wrap=ioctl.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>

#include "blinktree_bytes.h"
#include "../../tests/common/tap.h"
#include "result.h"

/* The behaviour of the next ioctls. Each case sets the fields that it needs. */
static struct {
	unsigned int calls;
	/* Most entries per call. */
	unsigned int limit;
	/* This call, counted from 1, does nothing, as after a signal. */
	unsigned int idle_call;
	/* This call, counted from 1, fails with this error. */
	unsigned int fail_call;
	int fail_errno;
	/* Keys of the tree: 0, 10, 20, ... */
	__u64 keys;
	/* The bounds as the first call passed them, and the flags of the last one. */
	unsigned char first[16], last[16];
	unsigned int first_length, last_length;
	__u32 flags;
} fake;

static __u64 bound(__u64 address, unsigned int length, __u64 none)
{
	return length ? blinktree_key_number(at(address)) : none;
}

static size_t put_entry(unsigned char *to, __u64 key)
{
	const struct blink_tree_record entry = {
		.opcode = BLINK_TREE_OP_LOOKUP,
		.key_length = 8,
		.value_length = 8,
	};
	size_t length = result_write(to, &entry);

	blinktree_key_from_number(to + HEADER, key);
	return length;
}

/* Ranges of 8-byte keys: the rest of the range is written with another length. */
static int fake_scan(struct blink_tree_ioc_record_scan *arg, bool counting)
{
	bool desc = arg->flags & BLINK_TREE_RECORD_SCAN_DESC;
	__u64 first = bound(arg->first, arg->first_length, 0);
	__u64 last = bound(arg->last, arg->last_length, UINT64_MAX);
	__u64 i, key;

	if (fake.calls == 1) {
		memcpy(fake.first, at(arg->first), sizeof(fake.first));
		memcpy(fake.last, at(arg->last), sizeof(fake.last));
		fake.first_length = arg->first_length;
		fake.last_length = arg->last_length;
	}
	fake.flags = arg->flags;
	arg->count = 0;
	arg->output_used = 0;
	if (fake.calls == fake.idle_call)
		return 0;
	for (i = 0; i < fake.keys; i++) {
		key = 10 * (desc ? fake.keys - 1 - i : i);
		if (key < first || key > last)
			continue;
		if (arg->count == fake.limit ||
		    (!counting &&
		     arg->output_size - arg->output_used < RESULT_MAX))
			return 0;
		if (!counting)
			arg->output_used += put_entry(
				at(arg->output + arg->output_used), key);
		arg->count++;
		if (desc) {
			blinktree_key_from_number(at(arg->last), key - 1);
			arg->last_length = 8;
		} else {
			blinktree_key_from_number(at(arg->first), key + 1);
			arg->first_length = 8;
		}
	}
	arg->flags |= BLINK_TREE_RECORD_SCAN_DONE;
	return 0;
}

static int fake_erase(struct blink_tree_ioc_record_erase *arg)
{
	struct blink_tree_ioc_record_scan scan = {
		.flags = arg->flags,
		.first = arg->first,
		.last = arg->last,
		.first_length = arg->first_length,
		.last_length = arg->last_length,
	};

	fake_scan(&scan, true);
	arg->flags = scan.flags;
	arg->first_length = scan.first_length;
	arg->last_length = scan.last_length;
	arg->count = scan.count;
	return 0;
}

static int fake_info(struct blink_tree_ioc_info *info)
{
	info->known = sizeof(*info);
	info->ioctls = ~0ULL;
	info->opcodes = ~0ULL;
	return 0;
}

int __wrap_ioctl(int fd, unsigned long request, ...)
{
	struct blink_tree_ioc_record_scan *scan;
	void *arg;
	va_list list;

	(void)fd;
	va_start(list, request);
	arg = va_arg(list, void *);
	va_end(list);
	scan = arg;
	if (++fake.calls == fake.fail_call) {
		errno = fake.fail_errno;
		return -1;
	}
	switch (request) {
	case BLINK_TREE_IOC_INFO:
		return fake_info(arg);
	case BLINK_TREE_IOC_CREATE:
		return open("/dev/null", O_RDONLY | O_CLOEXEC);
	case BLINK_TREE_IOC_RECORD_SCAN:
		return fake_scan(scan,
				 scan->flags & BLINK_TREE_RECORD_SCAN_COUNT);
	case BLINK_TREE_IOC_RECORD_ERASE:
		return fake_erase(arg);
	}
	errno = ENOTTY;
	return -1;
}

static void check_scan(struct blinktree *tree,
		       const struct blinktree_range *range, __u64 from,
		       size_t nr)
{
	bool desc = range->flags & BLINK_TREE_RECORD_SCAN_DESC;
	struct blinktree_bytes_scan *scan;
	const struct blinktree_record *entry;
	size_t i;

	tap_check(!blinktree_bytes_scan_open(tree, range, 1, &scan));
	for (i = 0; i < nr; i++) {
		if (!tap_check(blinktree_bytes_scan_next(scan, &entry) == 1))
			break;
		tap_check(entry->key_length == 8 && entry->value_length == 8);
		tap_check(blinktree_key_number(entry->key) ==
			  (desc ? from - 10 * i : from + 10 * i));
	}
	tap_check(!blinktree_bytes_scan_next(scan, &entry));
	tap_check(!blinktree_bytes_scan_next(scan, &entry));
	blinktree_bytes_scan_close(scan);
}

static void prepare_scan(void)
{
	memset(&fake, 0, sizeof(fake));
	fake.limit = UINT32_MAX;
	fake.keys = 100;
}

static void test_scan(struct blinktree *tree)
{
	unsigned char first[8], last[8];
	struct blinktree_range range = { 0, first, 8, last, 8 };
	const struct blinktree_record *entry;
	struct blinktree_bytes_scan *scan;

	blinktree_key_from_number(first, 15);
	blinktree_key_from_number(last, 250);
	prepare_scan();
	check_scan(tree, &range, 20, 24);
	tap_check(fake.calls == 24);
	prepare_scan();
	fake.idle_call = 3;
	range.flags = BLINK_TREE_RECORD_SCAN_DESC |
		      BLINK_TREE_RECORD_SCAN_LAST_OPEN;
	check_scan(tree, &range, 250, 24);
	tap_check(fake.flags == range.flags);
	tap_check(!memcmp(fake.first, first, 8) && !memcmp(fake.last, last, 8));
	tap_check(fake.first_length == 8 && fake.last_length == 8);

	prepare_scan();
	tap_check(!blinktree_bytes_scan_open(tree, NULL, 0, &scan));
	tap_check(blinktree_bytes_scan_next(scan, &entry) == 1);
	tap_check(!fake.first_length && !fake.last_length && !fake.flags);
	blinktree_bytes_scan_close(scan);
	prepare_scan();
	tap_check(!blinktree_bytes_scan_open(tree, NULL, 1, &scan));
	tap_check(blinktree_bytes_scan_next(scan, &entry) == 1);
	fake.fail_call = 2;
	fake.fail_errno = EFAULT;
	tap_check(blinktree_bytes_scan_next(scan, &entry) == -EFAULT);
	tap_check(blinktree_bytes_scan_next(scan, &entry) == 1);
	tap_check(blinktree_key_number(entry->key) == 10);
	blinktree_bytes_scan_close(scan);

	range.first_length = 1025;
	tap_check(blinktree_bytes_scan_open(tree, &range, 0, &scan) == -EINVAL);
	tap_case("a scan passes its bounds on, and returns every key once");
}

static void test_ranges(struct blinktree *tree)
{
	unsigned char prefix[2] = { 0x20, 0x01 };
	struct blinktree_range range = { BLINK_TREE_RECORD_SCAN_PREFIX, prefix,
					 2, prefix, 1 };
	__u64 count = 5;

	prepare_scan();
	fake.limit = 7;
	fake.idle_call = 3;
	tap_check(!blinktree_bytes_count(tree, NULL, &count) && count == 100);
	fake.fail_call = fake.calls + 2;
	fake.fail_errno = EBADF;
	count = 5;
	tap_check(blinktree_bytes_count(tree, NULL, &count) == -EBADF);
	tap_check(count == 5);

	prepare_scan();
	tap_check(!blinktree_bytes_erase_range(tree, &range, &count));
	tap_check(fake.first_length == 2 && !memcmp(fake.first, prefix, 2));
	tap_check(!fake.last_length);
	tap_check(fake.flags == BLINK_TREE_RECORD_SCAN_PREFIX);
	prepare_scan();
	fake.limit = 7;
	fake.fail_call = 3;
	fake.fail_errno = EBADF;
	tap_check(blinktree_bytes_erase_range(tree, NULL, &count) == -EBADF);
	tap_check(count == 14);
	tap_check(!blinktree_bytes_erase_range(tree, NULL, NULL));
	range.flags = 0;
	range.last_length = 1025;
	tap_check(blinktree_bytes_count(tree, &range, &count) == -EINVAL);
	tap_check(blinktree_bytes_erase_range(tree, &range, NULL) == -EINVAL);
	tap_case("a count or an erase of a range is the sum of its calls");
}

int main(void)
{
	const unsigned int planned = 2;
	struct blinktree_ctl *ctl = NULL;
	struct blinktree *tree = NULL;

	tap_begin(planned);
	tap_check(!blinktree_ctl_open("/dev/null", &ctl));
	tap_check(!blinktree_create(ctl, NULL, 0, 0, &tree));
	test_scan(tree);
	test_ranges(tree);
	blinktree_close(tree);
	blinktree_ctl_close(ctl);
	return tap_exit(planned);
}
