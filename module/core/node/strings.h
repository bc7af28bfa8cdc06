/* SPDX-License-Identifier: GPL-2.0 */
/* Nodes whose slots have the heads of keys, which are strings (layout.h, bytes.h). */
#ifndef BLINK_CORE_STRINGS_H
#define BLINK_CORE_STRINGS_H

#include "node.h"
#include "string.h"

/* The longest prefix that a node leaves out. */
#define BLINK_PREFIX_MAX U8_MAX

/**
 * struct blink_heads - the prefix and the heads that a node is about to get
 * @prefix: the length of the prefix
 * @nr: number of heads; 0 if they stay as they are
 * @word: the heads of the first entries
 */
struct blink_heads {
	unsigned int prefix;
	unsigned int nr;
	blink_slot_t word[BLINK_INNER_SLOTS];
};

void blink_heads_prepare(struct blink_heads *heads,
			 const struct blink_node *node, blink_bound_t high,
			 unsigned int n, const struct blink_node *right,
			 unsigned int from);
void blink_heads_store(struct blink_node *node,
		       const struct blink_heads *heads);
unsigned int blink_strings_ties(const struct blink_node *node, unsigned int pos,
				blink_slot_t word, blink_key_t key, bool leaf);
bool blink_heads_valid(const struct blink_node *node);

/* The length of the prefix of a node. */
static __always_inline unsigned int
blink_node_prefix(const struct blink_node *node)
{
	return READ_ONCE(node->form);
}

/* The head of a key in this node. */
static inline blink_slot_t blink_node_word(const struct blink_node *node,
					   blink_key_t key)
{
	return blink_key_word(key, blink_node_prefix(node));
}

/* Signposts are taken from the heads as they are. */
static __always_inline blink_slot_t
blink_node_base(const struct blink_node *node)
{
	return 0;
}

/*
 * The string of a slot. It is NULL if the slot is not in use, and for an empty slot.
 *
 * The address is loaded before the section is known to be valid. Slots that are not in
 * use have no stale address, so the string had an entry here, or its node, when the
 * address was loaded or later: RCU keeps it.
 */
static inline struct blink_string *
blink_slot_string(const struct blink_node *node, unsigned int i, bool leaf)
{
	u64 *value = &blink_values(node, leaf)[i];
	const struct blink_node *child;

	if (leaf)
		return rcu_dereference_raw(*(struct blink_string **)value);
	child = rcu_dereference_raw(*(struct blink_node **)value);
	if (child)
		return child->low;
	return i ? NULL : node->low;
}

static inline unsigned int blink_node_ties(const struct blink_node *node,
					   unsigned int pos, blink_slot_t word,
					   blink_key_t key, bool leaf)
{
	/* The first separator of an inner node is less than any key. */
	if (!leaf && !pos)
		pos = 1;
	if (likely(pos >= (leaf ? BLINK_LEAF_SLOTS : BLINK_INNER_SLOTS) ||
		   blink_slot_load(&node->slot[pos]) != word))
		return pos;
	return blink_strings_ties(node, pos, word, key, leaf);
}

static inline blink_key_t blink_slot_key(const struct blink_node *node,
					 unsigned int i, bool leaf)
{
	struct blink_string *string = blink_slot_string(node, i, leaf);

	if (unlikely(!string))
		return BLINK_KEY_LEAST;
	return blink_bound_key(string);
}

static inline blink_slot_t blink_slot_first(const struct blink_string *low)
{
	return low ? blink_key_word(blink_bound_key(low), 0) : 0;
}

static inline u64 blink_slot_value(const struct blink_node *leaf,
				   unsigned int i)
{
	struct blink_string *string = blink_slot_string(leaf, i, true);

	/* data_race: RCU writes there, if the string is dead. */
	return string ? data_race(READ_ONCE(string->value)) : 0;
}

/* The address can be stale, as that of any prefetch. */
static inline void blink_slot_prefetch(const struct blink_node *leaf,
				       unsigned int i, blink_key_t key)
{
	u64 string = READ_ONCE(blink_values(leaf, true)[i]);
	const u8 *at = (const u8 *)(uintptr_t)string;

	prefetch(at);
	if (offsetof(struct blink_string, data) + key.length > L1_CACHE_BYTES)
		prefetch(at + L1_CACHE_BYTES);
}

static inline void blink_high_prefetch(const struct blink_node *node)
{
	prefetch(blink_node_high(node));
}

/* Where the value of an entry of a locked leaf is stored. */
static inline u64 *blink_slot_place(const struct blink_node *leaf,
				    unsigned int i)
{
	return &blink_slot_string(leaf, i, true)->value;
}

/* An entry that was not added is freed. */
static inline void blink_entry_end(struct blink_tree *tree, u64 entry, int ret)
{
	if (unlikely(ret))
		blink_string_free(tree,
				  (struct blink_string *)(uintptr_t)entry);
}

/* The entry of a slot of a locked leaf. */
static inline u64 blink_slot_entry(const struct blink_node *leaf,
				   unsigned int i)
{
	return blink_values(leaf, true)[i];
}

/* Drop the reference of an entry that was removed. */
static inline void blink_entry_drop(struct blink_tree *tree, u64 entry)
{
	blink_string_put(tree, (struct blink_string *)(uintptr_t)entry);
}

/* The key of an entry that is to be loaded. */
static inline blink_key_t
blink_entry_key(const struct blink_tree_bytes_entry *entry)
{
	return blink_bytes_key(entry->key, entry->length);
}

static inline blink_bound_t blink_bound_get(blink_bound_t bound)
{
	if (bound)
		atomic_inc(&bound->refs);
	return bound;
}

static inline void blink_bound_put(struct blink_tree *tree, blink_bound_t bound)
{
	if (bound)
		blink_string_put(tree, bound);
}

static inline void blink_bound_drop(struct blink_tree *tree,
				    blink_bound_t bound)
{
	if (bound)
		blink_string_drop(tree, bound);
}

/* The low key of a node that begins behind a slot or at it, with a reference. */
static inline blink_bound_t blink_slot_bound(struct blink_node *node,
					     unsigned int i)
{
	return blink_bound_get(blink_slot_string(node, i, !node->level));
}

/* Slots that are not in use have no address. */
static inline void blink_values_unuse(struct blink_node *node,
				      unsigned int from, unsigned int to)
{
	u64 *value = blink_node_values(node);
	unsigned int i;

	for (i = from; i < to; i++)
		WRITE_ONCE(value[i], 0);
}

/**
 * struct blink_gone - strings of entries that are removed
 * @nr: their number
 * @string: the strings
 */
struct blink_gone {
	unsigned int nr;
	struct blink_string *string[BLINK_LEAF_SLOTS];
};

static inline void blink_gone_take(struct blink_gone *gone,
				   const struct blink_node *leaf,
				   unsigned int pos, unsigned int n)
{
	for (gone->nr = 0; gone->nr < n; gone->nr++)
		gone->string[gone->nr] =
			blink_slot_string(leaf, pos + gone->nr, true);
}

/* Drop the references of the entries, after they were removed. */
static inline void blink_gone_put(struct blink_tree *tree,
				  const struct blink_gone *gone)
{
	unsigned int i;

	for (i = 0; i < gone->nr; i++)
		blink_string_put(tree, gone->string[i]);
}

/* Drop the strings of a leaf whose tree is not in use any more. */
static inline void blink_leaf_empty(struct blink_tree *tree,
				    const struct blink_node *leaf)
{
	unsigned int i;

	for (i = 0; i < leaf->count; i++)
		blink_string_drop(tree, blink_slot_string(leaf, i, true));
}

#endif /* BLINK_CORE_STRINGS_H */
