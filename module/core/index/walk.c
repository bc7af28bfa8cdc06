// SPDX-License-Identifier: GPL-2.0
/*
 * Finding nodes: the descent through an index, and locking the node that covers
 * a key.
 *
 * A *hop* is a step to the right, or out of a dead node. A descent *reroutes*
 * when it meets an empty slot: it begins again at the root, and looks for the
 * low key of the inner node, which nodes to the left of the empty slot cover.
 * It ends to the left of the key.
 */
#include <linux/bits.h>
#include <linux/bug.h>
#include <linux/kernel.h>
#include <linux/processor.h>

#include "../node/locking.h"
#include "walk.h"

/*
 * Whether an index has no entry for a live node. The answer is a hint: after a node
 * was retired, the memory of @unposted has another use.
 */
static bool index_lacks(struct blink_index *idx, struct blink_node *node)
{
	return !blink_node_dead(node) &&
	       READ_ONCE(blink_node_primary(node)->unposted) & BIT(idx->id);
}

/**
 * blink_walk_hop() - record that a walk left a node sideways
 * @tree: the tree
 * @idx: the index of the walk; NULL to ask for no mend
 * @walk: where to record it, or NULL
 * @node: the next node
 * @key: the key of the search
 * @hops: number of earlier hops of the walk over nodes that @idx lacks
 *
 * If @node has no entry, its writer is about to post it or had no memory. A
 * walk that can allocate posts it later. A walk that has met many such nodes
 * asks the mender.
 *
 * Context: rcu_read_lock() held.
 * Return: @hops, plus one if @idx lacks the node.
 */
unsigned int blink_walk_hop(struct blink_tree *tree, struct blink_index *idx,
			    struct blink_walk *walk, struct blink_node *node,
			    blink_key_t key, unsigned int hops)
{
	blink_stat_inc(tree, right_hops);
	if (!idx || !index_lacks(idx, node))
		return hops;
	if (walk && walk->posts && !blink_node_dead(node))
		blink_walk_pend(tree, walk, node);
	if (++hops == BLINK_HOPS_MAX)
		blink_ask_mend(tree, idx, blink_key_goal(key, node->low));
	return hops;
}

/**
 * blink_descend_slow() - a step of a descent where one attempt to read did not suffice
 * @tree: the tree
 * @idx: index to go through
 * @node: an inner node with low < @route, possibly dead
 * @route: the key of the search; changed by a reroute
 * @walk: where to record, or NULL
 * @hops: number of hops of the descent over nodes that @idx lacks
 *
 * Context: as blink_descend_step().
 * Return: likewise.
 */
struct blink_node *
blink_descend_slow(struct blink_tree *tree, struct blink_index *idx,
		   struct blink_node *node, blink_key_t *route,
		   struct blink_walk *walk, unsigned int *hops)
{
	struct blink_read read = {};
	struct blink_node *next;
	bool beyond;

	do {
		if (!blink_read_begin(tree, node, &read))
			return NULL;
		beyond = blink_node_beyond(node, *route);
		next = beyond ? rcu_dereference(node->right) :
				blink_inner_child(
					node, blink_inner_search(node, *route));
	} while (blink_read_retry(tree, node, &read));

	if (beyond) {
		*hops = blink_walk_hop(tree, idx, walk, next, *route, *hops);
	} else if (!next) {
		*route = blink_bound_key(node->low);
		blink_stat_inc(tree, reroutes);
		next = rcu_dereference(idx->root);
	} else if (walk && node->level == 1) {
		walk->parent = node;
	}
	return next;
}

/**
 * blink_descend() - find a node from which to search for a key
 * @tree: the tree
 * @idx: the index to search
 * @key: the key
 * @level: level of the node to find
 * @walk: filled in, or NULL
 *
 * Context: rcu_read_lock() held; only locks of lower levels held.
 * Return: a node with low < @key, possibly dead, possibly with high < @key. Its
 * level is @level, or less if the index is not that high. NULL if a node cannot
 * be read in this context (see blink_read_begin()).
 */
struct blink_node *blink_descend(struct blink_tree *tree,
				 struct blink_index *idx, blink_key_t key,
				 unsigned int level, struct blink_walk *walk)
{
	return blink_descend_to(tree, idx, key, level, walk);
}

/*
 * Follow right links in read sections, to the node that seems to cover the key.
 * Without its lock this is a hint.
 */
static struct blink_node *walk_right(struct blink_tree *tree,
				     struct blink_walk *walk,
				     struct blink_node *node, blink_key_t key,
				     unsigned int hops)
{
	struct blink_index *idx = walk ? walk->idx : NULL;
	struct blink_node *next;

	for (;; node = next) {
		struct blink_read read = {};

		node = blink_node_primary(node);
		do {
			if (!blink_read_begin(tree, node, &read))
				return node;
			next = blink_node_beyond(node, key) ?
				       rcu_dereference(node->right) :
				       NULL;
		} while (blink_read_retry(tree, node, &read));
		if (!next || next->level != node->level)
			return node;
		hops = blink_walk_hop(tree, idx, walk, next, key, hops);
	}
}

/*
 * As blink_lock_covering(), from a locked node that ends before the key, or is dead. It is
 * unlocked.
 */
struct blink_node *blink_lock_beyond(struct blink_tree *tree,
				     struct blink_walk *walk,
				     struct blink_node *node, blink_key_t key)
{
	struct blink_index *idx = walk ? walk->idx : NULL;
	struct blink_node *next;
	unsigned int hops;

	do {
		next = blink_node_right(node);
		blink_node_unlock(tree, node);
		if (next->level != node->level)
			return NULL;
		hops = blink_walk_hop(tree, idx, walk, next, key, 0);
		next = walk_right(tree, walk, next, key, hops);
		node = blink_lock_led(tree, next, key);
	} while (unlikely(blink_node_beyond(node, key)));
	return node;
}

/*
 * Where to begin to look for the leaf that covers a key, at @node or behind @held. A dead
 * leaf can lead to the left of @held, or to @held itself: its entries were in a leaf of
 * which @held is a part. No leaf to the right of @held can be absorbed by one to the left,
 * and its right neighbour is alive. Locks are held, so there is one more descent at most.
 */
static struct blink_node *begin_behind(struct blink_tree *tree,
				       struct blink_walk *walk,
				       struct blink_node *held,
				       struct blink_node *node, blink_key_t key)
{
	if (unlikely(blink_node_dead(node)))
		node = blink_descend_leaf(tree, key, walk);
	if (blink_node_dead(node) || blink_node_leftmost(node) ||
	    blink_bound_less(node->low, blink_bound_key(held->high)))
		return blink_node_right(held);
	return node;
}

/* Of two leaves on the way to a key, the one with the greater low key. */
static struct blink_node *nearer(struct blink_node *a, struct blink_node *b)
{
	return blink_bound_less(a->low, blink_bound_key(b->low)) ? b : a;
}

/**
 * blink_lock_next() - lock the leaf that covers a key, behind leaves that are locked
 * @tree: the tree
 * @walk: filled in
 * @held: the last of these leaves; its high key is less than @key
 * @node: a leaf where a descent for @key ended
 * @key: the key
 *
 * Each leaf on the way is locked, since a reader that is disturbed too often takes a lock,
 * too (blink_read_wait()). There are few, unless the index lacks them, or they were split
 * off after the descent: then another descent can lead nearer.
 *
 * Context: rcu_read_lock() held, in blink_writer_begin(); only locks of leaves held.
 * Return: the leaf, alive and locked, the primary if it has copies.
 */
struct blink_node *blink_lock_next(struct blink_tree *tree,
				   struct blink_walk *walk,
				   struct blink_node *held,
				   struct blink_node *node, blink_key_t key)
{
	struct blink_node *next;
	unsigned int hops = 0;

	blink_assert_locked(&held->lock);
	node = begin_behind(tree, walk, held, node, key);
	for (;;) {
		node = blink_node_primary(node);
		WARN_ON_ONCE(blink_bound_less(node->low,
					      blink_bound_key(held->high)));
		blink_lock_further(&node->lock);
		if (likely(!blink_node_beyond(node, key)))
			return node;
		/* It was alive behind @held, so @next is behind @held, too. */
		next = blink_node_right(node);
		blink_node_unlock(tree, node);
		if (++hops % BLINK_HOPS_MAX == 0)
			next = nearer(next,
				      begin_behind(tree, walk, held,
						   blink_descend_leaf(tree, key,
								      walk),
						   key));
		node = next;
	}
}

/**
 * blink_lock_leaf() - find and lock the leaf that covers a key
 * @tree: the tree
 * @walk: filled in, or NULL
 * @key: the key
 *
 * Context: rcu_read_lock() held, in blink_writer_begin().
 * Return: the leaf, alive and locked.
 */
struct blink_node *blink_lock_leaf(struct blink_tree *tree,
				   struct blink_walk *walk, blink_key_t key)
{
	struct blink_node *leaf;

	leaf = blink_descend_leaf(tree, key, walk);
	return blink_lock_covering(tree, walk, leaf, key);
}
