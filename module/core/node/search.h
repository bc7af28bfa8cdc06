/* SPDX-License-Identifier: GPL-2.0 */
/* Searching the keys of a node, and prefetching nodes. */
#ifndef BLINK_CORE_SEARCH_H
#define BLINK_CORE_SEARCH_H

#include <linux/cache.h>
#include <linux/prefetch.h>

#include "narrow.h"
#include "node.h"
#include "signs.h"

/* Keys of a cache line. */
#define BLINK_LINE_KEYS (L1_CACHE_BYTES / sizeof(blink_slot_t))

/* At this number of keys the search stops halving and counts. */
#define BLINK_SEARCH_COUNT 4

/*
 * @from, or @next if @slot is less than @word. Compilers make a branch of some of these,
 * which would be mispredicted half of the time.
 */
static __always_inline unsigned long blink_search_pick(blink_slot_t slot,
						       blink_slot_t word,
						       unsigned long from,
						       unsigned long next)
{
#ifdef __x86_64__
	if (sizeof(slot) == sizeof(u64)) {
		asm("cmp %[word], %[slot]\n\tcmovb %[next], %[from]"
		    : [from] "+r"(from)
		    : [next] "r"(next), [word] "r"((u64)word),
		      [slot] "r"((u64)slot)
		    : "cc");
		return from;
	}
#endif
	return from + ((next - from) & -(unsigned long)(slot < word));
}

/* Halve the range of a search if it has more keys than are counted. */
static __always_inline void blink_search_halve(const blink_slot_t *slots,
					       unsigned long *from,
					       unsigned int *n,
					       blink_slot_t word)
{
	unsigned int half = *n / 2;
	unsigned long next = *from + half;

	if (*n <= BLINK_SEARCH_COUNT)
		return;
	*from = blink_search_pick(blink_slot_load(&slots[next - 1]), word,
				  *from, next);
	*n -= half;
}

/**
 * blink_search() - how many of ascending slots are less than a word
 * @slots: the slots, including those that are not in use (BLINK_SLOT_UNUSED)
 * @n: their number; constant, 256 at most
 * @word: the word: a key as a slot stores it
 *
 * As @n is constant, the search has no branch. Each halving is a load, a
 * comparison and a masked addition. The last four slots are compared
 * independently of each other. The search does not wait for the count of slots
 * in use.
 *
 * Context: any.
 * Return: the number of slots less than @word, within [0, @n] for any content: in
 * a read section the slots can be arbitrary.
 */
static __always_inline unsigned int
blink_search(const blink_slot_t *slots, unsigned int n, blink_slot_t word)
{
	unsigned long from = 0, less = 0;
	unsigned int i;

	blink_search_halve(slots, &from, &n, word);
	blink_search_halve(slots, &from, &n, word);
	blink_search_halve(slots, &from, &n, word);
	blink_search_halve(slots, &from, &n, word);
	blink_search_halve(slots, &from, &n, word);
#pragma GCC unroll 8
	for (i = 0; i < n; i++)
		less += blink_slot_load(&slots[from + i]) < word;
	return from + less;
}

/*
 * How many slots of a node are less than the word of a key, as the group from slot
 * @from on says; @leaf is constant.
 */
static __always_inline unsigned int
blink_search_word(const struct blink_node *node, unsigned int from,
		  blink_slot_t word, bool leaf)
{
	const blink_slot_t *base = node->slot + from;
	unsigned int less;

	less = blink_search(base, blink_group_slots(leaf), word);
	/* Strings can have equal heads on both sides of the begin of the group. */
	if (unlikely(!less && from &&
		     (BLINK_STRINGS || blink_slot_load(base) != word) &&
		     blink_slot_load(base - 1) >= word))
		return blink_search(node->slot, blink_slots(leaf), word);
	return from + less;
}

/* How many keys of a node are less than @key, likewise. */
static __always_inline unsigned int
blink_search_group(const struct blink_node *node, unsigned int from,
		   blink_key_t key, bool leaf)
{
	blink_slot_t word = blink_node_word(node, key);
	unsigned int less = blink_search_word(node, from, word, leaf);

	return blink_node_ties(node, less, word, key, leaf);
}

/* The position of the first key of a leaf that is not less than @key. */
static __always_inline unsigned int
blink_leaf_search(const struct blink_node *leaf, unsigned int form,
		  blink_key_t key)
{
	blink_slot_t word = blink_node_word(leaf, key);

#if BLINK_NARROW
	if (unlikely(form))
		return blink_narrow_search(leaf, form, key);
#endif
	return blink_node_ties(leaf,
			       blink_search(leaf->slot, BLINK_LEAF_SLOTS, word),
			       word, key, true);
}

/* The same in a leaf of form 0 of which only the group of the key has been fetched. */
static __always_inline unsigned int
blink_leaf_search_group(const struct blink_node *leaf, blink_key_t key)
{
	return blink_search_group(leaf, blink_group_of(leaf, key, true), key,
				  true);
}

/* The same in a locked leaf. */
static __always_inline unsigned int
blink_leaf_search_locked(const struct blink_node *leaf, unsigned int form,
			 blink_key_t key)
{
#if BLINK_NARROW
	if (unlikely(form))
		return blink_narrow_search(leaf, form, key);
#endif
	return blink_leaf_search_group(leaf, key);
}

/*
 * Whether a leaf has @key, or a key on the wanted side of it. *@pos is the position of
 * the first key that is not less, and is set to that of the key found. The search that found
 * *@pos did not read the count, so a writer may have made it less.
 */
static __always_inline bool blink_leaf_nearest(const struct blink_node *leaf,
					       unsigned int form,
					       blink_key_t key, bool below,
					       unsigned int *pos)
{
	unsigned int count = blink_leaf_count(leaf, form);

	if (below && (*pos >= count || !blink_leaf_has(leaf, form, *pos, key)))
		return (*pos)--;
	return *pos < count;
}

/* The slot of the child for @key: the last separator less than it. */
static __always_inline unsigned int
blink_inner_search_group(const struct blink_node *inner, unsigned int from,
			 blink_key_t key)
{
	unsigned int less = blink_search_group(inner, from, key, false);

	return less - !!less;
}

static __always_inline unsigned int
blink_inner_search(const struct blink_node *inner, blink_key_t key)
{
	blink_slot_t word = blink_node_word(inner, key);
	unsigned int less;

	less = blink_search(inner->slot + 1, BLINK_INNER_SLOTS - 1, word);
	return blink_node_ties(inner, less + 1, word, key, false) - 1;
}

/* Prefetch the keys of a group, and the values or children that they lead to. */
static __always_inline void blink_group_prefetch(const struct blink_node *node,
						 unsigned int from, bool leaf)
{
	const unsigned int slots = blink_group_slots(leaf);
	const blink_slot_t *key = node->slot + from;
	/* Its address depends on @key, so that both share a register. */
	const u64 *value = (u64 *)(key - from + blink_slots(leaf)) + from;
	unsigned int i;

#pragma GCC unroll 8
	for (i = 0; i < slots; i += BLINK_LINE_KEYS) {
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
	const u64 *value = blink_values(leaf, true);
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
