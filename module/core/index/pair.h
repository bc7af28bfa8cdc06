/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: merging two neighbours
 *
 * When two neighbours are merged, the right one dies and the left one absorbs
 * it (I4). So low keys never change, and a pointer that is out of date leads
 * too far to the left, never too far to the right. The leftmost node of a level
 * never dies. The two nodes can have different parents.
 *
 * Hysteresis: two nodes are merged only if they fit in three quarters of a
 * node, so that the next insert does not split them again.
 */
#ifndef BLINK_CORE_PAIR_H
#define BLINK_CORE_PAIR_H

#include "../tree/tree.h"

/**
 * struct blink_pair - two neighbours of a level to be merged
 * @tree: the tree
 * @idx: the index to which they belong, NULL for leaves
 * @left: the node that absorbs @right
 * @right: the node that dies
 * @flags: saved interrupt state while the two are locked
 * @underfull: after the merge, the indexes in which the parent is underfull, a
 *	bit for each
 * @alone: after the merge, @left has no neighbours
 */
struct blink_pair {
	struct blink_tree *tree;
	struct blink_index *idx;
	struct blink_node *left;
	struct blink_node *right;
	unsigned long flags;
	unsigned long underfull;
	bool alone;
};

bool blink_pair_lock(struct blink_pair *pair, struct blink_node *node);
void blink_pair_merge(struct blink_pair *pair);
void blink_pair_unlock(struct blink_pair *pair);

#endif /* BLINK_CORE_PAIR_H */
