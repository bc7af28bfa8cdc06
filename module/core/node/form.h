/* SPDX-License-Identifier: GPL-2.0 */
/* Choosing the form of a narrow leaf (narrow.h). */
#ifndef BLINK_CORE_FORM_H
#define BLINK_CORE_FORM_H

#include <linux/blink_tree.h>

#include "narrow.h"

/**
 * struct blink_extent - the entries of a leaf, as far as they decide its form
 * @low: the low key of their leaf
 * @key: their greatest key
 * @least: their least value
 * @most: their greatest value
 * @count: their number
 */
struct blink_extent {
	u64 low;
	u64 key;
	u64 least;
	u64 most;
	unsigned int count;
};

void blink_extent_add(struct blink_extent *extent, blink_key_t key, u64 value);
void blink_extent_add_leaf(struct blink_extent *extent,
			   const struct blink_node *leaf, unsigned int from,
			   unsigned int to);
unsigned int blink_extent_form(const struct blink_extent *extent);
u64 blink_extent_base(const struct blink_extent *extent, unsigned int form);
struct blink_extent blink_extent_with(const struct blink_node *leaf,
				      unsigned int i, u64 value);
bool blink_narrow_fits_entry(const struct blink_node *leaf, blink_key_t key,
			     u64 value);

bool blink_narrow_fits(const struct blink_node *leaf, u64 value);
bool blink_narrow_accepts(const struct blink_node *leaf, unsigned int i,
			  u64 value);
bool blink_narrow_room(const struct blink_node *leaf, blink_key_t key,
		       u64 value);
bool blink_narrow_splits(const struct blink_node *leaf, unsigned int at,
			 unsigned int pos, blink_key_t key, u64 value);
unsigned int blink_narrow_run(const struct blink_node *leaf, bool behind,
			      const struct blink_tree_entry *entries,
			      unsigned int n, unsigned int fill);

/* Whether a leaf has room for an entry that it does not have yet. */
static __always_inline bool blink_leaf_room(const struct blink_node *leaf,
					    blink_key_t key, u64 value)
{
	if (unlikely(blink_node_narrow(leaf)))
		return blink_narrow_room(leaf, key, value);
	return leaf->count < BLINK_LEAF_SLOTS;
}

#endif /* BLINK_CORE_FORM_H */
