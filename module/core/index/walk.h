/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: the walk
 *
 * Finding nodes. Neither readers nor writers hold a lock or validate a version
 * of the parent while they go to a child: an index pointer that was read in a
 * valid section leads to a node whose low key is less than the key, or to a
 * dead node (I3), and RCU keeps this node.
 */
#ifndef BLINK_CORE_WALK_H
#define BLINK_CORE_WALK_H

#include "../node/locking.h"
#include "../node/search.h"
#include "../node/section.h"
#include "../tree/tree.h"

/**
 * struct blink_walk - the results of a descent besides its node
 * @idx: the index that it used
 * @parent: the last inner node of level 1 on the way; a hint, valid in the RCU
 *	read section
 * @posts: nodes without an entry are recorded, since the caller posts them
 * @pending: the descent met a node without an entry
 * @lacks: memory ran out for an entry on the way to the key after @low, and the
 *	caller may wait for memory (blink_mend_all())
 * @level: level of that node
 * @low: its low key, with a reference if @posts
 */
struct blink_walk {
	struct blink_index *idx;
	struct blink_node *parent;
	bool posts;
	bool pending;
	bool lacks;
	unsigned int level;
	blink_bound_t low;
};

/* Whether a tree has keys of the layout for which this is compiled. */
static __always_inline bool blink_tree_fits(const struct blink_tree *tree)
{
	return likely(tree->layout == BLINK_LAYOUT);
}

/* Likewise, and its values are numbers, which callers may write. */
static __always_inline bool blink_tree_plain(const struct blink_tree *tree)
{
	return likely(tree->plain == BLINK_LAYOUT);
}

/*
 * The greatest key that a rebuild of an index has reached. Without the lock of a leaf
 * it is a hint: another leaf may be reached at this moment.
 */
static inline blink_bound_t blink_index_built(const struct blink_index *idx)
{
	/*
	 * Pairs with the release in blink_index_set_built(): the head is not older
	 * than the tail. So the key is not less than one that was reached before.
	 */
	u64 tail = smp_load_acquire(&idx->built[1]);

	return blink_bound_join(READ_ONCE(idx->built[0]), tail);
}

/* Only the creator of the index or its rebuild calls it. */
static inline void blink_index_set_built(struct blink_tree *tree,
					 struct blink_index *idx,
					 blink_bound_t bound)
{
	blink_bound_t old = blink_index_built(idx);

	blink_bound_get(bound);
	WRITE_ONCE(idx->built[0], blink_bound_head(bound));
	/* Pairs with the acquire in blink_index_built(). */
	smp_store_release(&idx->built[1], blink_bound_tail(bound));
	blink_bound_put(tree, old);
}

/* Ask the mender of an index to post the nodes that it lacks on the way to a node. */
static inline void blink_ask_mend(struct blink_tree *tree,
				  struct blink_index *idx, blink_bound_t low)
{
	if (!blink_mender_begin(idx))
		return;
	blink_bound_get(low);
	blink_mender_ask(idx, blink_bound_head(low), blink_bound_tail(low));
}

/* Record a node without an entry. */
static inline void blink_walk_pend(struct blink_tree *tree,
				   struct blink_walk *walk,
				   struct blink_node *node)
{
	walk->pending = true;
	walk->level = node->level;
	blink_bound_set(tree, &walk->low, node->low);
}

unsigned int blink_walk_hop(struct blink_tree *tree, struct blink_index *idx,
			    struct blink_walk *walk, struct blink_node *node,
			    blink_key_t key, unsigned int hops);
struct blink_node *
blink_descend_slow(struct blink_tree *tree, struct blink_index *idx,
		   struct blink_node *node, blink_key_t *route,
		   struct blink_walk *walk, unsigned int *hops);
struct blink_node *blink_descend(struct blink_tree *tree,
				 struct blink_index *idx, blink_key_t key,
				 unsigned int level, struct blink_walk *walk);
struct blink_node *blink_lock_beyond(struct blink_tree *tree,
				     struct blink_walk *walk,
				     struct blink_node *node, blink_key_t key);
struct blink_node *blink_lock_next(struct blink_tree *tree,
				   struct blink_walk *walk,
				   struct blink_node *held,
				   struct blink_node *node, blink_key_t key);
struct blink_node *blink_lock_leaf(struct blink_tree *tree,
				   struct blink_walk *walk, blink_key_t key);

/**
 * blink_descend_step() - one step of a descent
 * @tree: the tree
 * @idx: index to go through
 * @node: an inner node with low < @route, possibly dead
 * @route: the key of the search; changed by a reroute
 * @walk: where to record, or NULL
 * @hops: number of hops of the descent over nodes that @idx lacks
 *
 * The step prefetches the whole node of the next step, since the wait for one cache line is
 * as long as for all of them.
 *
 * Context: rcu_read_lock() held; only locks of lower levels held.
 * Return: the next node; NULL if @node cannot be read in this context.
 */
static __always_inline struct blink_node *
blink_descend_step(struct blink_tree *tree, struct blink_index *idx,
		   struct blink_node *node, blink_key_t *route,
		   struct blink_walk *walk, unsigned int *hops)
{
	const unsigned int level = node->level;
	const u32 seq = blink_read_try(node);
	struct blink_node *next = NULL;

	if (!blink_node_beyond(node, *route))
		next = blink_inner_child(node,
					 blink_inner_search(node, *route));
	if (unlikely(!blink_read_valid(node, seq))) {
		blink_stat_inc(tree, read_retries);
		next = NULL;
	}
	if (unlikely(!next))
		return blink_descend_slow(tree, idx, node, route, walk, hops);
	if (level == 1) {
		blink_node_prefetch(next, true, true);
		if (walk)
			walk->parent = node;
	} else if (level == 2 || !blink_node_only(node)) {
		/*
		 * The few nodes above these stay in the cache, unless the tree
		 * is this high.
		 */
		blink_node_prefetch(next, false, true);
	}
	return next;
}

/* As blink_descend(), inlined. */
static __always_inline struct blink_node *
blink_descend_to(struct blink_tree *tree, struct blink_index *idx,
		 blink_key_t key, unsigned int level, struct blink_walk *walk)
{
	struct blink_node *node;
	unsigned int hops = 0;
	blink_key_t route = key;

	if (walk)
		walk->idx = idx;
	node = rcu_dereference(idx->root);
	while (likely(node) && node->level > level)
		node = blink_descend_step(tree, idx, node, &route, walk, &hops);
	return node;
}

/* Descend to the leaves through the local index. */
static __always_inline struct blink_node *
blink_descend_leaf(struct blink_tree *tree, blink_key_t key,
		   struct blink_walk *walk)
{
	return blink_descend(tree, blink_tree_index(tree), key, 0, walk);
}

/* Lock a node, or its primary if it has copies, to which a search for @key has led. */
static __always_inline struct blink_node *
blink_lock_led(struct blink_tree *tree, struct blink_node *node,
	       blink_key_t key)
{
	node = blink_node_primary(node);
	/*
	 * I3: no pointer that a search for the key takes leads too far
	 * to the right.
	 */
	WARN_ON_ONCE(!blink_node_leads(node, key));
	blink_node_lock_first(tree, node);
	return node;
}

/**
 * blink_lock_covering() - lock the node of a level that covers a key
 * @tree: the tree
 * @walk: filled in, or NULL
 * @node: where to begin; its low key is less than @key, and it may be dead
 * @key: the key
 *
 * Usually this is @node. Otherwise the way to the right is read without locks,
 * and the node at its end is locked; this is repeated if that node was split
 * meanwhile. The function holds one lock at a time: RCU keeps the next node,
 * whose right link leads on if it dies.
 *
 * Context: rcu_read_lock() held, in blink_writer_begin().
 * Return: the node, alive and locked, the primary if it has copies. NULL if the
 * level was given up, because its only node was a root with one child: descend
 * again.
 */
static __always_inline struct blink_node *
blink_lock_covering(struct blink_tree *tree, struct blink_walk *walk,
		    struct blink_node *node, blink_key_t key)
{
	node = blink_lock_led(tree, node, key);
	if (likely(!blink_node_beyond(node, key)))
		return node;
	return blink_lock_beyond(tree, walk, node, key);
}

/**
 * blink_read_covering() - read the leaf that covers a key
 * @tree: the tree
 * @leaf: where to begin; its low key is less than @key, and it may be dead; or
 *	NULL
 * @key: the key
 * @look: reads the leaf; it can be called several times, and only the last call
 *	counts
 * @arg: for @look
 * @seq: set to the leaf's sequence
 *
 * All readers of leaves use this function, except lookups that need no second attempt
 * (lookup.c, batch.c). It is inlined, so @look is not called through a pointer.
 *
 * Context: rcu_read_lock() held.
 * Return: the leaf, or NULL if it cannot be read in this context.
 */
static __always_inline struct blink_node *blink_read_covering(
	struct blink_tree *tree, struct blink_node *leaf, blink_key_t key,
	void (*look)(struct blink_node *leaf, void *arg), void *arg, u32 *seq)
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
