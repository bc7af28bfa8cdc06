// SPDX-License-Identifier: GPL-2.0
/* The first leaf of a tree, and the end of all its nodes. */
#include "alloc.h"
#include "mend.h"
#include "nodes.h"

/**
 * blink_tree_nodes_init() - give a new tree its first leaf
 * @tree: the tree, complete except for its indexes
 * @gfp: how to allocate
 *
 * Context: as @gfp allows; no other CPU can reach the tree.
 * Return: as blink_leaf_get(); after an error the tree has no node.
 */
int blink_tree_nodes_init(struct blink_tree *tree, gfp_t gfp)
{
	struct blink_node *leaf = NULL;
	struct blink_index *idx;
	int err;

	err = blink_leaf_get(tree, &leaf, gfp);
	if (err)
		return err;
	for_each_blink_index(idx, tree) {
		blink_index_set_built(tree, idx, BLINK_BOUND_LAST);
		blink_mender_init(&idx->mender, blink_mend_work);
		/* The creator of the tree publishes it. */
		RCU_INIT_POINTER(idx->root, blink_leaf_member(leaf, idx->id));
	}
	return 0;
}

/**
 * blink_tree_nodes_free() - free the nodes of a tree
 * @tree: the tree
 *
 * Context: process, sleeps as blink_tree_destroy(); no operation on the tree.
 */
void blink_tree_nodes_free(struct blink_tree *tree)
{
	struct blink_node *node = NULL, *below;
	struct blink_index *idx;

	/* I9: no mender runs from here on. */
	for_each_blink_index(idx, tree)
		blink_mender_end(&idx->mender);
	for_each_blink_index(idx, tree)
		blink_mend_end(tree, &idx->mender);
	for_each_blink_index(idx, tree) {
		node = rcu_dereference_protected(
			idx->root, !percpu_ref_is_dying(&tree->ref));
		for (; node->level; node = below) {
			below = blink_inner_child(node, 0);
			blink_level_free(tree, node);
		}
	}
	/* All indexes end with the same leftmost leaf. */
	blink_level_free(tree, node);
}
