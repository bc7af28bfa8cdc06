// SPDX-License-Identifier: GPL-2.0
/* The spare nodes of a writer (state.h). */
#include "../node/locking.h"
#include "alloc.h"
#include "post.h"

/**
 * blink_state_alloc_inner() - allocate a spare inner node
 * @state: set to have the spare node
 * @idx: the index for which it is allocated, on the same NUMA node
 * @gfp: how to allocate
 *
 * Context: no node lock held; as @gfp allows.
 * Return: true if @state has a spare node for @idx.
 */
bool blink_state_alloc_inner(struct blink_state *state, struct blink_index *idx,
			     gfp_t gfp)
{
	if (state->inner && state->inner_of == idx)
		return true;
	if (!gfp)
		return false;
	blink_node_free(state->tree, state->inner, false);
	state->inner = blink_inner_alloc(state->tree, idx->nid, gfp);
	state->inner_of = idx;
	return state->inner;
}

/**
 * blink_state_prealloc() - allocate the nodes for a split, without sleeping
 * @state: the state, after the descent
 * @key: the key of the descent
 *
 * Context: rcu_read_lock() held, no node lock held; never sleeps.
 */
void blink_state_prealloc(struct blink_state *state, blink_key_t key)
{
	struct blink_node *parent = state->walk.parent;
	struct blink_index *own = state->walk.idx;
	gfp_t gfp = blink_gfp_easy(state->gfp);
	unsigned long others = blink_index_all(state->tree) & ~BIT(own->id);

	if (blink_leaf_get(state->tree, &state->leaf, gfp))
		return;
	blink_index_fetch(state->tree, others, 1, key);
	if (!state->inner && (!parent || blink_inner_full(parent)))
		blink_state_alloc_inner(state, own, gfp);
}

/**
 * blink_state_take_leaf() - use the spare leaf
 * @state: the state
 *
 * The leaf is locked before any other CPU can find it, and until it was posted in
 * the writer's own index, or until a commit has made its changes.
 *
 * Context: the lock of the leaf's future left neighbour held.
 * Return: the spare leaf, locked; blink_state_publish() must follow, or the commit posts it.
 */
struct blink_node *blink_state_take_leaf(struct blink_state *state)
{
	struct blink_node *leaf = state->leaf;

	state->leaf = NULL;
	leaf->unposted = blink_index_all(state->tree);
	blink_lock_further(&leaf->lock);
	return leaf;
}

/**
 * blink_state_publish() - post a new leaf, and unlock it
 * @state: the state
 * @leaf: the leaf, to which its left neighbour is linked
 *
 * Context: the locks of @leaf and of its left neighbour held.
 */
void blink_state_publish(struct blink_state *state, struct blink_node *leaf)
{
	blink_post_split(state, leaf);
	blink_node_unlock(state->tree, leaf);
}

/**
 * blink_state_post() - post what was not posted under the locks
 * @state: the state
 *
 * Context: as @gfp of the state allows, no lock held.
 * Return: as blink_post_rest().
 */
int blink_state_post(struct blink_state *state)
{
	int ret;

	if (likely(!state->walk.pending && !state->added))
		return 0;
	ret = blink_post_rest(state);
	state->walk.pending = false;
	state->added = false;
	return ret;
}
