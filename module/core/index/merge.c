// SPDX-License-Identifier: GPL-2.0
/*
 * Merging underfull nodes. A merge removes an entry from the parent of the dead
 * node, and can leave a root with one child. The functions here merge underfull
 * parents up to the root, one pair of nodes at a time, and give such roots up.
 */
#include "../node/locking.h"
#include "merge.h"
#include "pair.h"
#include "post.h"
#include "reclaim.h"
#include "root.h"

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
			blink_merge(tree, idx, parent);
	}
}

/*
 * Retire the dead node of a pair that was merged and unlocked, and trim the indexes:
 * parents that the merge left underfull are merged too, and roots with one child are
 * given up. A tree that was emptied becomes one leaf.
 */
static void settle(struct blink_pair *pair)
{
	unsigned int level = pair->right->level;
	blink_bound_t low = pair->right->low;

	blink_node_retire(pair->tree, pair->right);
	if (pair->underfull)
		blink_merge_trim(pair->tree, pair->underfull, level, low);
	if (pair->alone)
		blink_root_shrink(pair->tree, pair->idx);
}

/**
 * blink_merge() - merge an underfull node with its neighbours while they fit
 * @tree: the tree
 * @idx: the index to which it belongs, NULL for a leaf
 * @node: the node or NULL; it may be dead
 *
 * An empty leaf is always merged, with two exceptions: the first leaf, and the last
 * leaf while its left neighbour is too full.
 *
 * Context: rcu_read_lock() held, no node lock held, never allocates.
 */
void blink_merge(struct blink_tree *tree, struct blink_index *idx,
		 struct blink_node *node)
{
	while (node && blink_node_underfull(node)) {
		struct blink_pair pair = { .tree = tree, .idx = idx };

		if (!blink_pair_lock(&pair, node))
			return;
		blink_pair_merge(&pair);
		blink_pair_unlock(&pair);
		settle(&pair);
		node = pair.left;
	}
}
