// SPDX-License-Identifier: GPL-2.0
/*
 * Indexes that lack entries and are only read: the callers that ask for a mend, the work
 * of the mender, and how both end. The mender works when a test steps it.
 */
#include <linux/atomic.h>
#include <linux/jiffies.h>
#include <linux/topology.h>

#include "core/node/node.h"
#include "core/index/walk.h"
#include "test.h"

/* Enough for inner nodes to be split again and again. */
#define KEYS max(test_scale(3000), 150ULL * BLINK_INNER_SLOTS + 600)

/* More than all the work of a test. */
#define STEPS_MAX 10000

static struct blink_tree *tree;
static u64 keys;

static void let_pass(unsigned long ticks)
{
	WRITE_ONCE(shim_jiffies, shim_jiffies + ticks);
}

/* Let the menders work; returns how much they did. */
static unsigned int work(void)
{
	unsigned int steps = 0;

	while (steps < STEPS_MAX && shim_work_step())
		steps++;
	EXPECT(steps < STEPS_MAX);
	let_pass(1);
	return steps;
}

/* The same, until they may be asked again. */
static void work_and_rest(void)
{
	work();
	let_pass(2 * HZ);
}

/* The same without memory. */
static void work_in_vain(void)
{
	shim_self->fail_one_in = 1;
	work_and_rest();
	shim_self->fail_one_in = 0;
}

static void insert(u64 key, gfp_t gfp)
{
	EXPECT_EQ(blink_tree_insert(tree, key, ~key, NULL, gfp), 0);
}

/* Add a key where there is memory for leaves only. */
static void insert_unindexed(u64 key)
{
	shim_self->fail_nowait_in = "blink_inner" BLINK_KIND_SUFFIX;
	insert(key, GFP_NOWAIT);
	shim_self->fail_nowait_in = NULL;
}

/* The indexes lack all leaves. The writer asks for a mend, in vain. */
static void fill_unindexed(void)
{
	u64 key;

	tree = tree_create();
	keys = KEYS;
	/* None is searched for from leaf to leaf. */
	for (key = keys; key--;)
		insert_unindexed(key);
	work_in_vain();
}

static u64 hops_of(u64 key)
{
	u64 before, value = ~key;
	int ret;

	before = tree_stats(tree).right_hops;
	ret = blink_tree_lookup(tree, key, &value);
	EXPECT_EQ(ret, key < keys ? 0 : -ENOENT);
	EXPECT_EQ(value, ~key);
	return tree_stats(tree).right_hops - before;
}

/* The most hops of a lookup. */
static u64 most_hops(void)
{
	u64 key, most = 0;

	for (key = 0; key < keys; key++)
		most = max(most, hops_of(key));
	return most;
}

/* Look up each key; after each lookup, do the mend that it may have asked for. */
static void read_and_work(void)
{
	u64 key;

	for (key = 0; key < keys; key++) {
		hops_of(key);
		work();
	}
}

static void stay_on_each_node(void (*fn)(void))
{
	int nid;

	for (nid = 0; nid < shim_nodes; nid++) {
		shim_stay(nid);
		fn();
	}
	shim_stay(NUMA_NO_NODE);
}

static void expect_few_hops(void)
{
	EXPECT(most_hops() <= BLINK_HOPS_MAX);
}

static void find_it_far_off(void)
{
	EXPECT(hops_of(keys - 1) > 2 * BLINK_HOPS_MAX);
}

/*
 * There was no memory for inner nodes, and there is no writer any more. The readers of
 * each index ask for it to be mended.
 */
static void readers_ask(void)
{
	fill_unindexed();
	EXPECT(tree_verified(tree).unindexed > 100);
	stay_on_each_node(find_it_far_off);
	stay_on_each_node(read_and_work);
	stay_on_each_node(expect_few_hops);
	tree_end(tree);
}

static void ask_for_the_last(void)
{
	hops_of(keys - 1);
}

/* One lookup, of the last key: the index is mended all the way to that key. */
static void one_asks_for_all(void)
{
	fill_unindexed();
	stay_on_each_node(ask_for_the_last);
	/* More than one burst, which are apart. */
	EXPECT(work() > 2 * tree->nr_indexes);
	EXPECT(tree_verified(tree).unindexed <= tree->nr_indexes);
	stay_on_each_node(expect_few_hops);
	tree_end(tree);
}

static void replace_the_last(void)
{
	EXPECT_EQ(blink_tree_replace(tree, keys - 1, 0, NULL), 0);
}

static void erase_one(void)
{
	EXPECT_ERASE(tree, --keys);
}

static void look_up_in_a_batch(void)
{
	struct blink_tree_ioc_op ops[2] = {
		{ .opcode = BLINK_TREE_OP_LOOKUP, .key = 0 },
		{ .opcode = BLINK_TREE_OP_LOOKUP, .key = keys - 1 },
	};

	blink_tree_batch(tree, ops, ARRAY_SIZE(ops), GFP_NOWAIT);
	EXPECT_EQ(ops[1].result, 0);
	EXPECT_EQ(ops[1].value, ~(keys - 1));
}

static void find_the_nearest(void)
{
	struct blink_tree_entry entry;

	EXPECT_EQ(blink_tree_floor(tree, keys + 1, &entry), 0);
	EXPECT_EQ(entry.key, keys - 1);
}

static void scan_the_last(void)
{
	struct blink_scan scan = { .first = keys - 1, .last = keys - 1 };
	struct blink_tree_entry entry;

	EXPECT_EQ(blink_tree_scan(tree, &scan, &entry, 1), 1);
}

/* Each operation that searches, and allocates nothing, asks for a mend. */
static void all_searches_ask(void)
{
	static void (*const search[])(void) = {
		replace_the_last, erase_one,	 look_up_in_a_batch,
		find_the_nearest, scan_the_last,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(search); i++) {
		fill_unindexed();
		stay_on_each_node(search[i]);
		EXPECT(work());
		EXPECT(tree_verified(tree).unindexed <= tree->nr_indexes);
		tree_end(tree);
	}
}

/* A writer that had no memory asks, so that no reader has to. */
static void writers_ask(void)
{
	u64 key;

	tree = tree_create();
	keys = KEYS;
	for (key = 0; key < keys; key++) {
		insert_unindexed(key);
		work();
	}
	EXPECT(tree_verified(tree).unindexed <= tree->nr_indexes);
	stay_on_each_node(expect_few_hops);
	tree_end(tree);
}

/* However many ask: one is heard, until the mender has tried; then later. */
static void asked_once(void)
{
	unsigned int i;

	fill_unindexed();
	shim_stay(0);
	for (i = 0; i < 3; i++) {
		hops_of(keys - 1);
		hops_of(keys - 2);
		/* The interrupt, and the work that it queued. */
		shim_self->fail_one_in = 1;
		EXPECT(shim_work_step());
		hops_of(keys - 1);
		EXPECT(shim_work_step());
		EXPECT(!shim_work_left());
		shim_self->fail_one_in = 0;
		/* There is no memory: it is left alone for a while. */
		hops_of(keys - 1);
		let_pass(HZ - 1);
		hops_of(keys - 1);
		EXPECT(!shim_work_left());
		let_pass(1);
	}
	EXPECT(tree_verified(tree).unindexed > 100);
	hops_of(keys - 1);
	/* It has posted: the next one is heard after a tick. */
	while (shim_work_step())
		;
	EXPECT(hops_of(keys - 1) <= BLINK_HOPS_MAX);
	shim_stay(NUMA_NO_NODE);
	tree_end(tree);
}

/* A tree ends while a mender was asked, has work, or has begun with it. */
static void ends_with_work_to_do(void)
{
	struct blink_tree *lasting, *ending;
	unsigned int steps, i;

	for (steps = 0; steps < 3; steps++) {
		fill_unindexed();
		lasting = tree;
		fill_unindexed();
		ending = tree;
		stay_on_each_node(ask_for_the_last);
		for (i = 0; i < steps * tree->nr_indexes; i++)
			EXPECT(shim_work_step());
		tree = lasting;
		stay_on_each_node(ask_for_the_last);
		blink_tree_destroy(ending);
		/* The other tree's is still to be done. */
		EXPECT(work());
		stay_on_each_node(expect_few_hops);
		tree_end(tree);
		EXPECT(!shim_work_left());
	}
}

static atomic_t stop;

/* Of the threads, one is the menders'; the others have their own ways to ask. */
static void mend_or_search(unsigned int id)
{
	u64 random = test_seed() + id, n, key;

	if (!id) {
		while (!atomic_read(&stop)) {
			if (!shim_work_step())
				let_pass(1);
		}
		return;
	}
	for (n = test_scale(10000); n; n--) {
		key = random_below(&random, keys);
		if (id == 1) {
			shim_self->fail_nowait = random_chance(&random, 50);
			blink_tree_insert(tree, keys + key, ~(keys + key), NULL,
					  GFP_NOWAIT);
			shim_self->fail_nowait = false;
		} else if (id == 2 && random_chance(&random, 20)) {
			blink_tree_erase(tree, keys + key, NULL);
		} else {
			EXPECT_FOUND(tree, key, ~key);
		}
		/* An index goes and comes back while it is mended. */
		if (id == 3 && !(n % 2000))
			blink_tree_rebuild(tree, n / 2000 % shim_nodes,
					   GFP_KERNEL);
	}
	atomic_set(&stop, 1);
}

static void mended_meanwhile(void)
{
	u64 rounds = test_scale(2);

	while (rounds--) {
		fill_unindexed();
		atomic_set(&stop, 0);
		run_threads(4, mend_or_search);
		expect_sound(tree);
		/* Whether or not there is something left to be done. */
		blink_tree_destroy(tree);
	}
}

const struct test TESTS(mend)[] = {
	{ "mend: readers of an index ask", readers_ask, .plain = true },
	{ "mend: one ask is for all that is on the way", one_asks_for_all,
	  .plain = true },
	{ "mend: all searches ask", all_searches_ask, .plain = true },
	{ "mend: writers ask", writers_ask },
	{ "mend: an ask is heard once", asked_once, .plain = true },
	{ "mend: trees end with work to do", ends_with_work_to_do },
	{ "mend: while others search", mended_meanwhile },
	{}
};
