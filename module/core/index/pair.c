// SPDX-License-Identifier: GPL-2.0
/* Merging a node with a neighbour (pair.h), at any level. */
#include "../../obs/trace.h"
#include "../node/entries.h"
#include "../node/locking.h"
#include "../node/section.h"
#include "../tree/limbo.h"
#include "pair.h"
#include "post.h"

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

/* The indexes that lead to the nodes of a pair, a bit for each. */
static unsigned long pair_indexes(const struct blink_pair *pair)
{
	return pair->idx ? BIT(pair->idx->id) : blink_index_all(pair->tree);
}

/*
 * Prefetch the cache lines that a merge of two neighbours reads and writes
 * under their locks, if the two seem to fit: both nodes, and the parents of the
 * right one.
 */
static void pair_fetch(struct blink_pair *pair, struct blink_node *left,
		       struct blink_node *right)
{
	unsigned int level = left->level;

	if (READ_ONCE(left->count) + READ_ONCE(right->count) >
	    merge_limit(left))
		return;
	blink_node_prefetch(left, !level, true);
	blink_node_prefetch(right, !level, true);
	blink_index_fetch(pair->tree, pair_indexes(pair), level + 1,
			  blink_key_after(right->low));
}

static bool lock_with_right(struct blink_pair *pair, struct blink_node *node)
{
	struct blink_tree *tree = pair->tree;
	struct blink_node *right = peek_right(node);

	if (right)
		pair_fetch(pair, node, right);
	pair->flags = blink_writer_begin(tree);
	blink_node_lock_first(tree, node);
	right = blink_node_right(node);
	if (blink_node_dead(node) || !blink_node_underfull(node) || !right)
		goto unlock;
	blink_lock_right(&right->lock);
	if (may_merge(tree, node, right)) {
		pair->left = node;
		pair->right = right;
		return true;
	}
	blink_node_unlock(tree, right);
unlock:
	blink_node_unlock(tree, node);
	blink_writer_end(tree, pair->flags);
	return false;
}

/*
 * Find a node from which to look for the left neighbour of @node. The low key
 * of @node is the greatest key that the left neighbour covers. NULL if there is
 * no left neighbour.
 */
static struct blink_node *find_left(struct blink_pair *pair,
				    struct blink_node *node)
{
	struct blink_index *path = pair->idx ?: blink_tree_index(pair->tree);
	struct blink_node *left;

	if (blink_node_leftmost(node))
		return NULL;
	left = blink_descend(pair->tree, path, blink_bound_key(node->low),
			     node->level, NULL);
	if (left->level != node->level)
		return NULL;
	left = blink_node_primary(left);
	if (peek_right(left) == node)
		pair_fetch(pair, left, node);
	return left;
}

/*
 * The left neighbour is the node that find_left() found, or is to the right of
 * it. If the locked left neighbour has a right link to @node, both are alive
 * and stay neighbours (I1). If the link leads elsewhere, @node is dead.
 */
static bool lock_with_left(struct blink_pair *pair, struct blink_node *node)
{
	struct blink_node *left = find_left(pair, node);
	struct blink_tree *tree = pair->tree;

	if (!left)
		return false;
	pair->flags = blink_writer_begin(tree);
	left = blink_lock_covering(tree, NULL, left,
				   blink_bound_key(node->low));
	if (!left)
		goto end;
	if (blink_node_right(left) != node)
		goto unlock;
	blink_lock_right(&node->lock);
	if (blink_node_underfull(node) && may_merge(tree, left, node)) {
		pair->left = left;
		pair->right = node;
		return true;
	}
	blink_node_unlock(tree, node);
unlock:
	blink_node_unlock(tree, left);
end:
	blink_writer_end(tree, pair->flags);
	return false;
}

/**
 * blink_pair_lock() - lock an underfull node and a neighbour with which it fits
 * @pair: set to the two nodes; the caller has set @tree and @idx
 * @node: the node; it may be dead
 *
 * It tries the right neighbour first, and prefetches the cache lines that the
 * merge needs under the locks.
 *
 * Context: rcu_read_lock() held, no node lock held.
 * Return: true with both locked, in blink_writer_begin(); false if no neighbour fits.
 */
bool blink_pair_lock(struct blink_pair *pair, struct blink_node *node)
{
	return lock_with_right(pair, node) || lock_with_left(pair, node);
}

/**
 * blink_pair_merge() - merge the right node of a pair into the left one
 * @pair: the pair
 *
 * A reader that is still in the right node finds there the entries that the
 * left node has got. Neither node changes before both are unlocked.
 *
 * Context: after blink_pair_lock(); blink_pair_unlock() must follow.
 */
void blink_pair_merge(struct blink_pair *pair)
{
	struct blink_node *left = pair->left, *right = pair->right;

	blink_assert_locked(&left->lock);
	blink_node_absorb(left, right);
	pair->underfull =
		blink_index_drop(pair->tree, pair_indexes(pair), right);
	blink_write_begin(right);
	WRITE_ONCE(right->flags, right->flags | BLINK_NODE_DEAD);
	blink_node_set_right(right, left);
	/* LP: merge (right node) */
	blink_write_end(right);
	pair->alone = blink_node_leftmost(left) && !blink_node_right(left);
	blink_stat_inc(pair->tree, merges);
	trace_blink_tree_merge(pair->tree, right->level,
			       blink_key_head(blink_bound_key(right->low)));
}

/**
 * blink_pair_unlock() - unlock both nodes of a pair
 * @pair: the pair
 *
 * Context: after blink_pair_lock().
 */
void blink_pair_unlock(struct blink_pair *pair)
{
	blink_node_unlock(pair->tree, pair->right);
	blink_node_unlock(pair->tree, pair->left);
	blink_writer_end(pair->tree, pair->flags);
}
