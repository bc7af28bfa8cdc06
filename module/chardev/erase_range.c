// SPDX-License-Identifier: GPL-2.0
/*
 * BLINK_TREE_IOC_ERASE_RANGE: the entries of a range are removed in *chunks*. A
 * signal can end the call between two chunks. However the call ends, @first and
 * @count tell how far it came, if the structure can be written.
 */
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "tree_file.h"

#define CHUNK 1024

static int erase_run(struct file *file, struct blink_scan *scan,
		     struct blink_tree_ioc_erase_range *arg)
{
	struct blink_tree *tree = blink_file_tree(file);
	int nr, err;

	while (!scan->done) {
		err = blink_limbo_wait(file);
		if (err)
			return arg->count ? 0 : err;
		nr = blink_tree_erase_range(tree, scan, NULL, CHUNK);
		if (nr < 0)
			return nr;
		arg->count += nr;
		cond_resched();
		if (signal_pending(current))
			break;
	}
	return 0;
}

/**
 * blink_erase_range_call() - BLINK_TREE_IOC_ERASE_RANGE
 * @call: the ioctl
 *
 * Context: process context, of the caller.
 * Return: 0, -EOPNOTSUPP, -EINVAL, -EFAULT, -EINTR or -EAGAIN.
 */
long blink_erase_range_call(struct blink_call *call)
{
	struct blink_tree_ioc_erase_range *arg = &call->arg.erase_range;
	struct blink_scan scan = { .first = arg->first, .last = arg->last };
	int err;

	if (!blink_file_u64(call->file))
		return -EOPNOTSUPP;
	if (arg->flags & ~BLINK_TREE_ERASE_RANGE_DONE || arg->__reserved ||
	    arg->first > arg->last)
		return -EINVAL;
	if (fatal_signal_pending(current))
		return -EINTR;

	/* If the progress cannot be reported, no entry may be removed. */
	arg->count = 0;
	if (blink_reply(call))
		return -EFAULT;
	if (arg->flags & BLINK_TREE_ERASE_RANGE_DONE)
		return 0;
	err = erase_run(call->file, &scan, arg);
	if (err)
		return err;

	/* A writer that may not read must not learn where a key is. */
	if (call->file->f_mode & FMODE_READ)
		arg->first = scan.first;
	if (scan.done)
		arg->flags |= BLINK_TREE_ERASE_RANGE_DONE;
	return blink_reply(call);
}
