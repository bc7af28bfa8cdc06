/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: the state of a writer
 *
 * No memory is allocated under a node lock. A writer that may split a node has *spare*
 * nodes before it takes the lock: a leaf, and an inner node in case the entry of the
 * leaf does not fit into the parent. At the end it frees those that it did not use.
 */
#ifndef BLINK_CORE_STATE_H
#define BLINK_CORE_STATE_H

#include "alloc.h"
#include "walk.h"

/**
 * struct blink_state - the state of a writer that may add nodes
 * @tree: the tree
 * @walk: the descent; at the end, the node that is left to complete in its own
 *	index is pending there
 * @added: a leaf was split off, and other indexes may have no entry for it
 * @low: the low key of that leaf; at the end, that of the node which is left to
 *	complete
 * @leaf: the spare leaf, or NULL
 * @inner: the spare inner node, or NULL; used up by a split
 * @inner_of: the index that it was allocated for
 * @gfp: how to allocate more spare nodes without a lock; 0: do not
 */
struct blink_state {
	struct blink_tree *tree;
	struct blink_walk walk;
	bool added;
	blink_bound_t low;
	struct blink_node *leaf;
	struct blink_node *inner;
	struct blink_index *inner_of;
	gfp_t gfp;
};

/* The same flags, without sleeping. */
static inline gfp_t blink_gfp_easy(gfp_t gfp)
{
	return (gfp & ~(__GFP_DIRECT_RECLAIM | __GFP_NOFAIL)) | __GFP_NOWARN;
}

bool blink_state_alloc_inner(struct blink_state *state, struct blink_index *idx,
			     gfp_t gfp);
void blink_state_prealloc(struct blink_state *state, blink_key_t key);
struct blink_node *blink_state_take_leaf(struct blink_state *state);
void blink_state_publish(struct blink_state *state, struct blink_node *leaf);
int blink_state_post(struct blink_state *state);

/**
 * blink_state_end() - free what a state still has
 * @state: the state
 *
 * Context: no node lock held.
 */
static inline void blink_state_end(struct blink_state *state)
{
	if (unlikely(state->leaf))
		blink_node_free(state->tree, state->leaf, true);
	if (unlikely(state->inner))
		blink_node_free(state->tree, state->inner, false);
	blink_bound_put(state->tree, state->walk.low);
	blink_bound_put(state->tree, state->low);
}

#endif /* BLINK_CORE_STATE_H */
