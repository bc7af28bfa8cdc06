/* SPDX-License-Identifier: GPL-2.0 */
/* Records as a kernel writes them, and the handles of a test without a kernel. */
#ifndef BLINKTREE_TESTS_RESULT_H
#define BLINKTREE_TESTS_RESULT_H

#include <stdint.h>
#include <string.h>

#include "blinktree_bytes.h"

#define HEADER sizeof(struct blink_tree_record)
/* The longest result of an operation on a tree of any kind. */
#define RESULT_MAX \
	(HEADER + BLINK_TREE_RECORD_KEY_MAX + 2 * BLINK_TREE_RECORD_VALUE_MAX)

static inline void *at(__u64 address)
{
	return (void *)(uintptr_t)address;
}

static inline size_t padded(size_t length)
{
	return (length + 7) / 8 * 8;
}

/* Bytes of one part of a result, all the same. */
static inline unsigned char *result_part(unsigned char *to, char byte,
					 size_t length)
{
	memset(to, 0, padded(length));
	memset(to, byte, length);
	return to + padded(length);
}

/* Write a result with parts of these lengths, and other bytes in each part. */
static inline size_t result_write(unsigned char *to,
				  const struct blink_tree_record *header)
{
	struct blink_tree_record result = *header;

	result.length = HEADER + padded(result.key_length) +
			padded(result.value_length) + padded(result.old_length);
	memcpy(to, &result, HEADER);
	to = result_part(to + HEADER, 'k', result.key_length);
	to = result_part(to, 'v', result.value_length);
	result_part(to, 'o', result.old_length);
	return result.length;
}

#endif /* BLINKTREE_TESTS_RESULT_H */
