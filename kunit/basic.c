// SPDX-License-Identifier: GPL-2.0
/*
 * Trees of a leaf or two, single-threaded: their parameters, the ends of the key
 * range, limits, pointers, counters. op.c tests the results of each operation.
 */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/rcupdate.h>

#include "../module/core/tree/limit.h"
#include "fixture.h"

/* The content of an output parameter that must not be written to. */
#define UNTOUCHED 0x5ca1ab1edeadbea7ULL

static const u64 edge_keys[] = {
	0, 1, 2, S64_MAX, (u64)S64_MAX + 1, U64_MAX - 1, U64_MAX,
};

static void create_destroy(struct kunit *test)
{
	struct blink_tree *tree;
	struct blink_tree_ioc_stats stats;

	tree = blink_tree_create(NULL, GFP_KERNEL);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, tree);
	fixture_emptied(test, tree);
	blink_tree_stats(tree, &stats);
	KUNIT_EXPECT_EQ(test, stats.max_entries, 0);
	KUNIT_EXPECT_EQ(test, stats.inserts, 0);
	KUNIT_EXPECT_EQ(test, stats.splits, 0);
	blink_tree_destroy(tree);
	blink_tree_destroy(NULL);
}

static void create_without_sleep(struct kunit *test)
{
	struct blink_tree *tree = blink_tree_create(NULL, GFP_NOWAIT);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, tree);
	KUNIT_EXPECT_EQ(test, blink_tree_insert(tree, 1, 1, NULL, GFP_NOWAIT),
			0);
	blink_tree_destroy(tree);
}

static void create_flags(struct kunit *test)
{
	/* The flag that STATS reports for each bit: IRQSAFE, COMPRESS, BYTE_VALUES. */
	static const u64 told[] = { 0, BLINK_TREE_CREATE_COMPRESS,
				    BLINK_TREE_CREATE_BYTE_VALUES };
	struct blink_tree_params params = {};
	struct blink_tree *tree;
	unsigned int bit;

	for (bit = 0; bit < 32; bit++) {
		params.flags = BIT(bit);
		tree = blink_tree_create(&params, GFP_KERNEL);
		if (bit < ARRAY_SIZE(told)) {
			KUNIT_ASSERT_NOT_ERR_OR_NULL(test, tree);
			KUNIT_EXPECT_EQ(test, fixture_stats(tree).create_flags,
					told[bit]);
			blink_tree_destroy(tree);
			continue;
		}
		KUNIT_ASSERT_TRUE(test, IS_ERR(tree));
		KUNIT_EXPECT_EQ(test, PTR_ERR(tree), -EINVAL);
	}
	params.flags = BLINK_TREE_IRQSAFE | BIT(31);
	tree = blink_tree_create(&params, GFP_KERNEL);
	KUNIT_EXPECT_PTR_EQ(test, tree, ERR_PTR(-EINVAL));
}

static void create_unknown(struct kunit *test)
{
	static const struct blink_tree_params unknown[] = {
		{ .replication = BLINK_TREE_REPLICATE_FULL + 1 },
		{ .locking = BLINK_TREE_LOCKING_COHORT + 1 },
		{ .placement = BLINK_TREE_PLACE_INTERLEAVE + 1 },
	};
	struct blink_tree *tree;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(unknown); i++) {
		tree = blink_tree_create(&unknown[i], GFP_KERNEL);
		KUNIT_EXPECT_PTR_EQ(test, tree, ERR_PTR(-EINVAL));
	}
}

static void any_value(struct kunit *test)
{
	struct blink_tree *tree = fixture_tree(test);
	unsigned int i;
	u64 value;

	for (i = 0; i < ARRAY_SIZE(edge_keys); i++) {
		KUNIT_EXPECT_GE(test,
				blink_tree_store(tree, 1, edge_keys[i], NULL,
						 GFP_KERNEL),
				0);
		KUNIT_EXPECT_EQ(test, blink_tree_lookup(tree, 1, &value), 0);
		KUNIT_EXPECT_EQ(test, value, edge_keys[i]);
	}
}

/* @nr keys fill a tree limited to @nr entries; one more does not fit. */
static void check_limit(struct kunit *test, u64 nr)
{
	struct blink_tree_params params = { .max_entries = nr };
	struct blink_tree *tree = fixture_tree_with(test, &params);
	u64 old = UNTOUCHED;

	fixture_fill(test, tree, 10, 2, nr);
	KUNIT_EXPECT_EQ(test, blink_tree_insert(tree, 5, 1, &old, GFP_KERNEL),
			-ENOSPC);
	KUNIT_EXPECT_EQ(test, blink_tree_store(tree, 11, 1, &old, GFP_KERNEL),
			-ENOSPC);
	KUNIT_EXPECT_EQ(test,
			blink_tree_insert(tree, U64_MAX, 1, &old, GFP_KERNEL),
			-ENOSPC);
	KUNIT_EXPECT_EQ(test, old, UNTOUCHED);
	fixture_sound(test, tree, nr);

	/* The limit concerns only an operation that adds a key. */
	KUNIT_EXPECT_EQ(test, blink_tree_insert(tree, 10, 1, &old, GFP_KERNEL),
			-EEXIST);
	KUNIT_EXPECT_EQ(test, blink_tree_store(tree, 10, 1, &old, GFP_KERNEL),
			1);
	KUNIT_EXPECT_EQ(test, blink_tree_replace(tree, 10, 2, &old), 0);

	KUNIT_EXPECT_EQ(test, blink_tree_erase(tree, 9, NULL), -ENOENT);
	KUNIT_EXPECT_EQ(test, blink_tree_insert(tree, 9, 1, NULL, GFP_KERNEL),
			-ENOSPC);
	KUNIT_EXPECT_EQ(test, blink_tree_erase(tree, 10, NULL), 0);
	KUNIT_EXPECT_EQ(test, blink_tree_store(tree, 9, 1, NULL, GFP_KERNEL),
			0);
	KUNIT_EXPECT_EQ(test, blink_tree_insert(tree, 10, 1, NULL, GFP_KERNEL),
			-ENOSPC);
	fixture_sound(test, tree, nr);
	KUNIT_EXPECT_EQ(test, fixture_stats(tree).max_entries, nr);
}

static void max_entries(struct kunit *test)
{
	struct fixture_shape shape;

	fixture_shape(test, &shape);
	check_limit(test, 1);
	check_limit(test, 2);
	/* Each CPU has a stock of room at first; at last none has. */
	check_limit(test, 5 * BLINK_STOCK_MAX * num_possible_cpus());
	/* Where the key that does not fit would have split the leaf. */
	check_limit(test, shape.leaf_slots);
	check_limit(test, shape.leaf_slots + 1);
	check_limit(test, 500);
}

/* A pointer that is only compared, not followed, needs no grace period. */
static void *lookup_ptr(struct blink_tree *tree, u64 key)
{
	void *ptr;

	rcu_read_lock();
	ptr = blink_tree_lookup_ptr(tree, key);
	rcu_read_unlock();
	return ptr;
}

static void pointers(struct kunit *test)
{
	struct blink_tree *tree = fixture_tree(test);
	int one, two;

	if (keys_kind)
		kunit_skip(test, "needs keys of 64 bits");
	KUNIT_EXPECT_NULL(test, lookup_ptr(tree, 1));
	KUNIT_EXPECT_EQ(test, blink_tree_insert_ptr(tree, 1, &one, GFP_KERNEL),
			0);
	KUNIT_EXPECT_EQ(test, blink_tree_insert_ptr(tree, 1, &two, GFP_KERNEL),
			-EEXIST);
	KUNIT_EXPECT_EQ(test, blink_tree_insert_ptr(tree, 2, &two, GFP_KERNEL),
			0);
	KUNIT_EXPECT_PTR_EQ(test, lookup_ptr(tree, 1), (void *)&one);
	KUNIT_EXPECT_PTR_EQ(test, lookup_ptr(tree, 2), (void *)&two);
	KUNIT_EXPECT_PTR_EQ(test, blink_tree_erase_ptr(tree, 1), (void *)&one);
	KUNIT_EXPECT_NULL(test, blink_tree_erase_ptr(tree, 1));
	fixture_sound(test, tree, 1);
}

static void counters(struct kunit *test)
{
	struct blink_tree *tree = fixture_tree(test);
	struct blink_tree_ioc_stats stats;
	u64 value = 0;

	fixture_fill(test, tree, 0, 1, FIXTURE_ONE_LEAF);
	blink_tree_insert(tree, 0, 1, NULL, GFP_KERNEL);
	blink_tree_store(tree, 0, 1, NULL, GFP_KERNEL);
	blink_tree_replace(tree, 0, 1, NULL);
	blink_tree_cmpxchg(tree, 0, &value, 1);
	blink_tree_erase(tree, 0, NULL);
	blink_tree_erase(tree, 0, NULL);
	blink_tree_store(tree, 0, 1, NULL, GFP_KERNEL);
	blink_tree_stats(tree, &stats);
	KUNIT_EXPECT_EQ(test, stats.inserts, FIXTURE_ONE_LEAF + 1);
	KUNIT_EXPECT_EQ(test, stats.erases, 1);
	KUNIT_EXPECT_EQ(test, stats.entries, FIXTURE_ONE_LEAF);
	KUNIT_EXPECT_EQ(test, blink_tree_count(tree), FIXTURE_ONE_LEAF);
	KUNIT_EXPECT_EQ(test, stats.splits, 0);
	KUNIT_EXPECT_EQ(test, stats.read_retries, 0);
	KUNIT_EXPECT_EQ(test, stats.read_locks, 0);
}

/* Rows that find no room are left out; the others are right all the same. */
static void levels_short_array(struct kunit *test)
{
	struct blink_tree *tree = fixture_tree(test);
	struct blink_tree_level_stats row = {};

	fixture_fill(test, tree, 0, 1, 500);
	KUNIT_EXPECT_EQ(test, blink_tree_levels(tree, &row, 0), 0);
	KUNIT_EXPECT_EQ(test, row.nodes, 0);
	KUNIT_EXPECT_EQ(test, blink_tree_levels(tree, &row, 1), 1);
	KUNIT_EXPECT_EQ(test, row.level, blink_tree_height(tree) - 1);
	KUNIT_EXPECT_GE(test, row.nodes, 1);
}

FIXTURE_SUITE("basic", KUNIT_CASE(create_destroy),
	      KUNIT_CASE(create_without_sleep), KUNIT_CASE(create_flags),
	      KUNIT_CASE(create_unknown), KUNIT_CASE(any_value),
	      KUNIT_CASE(max_entries), KUNIT_CASE(pointers),
	      KUNIT_CASE(counters), KUNIT_CASE(levels_short_array));
