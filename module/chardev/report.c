// SPDX-License-Identifier: GPL-2.0
/*
 * BLINK_IOC_STATS and BLINK_IOC_VERIFY: what there is to tell of a tree.
 */
#include <linux/nodemask.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "tree_file.h"

/* Levels to have room for; to get there a tree needs more keys than exist. */
#define LEVELS_MAX 32

/* There is room for all, so that @count does not depend on the caller's. */
static int put_levels(struct blink_tree *tree, struct blink_ioc_stats *arg)
{
	unsigned int nr = LEVELS_MAX * nr_node_ids;
	struct blink_level_stats *levels;
	int err = 0;

	levels = kvcalloc(nr, sizeof(*levels), GFP_KERNEL_ACCOUNT);
	if (!levels)
		return -ENOMEM;
	arg->count = blink_tree_levels(tree, levels, nr);
	if (!arg->count)
		err = -ENOMEM;
	else if (copy_to_user(u64_to_user_ptr(arg->levels), levels,
			      min(arg->count, arg->capacity) * sizeof(*levels)))
		err = -EFAULT;
	kvfree(levels);
	return err;
}

/**
 * blink_stats_call() - BLINK_IOC_STATS
 * @call: the ioctl
 *
 * Context: process context, of the caller.
 * Return: 0, -EINVAL, -ENOMEM or -EFAULT.
 */
long blink_stats_call(struct blink_call *call)
{
	struct blink_tree *tree = blink_file_tree(call->file);
	struct blink_ioc_stats *arg = &call->arg.stats;
	int err;

	if (arg->flags)
		return -EINVAL;
	arg->count = 0;
	if (arg->capacity) {
		err = put_levels(tree, arg);
		if (err)
			return err;
	}
	arg->height = blink_tree_height(tree);
	blink_tree_stats(tree, &arg->stats);
	return blink_reply(call);
}

/**
 * blink_verify_call() - BLINK_IOC_VERIFY
 * @call: the ioctl
 *
 * Context: process context, of the caller.
 * Return: 0, -EINVAL, -ENOMEM, -EFAULT or -EINTR.
 */
long blink_verify_call(struct blink_call *call)
{
	struct blink_ioc_verify *arg = &call->arg.verify;
	int err;

	if (arg->flags || arg->__reserved)
		return -EINVAL;
	err = blink_tree_verify(blink_file_tree(call->file), &arg->report);
	/* A violation is what was asked for, not an error of the call. */
	if (err && err != -EUCLEAN)
		return err;
	return blink_reply(call);
}
