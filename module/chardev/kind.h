/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For the sources that are compiled for each kind of keys: as they are for keys of 64
 * bits, and by u128.c and bytes.c for the others. In a tree with equal keys a key of
 * 128 bits is the pair of a key and a value (blink_pair()).
 */
#ifndef BLINK_CHARDEV_KIND_H
#define BLINK_CHARDEV_KIND_H

#include <asm/byteorder.h>

#include "stream.h"

#ifdef BLINK_COMPILE_U128
typedef u128 blink_number;
#else
typedef u64 blink_number;
#endif

static inline bool blink_number_is_pair(enum blink_tree_key kind)
{
	return sizeof(blink_number) == sizeof(u128) &&
	       kind == BLINK_TREE_KEY_MULTI;
}

/* Read a number of 8 or 16 bytes, most significant byte first, at a multiple of 8. */
static inline blink_number blink_number_get(const void *from, size_t size)
{
	const __be64 *words = from;
	blink_number number = be64_to_cpu(words[0]);

	if (size > sizeof(u64))
		number = number << 32 << 32 | be64_to_cpu(words[1]);
	return number;
}

/* Write a number of 8 or 16 bytes, most significant byte first, at a multiple of 8. */
static inline void blink_number_put(void *to, blink_number number, size_t size)
{
	__be64 *words = to;

	if (size > sizeof(u64))
		*words++ = cpu_to_be64(number >> 32 >> 32);
	*words = cpu_to_be64(number);
}

/* An operation of the chunk. */
static inline struct blink_tree_ioc_op *
blink_stream_op(const struct blink_stream *s, unsigned int i)
{
	return (struct blink_tree_ioc_op *)s->ops + i;
}

#endif /* BLINK_CHARDEV_KIND_H */
