// SPDX-License-Identifier: GPL-2.0
/*
 * Merging underfull nodes. A merge removes an entry from the parent of the dead
 * node, and can leave a root with one child. The functions here merge underfull
 * parents up to the root, one pair of nodes at a time, and give such roots up.
 */
#include "../../obs/trace.h"
#include "../node/entries.h"
#include "../node/locking.h"
#include "../node/section.h"
#include "../tree/limbo.h"
#include "merge.h"
#include "post.h"
#include "reclaim.h"
#include "root.h"

/**
 * struct merge - two neighbours of a level to be merged
 * @tree: the tree
 * @idx: the index to which they belong, NULL for leaves
 * @left: the node that absorbs @right
 * @right: the node that dies
 * @flags: saved interrupt state while the two are locked
 * @underfull: after the merge, the indexes in which the parent is underfull, a
 *	bit for each
 * @alone: after the merge, @left has no neighbours
 */
struct merge {
	struct blink_tree *tree;
	struct blink_index *idx;
	struct blink_node *left;
	struct blink_node *right;
	unsigned long flags;
	unsigned long underfull;
	bool alone;
};

/*
 * Whether a node is empty: a leaf without keys, or an inner node without
 * children.
 */
static bool node_empty(const struct blink_node *node)
{
	if (!node->level)
		return !node->count;
	return node->count == 1 && !blink_inner_child(node, 0);
}

/*
 * The most entries that two nodes may have together to be merged. An empty first
 * leaf has no left neighbour into which it could be merged, so it takes over all
 * entries that the leaf beside it can have. Otherwise every pop of the least key
 * would lock both.
 */
static unsigned int merge_limit(const struct blink_node *left)
{
	if (!left->level && blink_node_leftmost(left) &&
	    !READ_ONCE(left->count))
		return BLINK_LEAF_SLOTS;
	return blink_node_merge_limit(left);
}

static bool may_merge(struct blink_tree *tree, struct blink_node *left,
		      struct blink_node *right)
{
	/*
	 * An empty node is merged. The last leaf may stay empty beside a leaf
	 * that is too full: otherwise a key that is appended and erased
	 * repeatedly would cause a split and a merge each time.
	 */
	if (node_empty(right) && (right->level || blink_node_right(right)))
		return true;
	if (left->count + right->count > merge_limit(left))
		return false;
	/*
	 * Writers still wait for these leaves, so the merged leaf would soon be
	 * split again.
	 */
	if (!left->level && left->count && right->count &&
	    (left->heat || right->heat))
		return false;
	if (node_empty(right) ||
	    atomic_long_read(&tree->limbo) < BLINK_LIMBO_MAX)
		return true;
	blink_stat_inc(tree, merges_deferred);
	return false;
}

/* The right neighbour; a hint, without a lock. */
static struct blink_node *peek_right(struct blink_node *node)
{
	struct blink_node *right =
		blink_node_primary(rcu_dereference(node->right));

	return right && right->level == node->level ? right : NULL;
}

/* The indexes that lead to the nodes of a merge, a bit for each. */
static unsigned long merge_indexes(const struct merge *merge)
{
	return merge->idx ? BIT(merge->idx->id) : blink_index_all(merge->tree);
}

/*
 * Prefetch the cache lines that a merge of two neighbours reads and writes
 * under their locks, if the two seem to fit: both nodes, and the parents of the
 * right one.
 */
static void merge_fetch(struct merge *merge, struct blink_node *left,
			struct blink_node *right)
{
	unsigned int level = left->level;

	if (READ_ONCE(left->count) + READ_ONCE(right->count) >
	    merge_limit(left))
		return;
	blink_node_prefetch(left, !level, true);
	blink_node_prefetch(right, !level, true);
	blink_index_fetch(merge->tree, merge_indexes(merge), level + 1,
			  blink_key_after(right->low));
}

static bool lock_with_right(struct merge *merge, struct blink_node *node)
{
	struct blink_tree *tree = merge->tree;
	struct blink_node *right = peek_right(node);

	if (right)
		merge_fetch(merge, node, right);
	merge->flags = blink_writer_begin(tree);
	blink_node_lock_first(tree, node);
	right = blink_node_right(node);
	if (blink_node_dead(node) || !blink_node_underfull(node) || !right)
		goto unlock;
	blink_lock_right(&right->lock);
	if (may_merge(tree, node, right)) {
		merge->left = node;
		merge->right = right;
		return true;
	}
	blink_node_unlock(tree, right);
unlock:
	blink_node_unlock(tree, node);
	blink_writer_end(tree, merge->flags);
	return false;
}

/*
 * Find a node from which to look for the left neighbour of @node. The low key
 * of @node is the greatest key that the left neighbour covers. NULL if there is
 * no left neighbour.
 */
static struct blink_node *find_left(struct merge *merge,
				    struct blink_node *node)
{
	struct blink_index *path = merge->idx ?: blink_tree_index(merge->tree);
	struct blink_node *left;

	if (blink_node_leftmost(node))
		return NULL;
	left = blink_descend(merge->tree, path, blink_bound_key(node->low),
			     node->level, NULL);
	if (left->level != node->level)
		return NULL;
	left = blink_node_primary(left);
	if (peek_right(left) == node)
		merge_fetch(merge, left, node);
	return left;
}

/*
 * The left neighbour is the node that find_left() found, or is to the right of
 * it. If the locked left neighbour has a right link to @node, both are alive
 * and stay neighbours (I1). If the link leads elsewhere, @node is dead.
 */
static bool lock_with_left(struct merge *merge, struct blink_node *node)
{
	struct blink_node *left = find_left(merge, node);
	struct blink_tree *tree = merge->tree;

	if (!left)
		return false;
	merge->flags = blink_writer_begin(tree);
	left = blink_lock_covering(tree, NULL, left,
				   blink_bound_key(node->low));
	if (!left)
		goto end;
	if (blink_node_right(left) != node)
		goto unlock;
	blink_lock_right(&node->lock);
	if (blink_node_underfull(node) && may_merge(tree, left, node)) {
		merge->left = left;
		merge->right = node;
		return true;
	}
	blink_node_unlock(tree, node);
unlock:
	blink_node_unlock(tree, left);
end:
	blink_writer_end(tree, merge->flags);
	return false;
}

/*
 * Lock an underfull node, which may be dead, and a neighbour with which it fits. It tries
 * the right neighbour first, and prefetches the cache lines that the merge needs under the
 * locks. No node lock is held. Returns true with both locked, in blink_writer_begin();
 * false if no neighbour fits.
 */
static bool merge_lock(struct merge *merge, struct blink_node *node)
{
	return lock_with_right(merge, node) || lock_with_left(merge, node);
}

/*
 * Merge the right node into the left one; both are locked. A reader that is still in the
 * right node finds there the entries that the left node has got. Neither node changes
 * before both are unlocked.
 */
static void merge_nodes(struct merge *merge)
{
	struct blink_node *left = merge->left, *right = merge->right;

	blink_assert_locked(&left->lock);
	blink_node_absorb(left, right);
	merge->underfull =
		blink_index_drop(merge->tree, merge_indexes(merge), right);
	blink_write_begin(right);
	WRITE_ONCE(right->flags, right->flags | BLINK_NODE_DEAD);
	blink_node_set_right(right, left);
	/* LP: merge (right node) */
	blink_write_end(right);
	merge->alone = blink_node_leftmost(left) && !blink_node_right(left);
	blink_stat_inc(merge->tree, merges);
	trace_blink_tree_merge(merge->tree, right->level,
			       blink_key_head(blink_bound_key(right->low)));
}

static void merge_unlock(struct merge *merge)
{
	blink_node_unlock(merge->tree, merge->right);
	blink_node_unlock(merge->tree, merge->left);
	blink_writer_end(merge->tree, merge->flags);
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
			blink_merge(tree, idx, parent);
	}
}

/*
 * Retire the dead node of a pair that was merged and unlocked, and trim the indexes:
 * parents that the merge left underfull are merged too, and roots with one child are
 * given up. A tree that was emptied becomes one leaf.
 */
static void settle(struct merge *merge)
{
	unsigned int level = merge->right->level;
	blink_bound_t low = merge->right->low;

	blink_node_retire(merge->tree, merge->right);
	if (merge->underfull)
		blink_merge_trim(merge->tree, merge->underfull, level, low);
	if (merge->alone)
		blink_root_shrink(merge->tree, merge->idx);
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
		struct merge merge = { .tree = tree, .idx = idx };

		if (!merge_lock(&merge, node))
			return;
		merge_nodes(&merge);
		merge_unlock(&merge);
		settle(&merge);
		node = merge.left;
	}
}
