/* SPDX-License-Identifier: GPL-2.0 */
/* Changing narrow leaves (narrow.h). */
#ifndef BLINK_CORE_PACK_H
#define BLINK_CORE_PACK_H

#include "form.h"

void blink_narrow_init(struct blink_node *leaf);
void blink_narrow_insert(struct blink_node *leaf, unsigned int pos,
			 blink_key_t key, u64 value);
void blink_narrow_remove(struct blink_node *leaf, unsigned int pos,
			 unsigned int n);
void blink_narrow_append(struct blink_node *leaf,
			 const struct blink_tree_entry *entries,
			 unsigned int n);
void blink_narrow_join(struct blink_node *to, const struct blink_node *from,
		       unsigned int first);
void blink_narrow_cut(struct blink_node *leaf, unsigned int at);
void blink_narrow_overwrite(struct blink_node *leaf, unsigned int i, u64 value);
void blink_narrow_store(struct blink_node *leaf, unsigned int i, u64 value);

/* Store a value that fits into the form of its leaf, under the leaf's lock. */
static __always_inline void blink_value_store(struct blink_node *leaf,
					      unsigned int i, u64 value)
{
	if (BLINK_NARROW && unlikely(leaf->form)) {
		blink_narrow_store(leaf, i, value);
		return;
	}
	/*
	 * LP: store, add (old key), replace, cmpxchg; in a leaf with copies, the
	 * store to the primary.
	 * A release, which pairs with the address dependency of a reader that
	 * uses the value as a pointer: the object is complete before a reader
	 * finds it.
	 */
	smp_store_release(blink_slot_place(leaf, i), value);
}

#endif /* BLINK_CORE_PACK_H */
