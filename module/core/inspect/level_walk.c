// SPDX-License-Identifier: GPL-2.0
/*
 * Walking along a whole level while the tree is in use: one node after the
 * other is copied in a valid read section. The walk goes on for the key behind
 * the node's high key, so that it may leave RCU between two nodes.
 */
#include <linux/errno.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "level_walk.h"

/* Nodes that are looked at within one RCU read section. */
#define LEVEL_BURST 64

/* False if the node cannot be read here. */
static bool node_snapshot(struct blink_tree *tree, struct blink_node *node,
			  struct blink_snapshot *snap)
{
	struct blink_read read = {};
	unsigned int i;

	snap->node = node;
	snap->level = node->level;
	snap->low = node->low;
	snap->leftmost = blink_node_leftmost(node);
	do {
		if (!blink_read_begin(tree, node, &read))
			return false;
		snap->dead = blink_node_dead(node);
		snap->count = READ_ONCE(node->count);
		snap->high = READ_ONCE(node->high);
		snap->right = rcu_dereference(node->right);
		for (i = 0; i < min(snap->count, blink_node_slots(node)); i++) {
			snap->key[i] = blink_node_key(node, i);
			snap->value[i] = READ_ONCE(blink_node_values(node)[i]);
		}
		snap->unused = true;
		for (; i < blink_node_slots(node); i++)
			snap->unused &= blink_node_key(node, i) ==
					BLINK_KEY_UNUSED;
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

	if (walk->end)
		return false;
	/* While one is down the leaves are those of any other. */
	if (blink_index_down(idx)) {
		if (walk->level || walk->tree->copied)
			return false;
		idx = blink_tree_index(walk->tree);
	}
	node = blink_descend(walk->tree, idx, walk->key, walk->level, NULL);
	for (;;) {
		/* The level may have been given up. */
		if (!node || node->level != walk->level ||
		    !node_snapshot(walk->tree, node, &walk->snap))
			return false;
		if (!walk->snap.dead && walk->key <= walk->snap.high)
			break;
		node = walk->snap.right;
	}
	walk->end = !walk->snap.right;
	if (!walk->end)
		walk->key = blink_key_after(walk->snap.high);
	return true;
}

/**
 * blink_level_visit() - look at each node of a level
 * @walk: the walk; @tree set
 * @idx: the index whose level it is
 * @level: the level
 * @look: called for each node, with @walk at it and rcu_read_lock() held
 * @data: for @look
 *
 * The nodes covered the whole key space, in order; one that absorbed its neighbour
 * behind the walk may come twice.
 *
 * Context: process; reschedules.
 * Return: 0; what @look returned, if that was not 0; -EINTR if a fatal signal came
 * first.
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
	return ret;
}
