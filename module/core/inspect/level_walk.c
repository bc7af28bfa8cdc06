// SPDX-License-Identifier: GPL-2.0
/*
 * Walking along a whole level while the tree is in use: each node is copied in
 * a valid read section. The walk continues with the key after the node's high
 * key, so it can leave its RCU read section between two nodes.
 */
#include <linux/errno.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "level_walk.h"

/* The most nodes examined in one RCU read section. */
#define LEVEL_BURST 64

static void snapshot_entries(struct blink_node *node,
			     struct blink_snapshot *snap)
{
	unsigned int i;

	snap->form = blink_leaf_form(node);
	snap->slots = node->level ? BLINK_INNER_SLOTS :
				    blink_leaf_slots(snap->form);
	for (i = 0; i < min(snap->count, snap->slots); i++) {
		snap->key[i] = node->level ?
				       blink_slot_key(node, i, false) :
				       blink_leaf_key(node, snap->form, i);
		snap->value[i] = node->level ?
					 READ_ONCE(blink_node_values(node)[i]) :
					 blink_leaf_value(node, snap->form, i);
	}
	snap->unused = true;
	if (snap->form)
		return;
	for (i = 0; i < snap->slots; i++)
		snap->slot[i] = blink_slot_load(&node->slot[i]);
	for (i = snap->count; i < snap->slots; i++)
		snap->unused &= snap->slot[i] == BLINK_SLOT_UNUSED;
	snap->base = blink_node_base(node);
	snap->heads = blink_heads_valid(node);
}

/*
 * Copy a node in a valid read section. False if the node cannot be read in this
 * context.
 */
static bool node_snapshot(struct blink_tree *tree, struct blink_node *node,
			  struct blink_snapshot *snap)
{
	struct blink_read read = {};

	snap->node = node;
	snap->level = node->level;
	snap->low = node->low;
	snap->leftmost = blink_node_leftmost(node);
	do {
		if (!blink_read_begin(tree, node, &read))
			return false;
		snap->dead = blink_node_dead(node);
		snap->count = READ_ONCE(node->count);
		snap->high = blink_node_high(node);
		snap->right = rcu_dereference(node->right);
		snap->signs.shift = READ_ONCE(node->shift);
		/* data_race: RCU writes there, if the node is dead. */
		snap->signs.word[0] = data_race(READ_ONCE(node->sign[0]));
		/* data_race: as above */
		snap->signs.word[1] = data_race(READ_ONCE(node->sign[1]));
		/* RCU can have written over the strings of a dead leaf. */
		if (!snap->dead)
			snapshot_entries(node, snap);
		snap->seq = read.seq;
	} while (blink_read_retry(tree, node, &read));
	return true;
}

/*
 * Go to the first or next node of a level. Returns false at the end.
 *
 * Context: rcu_read_lock() held; it may be dropped between two calls.
 */
static bool level_next(struct blink_level_walk *walk)
{
	struct blink_index *idx = walk->idx;
	struct blink_node *node;
	blink_key_t key;

	if (walk->end)
		return false;
	key = walk->begun ? blink_key_after(walk->passed) : BLINK_KEY_LEAST;
	/*
	 * While an index is down, its leaves are those of any other index,
	 * unless it has copies.
	 */
	if (blink_index_down(idx)) {
		if (walk->level || walk->tree->copied)
			return false;
		idx = blink_tree_index(walk->tree);
	}
	node = blink_descend(walk->tree, idx, key, walk->level, NULL);
	for (;;) {
		/* The level may have been given up. */
		if (!node || node->level != walk->level ||
		    !node_snapshot(walk->tree, node, &walk->snap))
			return false;
		if (!walk->snap.dead && !blink_bound_less(walk->snap.high, key))
			break;
		node = walk->snap.right;
	}
	walk->end = !walk->snap.right;
	if (!walk->end)
		blink_bound_set(walk->tree, &walk->passed, walk->snap.high);
	walk->begun = true;
	return true;
}

/**
 * blink_level_visit() - call a function for each node of a level
 * @walk: the walk; @tree set
 * @idx: the index of the level
 * @level: the level
 * @look: called for each node, with rcu_read_lock() held; @walk->snap is the
 *	node
 * @data: for @look
 *
 * The nodes cover the whole key space, in order. A node that absorbs its right
 * neighbour behind the walk can be visited twice.
 *
 * Context: process; reschedules.
 * Return: 0; the first value other than 0 that @look returned; -EINTR if a
 * fatal signal arrived first.
 */
int blink_level_visit(struct blink_level_walk *walk, struct blink_index *idx,
		      unsigned int level, blink_level_fn look, void *data)
{
	unsigned int burst;
	int ret = 0;

	*walk = (struct blink_level_walk){
		.tree = walk->tree,
		.idx = idx,
		.level = level,
	};
	do {
		rcu_read_lock();
		for (burst = 0; burst < LEVEL_BURST && !ret; burst++) {
			if (!level_next(walk))
				break;
			ret = look(walk, data);
		}
		rcu_read_unlock();
		cond_resched();
		if (!ret && fatal_signal_pending(current))
			ret = -EINTR;
	} while (!ret && burst == LEVEL_BURST);
	blink_bound_set(walk->tree, &walk->passed, BLINK_BOUND_NONE);
	return ret;
}
