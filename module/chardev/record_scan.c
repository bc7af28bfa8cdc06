// SPDX-License-Identifier: GPL-2.0
/*
 * BLINK_TREE_IOC_RECORD_SCAN: the entries of a range as records, or their number. Only
 * the rest of the range is kept from one *chunk* of entries to the next, and from one
 * call to the next.
 */
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "range.h"
#include "tree_file.h"

/* Entries of a chunk that is only counted: about 100 leaves. */
#define COUNT_CHUNK 4096

#define SCAN_FLAGS                                                          \
	(BLINK_TREE_RECORD_SCAN_DESC | BLINK_TREE_RECORD_SCAN_COUNT |       \
	 BLINK_TREE_RECORD_SCAN_FIRST_OPEN |                                \
	 BLINK_TREE_RECORD_SCAN_LAST_OPEN | BLINK_TREE_RECORD_SCAN_PREFIX | \
	 BLINK_TREE_RECORD_SCAN_DONE)

/* Copy entries out until the output has no room for the longest one. */
static int scan_run(struct blink_range *range, void *chunk)
{
	struct blink_tree_ioc_record_scan *arg = &range->call->arg.record_scan;
	const size_t most = blink_range_entry_size(range->key);
	const void *records;
	size_t size;
	u64 room;
	int nr;

	while (!range->done) {
		room = arg->output_size - arg->output_used;
		if (room < most)
			break;
		nr = range->kind->scan(range, chunk, min_t(u64, room, SIZE_MAX),
				       &records, &size);
		if (nr < 0)
			return nr;
		if (copy_to_user(u64_to_user_ptr(arg->output + arg->output_used),
				 records, size))
			return -EFAULT;
		arg->output_used += size;
		arg->count += nr;
		cond_resched();
		if (signal_pending(current))
			break;
	}
	return 0;
}

static int scan_output(struct blink_range *range)
{
	struct blink_tree_ioc_record_scan *arg = &range->call->arg.record_scan;
	void *chunk;
	int err;

	if (arg->output_size < blink_range_entry_size(range->key))
		return -EMSGSIZE;
	chunk = kvmalloc(range->kind->chunk_size, GFP_KERNEL_ACCOUNT);
	if (!chunk)
		return -ENOMEM;
	err = scan_run(range, chunk);
	kvfree(chunk);
	return err;
}

static int scan_count(struct blink_range *range)
{
	int nr;

	while (!range->done) {
		nr = range->kind->count(range, COUNT_CHUNK);
		if (nr < 0)
			return nr;
		range->call->arg.record_scan.count += nr;
		cond_resched();
		if (signal_pending(current))
			break;
	}
	return 0;
}

static bool scan_valid(const struct blink_tree_ioc_record_scan *arg)
{
	if (arg->flags & ~SCAN_FLAGS || arg->__reserved)
		return false;
	return !(arg->flags & BLINK_TREE_RECORD_SCAN_COUNT) ||
	       (!arg->output && !arg->output_size);
}

/**
 * blink_record_scan_call() - BLINK_TREE_IOC_RECORD_SCAN
 * @call: the ioctl
 *
 * Context: process context, of the caller.
 * Return: 0, -EINVAL, -EFAULT, -EINTR, -ENOMEM or -EMSGSIZE.
 */
long blink_record_scan_call(struct blink_call *call)
{
	struct blink_tree_ioc_record_scan *arg = &call->arg.record_scan;
	struct blink_range range;
	int err;

	if (!scan_valid(arg))
		return -EINVAL;
	if (fatal_signal_pending(current))
		return -EINTR;
	arg->output_used = 0;
	arg->count = 0;
	err = blink_range_begin(&range, call,
				arg->flags & BLINK_TREE_RECORD_SCAN_DESC);
	if (err)
		return err;
	if (arg->flags & BLINK_TREE_RECORD_SCAN_COUNT)
		err = scan_count(&range);
	else if (!range.done)
		err = scan_output(&range);
	return blink_range_end(&range, err);
}
