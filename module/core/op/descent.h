/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Several descents under way at once, so that their cache misses overlap: all make the
 * same step, one after the other, and each prefetches what its next step reads.
 *
 * All descents share the number of cache lines that can be on their way, so a
 * descent fetches only lines that it reads. It begins in the upper levels, which
 * stay in the cache, and then takes two steps in each node. The first one reads
 * the header, which tells the group of keys in which the search ends
 * (signs.h), and fetches the group. The second one searches the group, and
 * fetches the header of the next node. Both steps are one read section: it
 * begins with the first, and is valid if the second finds the same sequence. In a
 * leaf of strings a step between them fetches the string.
 * A descent that cannot use what it has read is *stale*, and makes no more steps.
 *
 * Descents change nothing. A leaf where one has arrived can be out of date when it is used.
 */
#ifndef BLINK_CORE_DESCENT_H
#define BLINK_CORE_DESCENT_H

#include <linux/bits.h>

#include "../index/walk.h"

/**
 * struct blink_descent - a descent for an operation
 * @op: the operation
 * @key: its key
 * @node: the node that its next step reads; NULL if the descent is stale
 * @parent: the node of level 1 from which it came
 * @seq: the sequence of @node in its first step, made even
 * @from: first slot of the group that was fetched
 * @grouped: the operation reads one group of keys in its leaf, unless that was narrow
 *	when the descent arrived
 */
struct blink_descent {
	struct blink_tree_ioc_op *op;
	blink_key_t key;
	struct blink_node *node;
	struct blink_node *parent;
	u32 seq;
	u16 from;
	bool grouped;
};

/*
 * Whether an operation reads one group of keys in its leaf. Others may move
 * entries, or search all keys.
 */
static __always_inline bool
blink_op_reads_group(const struct blink_tree_ioc_op *op)
{
	const unsigned long opcodes =
		BIT(BLINK_TREE_OP_LOOKUP) | BIT(BLINK_TREE_OP_REPLACE) |
		BIT(BLINK_TREE_OP_CMPXCHG) | BIT(BLINK_TREE_OP_EXPECT) |
		BIT(BLINK_TREE_OP_ABSENT);

	return BIT(op->opcode) & opcodes;
}

/* Begin a read section. */
static __always_inline void blink_descent_read(struct blink_descent *descent)
{
	descent->seq = blink_read_try(descent->node);
}

/*
 * Whether all that was read since blink_descent_read() is one state of the node, and
 * the node covers the key.
 */
static __always_inline bool
blink_descent_valid(const struct blink_descent *descent)
{
	return likely(!blink_node_beyond(descent->node, descent->key)) &&
	       blink_read_valid(descent->node, descent->seq);
}

/* Go to the child in a slot, which is empty if the descent is stale there. */
static __always_inline void blink_descent_go(struct blink_descent *descent,
					     unsigned int slot)
{
	struct blink_node *next = blink_inner_child(descent->node, slot);

	if (unlikely(!blink_descent_valid(descent)))
		next = NULL;
	descent->node = next;
}

/* Go from the root to level 1. The descent is stale if there is no such level. */
static __always_inline void blink_descent_enter(struct blink_descent *descent,
						struct blink_node *root)
{
	const blink_key_t key = descent->key;

	descent->node = likely(root->level) ? root : NULL;
	while (likely(descent->node) && descent->node->level > 1) {
		blink_descent_read(descent);
		blink_descent_go(descent,
				 blink_inner_search(descent->node, key));
	}
	prefetch(descent->node);
}

/* Begin the descent of an operation, through an index. */
static __always_inline void blink_descent_begin(struct blink_descent *descent,
						const struct blink_index *idx,
						struct blink_tree_ioc_op *op)
{
	descent->op = op;
	descent->key = op->key;
	descent->grouped = blink_op_reads_group(op);
	blink_descent_enter(descent, rcu_dereference(idx->root));
}

/* Fetch the group that the header tells. */
static __always_inline void blink_descent_fetch(struct blink_descent *descent,
						bool leaf)
{
	const struct blink_node *node = descent->node;

	descent->from = blink_group_of(node, descent->key, leaf);
	blink_group_prefetch(node, descent->from, leaf);
	blink_high_prefetch(node);
}

/* The first step in a node of level 1. */
static __always_inline void blink_descent_look(struct blink_descent *descent)
{
	blink_descent_read(descent);
	blink_descent_fetch(descent, false);
}

/* The second step in a node of level 1. */
static __always_inline void blink_descent_to_leaf(struct blink_descent *descent)
{
	unsigned int slot;

	descent->parent = descent->node;
	slot = blink_inner_search_group(descent->node, descent->from,
					descent->key);
	blink_descent_go(descent, slot);
	if (descent->grouped)
		prefetch(descent->node);
	else
		blink_node_prefetch(descent->node, true, false);
}

/*
 * The first step in a leaf. An operation that does not suffice with a group has
 * fetched all keys, and fetches the values behind its own key. A narrow leaf has no
 * groups. Its form is read in the read section: an operation of this batch or another
 * writer can give the leaf the form 0 before the second step.
 */
static __always_inline void blink_descent_arrive(struct blink_descent *descent)
{
	const struct blink_node *leaf = descent->node;
	const blink_key_t key = descent->key;

	blink_descent_read(descent);
	if (unlikely(blink_leaf_form(leaf))) {
		descent->grouped = false;
		blink_node_prefetch(leaf, true, true);
	} else if (descent->grouped) {
		blink_descent_fetch(descent, true);
	} else {
		blink_values_prefetch(leaf, blink_group_of(leaf, key, true));
	}
}

/*
 * A step between the two in a leaf with strings: find the slot that the key would have
 * by its head, and fetch the string there.
 */
static __always_inline void blink_descent_find(struct blink_descent *descent)
{
	const struct blink_node *leaf = descent->node;
	unsigned int pos;

	if (!descent->grouped)
		return;
	pos = blink_search_word(leaf, descent->from,
				blink_node_word(leaf, descent->key), true);
	if (likely(pos < BLINK_LEAF_SLOTS))
		blink_slot_prefetch(leaf, pos, descent->key);
}

/**
 * blink_descents_lead() - lead descents to their leaves, and fetch these
 * @first: the first of an array of descents
 * @end: behind the last one
 *
 * Context: rcu_read_lock() held since they began.
 */
static __always_inline void blink_descents_lead(struct blink_descent *first,
						struct blink_descent *end)
{
	struct blink_descent *descent;

	for (descent = first; descent < end; descent++)
		if (likely(descent->node))
			blink_descent_look(descent);
	for (descent = first; descent < end; descent++)
		if (likely(descent->node))
			blink_descent_to_leaf(descent);
}

/**
 * blink_descents_arrive() - fetch what descents read in their leaves
 * @first: the first of an array of descents, which blink_descents_lead() has led
 * @end: behind the last one
 *
 * Context: as blink_descents_lead().
 */
static __always_inline void blink_descents_arrive(struct blink_descent *first,
						  struct blink_descent *end)
{
	struct blink_descent *descent;

	for (descent = first; descent < end; descent++)
		if (likely(descent->node))
			blink_descent_arrive(descent);
	for (descent = first; BLINK_STRINGS && descent < end; descent++)
		if (likely(descent->node))
			blink_descent_find(descent);
}

#endif /* BLINK_CORE_DESCENT_H */
