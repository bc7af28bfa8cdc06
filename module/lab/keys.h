/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keys: the images of 0, 1, 2, ... under a bijection of the numbers of 63 bits,
 * so that they are random, distinct, and need no memory of their own. A key's
 * value is the number that it is the image of, so that any answer can be
 * checked. They are those of the native benchmark.
 */
#ifndef BLINK_LAB_KEYS_H
#define BLINK_LAB_KEYS_H

#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/types.h>

#define LAB_KEY_MAX (U64_MAX >> 1)

/* Numbers from here on are of keys that are never there. */
#define LAB_ABSENT 0x10000000000ULL

/* Shifts, odd factors and sums modulo 2^bits each are bijections. */
static inline u64 lab_image_bits(u64 n, unsigned int bits)
{
	const u64 mask = U64_MAX >> (64 - bits);

	n = (n + 0x1e3779b97f4a7c15ULL) & mask;
	n = (n ^ n >> 30) * 0xbf58476d1ce4e5b9ULL & mask;
	n = (n ^ n >> 27) * 0x94d049bb133111ebULL & mask;
	return n ^ n >> 31;
}

static inline u64 lab_image(u64 n)
{
	return lab_image_bits(n, 63);
}

/* Numbers below @limit at random, cheaply. */
static inline u64 lab_below(u64 *state, u64 limit)
{
	*state += 0x9e3779b97f4a7c15ULL;
	return mul_u64_u64_shr(lab_image(*state & LAB_KEY_MAX), limit, 63);
}

#endif /* BLINK_LAB_KEYS_H */
