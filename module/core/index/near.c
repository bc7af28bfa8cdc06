// SPDX-License-Identifier: GPL-2.0
/* Descents that begin where the last one came by. */
#include "near.h"

/**
 * blink_near_child() - the child of an inner node for a key, if its slot is known
 * @tree: the tree
 * @parent: an inner node that a descent of this RCU read section came by, or NULL
 * @pos: the slot, a guess
 * @key: the key
 *
 * It costs less than a search in the node. The separators of this slot and of the next
 * one show whether the guess is right.
 *
 * Context: rcu_read_lock() held since that descent.
 * Return: a leaf with low < @key, possibly dead, possibly with high < @key; NULL if the
 * guess is wrong, or if the node changes at this moment.
 */
struct blink_node *blink_near_child(struct blink_tree *tree,
				    struct blink_node *parent, unsigned int pos,
				    blink_key_t key)
{
	struct blink_node *child;
	struct blink_read read = {};

	if (!parent || pos >= BLINK_INNER_SLOTS - 1 ||
	    !blink_read_begin(tree, parent, &read))
		return NULL;
	child = blink_inner_child(parent, pos);
	if (blink_node_dead(parent) || pos + 1 >= READ_ONCE(parent->count) ||
	    !blink_key_less(blink_slot_key(parent, pos, false), key) ||
	    blink_key_less(blink_slot_key(parent, pos + 1, false), key))
		child = NULL;
	return blink_read_retry(tree, parent, &read) ? NULL : child;
}

/**
 * blink_descend_near() - find a leaf from which to search for a key
 * @tree: the tree
 * @key: the key
 * @walk: the last descent of this RCU read section, or zeroes; filled in
 *
 * The descent begins at @walk's parent if the key seems to be in its range, and
 * otherwise at the root. The high key of the parent is only a hint: with one that is out
 * of date, the descent goes to the right, or begins at the root.
 *
 * Context: rcu_read_lock() held since @walk was filled in.
 * Return: as blink_descend() for level 0.
 */
struct blink_node *blink_descend_near(struct blink_tree *tree, blink_key_t key,
				      struct blink_walk *walk)
{
	struct blink_node *node = walk->parent;
	unsigned int hops = 0;
	blink_key_t route = key;

	if (!node || !blink_node_leads(node, key) ||
	    blink_node_behind(node, key))
		return blink_descend_leaf(tree, key, walk);
	while (node && node->level)
		node = blink_descend_step(tree, walk->idx, node, &route, walk,
					  &hops);
	return node;
}
