// SPDX-License-Identifier: GPL-2.0
/* Batches and loads of any length, and commits. One that a signal ended early is continued. */
#include "internal.h"

static __u32 at_most_u32(size_t nr)
{
	return nr < UINT32_MAX ? nr : UINT32_MAX;
}

int blinktree_batch(struct blinktree *tree, struct blink_tree_ioc_op *ops,
		    size_t nr, size_t *done)
{
	size_t total = 0;
	int err = 0;

	while (!err && total < nr) {
		struct blink_tree_ioc_batch arg = {
			.count = at_most_u32(nr - total),
			.ops = (uintptr_t)(ops + total),
			.op_size = sizeof(ops[0]),
		};

		err = blinktree_call(tree->fd, BLINK_TREE_IOC_BATCH, &arg);
		total += arg.done;
	}
	if (done)
		*done = total;
	return err;
}

int blinktree_commit(struct blinktree *tree, struct blink_tree_ioc_op *ops,
		     size_t nr, size_t *failed)
{
	struct blink_tree_ioc_batch arg = {
		.flags = BLINK_TREE_BATCH_COMMIT,
		.count = at_most_u32(nr),
		.ops = (uintptr_t)ops,
		.op_size = sizeof(ops[0]),
	};
	int err = blinktree_call(tree->fd, BLINK_TREE_IOC_BATCH, &arg);

	if (err == -ESTALE && failed)
		*failed = arg.done;
	return err;
}

int blinktree_load(struct blinktree *tree,
		   const struct blink_tree_entry *entries, size_t nr,
		   unsigned int fill, size_t *done)
{
	size_t total = 0;
	int err = 0;

	while (!err && total < nr) {
		struct blink_tree_ioc_load arg = {
			.count = at_most_u32(nr - total),
			.entries = (uintptr_t)(entries + total),
			.fill = fill,
			.entry_size = sizeof(entries[0]),
		};

		err = blinktree_call(tree->fd, BLINK_TREE_IOC_LOAD, &arg);
		total += arg.done;
	}
	if (done)
		*done = total;
	return err;
}
