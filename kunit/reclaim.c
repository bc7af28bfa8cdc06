// SPDX-License-Identifier: GPL-2.0
/*
 * The memory of trees: memory in limbo is freed in the end, the counters add up, and
 * trees of any size, in any state, can be destroyed.
 */
#include <linux/delay.h>
#include <linux/rcupdate.h>

#include "fixture.h"

/*
 * The bytes of a tree include its dead nodes as long as a reader stays in its read section:
 * far longer than a grace period takes elsewhere.
 */
static void bytes_include_limbo(struct kunit *test)
{
	struct blink_tree *tree = fixture_tree(test);
	struct blink_tree_ioc_stats full, held, after;
	u64 key, freed;

	fixture_fill(test, tree, 0, 1, 500);
	rcu_barrier();
	blink_tree_stats(tree, &full);
	rcu_read_lock();
	for (key = 0; key < 500; key++)
		blink_tree_erase(tree, key, NULL);
	mdelay(200);
	blink_tree_stats(tree, &held);
	rcu_read_unlock();
	rcu_barrier();
	blink_tree_stats(tree, &after);
	KUNIT_EXPECT_EQ(test, held.bytes, full.bytes);
	freed = full.bytes - after.bytes;
	/* The low key of a dead node comes into limbo when the node leaves it. */
	if (full.key == BLINK_TREE_KEY_BYTES)
		KUNIT_EXPECT_GE(test, freed, held.limbo_bytes);
	else
		KUNIT_EXPECT_EQ(test, freed, held.limbo_bytes);
	KUNIT_EXPECT_EQ(test, after.limbo_bytes, 0);
	KUNIT_EXPECT_EQ(test, after.merges_deferred, 0);
}

/* A value that is overwritten leaves nothing for RCU to free. */
static void overwriting_leaves_nothing(struct kunit *test)
{
	struct blink_tree *tree = fixture_tree(test);
	struct blink_tree_ioc_stats before, after;
	u64 n, limbo;

	fixture_fill(test, tree, 0, 1, 1000);
	fixture_sound(test, tree, 1000);
	blink_tree_stats(tree, &before);
	/* No grace period ends in here. */
	rcu_read_lock();
	for (n = 0; n < 2000; n++)
		if (n % 2)
			blink_tree_store(tree, n % 1000, n, NULL, GFP_NOWAIT);
		else
			blink_tree_replace(tree, n % 1000, n, NULL);
	limbo = blink_tree_limbo(tree);
	rcu_read_unlock();
	blink_tree_stats(tree, &after);
	KUNIT_EXPECT_EQ(test, limbo, 0);
	KUNIT_EXPECT_EQ(test, after.bytes, before.bytes);
	KUNIT_EXPECT_EQ(test, after.splits, before.splits);
	KUNIT_EXPECT_EQ(test, after.merges, before.merges);
}

/* The nodes in limbo outlive their tree, and need what they are counted in. */
static void destroyed_with_limbo(struct kunit *test)
{
	struct blink_tree *tree;
	unsigned int round;
	u64 key, limbo = 0;

	for (round = 0; round < 20; round++) {
		tree = blink_tree_create(NULL, GFP_KERNEL);
		KUNIT_ASSERT_NOT_ERR_OR_NULL(test, tree);
		for (key = 0; key < 400; key++)
			blink_tree_insert(tree, key, 0, NULL, GFP_KERNEL);
		rcu_read_lock();
		for (key = 0; key < 21 * round; key++)
			blink_tree_erase(tree, key, NULL);
		limbo |= blink_tree_limbo(tree);
		rcu_read_unlock();
		blink_tree_destroy(tree);
	}
	rcu_barrier();
	KUNIT_EXPECT_NE(test, limbo, 0);
}

FIXTURE_SUITE("reclaim", KUNIT_CASE(bytes_include_limbo),
	      KUNIT_CASE(overwriting_leaves_nothing),
	      KUNIT_CASE_SLOW(destroyed_with_limbo));
