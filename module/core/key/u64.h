/* SPDX-License-Identifier: GPL-2.0 */
/* Keys that are numbers of 64 bits (key.h). */
#ifndef BLINK_CORE_KEY_U64_H
#define BLINK_CORE_KEY_U64_H

#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/limits.h>
#include <linux/types.h>

/*
 * With the header, a leaf takes 1 KiB and an inner node 2 KiB. These sizes were
 * chosen by measurement.
 */
#ifndef BLINK_LEAF_SLOTS
#define BLINK_LEAF_SLOTS 60
#endif
#ifndef BLINK_INNER_SLOTS
#define BLINK_INNER_SLOTS 124
#endif

typedef u64 blink_key_t;

#define BLINK_LAYOUT BLINK_LAYOUT_U64
/* Entries of a buffer with room for any leaf that is not compressed. */
#define BLINK_LEAF_ROOM BLINK_CURSOR_ENTRIES
/* The end of the names of slab caches. */
#define BLINK_KIND_SUFFIX ""
#define BLINK_KEY_BITS 64
#define BLINK_KEY_GREATEST U64_MAX

/* Leaves can be narrow (narrow.h). */
#define BLINK_NARROW 1

static __always_inline blink_key_t blink_key_load(const blink_key_t *key)
{
	return READ_ONCE(*key);
}

static __always_inline void blink_key_store(blink_key_t *to, blink_key_t key)
{
	WRITE_ONCE(*to, key);
}

/* The number of bits of a key without those zeroes that are highest. */
static __always_inline unsigned int blink_key_width(blink_key_t key)
{
	return fls64(key);
}

static __always_inline u64 blink_key_head(blink_key_t key)
{
	return key;
}

static __always_inline u64 blink_key_tail(blink_key_t key)
{
	return 0;
}

static __always_inline blink_key_t blink_key_join(u64 head, u64 tail)
{
	return head;
}

#include "number.h"

#endif /* BLINK_CORE_KEY_U64_H */
