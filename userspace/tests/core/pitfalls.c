// SPDX-License-Identifier: GPL-2.0
/*
 * What users of other structures complained of, where it takes no race to show.
 */
#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <unistd.h>

#include "test.h"

static struct blink_tree *tree;

static void fill(u64 nr)
{
	u64 key;

	for (key = 0; key < nr; key++)
		EXPECT_EQ(blink_tree_insert(tree, key, key, NULL, GFP_KERNEL),
			  0);
}

/* The ends of the range of keys and values are as good as any. */
static void ends_of_range(void)
{
	static const u64 ends[] = { 0, 1, U64_MAX - 1, U64_MAX };
	struct blink_tree_entry entry;
	unsigned int i;
	u64 value;

	tree = tree_create();
	EXPECT_EQ(blink_tree_floor(tree, U64_MAX, &entry), -ENOENT);
	EXPECT_EQ(blink_tree_ceiling(tree, 0, &entry), -ENOENT);
	EXPECT_EQ(blink_tree_erase(tree, U64_MAX, NULL), -ENOENT);
	for (i = 0; i < ARRAY_SIZE(ends); i++) {
		EXPECT_EQ(blink_tree_insert(tree, ends[i], ~ends[i], NULL,
					    GFP_KERNEL),
			  0);
		EXPECT_EQ(blink_tree_lookup(tree, ends[i], &value), 0);
		EXPECT_EQ(value, ~ends[i]);
		EXPECT_EQ(blink_tree_floor(tree, ends[i], &entry), 0);
		EXPECT_EQ(entry.key, ends[i]);
		EXPECT_EQ(blink_tree_ceiling(tree, ends[i], &entry), 0);
		EXPECT_EQ(entry.key, ends[i]);
	}
	EXPECT_EQ(blink_tree_floor(tree, U64_MAX - 2, &entry), 0);
	EXPECT_EQ(entry.key, 1);
	for (i = 0; i < ARRAY_SIZE(ends); i++)
		EXPECT_EQ(blink_tree_erase(tree, ends[i], NULL), 0);
	expect_one_leaf(tree);
	blink_tree_destroy(tree);
}

/* Maple tree: each store copied a node and left one to RCU. */
static void overwriting_is_free(void)
{
	const u64 nr = 1000, rounds = test_scale(200);
	struct blink_tree_ioc_stats before, after;
	u64 key, round;

	tree = tree_create();
	fill(nr);
	blink_tree_stats(tree, &before);
	rcu_read_lock();
	for (round = 0; round < rounds; round++)
		for (key = 0; key < nr; key++)
			EXPECT_EQ(blink_tree_replace(tree, key, round, NULL),
				  0);
	EXPECT_EQ(blink_tree_limbo(tree), 0);
	rcu_read_unlock();
	blink_tree_stats(tree, &after);
	EXPECT_EQ(after.bytes, before.bytes);
	EXPECT_EQ(after.splits, before.splits);
	EXPECT_EQ(after.merges, before.merges);
	blink_tree_destroy(tree);
}

/* BPF hash maps: an iteration that never ends or repeats keys. */
static void iteration_ends(void)
{
	const u64 nr = 1000;
	struct blink_cursor cursor;
	struct blink_tree_entry entry;
	u64 n = 0, last = 0;

	tree = tree_create();
	fill(nr);
	blink_tree_for_each(&cursor, tree, &entry) {
		EXPECT(!n || entry.key > last);
		last = entry.key;
		n++;
		EXPECT_EQ(blink_tree_erase(tree, entry.key, NULL), 0);
		EXPECT_EQ(blink_tree_insert(tree, entry.key, n, NULL,
					    GFP_KERNEL),
			  0);
	}
	EXPECT_EQ(n, nr);
	n = 0;
	blink_tree_for_each_reverse(&cursor, tree, &entry) {
		EXPECT(!n || entry.key < last);
		last = entry.key;
		n++;
		EXPECT_EQ(blink_tree_erase(tree, entry.key, NULL), 0);
	}
	EXPECT_EQ(n, nr);
	expect_one_leaf(tree);
	blink_tree_destroy(tree);
}

/* Masstree #36 and #43: what is left when almost all is gone. */
static void almost_empty(void)
{
	const u64 nr = 2000, kept[] = { 0, 1, nr / 2, nr - 1 };
	struct blink_tree_entry entry;
	struct blink_cursor cursor;
	unsigned int i;
	u64 key, n;

	for (i = 0; i < ARRAY_SIZE(kept); i++) {
		tree = tree_create();
		fill(nr);
		for (key = 0; key < nr; key++)
			if (key != kept[i])
				EXPECT_EQ(blink_tree_erase(tree, key, NULL), 0);
		n = 0;
		blink_tree_for_each_reverse(&cursor, tree, &entry)
			n++;
		EXPECT_EQ(n, 1);
		EXPECT_EQ(blink_tree_floor(tree, U64_MAX, &entry), 0);
		EXPECT_EQ(entry.key, kept[i]);
		EXPECT_EQ(blink_tree_ceiling(tree, 0, &entry), 0);
		EXPECT_EQ(entry.key, kept[i]);
		expect_sound(tree);
		EXPECT_EQ(blink_tree_erase(tree, kept[i], NULL), 0);
		expect_one_leaf(tree);
		blink_tree_destroy(tree);
	}
}

/* A window of keys that moves on for ever takes no more memory for it. */
static void moving_window(void)
{
	const u64 width = 2000, steps = test_scale(200000);
	struct blink_tree_ioc_stats stats;
	u64 key, most = 0;

	tree = tree_create();
	fill(width);
	for (key = width; key < width + steps; key++) {
		EXPECT_EQ(blink_tree_insert(tree, key, key, NULL, GFP_KERNEL),
			  0);
		EXPECT_EQ(blink_tree_erase(tree, key - width, NULL), 0);
		if (key % width)
			continue;
		rcu_barrier();
		blink_tree_stats(tree, &stats);
		most = max(most, stats.bytes);
	}
	/* A key and its value at least, six times that at most, per copy. */
	if (steps > width)
		EXPECT(most >= width * 16 && most < width * 96 * shim_nodes);
	expect_sound(tree);
	blink_tree_destroy(tree);
}

/* In atomic context, within a caller's read section, in a tree for interrupts. */
static void atomic_context(void)
{
	struct blink_tree_params params = test_params;
	struct blink_tree_entry entry;
	u64 key, value, nr = 500;

	params.flags = BLINK_TREE_IRQSAFE;
	tree = blink_tree_create(&params, GFP_KERNEL);
	preempt_disable();
	rcu_read_lock();
	for (key = 0; key < nr; key++)
		EXPECT_EQ(blink_tree_insert(tree, key, key, NULL, GFP_ATOMIC),
			  0);
	for (key = 0; key < nr; key++) {
		EXPECT_EQ(blink_tree_lookup(tree, key, &value), 0);
		EXPECT_EQ(blink_tree_floor(tree, key, &entry), 0);
		EXPECT_EQ(blink_tree_erase(tree, key, NULL), 0);
	}
	rcu_read_unlock();
	preempt_enable();
	expect_one_leaf(tree);
	blink_tree_destroy(tree);
}

/* Pointers as values; what they point to is freed a grace period later. */
static void pointers(void)
{
	static int target[100];
	unsigned int i;

	tree = tree_create();
	for (i = 0; i < ARRAY_SIZE(target); i++)
		EXPECT_EQ(blink_tree_insert_ptr(tree, i, &target[i],
						GFP_KERNEL),
			  0);
	rcu_read_lock();
	for (i = 0; i < ARRAY_SIZE(target); i++)
		EXPECT(blink_tree_lookup_ptr(tree, i) == &target[i]);
	EXPECT(!blink_tree_lookup_ptr(tree, i));
	rcu_read_unlock();
	for (i = 0; i < ARRAY_SIZE(target); i++)
		EXPECT(blink_tree_erase_ptr(tree, i) == &target[i]);
	EXPECT(!blink_tree_erase_ptr(tree, 0));
	blink_tree_destroy(tree);
}

/* A destroyed tree's dead nodes may still be waiting for their grace period. */
static void destroyed_in_limbo(void)
{
	u64 key;

	tree = tree_create();
	fill(1000);
	rcu_read_lock();
	for (key = 0; key < 1000; key++)
		EXPECT_EQ(blink_tree_erase(tree, key, NULL), 0);
	EXPECT(blink_tree_limbo(tree));
	rcu_read_unlock();
	blink_tree_destroy(tree);
}

#ifdef TEST_SLAB
/*
 * LMDB: a slow reader keeps memory from being freed, without a bound. Here a
 * tree stops merging leaves that still hold something.
 */
#define LIMBO_LIMIT (64ULL << 20)

static atomic_t reading, erased;

static void read_or_erase(unsigned int id)
{
	struct blink_tree_ioc_stats stats;
	u64 key, nr = 0;

	if (id) {
		rcu_read_lock();
		atomic_inc(&reading);
		while (!atomic_read(&erased))
			usleep(1000);
		rcu_read_unlock();
		return;
	}
	while (!atomic_read(&reading))
		usleep(1000);
	do {
		for (key = nr; key < nr + 100000; key++)
			blink_tree_insert(tree, key, key, NULL, GFP_KERNEL);
		nr = key;
		blink_tree_stats(tree, &stats);
	} while (stats.bytes < (1 + shim_nodes) * LIMBO_LIMIT);
	/* Some of each leaf stay: one that is empty goes in any case. */
	for (key = 0; key < nr; key++)
		if (key % 4)
			blink_tree_erase(tree, key, NULL);
	blink_tree_stats(tree, &stats);
	EXPECT(stats.merges_deferred);
	EXPECT(stats.limbo_bytes >= LIMBO_LIMIT);
	EXPECT(stats.limbo_bytes < LIMBO_LIMIT + (LIMBO_LIMIT >> 4));
	expect_sound(tree);
	atomic_inc(&erased);
}

static void slow_reader(void)
{
	atomic_set(&reading, 0);
	atomic_set(&erased, 0);
	tree = tree_create();
	run_threads(2, read_or_erase);
	rcu_barrier();
	EXPECT_EQ(blink_tree_limbo(tree), 0);
	blink_tree_destroy(tree);
}
#endif

const struct test pitfall_tests[] = {
	{ "pitfall: ends of the range", ends_of_range },
	{ "pitfall: overwriting leaves nothing behind", overwriting_is_free },
	{ "pitfall: an iteration that changes the tree ends", iteration_ends },
	{ "pitfall: almost empty", almost_empty },
	{ "pitfall: a moving window of keys", moving_window },
	{ "pitfall: atomic context", atomic_context },
	{ "pitfall: values that are pointers", pointers },
	{ "pitfall: destroyed with nodes in limbo", destroyed_in_limbo },
#ifdef TEST_SLAB
	{ "pitfall: a slow reader", slow_reader },
#endif
	{}
};
