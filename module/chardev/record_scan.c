// SPDX-License-Identifier: GPL-2.0
/*
 * BLINK_TREE_IOC_RECORD_SCAN: the entries of a range as records, or their number. Only
 * the rest of the range is kept from one *chunk* of entries to the next, and from one
 * call to the next.
 */
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "../core/core.h"
#include "bounds.h"
#include "tree_file.h"

/* Entries of a chunk that is only counted: about 100 leaves. */
#define COUNT_CHUNK 4096

#define SCAN_FLAGS                                                          \
	(BLINK_TREE_RECORD_SCAN_DESC | BLINK_TREE_RECORD_SCAN_COUNT |       \
	 BLINK_TREE_RECORD_SCAN_FIRST_OPEN |                                \
	 BLINK_TREE_RECORD_SCAN_LAST_OPEN | BLINK_TREE_RECORD_SCAN_PREFIX | \
	 BLINK_TREE_RECORD_SCAN_DONE)

/* The most bytes of the records of a chunk. */
#define CHUNK_RECORDS 16384
#define CHUNK_RECORDS_VALUES 65536
static_assert(CHUNK_RECORDS >= BLINK_RESULT_MAX);

/* A chunk: its entries, and their records. */
struct chunk {
	size_t room;
	size_t size;
	void *entries;
	void *records;
};

/* Write the records of the entries that there is room for. Returns how many. */
static int chunk_records(struct blink_bounds *range, struct chunk *chunk,
			 unsigned int nr, size_t room)
{
	unsigned int i;
	size_t length;

	for (i = 0; i < nr; i++) {
		length = range->kind->record(range, chunk->entries, i,
					     chunk->records + chunk->size,
					     room - chunk->size);
		if (!length) {
			range->kind->go_back(range, chunk->entries, i);
			range->done = false;
			break;
		}
		chunk->size += length;
	}
	return i;
}

/* Read a chunk: a value of bytes is copied in the RCU read section that found it. */
static int chunk_read(struct blink_bounds *range, struct chunk *chunk,
		      size_t room)
{
	int nr;

	chunk->size = 0;
	rcu_read_lock();
	nr = range->kind->scan(range, chunk->entries, room);
	if (nr > 0)
		nr = chunk_records(range, chunk, nr, room);
	rcu_read_unlock();
	return nr;
}

/* Copy entries out until the output has no room for the longest one. */
static int scan_run(struct blink_bounds *range, struct chunk *chunk)
{
	struct blink_tree_ioc_record_scan *arg = &range->call->arg.record_scan;
	const size_t most = blink_entry_size(range->tree);
	u64 room;
	int nr;

	while (!range->done) {
		room = arg->output_size - arg->output_used;
		if (room < most)
			break;
		nr = chunk_read(range, chunk, min_t(u64, room, chunk->room));
		if (nr < 0)
			return nr;
		if (copy_to_user(u64_to_user_ptr(arg->output + arg->output_used),
				 chunk->records, chunk->size))
			return -EFAULT;
		arg->output_used += chunk->size;
		arg->count += nr;
		cond_resched();
		if (signal_pending(current))
			break;
	}
	return 0;
}

static int scan_output(struct blink_bounds *range)
{
	struct blink_tree_ioc_record_scan *arg = &range->call->arg.record_scan;
	const size_t entries = ALIGN(range->kind->chunk_size, 8);
	struct chunk chunk = {
		.room = blink_tree_byte_values(range->tree) ?
				CHUNK_RECORDS_VALUES :
				CHUNK_RECORDS,
	};
	int err;

	if (arg->output_size < blink_entry_size(range->tree))
		return -EMSGSIZE;
	chunk.entries = kvmalloc(entries + chunk.room, GFP_KERNEL_ACCOUNT);
	if (!chunk.entries)
		return -ENOMEM;
	chunk.records = chunk.entries + entries;
	err = scan_run(range, &chunk);
	kvfree(chunk.entries);
	return err;
}

static int scan_count(struct blink_bounds *range)
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

long blink_record_scan_call(struct blink_call *call)
{
	struct blink_tree_ioc_record_scan *arg = &call->arg.record_scan;
	struct blink_bounds range;
	int err;

	if (!scan_valid(arg))
		return -EINVAL;
	if (fatal_signal_pending(current))
		return -EINTR;
	arg->output_used = 0;
	arg->count = 0;
	err = blink_bounds_begin(&range, call,
				 arg->flags & BLINK_TREE_RECORD_SCAN_DESC);
	if (err)
		return err;
	if (arg->flags & BLINK_TREE_RECORD_SCAN_COUNT)
		err = scan_count(&range);
	else if (!range.done)
		err = scan_output(&range);
	return blink_bounds_end(&range, err);
}
