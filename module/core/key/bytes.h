/* SPDX-License-Identifier: GPL-2.0 */
/**
 * DOC: keys that are strings of bytes
 *
 * A key of 0 to BLINK_BYTES_MAX bytes and its value are one *string* in memory. Its
 * bytes never change; its value is overwritten in place. Strings are counted: the slot
 * of a leaf has one reference, and each node has one to its low key. So a low key stays
 * while any node begins there, also after its entry was erased. Other places that keep
 * a low key beyond an RCU read section have a reference too. A string without
 * references is freed after a grace period. Until then a reader may follow a pointer to
 * it, but its value and its first bytes are overwritten. The sequence of the leaf tells
 * that: the entry was removed before. The strings of a dead leaf belong to the leaf that
 * absorbed it. An index can lead to a dead leaf long after they were freed, so a reader
 * follows no address in a leaf before it has found that the leaf is alive. An inner node
 * dies after all pointers to it were removed. A reader that has found it was in its RCU
 * read section before, so the children that the node leads to, and their low keys, stay
 * until the section ends. The same holds for its high key, which is the low key of a node
 * that was alive then.
 *
 * All keys of a node begin with the bytes that its low and its high key have in common,
 * its *prefix*. A slot has the *head* of its key: the eight bytes behind the prefix, as a
 * number whose order is that of the bytes, with zeroes behind the end of the key. So a
 * node is searched like one with keys of 64 bits. Only keys with the same head are
 * compared as strings. The value of a slot in a leaf is the address of its string. In
 * an inner node a slot belongs to the low key of its child.
 */
#ifndef BLINK_CORE_KEY_BYTES_H
#define BLINK_CORE_KEY_BYTES_H

#include <asm/byteorder.h>
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/blink_tree_bytes.h>
#include <linux/compiler.h>
#include <linux/minmax.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include <linux/types.h>

#include "block.h"

#ifndef BLINK_LEAF_SLOTS
#define BLINK_LEAF_SLOTS 60
#endif
#ifndef BLINK_INNER_SLOTS
#define BLINK_INNER_SLOTS 124
#endif

struct blink_node;

/**
 * struct blink_string - a key and its value
 * @length: bytes of the key
 * @refs: references
 * @value: the value
 * @data: the bytes of the key
 * @block: after the last reference was dropped
 */
struct blink_string {
	u32 length;
	atomic_t refs;
	union {
		struct {
			u64 value;
			u8 data[];
		};
		struct blink_block block;
	};
};

/* Its length is 0 if it is the place behind all keys. */
typedef struct blink_bytes_key blink_key_t;

typedef u64 blink_slot_t;
/* NULL is the low key of a first node, and the high key of a last one. */
typedef struct blink_string *blink_bound_t;

#define BLINK_LAYOUT BLINK_LAYOUT_BYTES
#define BLINK_LEAF_ROOM BLINK_LEAF_SLOTS
#define BLINK_KIND_SUFFIX "_bytes"
#define BLINK_KEY_BITS 64
#define BLINK_NARROW 0
#define BLINK_STRINGS 1
/* The empty key. */
#define BLINK_KEY_LEAST ((blink_key_t){ .data = (const u8 *)"" })
#define BLINK_BOUND_NONE NULL
#define BLINK_BOUND_LEAST (&blink_string_least)
#define BLINK_BOUND_LAST NULL
#define BLINK_KEY_GREATEST ((blink_key_t){})

/* The bound of the empty key, with a reference that is never dropped. */
extern struct blink_string blink_string_least;

/* Compare two keys, or places. */
static inline int blink_key_compare(blink_key_t a, blink_key_t b)
{
	int diff;

	if (unlikely(!a.data || !b.data))
		return !a.data - !b.data;
	/* data_race: RCU writes to strings that are dead. */
	diff = data_race(memcmp(a.data, b.data, min(a.length, b.length)));
	if (!diff)
		diff = a.length < b.length ? -1 : a.length > b.length;
	return diff ?: a.side - b.side;
}

static inline bool blink_key_less(blink_key_t a, blink_key_t b)
{
	return blink_key_compare(a, b) < 0;
}

static inline bool blink_key_equal(blink_key_t a, blink_key_t b)
{
	return !blink_key_compare(a, b);
}

static inline bool blink_key_least(blink_key_t key)
{
	return key.data && !key.length && key.side <= 0;
}

static inline blink_key_t blink_bound_key(const struct blink_string *bound)
{
	if (!bound)
		return BLINK_KEY_GREATEST;
	return (blink_key_t){ .data = bound->data, .length = bound->length };
}

/* A bound that is NULL is behind all keys. */
static inline bool blink_bound_less(const struct blink_string *bound,
				    blink_key_t key)
{
	return bound && blink_key_less(blink_bound_key(bound), key);
}

static inline bool blink_bound_equal(const struct blink_string *a,
				     const struct blink_string *b)
{
	return a == b ||
	       blink_key_equal(blink_bound_key(a), blink_bound_key(b));
}

static inline blink_key_t blink_key_next(blink_key_t key)
{
	key.side = 1;
	return key;
}

static inline blink_key_t blink_key_prev(blink_key_t key)
{
	key.side = -1;
	return key;
}

/* Write the first bytes of a key. Returns how many it has. */
static inline unsigned int blink_key_put(blink_key_t key, u8 *to,
					 unsigned int room)
{
	/* data_race: as above. */
	data_race(memcpy(to, key.data, min(key.length, room)));
	return key.length;
}

/* The place behind a low key; with NULL, the place before all keys. */
static inline blink_key_t blink_key_after(const struct blink_string *low)
{
	if (!low)
		return BLINK_KEY_LEAST;
	return blink_key_next(blink_bound_key(low));
}

/* A bound as two words: its address. */
static inline u64 blink_bound_head(const struct blink_string *bound)
{
	return (uintptr_t)bound;
}

static inline u64 blink_bound_tail(const struct blink_string *bound)
{
	return 0;
}

static inline blink_bound_t blink_bound_join(u64 head, u64 tail)
{
	return (blink_bound_t)(uintptr_t)head;
}

/* No other string is there that could be kept. */
static inline blink_bound_t blink_key_goal(blink_key_t key, blink_bound_t low)
{
	return low;
}

static inline blink_bound_t blink_bound_load(const blink_bound_t *bound)
{
	return rcu_dereference_raw(*bound);
}

static inline void blink_bound_store(blink_bound_t *to, blink_bound_t bound)
{
	/*
	 * Pairs with the address dependency of a search that compares its key with
	 * the high key: the string is complete.
	 */
	smp_store_release(to, bound);
}

static __always_inline blink_slot_t blink_slot_load(const blink_slot_t *slot)
{
	return READ_ONCE(*slot);
}

static __always_inline void blink_slot_store(blink_slot_t *slot,
					     blink_slot_t word)
{
	WRITE_ONCE(*slot, word);
}

static __always_inline unsigned int blink_key_width(blink_slot_t word)
{
	return fls64(word);
}

/* The eight bytes of a key from a position on. */
static inline u64 blink_key_word(blink_key_t key, unsigned int at)
{
	__be64 word = 0;

	if (unlikely(!key.data))
		return U64_MAX;
	if (likely(at < key.length))
		/* data_race: as above. */
		data_race(memcpy(&word, key.data + at,
				 min_t(unsigned int, key.length - at,
				       sizeof(word))));
	return be64_to_cpu(word);
}

/* For traces and reports. */
static inline u64 blink_key_head(blink_key_t key)
{
	return blink_key_word(key, 0);
}

static inline u64 blink_key_tail(blink_key_t key)
{
	return 0;
}

#endif /* BLINK_CORE_KEY_BYTES_H */
