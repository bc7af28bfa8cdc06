/* SPDX-License-Identifier: GPL-2.0 */
/* The leaves of a tree that have the most heat (../node/contention.h). */
#ifndef BLINK_CORE_HOT_H
#define BLINK_CORE_HOT_H

#include <uapi/linux/blink_tree.h>

struct blink_tree;

int blink_tree_hot_leaves(struct blink_tree *tree,
			  struct blink_tree_hot_leaf *leaves, unsigned int nr);

#endif /* BLINK_CORE_HOT_H */
