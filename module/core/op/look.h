/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: a look at a leaf
 *
 * An operation on a range looks at one leaf after the other, in a read section
 * or under the lock of the leaf. A look finds the entries of the leaf that are
 * in the range, *takes* as many of them as there is room for, and finds where
 * the range continues.
 */
#ifndef BLINK_CORE_LOOK_H
#define BLINK_CORE_LOOK_H

#include <linux/minmax.h>

#include "../index/walk.h"

/**
 * struct look - one look at a leaf
 * @scan: the range
 * @entries: the buffer for the entries taken, or NULL
 * @room: the most entries to take
 * @part: whether to take a part of the entries if there is no room for all
 * @form: the form of the leaf
 * @count: the leaf's slots in use
 * @from: first slot in the range
 * @to: the slot behind the last one
 * @taken: number of entries that were taken
 * @used: bytes of the scan's buffer that keys take which are strings
 * @reached: key of the last one, if others are left
 * @low: the leaf's low key
 * @high: its high key
 * @leftmost: whether it has no low key
 * @right: its right neighbour
 */
struct look {
	struct blink_scan *scan;
	struct blink_tree_entry *entries;
	unsigned int room;
	bool part;
	unsigned int form;
	unsigned int count;
	unsigned int from;
	unsigned int to;
	unsigned int taken;
	unsigned int used;
	blink_key_t reached;
	blink_bound_t low;
	blink_bound_t high;
	bool leftmost;
	struct blink_node *right;
};

/* Whether the range begins below all keys that the leaf can have. */
static __always_inline bool look_begins_below(const struct look *look)
{
	if (look->leftmost)
		return blink_key_least(look->scan->first);
	return !blink_key_less(blink_key_after(look->low), look->scan->first);
}

static __always_inline void look_bounds(struct look *look,
					struct blink_node *leaf)
{
	blink_key_t last = look->scan->last;

	look->form = blink_leaf_form(leaf);
	look->count = blink_leaf_count(leaf, look->form);
	look->low = leaf->low;
	look->leftmost = blink_node_leftmost(leaf);
	look->high = blink_node_high(leaf);
	look->right = rcu_dereference(leaf->right);
	look->from = 0;
	if (!look_begins_below(look))
		look->from =
			blink_leaf_search(leaf, look->form, look->scan->first);
	look->to = look->count;
	if (blink_key_less(last, blink_bound_key(look->high))) {
		look->to = blink_leaf_search(leaf, look->form, last);
		if (look->to < look->count &&
		    blink_leaf_has(leaf, look->form, look->to, last))
			look->to++;
	}
	/*
	 * While a writer moves entries, the two positions can be in any order.
	 */
	look->to = max(look->to, look->from);
}

/* The slot of the entry that is taken as number @i, from 0. */
static __always_inline unsigned int look_slot(const struct look *look,
					      unsigned int i)
{
	return look->scan->desc ? look->to - 1 - i : look->from + i;
}

#if BLINK_STRINGS
#include "look_bytes.h"
#else
#include "look_numbers.h"
#endif

static __always_inline void look_at(struct blink_node *leaf, void *arg)
{
	/* LP: scan, cursor, count (keys of a leaf), the last load of these */
	look_bounds(arg, leaf);
	look_take(arg, leaf);
}

/*
 * Advance the range past the entries of a valid look. True: the leaf is done.
 */
static inline bool look_advance(struct blink_scan *scan,
				const struct look *look)
{
	look_keep(scan, look);
	if (look->taken < look->to - look->from) {
		if (look->taken && scan->desc)
			look_set_last(scan, blink_key_prev(look->reached));
		else if (look->taken)
			look_set_first(scan, blink_key_next(look->reached));
		return false;
	}
	if (scan->desc) {
		scan->done = look->leftmost ||
			     blink_bound_less(look->low, scan->first);
		if (!scan->done)
			look_set_last(scan, blink_bound_key(look->low));
	} else {
		scan->done = !blink_bound_less(look->high, scan->last);
		if (!scan->done)
			look_set_first(scan, blink_key_after(look->high));
	}
	return true;
}

#endif /* BLINK_CORE_LOOK_H */
