/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: contended leaves
 *
 * Writers that meet in a leaf wait for each other, though they want different
 * keys. Such a leaf is split although it is not full, so that they meet less
 * ("contention split": Alhomssi and Leis, CIDR 2021).
 *
 * A leaf's *heat* tells how often they meet: who had to wait for its lock adds
 * BLINK_HEAT_WAIT, who had not takes one away, so that it rises only while more
 * than one in nine waits. At BLINK_HEAT_SPLIT the leaf is *hot*, and who adds or
 * stores a key there splits it; erasing and replacing allocate nothing, and leave
 * it to those. Halves with heat left are not merged again while both hold keys.
 *
 * Keys that are appended all go to the last leaf, whatever is split: they take
 * its heat away instead. With several who append, a key may come a little late.
 */
#ifndef BLINK_CORE_CONTENTION_H
#define BLINK_CORE_CONTENTION_H

#include <linux/kernel.h>

#include "node.h"

#define BLINK_HEAT_WAIT 8
#define BLINK_HEAT_MAX 255

/* More than BLINK_HEAT_MAX: never. */
#ifndef BLINK_HEAT_SPLIT
#define BLINK_HEAT_SPLIT 128
#endif

/* A leaf with fewer keys is not split for its heat. */
#define BLINK_HEAT_KEYS (BLINK_LEAF_SLOTS / 4 + 1)

/**
 * blink_heat_note() - note how a node was locked
 * @node: the node
 * @waited: its lock had to be waited for
 *
 * Context: @node's lock held.
 */
static __always_inline void blink_heat_note(struct blink_node *node,
					    bool waited)
{
	int heat = node->heat;

	if (unlikely(waited))
		WRITE_ONCE(node->heat,
			   min(heat + BLINK_HEAT_WAIT, BLINK_HEAT_MAX));
	else if (unlikely(heat))
		WRITE_ONCE(node->heat, heat - 1);
}

/**
 * blink_leaf_hot() - whether a leaf is to be split for its heat
 * @leaf: the leaf, or any of its copies
 *
 * Context: @leaf's lock held, or the answer is a hint.
 * Return: whether it is.
 */
static __always_inline bool blink_leaf_hot(struct blink_node *leaf)
{
	leaf = blink_node_primary(leaf);
	return unlikely(READ_ONCE(leaf->heat) >= BLINK_HEAT_SPLIT) &&
	       READ_ONCE(leaf->count) >= BLINK_HEAT_KEYS;
}

/**
 * blink_leaf_cool() - take the heat away from a leaf
 * @leaf: the leaf, the primary if it has copies
 *
 * Context: @leaf's lock held.
 */
static inline void blink_leaf_cool(struct blink_node *leaf)
{
	WRITE_ONCE(leaf->heat, 0);
}

#endif /* BLINK_CORE_CONTENTION_H */
