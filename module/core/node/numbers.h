/* SPDX-License-Identifier: GPL-2.0 */
/* Nodes whose slots have the keys themselves, which are numbers (layout.h). */
#ifndef BLINK_CORE_NUMBERS_H
#define BLINK_CORE_NUMBERS_H

#include "node.h"

static __always_inline blink_slot_t
blink_node_word(const struct blink_node *node, blink_key_t key)
{
	return key;
}

static __always_inline blink_slot_t
blink_node_base(const struct blink_node *node)
{
	return node->low;
}

static __always_inline unsigned int
blink_node_ties(const struct blink_node *node, unsigned int pos,
		blink_slot_t word, blink_key_t key, bool leaf)
{
	return pos;
}

static __always_inline blink_key_t blink_slot_key(const struct blink_node *node,
						  unsigned int i, bool leaf)
{
	return blink_slot_load(&node->slot[i]);
}

static __always_inline blink_slot_t blink_slot_first(blink_bound_t low)
{
	return low;
}

static __always_inline u64 blink_slot_value(const struct blink_node *leaf,
					    unsigned int i)
{
	return READ_ONCE(blink_values(leaf, true)[i]);
}

static __always_inline void blink_slot_prefetch(const struct blink_node *leaf,
						unsigned int i, blink_key_t key)
{
}

static __always_inline void blink_high_prefetch(const struct blink_node *node)
{
}

static __always_inline u64 *blink_slot_place(const struct blink_node *leaf,
					     unsigned int i)
{
	return &blink_values(leaf, true)[i];
}

static __always_inline int blink_entry_make(struct blink_tree *tree,
					    blink_key_t key, u64 value,
					    gfp_t gfp, u64 *entry)
{
	*entry = value;
	return 0;
}

static __always_inline void blink_entry_end(struct blink_tree *tree, u64 entry,
					    int ret)
{
}

/* The value as a slot of a locked leaf stores it: no memory of its own. */
static __always_inline u64 blink_slot_entry(const struct blink_node *leaf,
					    unsigned int i)
{
	return 0;
}

static __always_inline void blink_entry_drop(struct blink_tree *tree, u64 entry)
{
}

static __always_inline blink_bound_t blink_slot_bound(struct blink_node *node,
						      unsigned int i)
{
	return blink_key_load(&node->slot[i]);
}

static __always_inline blink_bound_t blink_bound_get(blink_bound_t bound)
{
	return bound;
}

static __always_inline void blink_bound_put(struct blink_tree *tree,
					    blink_bound_t bound)
{
}

static __always_inline void blink_bound_drop(struct blink_tree *tree,
					     blink_bound_t bound)
{
}

static __always_inline bool blink_heads_valid(const struct blink_node *node)
{
	return true;
}

struct blink_heads {};

static __always_inline void
blink_heads_prepare(struct blink_heads *heads, const struct blink_node *node,
		    blink_bound_t high, unsigned int n,
		    const struct blink_node *right, unsigned int from)
{
}

static __always_inline void blink_heads_store(struct blink_node *node,
					      const struct blink_heads *heads)
{
}

static __always_inline void
blink_values_unuse(struct blink_node *node, unsigned int from, unsigned int to)
{
}

#define blink_entry_key(entry) ((entry)->key)

struct blink_gone {};

static __always_inline void blink_gone_take(struct blink_gone *gone,
					    const struct blink_node *leaf,
					    unsigned int pos, unsigned int n)
{
}

static __always_inline void blink_gone_put(struct blink_tree *tree,
					   const struct blink_gone *gone)
{
}

static __always_inline void blink_leaf_empty(struct blink_tree *tree,
					     const struct blink_node *leaf)
{
}

#endif /* BLINK_CORE_NUMBERS_H */
