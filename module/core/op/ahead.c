// SPDX-License-Identifier: GPL-2.0
/* Prefetching the leaves that a scan is about to read. */
#include <linux/cache.h>
#include <linux/kernel.h>

#include "../node/search.h"
#include "ahead.h"

/* The most leaves that are prefetched and not read yet. */
#define AHEAD_MAX 3
/* The same if only the header of each leaf is read. */
#define AHEAD_HEADERS 15
/* Leaves differ: so many entries more than expected are prefetched. */
#define AHEAD_MARGIN (BLINK_LEAF_SLOTS / 8)

/* Whether the range reaches into the leaf of the next slot. */
static bool next_in_range(const struct blink_ahead *ahead,
			  const struct blink_scan *scan)
{
	const struct blink_node *parent = ahead->parent;

	if (!parent || ahead->pos >= READ_ONCE(parent->count))
		return false;
	if (scan->desc)
		return !blink_key_less(blink_slot_key(parent, ahead->pos + 1,
						      false),
				       scan->first);
	return blink_key_less(blink_slot_key(parent, ahead->pos, false),
			      scan->last);
}

/* Prefetch the lines of a leaf that have its first entries. */
static void prefetch_entries(const struct blink_node *leaf, unsigned int nr)
{
	const blink_slot_t *key = leaf->slot;
	const u64 *value = blink_values(leaf, true);
	unsigned int i;

	nr = min_t(unsigned int, nr, BLINK_LEAF_SLOTS);
	for (i = 0; i < nr; i += BLINK_LINE_KEYS) {
		prefetch(key + i);
		prefetch(value + i);
	}
	/* The values do not begin with a line. */
	prefetch(value + nr - 1);
}

/**
 * blink_ahead_next() - prefetch leaves, before the scan reads one
 * @ahead: the leaves that were prefetched
 * @parent: the inner node that led to this leaf or to one before it, or NULL
 * @key: the key of the range that this leaf covers
 * @scan: the range
 * @room: entries that the scan wants, from this leaf on
 *
 * Context: rcu_read_lock() held since the descent that came by @parent.
 */
void blink_ahead_next(struct blink_ahead *ahead,
		      const struct blink_node *parent, blink_key_t key,
		      const struct blink_scan *scan, unsigned int room)
{
	const unsigned int most = ahead->headers ? AHEAD_HEADERS : AHEAD_MAX;
	const int step = scan->desc ? -1 : 1;
	unsigned int had = ahead->fill, nr;
	const struct blink_node *leaf;

	if (ahead->parent != parent) {
		ahead->parent = parent;
		ahead->pos = blink_inner_search(parent, key) + step;
		/* The range can begin anywhere in this leaf. */
		had /= 2;
	} else if (ahead->leaves) {
		ahead->leaves--;
	}
	had += ahead->leaves * ahead->fill;
	for (; ahead->leaves < most && had < room; had += ahead->fill) {
		if (!next_in_range(ahead, scan))
			return;
		leaf = blink_inner_child(parent, ahead->pos);
		nr = scan->desc ? ahead->fill : min(ahead->fill, room - had);
		if (leaf)
			prefetch(leaf);
		if (leaf && !ahead->headers)
			prefetch_entries(leaf, nr + AHEAD_MARGIN);
		ahead->pos += step;
		ahead->leaves++;
	}
}
