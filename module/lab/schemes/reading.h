/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: reading nodes that may change meanwhile
 *
 * Schemes with right links read a node while others may change it, and find out
 * afterwards whether they read one state of it. Only then can they use the results of
 * these functions. These functions stay within the node, even if they read garbage.
 */
#ifndef BLINK_LAB_SCHEMES_READING_H
#define BLINK_LAB_SCHEMES_READING_H

#include <linux/errno.h>
#include <linux/minmax.h>

#include "plain.h"

/**
 * enum reading_wanted - the entries that are read of a leaf
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

/*
 * The child of an inner node that covers a key. @low: set to the bound before it. A node
 * whose last bound was removed or lowered has keys above all bounds, until its high key is
 * lowered too: the last child is to the left of these keys, and its right link leads on.
 */
static __always_inline struct plain_node *
reading_down(const struct plain_tree *plain, const struct plain_node *node,
	     u64 key, u64 *low)
{
	unsigned int pos = plain_search(plain, node, key);
	unsigned int count = READ_ONCE(node->count);

	if (pos >= count)
		pos = count ? count - 1 : 0;
	if (pos)
		*low = plain_key(node, pos - 1);
	return plain_child(plain, node, pos);
}

/* Those of the entries of a leaf from @pos up to @end that are wanted. */
static __always_inline void reading_entries(struct reading *r,
					    enum reading_wanted wanted,
					    const u64 *key, const u64 *value,
					    unsigned int pos, unsigned int end)
{
	bool found = pos < end && READ_ONCE(key[pos]) == r->key;

	r->got = 0;
	if (wanted == READING_LOOKUP && !found)
		return;
	/* Without an entry, this wraps to a position beyond all. */
	if (wanted == READING_FLOOR && !found)
		end = pos--;
	for (; pos < end && r->got < r->nr; pos++) {
		r->entry[r->got].key = READ_ONCE(key[pos]);
		r->entry[r->got++].value = READ_ONCE(value[pos]);
	}
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

	r->high = READ_ONCE(leaf->high);
	reading_entries(r, wanted, leaf->slot, leaf->slot + plain->slots, pos,
			end);
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

/*
 * <name>_lookup(), <name>_scan() and <name>_floor() of a scheme that has a function to read
 * the leaf that covers a key, at one moment:
 *
 *	void <name>_read_leaf(void *data, struct reading *r, enum reading_wanted wanted)
 */
#define READING_OPERATIONS(name)                                             \
	static int name##_lookup(void *data, u64 key, u64 *value)            \
	{                                                                    \
		struct blink_tree_entry entry = {};                          \
		struct reading r = {                                         \
			.key = key, .entry = &entry, .nr = 1, .low = key     \
		};                                                           \
		name##_read_leaf(data, &r, READING_LOOKUP);                  \
		if (!r.got)                                                  \
			return -ENOENT;                                      \
		*value = entry.value;                                        \
		return 0;                                                    \
	}                                                                    \
	static unsigned int name##_scan(void *data, u64 key,                 \
					struct blink_tree_entry *entry,      \
					unsigned int nr)                     \
	{                                                                    \
		struct reading r = { .key = key, .entry = entry, .nr = nr }; \
		do {                                                         \
			name##_read_leaf(data, &r, READING_SCAN);            \
		} while (reading_scan_next(&r));                             \
		return nr - r.nr;                                            \
	}                                                                    \
	static int name##_floor(void *data, u64 key,                         \
				struct blink_tree_entry *entry)              \
	{                                                                    \
		struct reading r = { .key = key, .entry = entry, .nr = 1 };  \
		do {                                                         \
			r.low = r.key;                                       \
			name##_read_leaf(data, &r, READING_FLOOR);           \
		} while (reading_floor_next(&r));                            \
		return r.got ? 0 : -ENOENT;                                  \
	}

#endif /* BLINK_LAB_SCHEMES_READING_H */
