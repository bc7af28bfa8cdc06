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
 * @reached: key of the last one, if others are left
 * @low: the leaf's low key
 * @high: its high key
 * @leftmost: whether it has no low key
 * @right: its right neighbour
 */
struct look {
	const struct blink_scan *scan;
	struct blink_tree_entry *entries;
	unsigned int room;
	bool part;
	unsigned int form;
	unsigned int count;
	unsigned int from;
	unsigned int to;
	unsigned int taken;
	u64 reached;
	u64 low;
	u64 high;
	bool leftmost;
	struct blink_node *right;
};

/* Whether the range begins below all keys that the leaf can have. */
static __always_inline bool look_begins_below(const struct look *look)
{
	u64 least = look->leftmost ? 0 : blink_key_after(look->low);

	return look->scan->first <= least;
}

static __always_inline void look_bounds(struct look *look,
					struct blink_node *leaf)
{
	u64 last = look->scan->last;

	look->form = blink_leaf_form(leaf);
	look->count = blink_leaf_count(leaf, look->form);
	look->low = leaf->low;
	look->leftmost = blink_node_leftmost(leaf);
	look->high = READ_ONCE(leaf->high);
	look->right = rcu_dereference(leaf->right);
	look->from = 0;
	if (!look_begins_below(look))
		look->from =
			blink_leaf_search(leaf, look->form, look->scan->first);
	look->to = look->count;
	if (last < look->high) {
		look->to = blink_leaf_search(leaf, look->form, last);
		if (look->to < look->count &&
		    blink_leaf_key(leaf, look->form, look->to) == last)
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

/* As look_copy(), from a narrow leaf. */
static void look_copy_narrow(const struct look *look,
			     const struct blink_node *leaf)
{
	struct blink_tree_entry *entry = look->entries;
	unsigned int i, slot;

	for (i = 0; i < look->taken; i++, entry++) {
		slot = look_slot(look, i);
		entry->key = blink_narrow_key(leaf, look->form, slot);
		/* LP: scan, cursor (value), in a narrow leaf */
		entry->value = blink_narrow_value(leaf, look->form, slot);
	}
}

/* Copy the entries that are taken to the buffer. */
static __always_inline void look_copy(const struct look *look,
				      const struct blink_node *leaf)
{
	struct blink_tree_entry *entry = look->entries;
	struct blink_tree_entry *end = entry + look->taken;
	const int step = look->scan->desc ? -1 : 1;
	const u64 *slot = leaf->slot + (int)look_slot(look, 0);

	if (unlikely(look->form)) {
		look_copy_narrow(look, leaf);
		return;
	}
	for (; entry < end; entry++, slot += step) {
		entry->key = READ_ONCE(*slot);
		/* LP: scan, cursor (value) */
		entry->value = READ_ONCE(slot[BLINK_LEAF_SLOTS]);
	}
}

/* Take all entries if there is room, or as many as fit if @part. */
static __always_inline void look_take(struct look *look,
				      struct blink_node *leaf)
{
	look->taken = look->to - look->from;
	if (look->taken > look->room)
		look->taken = look->part ? look->room : 0;
	if (look->entries)
		look_copy(look, leaf);
	if (look->taken && look->taken < look->to - look->from)
		look->reached = blink_leaf_key(
			leaf, look->form, look_slot(look, look->taken - 1));
}

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
	if (look->taken < look->to - look->from) {
		if (look->taken && scan->desc)
			scan->last = look->reached - 1;
		else if (look->taken)
			scan->first = look->reached + 1;
		return false;
	}
	if (scan->desc) {
		scan->done = look->leftmost || look->low < scan->first;
		if (!scan->done)
			scan->last = look->low;
	} else {
		scan->done = look->high >= scan->last;
		if (!scan->done)
			scan->first = look->high + 1;
	}
	return true;
}

#endif /* BLINK_CORE_LOOK_H */
