// SPDX-License-Identifier: GPL-2.0
/*
 * BLINK_TREE_IOC_SCAN: the entries of a range. Only the rest of the range is
 * kept from one *chunk* of entries to the next, and from one call to the next.
 */
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "tree_file.h"

/*
 * Entries of a chunk on the stack, and of one in allocated memory: about twelve
 * leaves, which cost one descent.
 */
#define CHUNK 64U
#define CHUNK_MAX 512U
static_assert(CHUNK >= BLINK_CURSOR_ENTRIES);
static_assert(CHUNK_MAX >= BLINK_COMPRESSED_ENTRIES);

#define SCAN_FLAGS (BLINK_TREE_SCAN_DESC | BLINK_TREE_SCAN_DONE)

static bool scan_valid(const struct blink_tree_ioc_scan *arg)
{
	if (arg->flags & ~SCAN_FLAGS || arg->__reserved ||
	    arg->first > arg->last)
		return false;
	return arg->capacity &&
	       blink_element_valid(arg->entry_size, BLINK_ENTRY_MIN_SIZE);
}

static int scan_run(struct blink_tree *tree, struct blink_scan *scan,
		    struct blink_tree_ioc_scan *arg,
		    struct blink_tree_entry *entries, unsigned int size)
{
	void __user *user = u64_to_user_ptr(arg->entries);
	unsigned int room;
	int nr;

	while (!scan->done) {
		room = min(arg->capacity - arg->count, size);
		if (!room)
			break;
		nr = blink_tree_scan(tree, scan, entries, room);
		if (nr < 0)
			return nr;
		if (blink_put_elements(user, arg->entry_size, entries,
				       sizeof(entries[0]), nr))
			return -EFAULT;
		user += (size_t)nr * arg->entry_size;
		arg->count += nr;
		cond_resched();
		if (signal_pending(current))
			break;
	}
	return 0;
}

static int scan_run_short(struct blink_tree *tree, struct blink_scan *scan,
			  struct blink_tree_ioc_scan *arg)
{
	struct blink_tree_entry entries[CHUNK];

	return scan_run(tree, scan, arg, entries, CHUNK);
}

static int scan_run_any(struct blink_tree *tree, struct blink_scan *scan,
			struct blink_tree_ioc_scan *arg)
{
	unsigned int size = min(arg->capacity, CHUNK_MAX);
	struct blink_tree_entry *entries = NULL;
	int err;

	if (size > CHUNK)
		entries = kmalloc_array(size, sizeof(*entries),
					GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!entries)
		return scan_run_short(tree, scan, arg);
	err = scan_run(tree, scan, arg, entries, size);
	kfree(entries);
	return err;
}

long blink_scan_call(struct blink_call *call)
{
	struct blink_tree_ioc_scan *arg = &call->arg.scan;
	struct blink_tree *tree = blink_file_tree(call->file);
	struct blink_scan scan = {
		.first = arg->first,
		.last = arg->last,
		.desc = arg->flags & BLINK_TREE_SCAN_DESC,
	};
	int err;

	if (!blink_file_u64(call->file))
		return -EOPNOTSUPP;
	if (!scan_valid(arg))
		return -EINVAL;
	if (fatal_signal_pending(current))
		return -EINTR;

	/*
	 * Write the structure before the range advances, so that a later EFAULT
	 * cannot leave half of a new range in it.
	 */
	arg->count = 0;
	if (blink_reply(call))
		return -EFAULT;
	if (arg->flags & BLINK_TREE_SCAN_DONE)
		return 0;
	err = scan_run_any(tree, &scan, arg);
	if (err)
		return err;

	arg->first = scan.first;
	arg->last = scan.last;
	if (scan.done)
		arg->flags |= BLINK_TREE_SCAN_DONE;
	return blink_reply(call);
}
