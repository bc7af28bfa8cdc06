/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trees whose values are bytes, with keys of any kind, so that the same tests run on all
 * of them. Tests have keys of 64 bits, of which keys.h makes keys of the tree.
 *
 * The bytes of a value follow from its key, its length and its seed, so a reader can tell
 * a whole value from a mixture of two, and from memory that was used again.
 */
#ifndef BLINK_KUNIT_VALUES_H
#define BLINK_KUNIT_VALUES_H

#include <linux/blink_tree_value.h>

#include "fixture.h"
#include "keys_bytes.h"

/* Operations of a batch, and entries of a scan or a load, at most. */
#define VALUES_BATCH 8

/**
 * struct values - the workspace of one thread that uses a tree
 * @tree: the tree
 * @kind: the kind of its keys
 * @text: the keys of a batch, as strings
 * @bytes: the bytes of a value
 * @range: the range of a scan or an erase
 * @span: the same of strings
 * @buffer: for the strings that a scan finds, or a copy of a value
 */
struct values {
	struct blink_tree *tree;
	enum blink_tree_key kind;
	struct keys_op_text text[VALUES_BATCH];
	u8 bytes[BLINK_VALUE_MAX + 1];
	struct blink_scan range;
	struct keys_span span;
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
int values_write(struct values *values, u16 opcode, u64 key, u64 handle,
		 u64 *old, gfp_t gfp);
void values_insert(struct kunit *test, struct values *values, u64 key,
		   u64 handle);
void values_batch(struct values *values, struct blink_tree_ioc_op *ops,
		  unsigned int nr);
int values_cmpxchg(struct values *values, u64 key, const void *expected,
		   u32 length, u64 handle, u64 *old);
int values_cmperase(struct values *values, u64 key, const void *expected,
		    u32 length, u64 *old);
int values_load(struct values *values, const struct blink_tree_entry *entries,
		unsigned int nr, unsigned int *done);

void values_range(struct values *values, u64 first, u64 last, bool desc);
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
