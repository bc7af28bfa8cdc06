/* SPDX-License-Identifier: GPL-2.0 */
/* Functions for keys that are numbers of any size (key.h). */
#ifndef BLINK_CORE_KEY_NUMBER_H
#define BLINK_CORE_KEY_NUMBER_H

#include <asm/byteorder.h>
#include <linux/string.h>

/* A node stores keys and bounds as they are. */
typedef blink_key_t blink_slot_t;
typedef blink_key_t blink_bound_t;

#define BLINK_STRINGS 0
#define BLINK_KEY_LEAST ((blink_key_t)0)
#define BLINK_BOUND_NONE ((blink_bound_t)0)
#define BLINK_BOUND_LEAST ((blink_bound_t)0)
#define BLINK_BOUND_LAST BLINK_KEY_GREATEST

static __always_inline bool blink_key_less(blink_key_t a, blink_key_t b)
{
	return a < b;
}

static __always_inline bool blink_key_equal(blink_key_t a, blink_key_t b)
{
	return a == b;
}

static __always_inline bool blink_bound_equal(blink_bound_t a, blink_bound_t b)
{
	return a == b;
}

static __always_inline bool blink_bound_less(blink_bound_t bound,
					     blink_key_t key)
{
	return bound < key;
}

static __always_inline blink_key_t blink_bound_key(blink_bound_t bound)
{
	return bound;
}

/*
 * The least key behind a low key: a descent for it finds the node that begins
 * there.
 */
static __always_inline blink_key_t blink_key_after(blink_bound_t low)
{
	return low + 1;
}

/* The next greater and the next smaller key. */
static __always_inline blink_key_t blink_key_next(blink_key_t key)
{
	return key + 1;
}

static __always_inline blink_key_t blink_key_prev(blink_key_t key)
{
	return key - 1;
}

/* Whether no key is less. */
static __always_inline bool blink_key_least(blink_key_t key)
{
	return !key;
}

/*
 * Write the first bytes of a key, most significant one first. @room is enough for all.
 * Returns how many bytes the key has.
 */
static inline unsigned int blink_key_put(blink_key_t key, u8 *to,
					 unsigned int room)
{
	const __be64 words[] = { cpu_to_be64(blink_key_head(key)),
				 cpu_to_be64(blink_key_tail(key)) };

	memcpy(to, words, sizeof(key));
	return sizeof(key);
}

/* A bound as two words. */
static __always_inline u64 blink_bound_head(blink_bound_t bound)
{
	return blink_key_head(bound);
}

static __always_inline u64 blink_bound_tail(blink_bound_t bound)
{
	return blink_key_tail(bound);
}

static __always_inline blink_bound_t blink_bound_join(u64 head, u64 tail)
{
	return blink_key_join(head, tail);
}

/*
 * The bound before the place up to which an index is mended, for a search for @key
 * that has come to a node with the low key @low.
 */
static __always_inline blink_bound_t blink_key_goal(blink_key_t key,
						    blink_bound_t low)
{
	return key - 1;
}

static __always_inline blink_bound_t blink_bound_load(const blink_bound_t *bound)
{
	return blink_key_load(bound);
}

static __always_inline void blink_bound_store(blink_bound_t *to,
					      blink_bound_t bound)
{
	blink_key_store(to, bound);
}

static __always_inline blink_slot_t blink_slot_load(const blink_slot_t *slot)
{
	return blink_key_load(slot);
}

static __always_inline void blink_slot_store(blink_slot_t *slot,
					     blink_slot_t word)
{
	blink_key_store(slot, word);
}

#endif /* BLINK_CORE_KEY_NUMBER_H */
