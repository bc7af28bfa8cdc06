/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trees whose values are bytes, with keys of any kind, so that the same tests run on all
 * of them. Tests have keys of 64 bits. A tree with 128-bit keys gets them widened
 * (keys.h), and a tree of strings gets a prefix and the eight bytes of the number.
 *
 * The bytes of a value follow from its key, its length and its seed, so a reader can tell
 * a whole value from a mixture of two, and from memory that was used again.
 */
#ifndef BLINK_KUNIT_VALUES_H
#define BLINK_KUNIT_VALUES_H

#include <linux/blink_tree_value.h>

#include "fixture.h"

/* Operations of a batch, and entries of a scan or a load, at most. */
#define VALUES_BATCH 8
/* Bytes of a string that stands for a key. */
#define VALUES_STRING 20

/**
 * struct values - the workspace of one thread that uses a tree
 * @tree: the tree
 * @kind: the kind of its keys
 * @string: the keys of a batch, as strings
 * @found: for keys that operations of a batch find
 * @bytes: the bytes of a value
 * @narrow: a range of 64-bit keys
 * @wide: a range of 128-bit keys
 * @strings: a range of strings
 * @buffer: for the strings that a scan finds, or a copy of a value
 */
struct values {
	struct blink_tree *tree;
	enum blink_tree_key kind;
	u8 string[VALUES_BATCH][VALUES_STRING];
	u8 found[VALUES_BATCH][BLINK_BYTES_MAX];
	u8 bytes[BLINK_VALUE_MAX + 1];
	union {
		struct blink_scan narrow;
		struct blink_u128_scan wide;
		struct blink_bytes_scan strings;
	};
	u8 buffer[BLINK_VALUE_MAX];
};

/**
 * struct values_course - a test of trees with keys of one kind
 * @name: for the report
 * @kind: the kind
 */
struct values_course {
	const char *name;
	enum blink_tree_key kind;
};

extern const struct values_course values_courses[3];

struct values *values_create(struct kunit *test, struct blink_tree *tree);
struct values *values_of_course(struct kunit *test);

void values_op(struct values *values, struct blink_tree_ioc_op *op, gfp_t gfp);
void values_batch(struct values *values, struct blink_tree_ioc_op *ops,
		  unsigned int nr);
int values_cmpxchg(struct values *values, u64 key, const void *expected,
		   u32 length, u64 handle, u64 *old);
int values_cmperase(struct values *values, u64 key, const void *expected,
		    u32 length, u64 *old);
int values_load(struct values *values, const struct blink_tree_entry *entries,
		unsigned int nr, unsigned int *done);

void values_range(struct values *values, u64 first, u64 last, bool desc);
bool values_range_done(const struct values *values);
int values_scan(struct values *values, struct blink_tree_entry *entries,
		unsigned int nr);
int values_erase_range(struct values *values, unsigned int nr);

u32 values_length(struct rnd_state *rnd);
void values_fill(u8 *bytes, u64 key, u32 length, u64 seed);
bool values_whole(struct values *values, u64 handle, u64 key);
int values_make(struct values *values, u64 key, u32 length, u64 seed, gfp_t gfp,
		u64 *handle);
u64 values_made(struct kunit *test, struct values *values, u64 key, u32 length,
		u64 seed);

#endif /* BLINK_KUNIT_VALUES_H */
