// SPDX-License-Identifier: GPL-2.0
/*
 * BLINK_TREE_IOC_RECORD_ERASE: the entries of a range are removed in *chunks*. A signal
 * can end the call between two chunks. However the call ends, the bounds and @count
 * tell how far it came, if they can be written.
 */
#include <linux/errno.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "bounds.h"
#include "tree_file.h"

#define CHUNK 1024

#define ERASE_FLAGS                                                           \
	(BLINK_TREE_RECORD_ERASE_FIRST_OPEN |                                 \
	 BLINK_TREE_RECORD_ERASE_LAST_OPEN | BLINK_TREE_RECORD_ERASE_PREFIX | \
	 BLINK_TREE_RECORD_ERASE_DONE)

static int erase_run(struct blink_bounds *range)
{
	struct blink_tree_ioc_record_erase *arg = blink_bounds_arg(range);
	int nr, err;

	while (!range->done) {
		err = blink_limbo_wait(range->call->file);
		if (err)
			return arg->count ? 0 : err;
		nr = range->kind->erase(range, CHUNK);
		if (nr < 0)
			return nr;
		arg->count += nr;
		cond_resched();
		if (signal_pending(current))
			break;
	}
	return 0;
}

long blink_record_erase_call(struct blink_call *call)
{
	struct blink_tree_ioc_record_erase *arg = &call->arg.record_erase;
	struct blink_bounds range;
	int err;

	if (arg->flags & ~ERASE_FLAGS || arg->__reserved)
		return -EINVAL;
	if (fatal_signal_pending(current))
		return -EINTR;
	arg->count = 0;
	err = blink_bounds_begin(&range, call, false);
	if (err)
		return err;
	return blink_bounds_end(&range, erase_run(&range));
}
