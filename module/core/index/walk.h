/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: the walk
 *
 * How readers and writers find a node. Nobody couples locks or versions on the
 * way down: an index pointer read in a valid section leads to a node whose low
 * key is less than the key, dead at worst (I3), and RCU keeps it there.
 */
#ifndef BLINK_CORE_WALK_H
#define BLINK_CORE_WALK_H

#include "../node/search.h"
#include "../node/section.h"
#include "../tree/tree.h"

/**
 * struct blink_walk - what a descent leaves for later
 * @idx: the index that it went through
 * @parent: last inner node of level 1 that it took, a hint, under RCU
 * @pending: a node without an index entry was met
 * @lacks: what was added takes memory that can be waited for, to be entered into
 *	the indexes on the way to the key behind @low (blink_mend_all())
 * @level: level of the node met
 * @low: its low key
 */
struct blink_walk {
	struct blink_index *idx;
	struct blink_node *parent;
	bool pending;
	bool lacks;
	unsigned int level;
	u64 low;
};

unsigned int blink_walk_hop(struct blink_tree *tree, struct blink_index *idx,
			    struct blink_walk *walk, struct blink_node *node,
			    u64 key, unsigned int hops);
struct blink_node *blink_descend(struct blink_tree *tree,
				 struct blink_index *idx, u64 key,
				 unsigned int level, struct blink_walk *walk);
struct blink_node *blink_lock_covering(struct blink_tree *tree,
				       struct blink_walk *walk,
				       struct blink_node *node, u64 key);
struct blink_node *blink_lock_leaf(struct blink_tree *tree,
				   struct blink_walk *walk, u64 key);

/**
 * blink_descend_step() - one step of a descent
 * @tree: the tree
 * @idx: index to go through
 * @node: an inner node with low < @route, possibly dead
 * @route: the key that is looked for; changed by a reroute
 * @walk: what to note in, or NULL
 * @hops: how many hops the descent made over nodes that @idx lacks
 * @alone: constant; no other descents are under way that could be waited for
 *	meanwhile
 *
 * What the next step will read is on its way when this returns: all of a node for
 * who is alone, as he waits for one line as long as for all; else the keys, and
 * what goes with the one that is found later, as many descents share what can be
 * on its way at a time.
 *
 * Context: rcu_read_lock() held, and a lock of a lower level at most.
 * Return: where to go on; NULL if @node cannot be read here.
 */
static __always_inline struct blink_node *
blink_descend_step(struct blink_tree *tree, struct blink_index *idx,
		   struct blink_node *node, u64 *route, struct blink_walk *walk,
		   unsigned int *hops, bool alone)
{
	struct blink_read read = {};
	struct blink_node *next;
	unsigned int pos;
	bool beyond;

	do {
		if (!blink_read_begin(tree, node, &read))
			return NULL;
		beyond = blink_node_beyond(node, *route);
		pos = beyond ? 0 : blink_inner_search(node, *route, alone);
		next = beyond ? rcu_dereference(node->right) :
				blink_inner_child(node, pos);
	} while (unlikely(blink_read_retry(tree, node, &read)));

	if (unlikely(beyond)) {
		*hops = blink_walk_hop(tree, idx, walk, next, *route, *hops);
	} else if (unlikely(!next)) {
		*route = node->low;
		blink_stat_inc(tree, reroutes);
		next = rcu_dereference(idx->root);
	} else if (node->level == 1) {
		blink_node_prefetch(next, true, alone);
		if (walk)
			walk->parent = node;
	} else if (node->level == 2 ||
		   (alone && node->level > 2 && !blink_node_only(node))) {
		/* Few nodes are above, unless the tree is as high as this. */
		blink_node_prefetch(next, false, alone);
	}
	return next;
}

/* Descend to the leaves, through the index of here. */
static __always_inline struct blink_node *
blink_descend_leaf(struct blink_tree *tree, u64 key, struct blink_walk *walk)
{
	return blink_descend(tree, blink_tree_index(tree), key, 0, walk);
}

/**
 * blink_read_covering() - read the leaf that covers a key
 * @tree: the tree
 * @leaf: where to begin: low < @key, possibly dead, or NULL
 * @key: the key
 * @look: reads the leaf; may be called several times, only the last one counts
 * @arg: for @look
 * @seq: set to the leaf's sequence
 *
 * This is where a leaf is read, whatever for. It is expanded in place, so that
 * @look is not called through a pointer.
 *
 * Context: rcu_read_lock() held.
 * Return: the leaf, or NULL if it cannot be read here.
 */
static __always_inline struct blink_node *
blink_read_covering(struct blink_tree *tree, struct blink_node *leaf, u64 key,
		    void (*look)(struct blink_node *leaf, void *arg), void *arg,
		    u32 *seq)
{
	struct blink_node *next;
	unsigned int hops = 0;

	for (; leaf; leaf = next) {
		struct blink_read read = {};

		if (tree->copied && READ_ONCE(leaf->seq) & 1)
			leaf = blink_node_primary(leaf);
		do {
			next = NULL;
			if (!blink_read_begin(tree, leaf, &read))
				return NULL;
			*seq = read.seq;
			if (unlikely(blink_node_beyond(leaf, key)))
				next = rcu_dereference(leaf->right);
			else
				look(leaf, arg);
		} while (unlikely(blink_read_retry(tree, leaf, &read)));
		if (likely(!next))
			return leaf;
		hops = blink_walk_hop(tree, blink_tree_index(tree), NULL, next,
				      key, hops);
	}
	return NULL;
}

#endif /* BLINK_CORE_WALK_H */
