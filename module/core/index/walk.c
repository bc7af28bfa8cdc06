// SPDX-License-Identifier: GPL-2.0
/*
 * Finding nodes: the descent through an index, and locking the node that
 * covers a key.
 *
 * A *hop* is a step to the right, or out of a dead node. A descent *reroutes*
 * when it meets an empty slot: it starts again for the inner node's low key,
 * which its left neighbours cover, and ends left of where the key is.
 */
#include <linux/bits.h>
#include <linux/bug.h>
#include <linux/kernel.h>
#include <linux/processor.h>

#include "../node/locking.h"
#include "walk.h"

/*
 * Whether an index has still to learn of a node: to enter it or, if it is told
 * lazily, to let it go. A hint: once a node is dead and no index has it, @unposted
 * is something else.
 */
static bool index_lacks(struct blink_tree *tree, struct blink_index *idx,
			struct blink_node *node)
{
	if (blink_node_dead(node))
		return tree->queue;
	return READ_ONCE(blink_node_primary(node)->unposted) & BIT(idx->id);
}

/**
 * blink_walk_hop() - note that a walk had to leave a node sideways
 * @tree: the tree
 * @idx: the index that it came through; NULL: no mend is to be asked for
 * @walk: what to note it in, or NULL
 * @node: where to
 * @key: what is looked for
 * @hops: how many hops the walk made before over nodes that @idx lacks
 *
 * If @node has no index entry yet, somebody is about to enter it, or had no
 * memory to do so: a walk that can allocate shall see to it. One that has met
 * many asks the mender.
 *
 * Context: rcu_read_lock() held.
 * Return: @hops, and this one if it was over such a node.
 */
unsigned int blink_walk_hop(struct blink_tree *tree, struct blink_index *idx,
			    struct blink_walk *walk, struct blink_node *node,
			    u64 key, unsigned int hops)
{
	blink_stat_inc(tree, right_hops);
	if (!idx || !index_lacks(tree, idx, node))
		return hops;
	if (walk && !blink_node_dead(node)) {
		walk->pending = true;
		walk->level = node->level;
		walk->low = node->low;
	}
	if (++hops == BLINK_HOPS_MAX)
		blink_mender_ask(idx, key);
	return hops;
}

/**
 * blink_descend() - find a node from which to look for a key
 * @tree: the tree
 * @idx: index to go through
 * @key: the key
 * @level: level of the node to find
 * @walk: filled in, or NULL
 *
 * Context: rcu_read_lock() held, and a lock of a lower level at most.
 * Return: a node with low < @key, possibly dead, possibly with high < @key, of
 * @level, or of a lower level if the index is not that high. NULL if it cannot
 * be read here (see blink_read_begin()).
 */
struct blink_node *blink_descend(struct blink_tree *tree,
				 struct blink_index *idx, u64 key,
				 unsigned int level, struct blink_walk *walk)
{
	struct blink_node *node;
	unsigned int hops = 0;
	u64 route = key;

	if (walk)
		walk->idx = idx;
	node = rcu_dereference(idx->root);
	while (likely(node) && node->level > level)
		node = blink_descend_step(tree, idx, node, &route, walk, &hops,
					  true);
	return node;
}

/*
 * Go right in read sections, to the node of this level that covers the key as far
 * as can be known without its lock.
 */
static struct blink_node *walk_right(struct blink_tree *tree,
				     struct blink_walk *walk,
				     struct blink_node *node, u64 key,
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

/**
 * blink_lock_covering() - lock the node of a level that covers a key
 * @tree: the tree
 * @walk: filled in, or NULL
 * @node: where to begin: low < @key, possibly dead
 * @key: the key
 *
 * Most often it is @node itself. Otherwise the way to the right is read, without
 * locks, and the node locked where it ends; again if that was split meanwhile. Each
 * node is let go before the next is locked: RCU keeps that one, and if it dies
 * meanwhile it leads on.
 *
 * Context: rcu_read_lock() held, in blink_writer_begin().
 * Return: the node, live and locked, the primary if it has copies; or NULL if
 * the walk led off the level
 * because its only node is the root of a lower index now: descend again.
 */
struct blink_node *blink_lock_covering(struct blink_tree *tree,
				       struct blink_walk *walk,
				       struct blink_node *node, u64 key)
{
	struct blink_index *idx = walk ? walk->idx : NULL;
	struct blink_node *next;
	unsigned int hops;

	for (;;) {
		node = blink_node_primary(node);
		/* I3: no pointer that was taken for the key overshoots. */
		WARN_ON_ONCE(key <= node->low && !blink_node_leftmost(node));
		blink_node_lock_first(tree, node);
		if (likely(!blink_node_beyond(node, key)))
			return node;
		next = blink_node_right(node);
		blink_node_unlock(tree, node);
		if (next->level != node->level)
			return NULL;
		hops = blink_walk_hop(tree, idx, walk, next, key, 0);
		node = walk_right(tree, walk, next, key, hops);
	}
}

/**
 * blink_lock_leaf() - find and lock the leaf that covers a key
 * @tree: the tree
 * @walk: filled in, or NULL
 * @key: the key
 *
 * Context: rcu_read_lock() held, in blink_writer_begin().
 * Return: the leaf, live and locked.
 */
struct blink_node *blink_lock_leaf(struct blink_tree *tree,
				   struct blink_walk *walk, u64 key)
{
	struct blink_node *leaf;

	leaf = blink_descend_leaf(tree, key, walk);
	return blink_lock_covering(tree, walk, leaf, key);
}
