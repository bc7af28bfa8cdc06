/* SPDX-License-Identifier: GPL-2.0 */
/* The entry that a search has found, as the caller gets it. */
#ifndef BLINK_CORE_FOUND_H
#define BLINK_CORE_FOUND_H

#include <linux/blink_tree.h>

#include "../node/search.h"

#if BLINK_STRINGS
/* Let @entry have the caller's buffer for a key. */
static inline void blink_found_begin(struct blink_tree_entry *entry,
				     const struct blink_tree_entry *callers)
{
	entry->key = callers->key;
}

/* Copy an entry, within a read section or under the lock. */
static inline void blink_found_set(struct blink_tree_entry *entry,
				   const struct blink_node *leaf,
				   unsigned int form, unsigned int pos)
{
	const blink_key_t key = blink_slot_key(leaf, pos, true);

	entry->length = key.length;
	/* data_race: RCU writes there, if the string is dead. */
	data_race(memcpy(entry->key, key.data, key.length));
	entry->value = blink_slot_value(leaf, pos);
}

static inline void blink_found_in(struct blink_tree_entry *entry,
				  const struct blink_tree_ioc_op *op)
{
	entry->key = op->found;
}

static inline void blink_found_key(struct blink_tree_ioc_op *op,
				   const struct blink_tree_entry *entry)
{
	op->found_length = entry->length;
}
#else
static __always_inline void
blink_found_begin(struct blink_tree_entry *entry,
		  const struct blink_tree_entry *callers)
{
}

static __always_inline void blink_found_set(struct blink_tree_entry *entry,
					    const struct blink_node *leaf,
					    unsigned int form, unsigned int pos)
{
	entry->key = blink_leaf_key(leaf, form, pos);
	entry->value = blink_leaf_value(leaf, form, pos);
}

/* Let @entry have the buffer of an operation for the key found. */
static __always_inline void blink_found_in(struct blink_tree_entry *entry,
					   const struct blink_tree_ioc_op *op)
{
}

static __always_inline void
blink_found_key(struct blink_tree_ioc_op *op,
		const struct blink_tree_entry *entry)
{
	op->key = entry->key;
}
#endif

#endif /* BLINK_CORE_FOUND_H */
