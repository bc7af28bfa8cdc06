// SPDX-License-Identifier: GPL-2.0
/* The root of an index: its height, growth and shrinking. */
#include <linux/errno.h>

#include "../../obs/trace.h"
#include "../node/entries.h"
#include "../node/layout.h"
#include "../node/locking.h"
#include "../node/section.h"
#include "reclaim.h"
#include "root.h"

/**
 * blink_index_height() - the number of levels of an index
 * @idx: the index
 *
 * Context: any in which rcu_read_lock() is allowed.
 * Return: their number, including the leaves; 1 while the index is down.
 */
unsigned int blink_index_height(struct blink_index *idx)
{
	unsigned int height = 1;

	rcu_read_lock();
	if (!blink_index_down(idx))
		height += rcu_dereference(idx->root)->level;
	rcu_read_unlock();
	return height;
}

/**
 * blink_root_grow() - put a new root above a root that has a right neighbour
 * @tree: the tree
 * @idx: the index
 * @child: its root; nothing is done if it is the root no longer
 * @spare: an inner node for the new root; set to NULL if it was used
 *
 * The new root is published under the lock of the old one.
 *
 * Context: rcu_read_lock() held, in blink_writer_begin(), no node lock held.
 * Return: 0; -ENOMEM without a spare node.
 */
int blink_root_grow(struct blink_tree *tree, struct blink_index *idx,
		    struct blink_node *child, struct blink_node **spare)
{
	struct blink_node *old = blink_node_primary(child);
	struct blink_node *root = *spare;

	if (!root)
		return -ENOMEM;
	blink_lock(&old->lock);
	if (rcu_dereference_protected(
		    idx->root, blink_lock_is_held(&old->lock)) == child &&
	    blink_node_right(old)) {
		*spare = NULL;
		blink_inner_set_level(tree, root, old->level + 1);
		root->slot[0] = blink_slot_first(old->low);
		blink_node_values(root)[0] = (uintptr_t)child;
		root->count = 1;
		/*
		 * LP: root growth. A release, which pairs with the
		 * rcu_dereference() in blink_descend(): the search finds a
		 * complete root.
		 */
		rcu_assign_pointer(idx->root, root);
		blink_stat_inc(tree, root_grows);
		trace_blink_tree_root(tree, idx->id, root->level);
	}
	blink_node_unlock(tree, old);
	return 0;
}

/* Give up the root if its only child has no neighbours. */
static bool shrink_once(struct blink_tree *tree, struct blink_index *idx)
{
	struct blink_node *root = rcu_dereference(idx->root);
	struct blink_node *child, *below;
	unsigned long flags;
	bool done = false;

	if (!root->level || READ_ONCE(root->count) > 1)
		return false;
	/*
	 * The first child of a leftmost node does not change while the child
	 * lives.
	 */
	below = blink_inner_child(root, 0);
	child = blink_node_primary(below);
	flags = blink_writer_begin(tree);
	blink_lock(&child->lock);
	blink_lock(&root->lock);
	if (rcu_dereference_protected(
		    idx->root, blink_lock_is_held(&root->lock)) == root &&
	    root->count == 1 && !blink_node_right(root) &&
	    !blink_node_right(child)) {
		/*
		 * LP: root shrink. A release, which pairs with the
		 * rcu_dereference() in blink_descend().
		 */
		rcu_assign_pointer(idx->root, below);
		blink_write_begin(root);
		WRITE_ONCE(root->flags, root->flags | BLINK_NODE_DEAD);
		/* Searches that are in the old root go on to its child. */
		rcu_assign_pointer(root->right, below);
		blink_write_end(root);
		done = true;
	}
	blink_node_unlock(tree, root);
	blink_node_unlock(tree, child);
	blink_writer_end(tree, flags);
	if (done) {
		blink_stat_inc(tree, root_shrinks);
		trace_blink_tree_root(tree, idx->id, child->level);
		blink_node_retire(tree, root);
	}
	return done;
}

/**
 * blink_root_shrink() - remove the levels above a level with one node
 * @tree: the tree
 * @of: the index, or NULL for all indexes
 *
 * Context: rcu_read_lock() held, no node lock held.
 */
void blink_root_shrink(struct blink_tree *tree, struct blink_index *of)
{
	struct blink_index *idx;

	for_each_blink_index(idx, tree) {
		if ((of && idx != of) || blink_index_down(idx))
			continue;
		while (shrink_once(tree, idx))
			;
	}
}
