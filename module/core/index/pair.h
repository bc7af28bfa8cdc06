/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: merging two neighbours
 *
 * It is always the right one of two neighbours that dies and the left one that
 * absorbs it (I4): low keys never change, so that a stale pointer falls short and
 * never overshoots. The leftmost node of a level never dies. The two need not have
 * the same parent.
 *
 * Hysteresis: two nodes merge only if they fit together in three quarters of one,
 * so that the next insert does not split them again.
 */
#ifndef BLINK_CORE_PAIR_H
#define BLINK_CORE_PAIR_H

#include "../tree/tree.h"

/**
 * struct blink_pair - two neighbours of a level that are to be merged
 * @tree: the tree
 * @idx: the index that they belong to, NULL for leaves
 * @told: the indexes that let go of @right under its lock, a bit for each
 * @left: the node that absorbs the other
 * @right: the node that dies
 * @flags: saved interrupt state, while the two are locked
 * @underfull: then the indexes in which the parent was left underfull
 * @alone: then @left has no neighbours
 */
struct blink_pair {
	struct blink_tree *tree;
	struct blink_index *idx;
	unsigned long told;
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
