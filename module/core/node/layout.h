/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How the slots of a node store keys.
 *
 * - blink_node_word(): a key as the slots of a node store it
 * - blink_node_base(): less than all of these words, or equal; for signposts
 * - blink_node_ties(): for the position of the first slot that is not less than the word
 *   of a key, the position of the first key that is not less
 * - blink_slot_first(): the first slot of an inner node without a prefix
 * - blink_slot_key(), blink_slot_value(): the key and the value of a slot
 * - blink_slot_place(): where the value of an entry is overwritten
 * - blink_slot_prefetch(): prefetch what a leaf stores elsewhere for a slot, if @key is there
 * - blink_high_prefetch(): prefetch what a node stores elsewhere of its high key
 * - blink_entry_make(), blink_entry_end(): make what a leaf stores as a value, and free it
 *   if it was not added
 * - blink_slot_entry(), blink_entry_drop(): the value as a leaf stores it, and free it after
 *   it was removed
 * - blink_entry_key(): the key of an entry of blink_tree_load()
 * - blink_slot_bound(): the key of a slot as the low key of another node
 * - blink_bound_get(), blink_bound_put(): take and drop a reference to a bound
 * - blink_bound_drop(): drop one of a tree that has no readers any more
 * - blink_heads_prepare(), blink_heads_store(): store the keys of a node anew, because its
 *   bounds change
 * - blink_values_unuse(): clear the values of slots that are not in use
 * - blink_gone_take(), blink_gone_put(): free what entries that are removed consist of
 * - blink_leaf_empty(): the same for all entries of a leaf
 */
#ifndef BLINK_CORE_LAYOUT_H
#define BLINK_CORE_LAYOUT_H

#include "../key/key.h"

#if BLINK_STRINGS
#include "strings.h"
#else
#include "numbers.h"
#endif

/* Let a variable have another bound, and the reference to it. */
static inline void blink_bound_set(struct blink_tree *tree,
				   blink_bound_t *variable, blink_bound_t bound)
{
	blink_bound_t old = *variable;

	*variable = blink_bound_get(bound);
	blink_bound_put(tree, old);
}

#endif /* BLINK_CORE_LAYOUT_H */
