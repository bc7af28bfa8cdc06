/* SPDX-License-Identifier: GPL-2.0 */
/* Searching the keys of a node, and fetching a node ahead of that. */
#ifndef BLINK_CORE_SEARCH_H
#define BLINK_CORE_SEARCH_H

#include <linux/cache.h>
#include <linux/prefetch.h>

#include "node.h"

/* So many keys are counted rather than halved. */
#define BLINK_SEARCH_COUNT 8

/*
 * Halve the range of a search, if it has more keys than are counted. The mask is
 * what keeps compilers from a branch, which would be mispredicted half the time.
 */
static __always_inline void blink_search_halve(const u64 **base,
					       unsigned int *n, u64 key)
{
	unsigned int half = *n / 2;

	if (*n <= BLINK_SEARCH_COUNT)
		return;
	*base += half & -(unsigned long)(READ_ONCE((*base)[half - 1]) < key);
	*n -= half;
}

/**
 * blink_search() - how many of ascending keys are less than a key
 * @keys: the keys, in a node, those not in use too (BLINK_KEY_UNUSED)
 * @n: how many; constant, 256 at most
 * @key: the key
 * @ahead: how far behind a key that is which goes with it, to be fetched as soon
 *	as there are only keys of a line left, or 0 if it was before; constant
 *
 * Without a branch, as @n is constant: each halving is a load, a comparison and a
 * masked addition, and the last eight keys, which fill a line, are compared all
 * at once, none of them waiting for another. Nor does it wait for how many slots
 * are in use.
 *
 * Context: any.
 * Return: their number, within [0, @n] whatever the keys are: in a read section
 * they may be anything.
 */
static __always_inline unsigned int
blink_search(const u64 *keys, unsigned int n, u64 key, unsigned int ahead)
{
	unsigned int less = 0, i;
	const u64 *base = keys;

	blink_search_halve(&base, &n, key);
	blink_search_halve(&base, &n, key);
	blink_search_halve(&base, &n, key);
	blink_search_halve(&base, &n, key);
	blink_search_halve(&base, &n, key);
	if (ahead) {
		prefetch(base + ahead);
		prefetch(base + ahead + n - 1);
	}
#pragma GCC unroll 8
	for (i = 0; i < n; i++)
		less += READ_ONCE(base[i]) < key;
	return base - keys + less;
}

/*
 * The position of the first key of a leaf that is not less than @key. @fetched:
 * the leaf's values were fetched with its keys.
 */
static __always_inline unsigned int
blink_leaf_search(const struct blink_node *leaf, u64 key, bool fetched)
{
	return blink_search(leaf->slot, BLINK_LEAF_SLOTS, key,
			    fetched ? 0 : BLINK_LEAF_SLOTS);
}

/* The slot of the child to take for @key: the last separator less than it. */
static __always_inline unsigned int
blink_inner_search(const struct blink_node *inner, u64 key, bool fetched)
{
	return blink_search(inner->slot + 1, BLINK_INNER_SLOTS - 1, key,
			    fetched ? 0 : BLINK_INNER_SLOTS);
}

/*
 * Fetch a node of this kind: all of it, for to know first what will be read takes
 * another miss; or its header and keys only.
 */
static __always_inline void blink_node_prefetch(const struct blink_node *node,
						bool leaf, bool all)
{
	const char *line = (const char *)node;
	const char *end = line + blink_node_bytes(leaf);

	if (!all)
		end -= blink_node_bytes(leaf) / 2 - sizeof(*node) / 2;
	for (; line < end; line += L1_CACHE_BYTES)
		prefetch(line);
}

#endif /* BLINK_CORE_SEARCH_H */
