/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: narrow leaves
 *
 * In a tree with BLINK_TREE_COMPRESS all leaves are *narrow*. A narrow leaf stores
 * its keys as distances from its low key, and its values as distances from its
 * *base*, which is not greater than the least of its values. All keys of a leaf have the same
 * width: 1, 2, 4 or 8 bytes, and so have all values. Both widths together are the
 * *form* of the leaf. The keys come first, and the values are at the end of the leaf,
 * so the form tells where each of them is, and how many slots there are.
 *
 * A leaf with keys and values of 8 bytes has form 0. It is a leaf as in any other
 * tree: it stores keys and values themselves, has signposts, and the greatest key in
 * its unused slots.
 *
 * An entry that does not fit into the form of its leaf gives the leaf another form,
 * in the write section that adds the entry. If there are too many entries for this
 * form, the leaf is split first, perhaps more than once. Values are overwritten in
 * place while they fit. Splits and merges choose the narrowest form for the entries.
 * Two leaves are merged only if their entries have room in a leaf of any form.
 *
 * Only keys of 64 bits have narrow leaves. With other keys the form is 0.
 *
 * A reader loads the form once in each read section, and passes it to the functions
 * below. So all positions are within the leaf, whatever the section reads.
 */
#ifndef BLINK_CORE_NARROW_H
#define BLINK_CORE_NARROW_H

#include <linux/minmax.h>

#include "words.h"

unsigned int blink_narrow_search(const struct blink_node *leaf,
				 unsigned int form, blink_key_t key);
u64 blink_narrow_key(const struct blink_node *leaf, unsigned int form,
		     unsigned int i);
u64 blink_narrow_value(const struct blink_node *leaf, unsigned int form,
		       unsigned int i);

/* The form of a leaf, to be loaded once in each read section. */
static __always_inline unsigned int
blink_leaf_form(const struct blink_node *leaf)
{
	return BLINK_NARROW ? READ_ONCE(leaf->form) & BLINK_FORM_LEAST : 0;
}

/* The same under the lock of the leaf. */
static __always_inline unsigned int
blink_leaf_form_locked(const struct blink_node *leaf)
{
	return BLINK_NARROW ? leaf->form : 0;
}

/* The number of slots of a leaf of this form. */
static __always_inline unsigned int blink_leaf_slots(unsigned int form)
{
	return BLINK_NARROW && unlikely(form) ? blink_form_slots(form) :
						BLINK_LEAF_SLOTS;
}

/* The number of entries, not more than a leaf of this form has slots. */
static __always_inline unsigned int
blink_leaf_count(const struct blink_node *leaf, unsigned int form)
{
	return min_t(unsigned int, READ_ONCE(leaf->count),
		     blink_leaf_slots(form));
}

/* The key at a position, which is less than the number of slots. */
static __always_inline blink_key_t blink_leaf_key(const struct blink_node *leaf,
						  unsigned int form,
						  unsigned int i)
{
#if BLINK_NARROW
	if (unlikely(form))
		return blink_narrow_key(leaf, form, i);
#endif
	return blink_slot_key(leaf, i, true);
}

/* Whether a key is that of the slot at this position. */
static __always_inline bool blink_leaf_has(const struct blink_node *leaf,
					   unsigned int form, unsigned int i,
					   blink_key_t key)
{
	if (BLINK_STRINGS &&
	    blink_slot_load(&leaf->slot[i]) != blink_node_word(leaf, key))
		return false;
	return blink_key_equal(blink_leaf_key(leaf, form, i), key);
}

/* The key at a position of a locked leaf, as the low key of the next leaf. */
static inline blink_bound_t blink_leaf_bound(struct blink_node *leaf,
					     unsigned int i)
{
#if BLINK_NARROW
	if (unlikely(leaf->form))
		return blink_narrow_key(leaf, leaf->form, i);
#endif
	return blink_slot_bound(leaf, i);
}

/* Likewise the value. */
static __always_inline u64 blink_leaf_value(const struct blink_node *leaf,
					    unsigned int form, unsigned int i)
{
	if (BLINK_NARROW && unlikely(form))
		return blink_narrow_value(leaf, form, i);
	return blink_slot_value(leaf, i);
}

/* Whether a leaf has no free slot; a hint for a narrow leaf. */
static __always_inline bool blink_leaf_full(const struct blink_node *leaf)
{
	return READ_ONCE(leaf->count) >=
	       blink_leaf_slots(blink_leaf_form(leaf));
}

#endif /* BLINK_CORE_NARROW_H */
