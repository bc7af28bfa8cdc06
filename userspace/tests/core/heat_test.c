// SPDX-License-Identifier: GPL-2.0
/*
 * Leaves where writers meet are split before they are full, those where they do
 * not are left alone, and halves come together again.
 */
#include <linux/atomic.h>

#include "core/node/contention.h"
#include "nodes.h"
#include "test.h"

/* Fill the only leaf but for one slot, with keys far apart. */
#define KEYS (BLINK_LEAF_SLOTS - 1)
#define KEY_STEP 10
#define THREADS 4
/* Hot even after a writer that locked the leaf without waiting took one away. */
#define HOT (BLINK_HEAT_SPLIT + 1)

static struct blink_tree *tree;

static u64 leaves(void)
{
	struct blink_node *leaf = first_leaf(tree);
	u64 n = 0;

	for (; leaf; leaf = next_leaf(leaf))
		n++;
	return n;
}

static void set_up(void)
{
	u64 i;

	tree = tree_create();
	for (i = 1; i <= KEYS; i++)
		EXPECT_INSERT(tree, i * KEY_STEP, i);
	EXPECT_EQ(leaves(), 1);
}

static void tear_down(void)
{
	u64 i;

	for (i = 1; i <= KEYS; i++)
		EXPECT_FOUND(tree, i * KEY_STEP, i);
	tree_end(tree);
}

/* A store, or an insertion of what is there, at the hot leaf. */
static void present_key(void)
{
	u64 old = 0;

	set_up();
	first_leaf(tree)->heat = HOT;
	EXPECT_EQ(blink_tree_store(tree, KEY_STEP, 1, &old, GFP_KERNEL), 1);
	EXPECT_EQ(old, 1);
	EXPECT_EQ(leaves(), 2);
	EXPECT_EQ(tree_stats(tree).heat_splits, 1);
	EXPECT_EQ(first_leaf(tree)->count, (KEYS + 1) / 2);
	EXPECT_EQ(first_leaf(tree)->heat, 0);
	tear_down();

	set_up();
	first_leaf(tree)->heat = HOT;
	EXPECT_EQ(blink_tree_insert(tree, KEY_STEP, 9, &old, GFP_KERNEL),
		  -EEXIST);
	EXPECT_EQ(leaves(), 2);
	tear_down();
}

static void new_key(void)
{
	set_up();
	first_leaf(tree)->heat = HOT;
	EXPECT_INSERT(tree, KEY_STEP + 1, 0);
	EXPECT_EQ(leaves(), 2);
	EXPECT_EQ(tree_stats(tree).heat_splits, 1);
	EXPECT_EQ(first_leaf(tree)->count, (KEYS + 1) / 2 + 1);
	tear_down();
}

/* A split gains nothing for a writer that appends. */
static void appended_key(void)
{
	set_up();
	first_leaf(tree)->heat = HOT;
	EXPECT_INSERT(tree, U64_MAX, 0);
	EXPECT_EQ(leaves(), 1);
	EXPECT_EQ(tree_stats(tree).heat_splits, 0);
	EXPECT_EQ(first_leaf(tree)->heat, 0);
	tear_down();
}

/* Leaves that are not split: that of writers that never wait, and a nearly empty one. */
static void not_split(void)
{
	u64 i;

	set_up();
	for (i = 0; i < 100; i++)
		EXPECT_EQ(blink_tree_store(tree, KEY_STEP, 1, NULL, GFP_KERNEL),
			  1);
	EXPECT_EQ(first_leaf(tree)->heat, 0);
	first_leaf(tree)->heat = HOT - 1;
	EXPECT_EQ(blink_tree_store(tree, KEY_STEP, 1, NULL, GFP_KERNEL), 1);
	EXPECT_EQ(first_leaf(tree)->heat, HOT - 2);
	EXPECT_EQ(leaves(), 1);
	tear_down();

	/* It has a byte, and writers may wait more often than that can say. */
	set_up();
	first_leaf(tree)->heat = BLINK_HEAT_MAX - 1;
	blink_heat_note(first_leaf(tree), true);
	EXPECT_EQ(first_leaf(tree)->heat, BLINK_HEAT_MAX);
	tear_down();

	tree = tree_create();
	EXPECT_INSERT(tree, 1, 1);
	first_leaf(tree)->heat = BLINK_HEAT_MAX;
	EXPECT_EQ(blink_tree_store(tree, 1, 1, NULL, GFP_KERNEL), 1);
	EXPECT_EQ(leaves(), 1);
	blink_tree_destroy(tree);
}

/* While it is warm a half with keys stays, until it has none. */
static void merged_when_cool(void)
{
	struct blink_node *left;
	u64 i;

	set_up();
	first_leaf(tree)->heat = HOT;
	EXPECT_EQ(blink_tree_store(tree, KEY_STEP, 1, NULL, GFP_KERNEL), 1);
	left = first_leaf(tree);
	left->heat = BLINK_HEAT_MAX;
	/* All but the first, which is on the left, and the last. */
	for (i = 2; i < KEYS; i++)
		EXPECT_ERASE(tree, i * KEY_STEP);
	EXPECT_EQ(leaves(), 2);
	EXPECT(left->heat > 0);
	EXPECT_ERASE(tree, KEY_STEP);
	EXPECT_EQ(leaves(), 1);
	tree_end(tree);
}

/* The right half may be the warm one. */
static void right_half_is_warm(void)
{
	struct blink_node *right;
	u64 i;

	set_up();
	first_leaf(tree)->heat = HOT;
	EXPECT_EQ(blink_tree_store(tree, KEY_STEP, 1, NULL, GFP_KERNEL), 1);
	right = next_leaf(first_leaf(tree));
	right->heat = BLINK_HEAT_MAX;
	/* All but the first of the left half: so few would fit together. */
	for (i = KEYS - 1; i > 1; i--)
		EXPECT_ERASE(tree, i * KEY_STEP);
	EXPECT_EQ(leaves(), 2);
	EXPECT_EQ(first_leaf(tree)->heat, 0);
	EXPECT(right->heat > 0);
	right->heat = 0;
	EXPECT_ERASE(tree, KEYS * KEY_STEP);
	EXPECT_EQ(leaves(), 1);
	tree_end(tree);
}

/* One wait is enough: threads need not meet more than now and then. */
#if BLINK_HEAT_SPLIT <= BLINK_HEAT_WAIT
#define ROUNDS 20000000

static atomic_t met;

/* Threads that store to other keys of one leaf, until it was split. */
static void hammer(unsigned int id)
{
	u64 i, key;

	for (i = 0; i < ROUNDS && !atomic_read(&met); i++) {
		key = (id + i * THREADS) % KEYS + 1;
		EXPECT_EQ(blink_tree_store(tree, key * KEY_STEP, key, NULL,
					   GFP_KERNEL),
			  1);
		if (!(i % 256) && tree_stats(tree).heat_splits)
			atomic_set(&met, 1);
	}
}

static void writers_that_meet(void)
{
	atomic_set(&met, 0);
	set_up();
	run_threads(THREADS, hammer);
	EXPECT(tree_stats(tree).heat_splits > 0);
	EXPECT(leaves() > 1);
	tear_down();
}
#endif

const struct test TESTS(heat)[] = {
	{ "heat: a hot leaf is split when a key is found in it", present_key },
	{ "heat: a hot leaf is split when a key is added to it", new_key },
	{ "heat: the last leaf is not split for what is appended",
	  appended_key },
	{ "heat: what is cool or nearly empty is not split", not_split },
	{ "heat: halves come together when cool or empty", merged_when_cool },
	{ "heat: a warm right half stays", right_half_is_warm },
#if BLINK_HEAT_SPLIT <= BLINK_HEAT_WAIT
	{ "heat: threads that meet in a leaf get it split", writers_that_meet },
#endif
	{},
};
