// SPDX-License-Identifier: GPL-2.0
/* Erasing ranges. An erase that a signal ended early is continued. */
#include "internal.h"

int blinktree_erase_range(struct blinktree *tree, __u64 first, __u64 last,
			  __u64 *count)
{
	struct blink_tree_ioc_erase_range range = {
		.first = first,
		.last = last,
	};
	__u64 total = 0;
	int err;

	do {
		err = blinktree_call(tree->fd, BLINK_TREE_IOC_ERASE_RANGE,
				     &range);
		if (!err)
			total += range.count;
	} while (!err && !(range.flags & BLINK_TREE_ERASE_RANGE_DONE));
	if (count)
		*count = total;
	return err;
}
