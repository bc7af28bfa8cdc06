// SPDX-License-Identifier: GPL-2.0
/*
 * Mending an index: posting the nodes without an entry on the way to a key.
 *
 * A node stays without an entry if the writer that split it off had no memory
 * for an inner node. Searches reach it by right links. A *mend* follows the
 * path to a key, from the highest level down, and posts these nodes one by one,
 * from left to right. So each step follows only a few right links.
 */
#include <linux/errno.h>
#include <linux/jiffies.h>
#include <linux/sched.h>

#include "alloc.h"
#include "mend.h"
#include "root.h"

/*
 * A mend may wait until memory is reclaimed, but must not wake the OOM killer.
 * blink_tree_destroy() waits for a mend, perhaps under a lock that a file
 * system takes to reclaim memory, so allocations do no I/O.
 */
#define GFP_MEND (GFP_NOIO | __GFP_NORETRY | __GFP_NOWARN)

/*
 * For how long requests have no effect after a mend that found no memory;
 * otherwise it is one tick.
 */
#define QUIET_NOMEM HZ

/* The most nodes that one mend posts. */
#define MEND_BURST 256
/* Attempts at one node, while other CPUs are busy with the index. */
#define MEND_TRIES 4

/*
 * Find the first node of a level without an entry in the index, on the way to
 * the node that covers @key or directly to the right of that node: a split for
 * @key leaves its new node there. The content that is read outside of read
 * sections is a hint. A right link leads to a node of the same level, or out of
 * a root that was given up, and the node is examined again under its lock
 * before it is posted.
 */
static bool find_unposted(struct blink_tree *tree, struct blink_index *idx,
			  blink_key_t key, unsigned int level,
			  blink_bound_t *low)
{
	struct blink_node *node = NULL;
	bool covered = false;

	rcu_read_lock();
	/* Leaves that a rebuild has not reached yet are left to it. */
	if (!blink_index_down(idx) &&
	    !blink_bound_less(blink_index_built(idx), key))
		node = blink_descend(tree, idx, key, level, NULL);
	for (; node && node->level == level;
	     node = rcu_dereference(node->right)) {
		node = blink_node_primary(node);
		if (blink_node_dead(node))
			continue;
		blink_bound_set(tree, low, node->low);
		if (READ_ONCE(node->unposted) & BIT(idx->id))
			break;
		if (covered) {
			node = NULL;
			break;
		}
		covered = !blink_node_behind(node, key);
	}
	if (node && node->level != level)
		node = NULL;
	rcu_read_unlock();
	return node;
}

/* Post the nodes of a level that an index lacks, each in a few attempts. */
static int mend_level(struct blink_state *state, struct blink_index *idx,
		      blink_key_t key, unsigned int level, unsigned int *burst)
{
	blink_bound_t low = BLINK_BOUND_NONE, last = BLINK_BOUND_NONE;
	struct blink_tree *tree = state->tree;
	unsigned int tries = 0;
	int ret = 0;

	while (!ret && find_unposted(tree, idx, key, level, &low)) {
		tries = blink_bound_equal(low, last) ? tries + 1 : 1;
		blink_bound_set(tree, &last, low);
		if (tries > MEND_TRIES)
			ret = -EBUSY;
		else if (!*burst)
			ret = -EAGAIN;
		if (ret)
			break;
		--*burst;
		ret = blink_index_complete(state, idx, level, low);
		if (state->gfp & __GFP_DIRECT_RECLAIM)
			cond_resched();
	}
	blink_bound_put(tree, low);
	blink_bound_put(tree, last);
	return ret;
}

/**
 * blink_mend() - post the nodes without an entry on the way to a key
 * @state: memory for it; its walk is used
 * @idx: the index
 * @key: the key
 *
 * It posts at most MEND_BURST nodes.
 *
 * Context: as @state->gfp allows, no lock held; no RCU read section if
 * @state->gfp allows sleeping.
 * Return: 0; -ENOMEM: memory ran out; -EAGAIN: more than MEND_BURST nodes lack
 * an entry; -EBUSY: other CPUs are busy with the index.
 */
int blink_mend(struct blink_state *state, struct blink_index *idx,
	       blink_key_t key)
{
	unsigned int level = blink_index_height(idx), burst = MEND_BURST;
	int ret = 0;

	while (!ret && level--)
		ret = mend_level(state, idx, key, level, &burst);
	return ret;
}

/**
 * blink_mend_all() - mend all indexes of a tree
 * @tree: the tree
 * @key: the key
 * @gfp: how to allocate
 *
 * Context: as blink_mend().
 */
void blink_mend_all(struct blink_tree *tree, blink_key_t key, gfp_t gfp)
{
	struct blink_state state = { .tree = tree, .gfp = gfp };
	struct blink_index *idx;

	for_each_blink_index(idx, tree) {
		state.walk.idx = idx;
		blink_mend(&state, idx, key);
	}
	blink_state_end(&state);
}

static struct blink_tree *tree_of(struct blink_index *idx)
{
	return container_of(idx - idx->id, struct blink_tree, index[0]);
}

static blink_bound_t mender_low(const struct blink_mender *mender)
{
	return blink_bound_join(READ_ONCE(mender->key[0]),
				READ_ONCE(mender->key[1]));
}

/* Drop the low key that a mender was asked for. */
static void mender_forget(struct blink_tree *tree, struct blink_mender *mender)
{
	blink_bound_put(tree, mender_low(mender));
	WRITE_ONCE(mender->key[0], blink_bound_head(BLINK_BOUND_NONE));
	WRITE_ONCE(mender->key[1], blink_bound_tail(BLINK_BOUND_NONE));
}

/**
 * blink_mend_end() - drop the low key that a mender was asked for, at once
 * @tree: its tree, which has no readers any more: all its menders have ended
 * @mender: the mender
 *
 * Context: any but NMI.
 */
void blink_mend_end(struct blink_tree *tree, struct blink_mender *mender)
{
	blink_bound_drop(tree, mender_low(mender));
}

/* Post a burst of nodes. Returns as blink_mend(). */
static int mend_burst(struct blink_index *idx, blink_key_t key)
{
	struct blink_state state = {
		.tree = tree_of(idx),
		.walk = { .idx = idx },
		.gfp = GFP_MEND,
	};
	int ret = blink_mend(&state, idx, key);

	blink_state_end(&state);
	return ret;
}

/**
 * blink_mend_work() - the work function of a mender
 * @work: the work
 *
 * Context: process, on a workqueue.
 */
void blink_mend_work(struct work_struct *work)
{
	struct blink_mender *mender =
		container_of(work, struct blink_mender, work);
	struct blink_index *idx =
		container_of(mender, struct blink_index, mender);
	int ret = mend_burst(idx, blink_key_after(mender_low(mender)));

	if (ret == -EAGAIN) {
		blink_mender_again(mender);
		return;
	}
	mender_forget(tree_of(idx), mender);
	blink_mender_done(mender, ret == -ENOMEM ? QUIET_NOMEM : 1);
}
