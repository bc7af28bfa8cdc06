/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Numbers as strings of bytes, so that tests with keys of 64 bits run on trees of strings.
 * Kernel code and programs include it.
 *
 * The order stays. Eight numbers in a row have the same first eight bytes, so their heads
 * (module/core/key/bytes.h) are equal in most nodes. The first of them ends there, each of
 * the next three begins all behind it, and the last four have the same length. The
 * string of 0 is empty.
 */
#ifndef BLINK_KUNIT_KEYS_TEXT_H
#define BLINK_KUNIT_KEYS_TEXT_H

#include <linux/types.h>

/* The bytes that all of eight numbers in a row have in common. */
#define KEYS_TEXT_UPPER 8
/* Each of the next three numbers has so many bytes more. */
#define KEYS_TEXT_STEP 4
#define KEYS_TEXT_MAX (KEYS_TEXT_UPPER + 3 * KEYS_TEXT_STEP + 1)

/* Write the string of a number, and return its length. */
static inline __u32 keys_text_put(__u8 *to, __u64 key)
{
	__u32 low = key & 7, length = 0;
	int shift;

	if (!key)
		return 0;
	for (shift = 56; shift >= 0; shift -= 8)
		to[length++] = key >> 3 >> shift;
	while (length < KEYS_TEXT_UPPER + KEYS_TEXT_STEP * (low < 3 ? low : 3))
		to[length++] = 0;
	if (low > 3)
		to[length++] = low;
	return length;
}

/* The number whose string it is. */
static inline __u64 keys_text_get(const __u8 *from, __u32 length)
{
	__u64 key = 0;
	__u32 i;

	if (!length)
		return 0;
	for (i = 0; i < KEYS_TEXT_UPPER; i++)
		key = key << 8 | from[i];
	key <<= 3;
	if (length == KEYS_TEXT_MAX)
		return key | from[length - 1];
	return key | (length - KEYS_TEXT_UPPER) / KEYS_TEXT_STEP;
}

#endif /* BLINK_KUNIT_KEYS_TEXT_H */
