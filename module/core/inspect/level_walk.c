// SPDX-License-Identifier: GPL-2.0
/*
 * Walking along a whole level while the tree is in use: one node after the
 * other is copied in a valid read section. The walk goes on for the key behind
 * the node's high key, so that it may leave RCU between two nodes.
 */
#include "level_walk.h"

/* False if the node cannot be read here. */
static bool snapshot(struct blink_tree *tree, struct blink_node *node,
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

/**
 * blink_level_next() - go to the first or next node of a level
 * @walk: the walk; @tree, @idx and @level set, the rest zero at the beginning
 *
 * The nodes covered the whole key space, in order; one that absorbed its
 * neighbour behind the walk may come twice.
 *
 * Context: rcu_read_lock() held; it may be dropped between two calls.
 * Return: false at the end.
 */
bool blink_level_next(struct blink_level_walk *walk)
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
		    !snapshot(walk->tree, node, &walk->snap))
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
