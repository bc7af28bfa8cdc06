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

/* Up to this number of slots, a search compares all of them at once. */
#define BLINK_SEARCH_COUNT 5

/*
 * Compilers do not find these instructions, or make a branch of them that would be
 * mispredicted half of the time. Sanitizers do not see what assembly code reads.
 */
#if defined(__x86_64__) && !defined(CONFIG_KASAN) && !defined(CONFIG_KCSAN) && \
	!defined(CONFIG_KMSAN) && !defined(SHIM_INSTRUMENTED)
#define BLINK_SEARCH_ASM
#endif

/*
 * @next if the slot before it is less than @word, and else @from. Without assembly code, @step
 * is added instead.
 */
static __always_inline const blink_slot_t *
blink_search_pick(const blink_slot_t *from, const blink_slot_t *next,
		  unsigned long step, blink_slot_t word)
{
#ifdef BLINK_SEARCH_ASM
	if (sizeof(word) == sizeof(u64)) {
		asm("cmpq %[word], %[slot]\n\tcmovb %[next], %[from]"
		    : [from] "+r"(from)
		    : [next] "r"(next), [word] "r"((u64)word),
		      [slot] "m"(*(const u64 *)(next - 1))
		    : "cc");
		return from;
	}
#endif
	return from +
	       (step & -(unsigned long)(blink_slot_load(next - 1) < word));
}

/* @less, plus one if the slot is less than @word. */
static __always_inline unsigned long blink_search_add(const blink_slot_t *slot,
						      blink_slot_t word,
						      unsigned long less)
{
#ifdef BLINK_SEARCH_ASM
	if (sizeof(word) == sizeof(u64)) {
		asm("cmpq %[word], %[slot]\n\tadcq $0, %[less]"
		    : [less] "+r"(less)
		    : [word] "r"((u64)word), [slot] "m"(*(const u64 *)slot)
		    : "cc");
		return less;
	}
#endif
	return less + (blink_slot_load(slot) < word);
}

/*
 * Divide the range of a search into @ways parts of equal size, if it has more slots than are
 * compared at once. A part is behind the place if the last slot before it is less than @word.
 * The last part overlaps the one before, so that it does not reach beyond the range.
 */
static __always_inline void blink_search_divide(const blink_slot_t **from,
						unsigned int *n,
						blink_slot_t word,
						unsigned int ways)
{
	const unsigned int part = DIV_ROUND_UP(*n + 1, ways);
	const blink_slot_t *base = *from;
	unsigned int at = 0, next, i;

	if (*n <= BLINK_SEARCH_COUNT)
		return;
#pragma GCC unroll 8
	for (i = 1; i < ways; i++, at = next) {
		next = min(i * part, *n + 1 - part);
		*from = blink_search_pick(*from, base + next, next - at, word);
	}
	*n = part - 1;
}

/**
 * blink_search() - how many of ascending slots are less than a word
 * @slots: the slots, including those that are not in use (BLINK_SLOT_UNUSED)
 * @n: their number; constant, 256 at most
 * @word: the word: a key as a slot stores it
 *
 * The search has no branch that depends on a key. It divides the slots into four or five
 * parts at a time: 60 slots take three steps, and so do 124. The comparisons of a step do
 * not depend on each other, so their cache lines come together. The search does not wait for
 * the count of slots in use.
 *
 * Context: any.
 * Return: the number of slots less than @word, within [0, @n] for any content: in
 * a read section the slots can be arbitrary.
 */
static __always_inline unsigned int
blink_search(const blink_slot_t *slots, unsigned int n, blink_slot_t word)
{
	const unsigned int ways = n > 64 ? 5 : 4;
	const blink_slot_t *from = slots;
	unsigned long less;
	unsigned int i;

	blink_search_divide(&from, &n, word, ways);
	blink_search_divide(&from, &n, word, ways);
	blink_search_divide(&from, &n, word, ways);
	less = from - slots;
#pragma GCC unroll 8
	for (i = 0; i < n; i++)
		less = blink_search_add(&from[i], word, less);
	return less;
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

/* The same in a locked leaf of which a descent of a batch may have fetched only the group. */
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
	const unsigned int few = min(BLINK_SEARCH_COUNT, BLINK_INNER_SLOTS - 1);
	blink_slot_t word = blink_node_word(inner, key);
	unsigned int less;

	/* The root often has few children: the slots behind them are not in use. */
	if (READ_ONCE(inner->count) <= few + 1)
		less = blink_search(inner->slot + 1, few, word);
	else
		less = blink_search(inner->slot + 1, BLINK_INNER_SLOTS - 1,
				    word);
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
