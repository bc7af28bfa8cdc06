/* SPDX-License-Identifier: GPL-2.0 */
/* Searching the keys of a node, and prefetching nodes. */
#ifndef BLINK_CORE_SEARCH_H
#define BLINK_CORE_SEARCH_H

#include <linux/cache.h>
#include <linux/prefetch.h>

#include "narrow.h"
#include "node.h"
#include "signs.h"

/* At this number of keys the search stops halving and counts. */
#define BLINK_SEARCH_COUNT 4

/*
 * Halve the range of a search if it has more keys than are counted. The mask
 * keeps compilers from emitting a branch, which would be mispredicted half of
 * the time.
 */
static __always_inline void blink_search_halve(const u64 *keys,
					       unsigned long *from,
					       unsigned int *n, u64 key)
{
	unsigned int half = *n / 2;

	if (*n <= BLINK_SEARCH_COUNT)
		return;
	*from += half &
		 -(unsigned long)(READ_ONCE(keys[*from + half - 1]) < key);
	*n -= half;
}

/**
 * blink_search() - how many of ascending keys are less than a key
 * @keys: the keys, including slots that are not in use (BLINK_KEY_UNUSED)
 * @n: their number; constant, 256 at most
 * @key: the key
 *
 * As @n is constant, the search has no branch. Each halving is a load, a
 * comparison and a masked addition. The last four keys are compared
 * independently of each other. The search does not wait for the count of slots
 * in use.
 *
 * Context: any.
 * Return: the number of keys less than @key, within [0, @n] for any content: in
 * a read section the keys can be arbitrary.
 */
static __always_inline unsigned int blink_search(const u64 *keys,
						 unsigned int n, u64 key)
{
	unsigned long from = 0, less = 0;
	unsigned int i;

	blink_search_halve(keys, &from, &n, key);
	blink_search_halve(keys, &from, &n, key);
	blink_search_halve(keys, &from, &n, key);
	blink_search_halve(keys, &from, &n, key);
	blink_search_halve(keys, &from, &n, key);
#pragma GCC unroll 8
	for (i = 0; i < n; i++)
		less += READ_ONCE(keys[from + i]) < key;
	return from + less;
}

/*
 * How many keys of a node are less than @key, as the group from slot @from on
 * says; @leaf is constant.
 */
static __always_inline unsigned int
blink_search_group(const struct blink_node *node, unsigned int from, u64 key,
		   bool leaf)
{
	const u64 *base = node->slot + from;
	unsigned int less;

	less = blink_search(base, blink_group_slots(leaf), key);
	if (unlikely(!less && from && READ_ONCE(*base) != key &&
		     READ_ONCE(*(base - 1)) >= key))
		return blink_search(node->slot, blink_slots(leaf), key);
	return from + less;
}

/* The position of the first key of a leaf that is not less than @key. */
static __always_inline unsigned int
blink_leaf_search(const struct blink_node *leaf, unsigned int form, u64 key)
{
	if (unlikely(form))
		return blink_narrow_search(leaf, form, key);
	return blink_search(leaf->slot, BLINK_LEAF_SLOTS, key);
}

/*
 * The same in a locked leaf. In a batch only the group of the key has been fetched.
 */
static __always_inline unsigned int
blink_leaf_search_locked(const struct blink_node *leaf, unsigned int form,
			 u64 key)
{
	if (unlikely(form))
		return blink_narrow_search(leaf, form, key);
	return blink_search_group(leaf, blink_group_of(leaf, key, true), key,
				  true);
}

/*
 * Whether a leaf has @key, or a key on the wanted side of it. *@pos is the position of
 * the first key that is not less, and is set to that of the key found.
 */
static __always_inline bool blink_leaf_nearest(const struct blink_node *leaf,
					       unsigned int form, u64 key,
					       bool below, unsigned int *pos)
{
	unsigned int count = blink_leaf_count(leaf, form);

	if (below && (*pos == count || blink_leaf_key(leaf, form, *pos) != key))
		return (*pos)--;
	return *pos < count;
}

/* The slot of the child for @key: the last separator less than it. */
static __always_inline unsigned int
blink_inner_search_group(const struct blink_node *inner, unsigned int from,
			 u64 key)
{
	unsigned int less = blink_search_group(inner, from, key, false);

	return less - !!less;
}

static __always_inline unsigned int
blink_inner_search(const struct blink_node *inner, u64 key)
{
	return blink_search(inner->slot + 1, BLINK_INNER_SLOTS - 1, key);
}

/* Prefetch the keys of a group, and the values or children that they lead to. */
static __always_inline void blink_group_prefetch(const struct blink_node *node,
						 unsigned int from, bool leaf)
{
	const unsigned int slots = blink_group_slots(leaf);
	const u64 *key = node->slot + from;
	const u64 *value = key + blink_slots(leaf);
	unsigned int i;

#pragma GCC unroll 8
	for (i = 0; i < slots; i += L1_CACHE_BYTES / sizeof(u64)) {
		prefetch(key + i);
		prefetch(value + i);
	}
	/* The last group of a node does not begin with a line. */
	prefetch(key + slots - 1);
	prefetch(value + slots - 1);
}

/*
 * Prefetch half of the values of a leaf, from the group at slot @from on or the
 * last ones. A loop that ends with the count would be mispredicted.
 */
static __always_inline void blink_values_prefetch(const struct blink_node *leaf,
						  unsigned int from)
{
	const unsigned int half = BLINK_LEAF_SLOTS / 2;
	const u64 *value = leaf->slot + BLINK_LEAF_SLOTS;
	unsigned int i;

	value += min(from, BLINK_LEAF_SLOTS - half);
#pragma GCC unroll 8
	for (i = 0; i < half; i += L1_CACHE_BYTES / sizeof(u64))
		prefetch(value + i);
}

/*
 * Prefetch a node: all of it, since finding out first which lines are needed
 * would cost another cache miss; or only its header and keys.
 */
static __always_inline void blink_node_prefetch(const struct blink_node *node,
						bool leaf, bool all)
{
	const char *line = (const char *)node;
	const char *end = line + blink_node_bytes(leaf);

	if (!all)
		end -= blink_node_bytes(leaf) / 2 - sizeof(*node) / 2;
#pragma GCC unroll 64
	for (; line < end; line += L1_CACHE_BYTES)
		prefetch(line);
}

#endif /* BLINK_CORE_SEARCH_H */
