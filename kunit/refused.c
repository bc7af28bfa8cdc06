// SPDX-License-Identifier: GPL-2.0
/* Functions that a tree with other keys or other values must refuse (refused.h). */
#define KEYS_OWN_NAMES
#include "refused.h"

/**
 * refused_narrow_writes() - functions that write numbers for keys of 64 bits
 * @test: the test
 * @tree: a tree that must refuse them
 */
void refused_narrow_writes(struct kunit *test, struct blink_tree *tree)
{
	struct blink_tree_entry entry = { 1, 1 };
	const gfp_t gfp = GFP_KERNEL;
	unsigned int done = 0;
	u64 value = 1;

	EXPECT_REFUSED(test, blink_tree_insert(tree, 1, 1, NULL, gfp));
	EXPECT_REFUSED(test, blink_tree_store(tree, 1, 1, NULL, gfp));
	EXPECT_REFUSED(test, blink_tree_get_or_insert(tree, 1, &value, gfp));
	EXPECT_REFUSED(test, blink_tree_replace(tree, 1, 1, NULL));
	EXPECT_REFUSED(test, blink_tree_cmpxchg(tree, 1, &value, 1));
	EXPECT_REFUSED(test, blink_tree_erase(tree, 1, NULL));
	EXPECT_REFUSED(test, blink_tree_cmperase(tree, 1, &value));
	EXPECT_REFUSED(test, blink_tree_pop_min(tree, 0, &entry));
	EXPECT_REFUSED(test, blink_tree_pop_max(tree, 9, &entry));
	EXPECT_REFUSED(test, blink_tree_load(tree, &entry, 1, 100, gfp, &done));
	KUNIT_EXPECT_EQ(test, done, 0);
}

/**
 * refused_narrow_ops() - each operation on a key of 64 bits, by itself and in a batch
 * @test: the test
 * @tree: a tree that must refuse them
 */
void refused_narrow_ops(struct kunit *test, struct blink_tree *tree)
{
	struct blink_tree_ioc_op ops[BLINK_TREE_OP_NR + 1] = {};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ops); i++)
		ops[i].opcode = i;
	blink_tree_batch(tree, ops, ARRAY_SIZE(ops), GFP_KERNEL);
	for (i = 0; i < ARRAY_SIZE(ops); i++) {
		EXPECT_REFUSED(test, ops[i].result);
		ops[i].result = 0;
		blink_tree_op(tree, &ops[i], GFP_KERNEL);
		EXPECT_REFUSED(test, ops[i].result);
	}
}

/**
 * refused_wide_writes() - functions that write numbers for keys of 128 bits
 * @test: the test
 * @tree: a tree that must refuse them
 */
void refused_wide_writes(struct kunit *test, struct blink_tree *tree)
{
	struct blink_tree_u128_entry entry = { 1, 1 };
	const gfp_t gfp = GFP_KERNEL;
	unsigned int done = 0;
	u64 value = 1;

	EXPECT_REFUSED(test, blink_tree_u128_insert(tree, 1, 1, NULL, gfp));
	EXPECT_REFUSED(test, blink_tree_u128_store(tree, 1, 1, NULL, gfp));
	EXPECT_REFUSED(test,
		       blink_tree_u128_get_or_insert(tree, 1, &value, gfp));
	EXPECT_REFUSED(test, blink_tree_u128_replace(tree, 1, 1, NULL));
	EXPECT_REFUSED(test, blink_tree_u128_cmpxchg(tree, 1, &value, 1));
	EXPECT_REFUSED(test, blink_tree_u128_erase(tree, 1, NULL));
	EXPECT_REFUSED(test, blink_tree_u128_cmperase(tree, 1, &value));
	EXPECT_REFUSED(test, blink_tree_u128_pop_min(tree, 0, &entry));
	EXPECT_REFUSED(test, blink_tree_u128_pop_max(tree, 9, &entry));
	EXPECT_REFUSED(test,
		       blink_tree_u128_load(tree, &entry, 1, 100, gfp, &done));
	KUNIT_EXPECT_EQ(test, done, 0);
}

/**
 * refused_wide_ops() - each operation on a key of 128 bits, by itself and in a batch
 * @test: the test
 * @tree: a tree that must refuse them
 */
void refused_wide_ops(struct kunit *test, struct blink_tree *tree)
{
	struct blink_tree_u128_op ops[BLINK_TREE_OP_NR + 1] = {};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ops); i++)
		ops[i].opcode = i;
	blink_tree_u128_batch(tree, ops, ARRAY_SIZE(ops), GFP_KERNEL);
	for (i = 0; i < ARRAY_SIZE(ops); i++) {
		EXPECT_REFUSED(test, ops[i].result);
		ops[i].result = 0;
		blink_tree_u128_op(tree, &ops[i], GFP_KERNEL);
		EXPECT_REFUSED(test, ops[i].result);
	}
}

/**
 * refused_string_writes() - functions that write numbers for strings
 * @test: the test
 * @tree: a tree that must refuse them
 */
void refused_string_writes(struct kunit *test, struct blink_tree *tree)
{
	const struct blink_bytes_key key = blink_bytes_key("a", 1);
	u8 *found = kunit_kzalloc(test, BLINK_BYTES_MAX, GFP_KERNEL);
	struct blink_tree_bytes_entry entry = { found, 1, 1 };
	const gfp_t gfp = GFP_KERNEL;
	unsigned int done = 0;
	u64 value = 1;

	KUNIT_ASSERT_NOT_NULL(test, found);
	EXPECT_REFUSED(test, blink_tree_bytes_insert(tree, key, 1, NULL, gfp));
	EXPECT_REFUSED(test, blink_tree_bytes_store(tree, key, 1, NULL, gfp));
	EXPECT_REFUSED(test, blink_tree_bytes_replace(tree, key, 1, NULL));
	EXPECT_REFUSED(test, blink_tree_bytes_cmpxchg(tree, key, &value, 1));
	EXPECT_REFUSED(test, blink_tree_bytes_erase(tree, key, NULL));
	EXPECT_REFUSED(test, blink_tree_bytes_cmperase(tree, key, &value));
	EXPECT_REFUSED(test, blink_tree_bytes_pop_min(tree, key, &entry));
	EXPECT_REFUSED(test, blink_tree_bytes_pop_max(tree, key, &entry));
	EXPECT_REFUSED(test,
		       blink_tree_bytes_load(tree, &entry, 1, 100, gfp, &done));
	KUNIT_EXPECT_EQ(test, done, 0);
}

/**
 * refused_string_ops() - each operation on a string, by itself and in a batch
 * @test: the test
 * @tree: a tree that must refuse them
 */
void refused_string_ops(struct kunit *test, struct blink_tree *tree)
{
	struct blink_tree_bytes_op ops[BLINK_TREE_OP_NR + 1] = {};
	u8 *found = kunit_kzalloc(test, BLINK_BYTES_MAX, GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, found);
	for (i = 0; i < ARRAY_SIZE(ops); i++) {
		ops[i].opcode = i;
		ops[i].key = blink_bytes_key("a", 1);
		ops[i].found = found;
	}
	blink_tree_bytes_batch(tree, ops, ARRAY_SIZE(ops), GFP_KERNEL);
	for (i = 0; i < ARRAY_SIZE(ops); i++) {
		EXPECT_REFUSED(test, ops[i].result);
		ops[i].result = 0;
		blink_tree_bytes_op(tree, &ops[i], GFP_KERNEL);
		EXPECT_REFUSED(test, ops[i].result);
	}
}
