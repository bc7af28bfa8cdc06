/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: reading nodes that may change meanwhile
 *
 * Schemes with right links read a node while others may change it, and find out
 * afterwards whether they read one state of it: what these functions return is of use
 * only then. Whatever they read, they stay within the node.
 */
#ifndef BLINK_LAB_SCHEMES_READING_H
#define BLINK_LAB_SCHEMES_READING_H

#include <linux/minmax.h>

#include "plain.h"

/**
 * enum reading_wanted - what is read of a leaf
 * @READING_LOOKUP: the value of a key
 * @READING_SCAN: the entries from a key on
 * @READING_FLOOR: the entry of the greatest key up to a key
 */
enum reading_wanted {
	READING_LOOKUP,
	READING_SCAN,
	READING_FLOOR,
};

/**
 * struct reading - a read of the leaf that covers a key
 * @key: the key
 * @entry: where to put entries
 * @nr: most entries wanted
 * @got: how many there were
 * @low: greatest bound before the leaf's range; the key itself if there is none
 * @high: high key of the leaf
 */
struct reading {
	u64 key;
	struct blink_tree_entry *entry;
	unsigned int nr;
	unsigned int got;
	u64 low;
	u64 high;
};

/* The child of an inner node that covers a key. @low: set to the bound before it. */
static __always_inline struct plain_node *
reading_down(const struct plain_tree *plain, const struct plain_node *node,
	     u64 key, u64 *low)
{
	unsigned int pos = plain_search(plain, node, key);

	pos = min(pos, plain->slots - 1);
	if (pos)
		*low = plain_key(node, pos - 1);
	return plain_child(plain, node, pos);
}

/* The entries of a leaf. */
static __always_inline void reading_leaf(const struct plain_tree *plain,
					 const struct plain_node *leaf,
					 struct reading *r,
					 enum reading_wanted wanted)
{
	unsigned int pos = plain_search(plain, leaf, r->key);
	unsigned int end =
		min_t(unsigned int, READ_ONCE(leaf->count), plain->slots);
	bool found = plain_found(leaf, pos, r->key);

	r->got = 0;
	r->high = READ_ONCE(leaf->high);
	if (wanted == READING_LOOKUP && !found)
		return;
	/* Without an entry, this wraps to a position beyond all. */
	if (wanted == READING_FLOOR && !found)
		end = pos--;
	for (; pos < end && r->got < r->nr; pos++) {
		r->entry[r->got].key = plain_key(leaf, pos);
		r->entry[r->got++].value = plain_value(plain, leaf, pos);
	}
}

/* After a leaf of a scan: whether there is one more to be read. */
static __always_inline bool reading_scan_next(struct reading *r)
{
	r->entry += r->got;
	r->nr -= r->got;
	r->key = r->high + 1;
	return r->nr && r->high != PLAIN_KEY_MAX;
}

/* After a leaf of a search for a floor: whether to read the one before it. */
static __always_inline bool reading_floor_next(struct reading *r)
{
	bool more = !r->got && r->low != r->key;

	r->key = r->low;
	return more;
}

#endif /* BLINK_LAB_SCHEMES_READING_H */
