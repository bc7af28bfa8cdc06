// SPDX-License-Identifier: GPL-2.0
/*
 * Merging an underfull node with a neighbour, at any level.
 *
 * It is always the right one of two neighbours that dies and the left one that
 * absorbs it (I4): low keys never change, so that a stale pointer falls short
 * and never overshoots. The leftmost node of a level never dies. The two need
 * not have the same parent.
 *
 * Hysteresis: two nodes merge only if they fit together in three quarters of
 * one, so that the next insert does not split them again.
 */
#include "../../obs/trace.h"
#include "post.h"

/* How often a merge finds the queue full, though all indexes just caught up. */
#define MERGE_TRIES 4

/* What a merge leaves to be done without locks, or @full: the queue was. */
struct merged {
	bool full;
	struct blink_node *live;
	struct blink_node *dead;
	unsigned long underfull;
	bool alone;
};

static unsigned int merge_limit(const struct blink_node *node)
{
	return blink_node_slots(node) * 3 / 4;
}

/* Whether a node holds nothing: a leaf no key, an inner node no child. */
static bool node_empty(const struct blink_node *node)
{
	if (!node->level)
		return !node->count;
	return node->count == 1 && !blink_inner_child(node, 0);
}

/**
 * blink_node_underfull() - whether a node is worth an attempt to merge it
 * @node: the node
 *
 * Of two nodes that may merge one has at most half of the limit.
 *
 * Context: @node's lock held, or the answer is a hint.
 * Return: whether it is.
 */
bool blink_node_underfull(const struct blink_node *node)
{
	return READ_ONCE(node->count) <= merge_limit(node) / 2;
}

static bool may_merge(struct blink_tree *tree, struct blink_node *left,
		      struct blink_node *right)
{
	/*
	 * An empty node goes; but the last leaf may stay beside one that is
	 * full: a key appended and erased again and again would split each
	 * time.
	 */
	if (node_empty(right) && (right->level || blink_node_right(right)))
		return true;
	if (left->count + right->count > merge_limit(left))
		return false;
	/* Where writers still meet it would soon be split again. */
	if (!left->level && left->count && right->count &&
	    (left->heat || right->heat))
		return false;
	if (node_empty(right) ||
	    atomic_long_read(&tree->limbo) < BLINK_LIMBO_MAX)
		return true;
	blink_stat_inc(tree, merges_deferred);
	return false;
}

/* Tell the indexes of a death to come: at once, or in the queue for later. */
static bool begin_death(struct blink_tree *tree, struct blink_node *node,
			struct merged *merged)
{
	if (!tree->queue || node->level)
		return true;
	merged->full = !blink_queue_begin(tree);
	return !merged->full;
}

static void end_death(struct blink_tree *tree, struct blink_node *node)
{
	const struct blink_record record = {
		.leaf = node,
		.low = node->low,
		.dead = true,
	};

	if (tree->queue && !node->level)
		blink_queue_end(tree, &record);
}

/*
 * Merge @right into @left, both locked, and unlock them. A reader that is in
 * @right until it is dead finds there what @left has got meanwhile: neither
 * changes before both are unlocked. False: the queue is full, both stay locked.
 */
static bool merge_pair(struct blink_tree *tree, struct blink_index *idx,
		       struct blink_node *left, struct blink_node *right,
		       struct merged *merged)
{
	if (!begin_death(tree, right, merged))
		return false;
	blink_node_absorb(left, right);
	if (!tree->queue || right->level)
		merged->underfull = blink_index_drop(tree, idx, right);
	blink_write_begin(right);
	WRITE_ONCE(right->flags, right->flags | BLINK_NODE_DEAD);
	blink_node_set_right(right, left);
	blink_write_end(right);
	merged->live = left;
	merged->dead = right;
	merged->alone = blink_node_leftmost(left) && !blink_node_right(left);
	end_death(tree, right);
	blink_stat_inc(tree, merges);
	blink_node_unlock(tree, right);
	blink_node_unlock(tree, left);
	return true;
}

/*
 * Fetch what the merge of two neighbours will read and write under their locks, if
 * they look as if they will be merged: the right one, and its parents.
 */
static void fetch_merge(struct blink_tree *tree, struct blink_index *idx,
			struct blink_node *left, struct blink_node *right)
{
	unsigned int level = left->level;
	u64 key = blink_key_after(right->low);

	if (READ_ONCE(left->count) + READ_ONCE(right->count) >
	    merge_limit(left))
		return;
	blink_node_prefetch(left, !level, true);
	blink_node_prefetch(right, !level, true);
	if (idx)
		blink_descend(tree, idx, key, level + 1, NULL);
	else
		blink_index_fetch(tree, NULL, key);
}

/* The right neighbour, as far as can be known without a lock. */
static struct blink_node *peek_right(struct blink_node *node)
{
	struct blink_node *right =
		blink_node_primary(rcu_dereference(node->right));

	return right && right->level == node->level ? right : NULL;
}

/* Merge @node's right neighbour into it, if they fit. @node stays unlocked. */
static bool merge_with_right(struct blink_tree *tree, struct blink_index *idx,
			     struct blink_node *node, struct merged *merged)
{
	struct blink_node *right;

	blink_node_lock_first(tree, node);
	right = blink_node_right(node);
	if (blink_node_dead(node) || !blink_node_underfull(node) || !right) {
		blink_node_unlock(tree, node);
		return false;
	}
	blink_lock_right(&right->lock);
	if (may_merge(tree, node, right) &&
	    merge_pair(tree, idx, node, right, merged))
		return true;
	blink_node_unlock(tree, right);
	blink_node_unlock(tree, node);
	return false;
}

/*
 * Where to look for the left neighbour of @node: by its low key, which is the greatest
 * key that one covers. NULL if there is none.
 */
static struct blink_node *find_left(struct blink_tree *tree,
				    struct blink_index *idx,
				    struct blink_node *node)
{
	struct blink_index *path = idx ?: blink_tree_index(tree);
	struct blink_node *left;

	if (blink_node_leftmost(node))
		return NULL;
	left = blink_descend(tree, path, node->low, node->level, NULL);
	if (left->level != node->level)
		return NULL;
	left = blink_node_primary(left);
	if (peek_right(left) == node)
		fetch_merge(tree, idx, left, node);
	return left;
}

/*
 * Merge @node into its left neighbour, if they fit; that is @left or right of it. When
 * it is locked and its right link leads to @node, both live and stay neighbours (I1).
 * If the link leads elsewhere @node is dead.
 */
static bool merge_into_left(struct blink_tree *tree, struct blink_index *idx,
			    struct blink_node *left, struct blink_node *node,
			    struct merged *merged)
{
	left = blink_lock_covering(tree, NULL, left, node->low);
	if (!left)
		return false;
	if (blink_node_right(left) != node)
		goto unlock;
	blink_lock_right(&node->lock);
	if (blink_node_underfull(node) && may_merge(tree, left, node) &&
	    merge_pair(tree, idx, left, node, merged))
		return true;
	blink_node_unlock(tree, node);
unlock:
	blink_node_unlock(tree, left);
	return false;
}

/* What is to be done for the indexes when a leaf has died lazily. */
static void after_death(struct blink_tree *tree)
{
	struct blink_post post = {
		.tree = tree,
		.walk = { .idx = blink_tree_index(tree) },
	};

	blink_apply_after(&post);
}

/* The queue was full. Returns whether to try again: others may fill it for ever. */
static bool make_room(struct blink_tree *tree, unsigned int *tries)
{
	if (++*tries > MERGE_TRIES) {
		blink_stat_inc(tree, merges_deferred);
		return false;
	}
	blink_apply_all(tree, 0);
	return true;
}

/*
 * Merge a node with its right neighbour, or else into its left one. What the locks
 * are held for is fetched before.
 */
static bool merge_with_one(struct blink_tree *tree, struct blink_index *idx,
			   struct blink_node *node, struct merged *merged)
{
	struct blink_node *right = peek_right(node), *left;
	unsigned long flags;
	bool done;

	if (right)
		fetch_merge(tree, idx, node, right);
	flags = blink_writer_begin(tree);
	done = merge_with_right(tree, idx, node, merged);
	blink_writer_end(tree, flags);
	if (done || merged->full)
		return done;
	left = find_left(tree, idx, node);
	if (!left)
		return false;
	flags = blink_writer_begin(tree);
	done = merge_into_left(tree, idx, left, node, merged);
	blink_writer_end(tree, flags);
	return done;
}

/*
 * Merge an underfull node with one of its neighbours. Returns the node that
 * has both now, or @node if that is to be tried again, or NULL.
 */
static struct blink_node *merge_once(struct blink_tree *tree,
				     struct blink_index *idx,
				     struct blink_node *node,
				     unsigned int *tries)
{
	struct merged merged = {};
	unsigned int level;
	bool done;
	u64 low;

	done = merge_with_one(tree, idx, node, &merged);
	if (merged.full)
		return make_room(tree, tries) ? node : NULL;
	if (!done)
		return NULL;
	level = merged.dead->level;
	low = merged.dead->low;
	trace_blink_tree_merge(tree, level, low);
	if (tree->queue && !level) {
		after_death(tree);
		return merged.live;
	}
	blink_node_retire(tree, merged.dead);
	if (merged.underfull)
		blink_index_trim(tree, merged.underfull, level, low);
	if (merged.alone)
		blink_index_shrink(tree, idx);
	return merged.live;
}

/**
 * blink_merge() - merge an underfull node with its neighbours if they fit
 * @tree: the tree
 * @idx: the index that an inner node belongs to, NULL for a leaf
 * @node: the node; it may be dead by now
 *
 * An empty node always goes, other than the first of its level and, for a
 * while, the last leaf; and but for a leaf where the queue of records is full
 * again and again, which is left as it is. What this leaves underfull, on its own level or in the
 * indexes, is merged in its turn, and roots with one child are given up: an
 * emptied tree ends as one leaf.
 *
 * Context: rcu_read_lock() held, no node lock held, never allocates.
 */
void blink_merge(struct blink_tree *tree, struct blink_index *idx,
		 struct blink_node *node)
{
	unsigned int tries = 0;

	while (node && blink_node_underfull(node))
		node = merge_once(tree, idx, node, &tries);
}
