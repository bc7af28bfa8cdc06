/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: contended leaves
 *
 * Writers wait for each other in a leaf although they want different keys. Such
 * a leaf is split before it is full, so that they wait less often ("contention
 * split": Alhomssi and Leis, CIDR 2021).
 *
 * The *heat* of a leaf counts how often they wait: a writer that waited for the
 * lock adds BLINK_HEAT_WAIT, and a writer that did not wait subtracts one. So
 * the heat rises only while more than one writer in nine waits. At
 * BLINK_HEAT_SPLIT the leaf is *hot*, and the next writer that adds or stores a
 * key in it splits it. Writers that erase or replace allocate nothing, and
 * therefore split nothing. Two leaves that both hold keys are not merged while
 * one of them has heat left.
 *
 * Keys that are appended all go to the last leaf, and splitting it would not
 * separate their writers. Such a key sets the heat to 0 instead. If several
 * writers append, their keys can arrive slightly out of order.
 */
#ifndef BLINK_CORE_CONTENTION_H
#define BLINK_CORE_CONTENTION_H

#include <linux/kernel.h>

#include "node.h"

#define BLINK_HEAT_WAIT 8
#define BLINK_HEAT_MAX 255

/* A value above BLINK_HEAT_MAX disables contention splits. */
#ifndef BLINK_HEAT_SPLIT
#define BLINK_HEAT_SPLIT 128
#endif

/* The fewest keys of a leaf that is split for its heat. */
#define BLINK_HEAT_KEYS (BLINK_LEAF_SLOTS / 4 + 1)

/**
 * blink_heat_note() - count whether a writer waited for a node's lock
 * @node: the node
 * @waited: the writer waited
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
 * blink_leaf_hot() - whether a leaf should be split for its heat
 * @leaf: the leaf, or any of its copies
 *
 * Context: @leaf's lock held; without it the answer is a hint.
 * Return: true if it should.
 */
static __always_inline bool blink_leaf_hot(struct blink_node *leaf)
{
	leaf = blink_node_primary(leaf);
	return unlikely(READ_ONCE(leaf->heat) >= BLINK_HEAT_SPLIT) &&
	       READ_ONCE(leaf->count) >= BLINK_HEAT_KEYS;
}

/**
 * blink_leaf_cool() - set the heat of a leaf to 0
 * @leaf: the leaf, the primary if it has copies
 *
 * Context: @leaf's lock held.
 */
static inline void blink_leaf_cool(struct blink_node *leaf)
{
	WRITE_ONCE(leaf->heat, 0);
}

#endif /* BLINK_CORE_CONTENTION_H */
