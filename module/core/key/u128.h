/* SPDX-License-Identifier: GPL-2.0 */
/* Keys that are numbers of 128 bits (key.h). */
#ifndef BLINK_CORE_KEY_U128_H
#define BLINK_CORE_KEY_U128_H

#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/types.h>

/* Nodes are as large as those with keys of 64 bits. */
#ifndef BLINK_LEAF_SLOTS
#define BLINK_LEAF_SLOTS 39
#endif
#ifndef BLINK_INNER_SLOTS
#define BLINK_INNER_SLOTS 82
#endif

typedef u128 blink_key_t;

#define BLINK_LAYOUT BLINK_LAYOUT_U128
#define BLINK_LEAF_ROOM BLINK_U128_CURSOR_ENTRIES
#define BLINK_KIND_SUFFIX "_u128"
#define BLINK_KEY_BITS 128
#define BLINK_KEY_GREATEST (~(u128)0)

#define BLINK_NARROW 0

/* The upper and the lower half of a key. */
static __always_inline u64 blink_key_head(blink_key_t key)
{
	return key >> 64;
}

static __always_inline u64 blink_key_tail(blink_key_t key)
{
	return (u64)key;
}

static __always_inline blink_key_t blink_key_join(u64 head, u64 tail)
{
	return (u128)head << 64 | tail;
}

/*
 * A key is loaded and stored as two words. So a key that changes meanwhile can be a
 * mixture of both, which a read section finds out; elsewhere it is a hint.
 */
static __always_inline blink_key_t blink_key_load(const blink_key_t *key)
{
	const u64 *half = (const u64 *)key;

	if (IS_ENABLED(CONFIG_CPU_BIG_ENDIAN))
		return blink_key_join(READ_ONCE(half[0]), READ_ONCE(half[1]));
	return blink_key_join(READ_ONCE(half[1]), READ_ONCE(half[0]));
}

static __always_inline void blink_key_store(blink_key_t *to, blink_key_t key)
{
	const bool big = IS_ENABLED(CONFIG_CPU_BIG_ENDIAN);
	u64 *half = (u64 *)to;

	WRITE_ONCE(half[!big], blink_key_head(key));
	WRITE_ONCE(half[big], blink_key_tail(key));
}

static __always_inline unsigned int blink_key_width(blink_key_t key)
{
	return blink_key_head(key) ? 64 + fls64(blink_key_head(key)) :
				     fls64(blink_key_tail(key));
}

#include "number.h"

#endif /* BLINK_CORE_KEY_U128_H */
