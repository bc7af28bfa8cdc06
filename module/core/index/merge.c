// SPDX-License-Identifier: GPL-2.0
/*
 * Merging inner nodes. A merge removes an entry from the parent of the dead
 * node, and can leave a root with one child. The functions here merge underfull
 * parents up to the root, one pair of nodes at a time, and give such roots up.
 */
#include "../node/locking.h"
#include "merge.h"
#include "post.h"
#include "reclaim.h"
#include "root.h"

/* Merge an underfull inner node with its neighbours while they fit. */
static void merge_inner(struct blink_tree *tree, struct blink_index *idx,
			struct blink_node *node)
{
	while (blink_node_underfull(node)) {
		struct blink_pair pair = {
			.tree = tree,
			.idx = idx,
			.told = BIT(idx->id),
		};

		if (!blink_pair_lock(&pair, node))
			return;
		blink_pair_merge(&pair);
		blink_pair_unlock(&pair);
		blink_merge_settle(&pair);
		node = pair.left;
	}
}

/**
 * blink_merge_trim() - merge the parents that the death of a node left
 *	underfull
 * @tree: the tree
 * @underfull: the indexes in which the parent is underfull, a bit for each
 * @level: level of the node that died
 * @low: its low key
 *
 * It calls itself for the parents of merged nodes, at most once for each level
 * of the tree.
 *
 * Context: rcu_read_lock() held, no node lock held.
 */
void blink_merge_trim(struct blink_tree *tree, unsigned long underfull,
		      unsigned int level, blink_bound_t low)
{
	struct blink_node *parent;
	struct blink_index *idx;
	unsigned long flags;

	for_each_blink_index(idx, tree) {
		if (!(underfull & BIT(idx->id)))
			continue;
		flags = blink_writer_begin(tree);
		parent = blink_parent_lock(tree, idx, level, low, NULL);
		if (parent)
			blink_node_unlock(tree, parent);
		blink_writer_end(tree, flags);
		if (parent)
			merge_inner(tree, idx, parent);
	}
}

/**
 * blink_merge_settle() - retire a dead node that no index leads to, and trim
 *	the indexes
 * @pair: a pair that was merged and unlocked
 *
 * Parents that the merge left underfull are merged too, and roots with one
 * child are given up. A tree that was emptied becomes one leaf.
 *
 * Context: rcu_read_lock() held, no node lock held.
 */
void blink_merge_settle(struct blink_pair *pair)
{
	unsigned int level = pair->right->level;
	blink_bound_t low = pair->right->low;

	blink_node_retire(pair->tree, pair->right);
	if (pair->underfull)
		blink_merge_trim(pair->tree, pair->underfull, level, low);
	if (pair->alone)
		blink_root_shrink(pair->tree, pair->idx);
}
