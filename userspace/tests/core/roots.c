// SPDX-License-Identifier: GPL-2.0
/*
 * A root that was split, and got no root above it because there was no memory. Its
 * levels are taken off only when its neighbour is gone, too.
 */
#include "core/index/merge.h"
#include "core/index/post.h"
#include "core/index/reclaim.h"
#include "core/index/root.h"
#include "core/node/entries.h"
#include "core/node/locking.h"
#include "test.h"

/* As many keys, added in order, as fill a root of full leaves. */
#define FULL (BLINK_LEAF_SLOTS * BLINK_INNER_SLOTS)

static struct blink_tree *tree;

/* The index with a root that has a neighbour. */
static struct blink_index *split_index(void)
{
	struct blink_index *idx;

	for_each_blink_index(idx, tree)
		if (rcu_access_pointer(rcu_access_pointer(idx->root)->right))
			return idx;
	return NULL;
}

/* The key that splits the root comes when the @nth allocation fails. */
static struct blink_index *grow(unsigned int nth)
{
	tree = tree_filled(FULL);
	shim_self->fail_nth = nth;
	blink_tree_insert(tree, FULL, FULL, NULL, GFP_KERNEL);
	shim_self->fail_nth = 0;
	return split_index();
}

static void erase(u64 from, u64 to)
{
	for (; from <= to; from++)
		EXPECT_ERASE(tree, from);
}

/*
 * Merge the second leaf into the first one, and leave it at that: the indexes
 * have let go of it, and are left underfull.
 */
static void merge_leaves(struct blink_node *left)
{
	unsigned long flags = blink_writer_begin(tree);
	struct blink_node *right;

	blink_lock(&left->lock);
	right = blink_node_right(left);
	blink_lock_right(&right->lock);
	blink_node_absorb(left, right);
	blink_index_drop(tree, blink_index_all(tree), right);
	blink_write_begin(right);
	WRITE_ONCE(right->flags, right->flags | BLINK_NODE_DEAD);
	blink_node_set_right(right, left);
	blink_write_end(right);
	blink_node_unlock(tree, right);
	blink_node_unlock(tree, left);
	blink_writer_end(tree, flags);
	blink_node_retire(tree, right);
}

/* Three leaves left, two of them below the root, one below its neighbour. */
static void shrink_beside(struct blink_index *idx)
{
	struct blink_node *root = rcu_access_pointer(idx->root);
	struct blink_node *first = blink_inner_child(root, 0);
	u64 second = FULL - BLINK_LEAF_SLOTS;

	first = blink_node_primary(first);
	erase(BLINK_LEAF_SLOTS, second - 1);
	/* The keys that are left fit into one leaf, but are too many for a merge yet. */
	erase(0, BLINK_LEAF_SLOTS / 2 - 1);
	erase(second, second + BLINK_LEAF_SLOTS / 2 - 1);
	rcu_read_lock();
	merge_leaves(first);
	rcu_read_unlock();
	erase(FULL - 1, FULL - 1);
	rcu_read_lock();
	merge_leaves(first);
	EXPECT_EQ(root->count, 1);
	EXPECT(!rcu_access_pointer(first->right));
	blink_root_shrink(tree, NULL);
	EXPECT(rcu_access_pointer(idx->root) == root);
	blink_merge_trim(tree, blink_index_all(tree), 0, FULL - 1);
	blink_root_shrink(tree, NULL);
	rcu_read_unlock();
	erase(BLINK_LEAF_SLOTS / 2, BLINK_LEAF_SLOTS - 1);
	erase(second + BLINK_LEAF_SLOTS / 2, FULL - 2);
	erase(FULL, FULL);
	expect_one_leaf(tree);
}

/* Between the last death below a root and the merge of that with its neighbour. */
static void neighbour_emptied(void)
{
	struct blink_index *idx = NULL;
	unsigned int nth;

	/* Greater nodes are merged long before they lead to a single leaf. */
	if (BLINK_INNER_SLOTS > 4)
		return;
	for (nth = 1; nth < 10 && !idx; nth++) {
		idx = grow(nth);
		if (idx)
			shrink_beside(idx);
		blink_tree_destroy(tree);
	}
	EXPECT(idx);
}

const struct test TESTS(root)[] = {
	{ "roots: one with an emptied neighbour", neighbour_emptied,
	  .plain = true },
	{},
};
