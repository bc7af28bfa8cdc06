// SPDX-License-Identifier: GPL-2.0
/* Bulk loads: into empty trees and others, by several at once, short of memory. */
#include <stdlib.h>

#include "core/index/tell.h"
#include "core/node/node.h"
#include "core/tree/tree.h"
#include "test.h"

#define THREADS 4
#define RUN_MAX 200

static struct blink_tree *tree;
static u64 nr_keys;

static void expect_keys(u64 step)
{
	u64 key, value;

	for (key = 0; key < nr_keys; key += step) {
		EXPECT_EQ(blink_tree_lookup(tree, key, &value), 0);
		EXPECT_EQ(value, ~key);
	}
}

static void erase_all(void)
{
	u64 key;

	for (key = 0; key < nr_keys; key++)
		EXPECT_EQ(blink_tree_erase(tree, key, NULL), 0);
	expect_one_leaf(tree);
	blink_tree_destroy(tree);
}

/* Load the keys from @first to below @end, some at a time. */
static void load_range(u64 *random, u64 first, u64 end, u64 step,
		       unsigned int fill)
{
	struct blink_tree_entry run[RUN_MAX];
	unsigned int n, most, done;
	u64 key = first;

	while (key < end && !test_failed()) {
		most = 1 + random_below(random, RUN_MAX);
		for (n = 0; n < most && key < end; n++, key += step) {
			run[n].key = key;
			run[n].value = ~key;
		}
		EXPECT_EQ(blink_tree_load(tree, run, n, fill, GFP_KERNEL,
					  &done),
			  0);
		EXPECT_EQ(done, n);
	}
}

/* Leaves are as full as they should be, and no fuller; the indexes know all. */
static void fill_is_kept(void)
{
	static const unsigned int fills[] = { 1, 30, 50, 70, 100 };
	u64 random = test_seed(), slots, leaves;
	struct blink_tree_ioc_verify report;
	unsigned int i;

	nr_keys = test_scale(20000);
	for (i = 0; i < ARRAY_SIZE(fills); i++) {
		tree = tree_create();
		load_range(&random, 0, nr_keys, 1, fills[i]);
		expect_sound(tree);
		expect_keys(1);
		slots = max(BLINK_LEAF_SLOTS * fills[i] / 100, 1U);
		leaves = (nr_keys + slots - 1) / slots;
		EXPECT_EQ(blink_tree_verify(tree, &report), 0);
		EXPECT_EQ(report.leaves, leaves);
		EXPECT_EQ(report.unindexed, 0);
		erase_all();
	}
}

#define OTHERS 40

/* A few keys, in leaves of which the ranges are wide: most were erased. */
static void scatter(u64 *random)
{
	u64 other[OTHERS];
	unsigned int n;

	for (n = 0; n < OTHERS; n++) {
		other[n] = random_below(random, 2 * RUN_MAX);
		blink_tree_store(tree, other[n], other[n], NULL, GFP_KERNEL);
	}
	for (n = 5; n < OTHERS; n++)
		blink_tree_erase(tree, other[n], NULL);
}

/* What is in the way of a run ends it, and everything before it is there. */
static void keys_in_the_way(void)
{
	u64 random = test_seed(), key, value, stop;
	struct blink_tree_entry run[RUN_MAX];
	unsigned int done, round;
	int ret;

	for (round = 0; round < test_scale(2000); round++) {
		tree = tree_create();
		nr_keys = RUN_MAX;
		scatter(&random);
		stop = RUN_MAX;
		for (key = 0; key < RUN_MAX; key++) {
			run[key].key = 2 * key;
			run[key].value = ~key;
			if (stop == RUN_MAX &&
			    !blink_tree_lookup(tree, 2 * key, &value))
				stop = key;
		}
		ret = blink_tree_load(tree, run, RUN_MAX, 80, GFP_KERNEL,
				      &done);
		EXPECT_EQ(ret, stop < RUN_MAX ? -EEXIST : 0);
		EXPECT_EQ(done, stop);
		for (key = 0; key < stop; key++) {
			EXPECT_EQ(blink_tree_lookup(tree, 2 * key, &value), 0);
			EXPECT_EQ(value, ~key);
		}
		expect_sound(tree);
		blink_tree_destroy(tree);
	}
}

/* Any order will do, only not as fast. */
static void not_ascending(void)
{
	struct blink_tree_entry run[RUN_MAX];
	unsigned int n, done;
	u64 value;

	tree = tree_create();
	for (n = 0; n < RUN_MAX; n++) {
		run[n].key = n * 77 % RUN_MAX;
		run[n].value = n;
	}
	EXPECT_EQ(blink_tree_load(tree, run, RUN_MAX, 100, GFP_KERNEL, &done),
		  0);
	EXPECT_EQ(done, RUN_MAX);
	for (n = 0; n < RUN_MAX; n++) {
		EXPECT_EQ(blink_tree_lookup(tree, run[n].key, &value), 0);
		EXPECT_EQ(value, n);
	}
	expect_sound(tree);
	blink_tree_destroy(tree);
}

static void bad_fill(void)
{
	struct blink_tree_entry one = { .key = 1 };
	unsigned int done = 7;

	tree = tree_create();
	EXPECT_EQ(blink_tree_load(tree, &one, 1, 0, GFP_KERNEL, &done),
		  -EINVAL);
	EXPECT_EQ(done, 0);
	EXPECT_EQ(blink_tree_load(tree, &one, 1, 101, GFP_KERNEL, &done),
		  -EINVAL);
	EXPECT_EQ(blink_tree_load(tree, &one, 0, 100, GFP_KERNEL, &done), 0);
	EXPECT_EQ(blink_tree_count(tree), 0);
	blink_tree_destroy(tree);
}

/* Load as many as there may be, and some more, @most at a time. */
static void load_to_limit(const struct blink_tree_entry *run, unsigned int most)
{
	struct blink_tree_params params = test_params;
	unsigned int n = 0, done;
	int ret;

	params.max_entries = RUN_MAX / 2;
	tree = blink_tree_create(&params, GFP_KERNEL);
	do {
		ret = blink_tree_load(tree, run + n, most, 100, GFP_KERNEL,
				      &done);
		n += done;
	} while (!ret);
	EXPECT_EQ(ret, -ENOSPC);
	EXPECT_EQ(n, RUN_MAX / 2);
	EXPECT_EQ(blink_tree_count(tree), RUN_MAX / 2);
	blink_tree_destroy(tree);
}

static void limit_is_kept(void)
{
	struct blink_tree_entry run[RUN_MAX];
	unsigned int n;

	for (n = 0; n < RUN_MAX; n++)
		run[n].key = n;
	load_to_limit(run, RUN_MAX);
	load_to_limit(run, 1);
}

/* What was told to be done is there, and nothing else. */
static void without_memory(void)
{
	struct blink_tree_entry run[RUN_MAX];
	unsigned int n, got, done;
	u64 first = 0;
	int ret;

	tree = tree_create();
	nr_keys = test_scale(20000) / RUN_MAX * RUN_MAX + RUN_MAX;
	while (first < nr_keys && !test_failed()) {
		for (n = 0; n < RUN_MAX; n++) {
			run[n].key = first + n;
			run[n].value = ~(first + n);
		}
		shim_self->fail_one_in = 3;
		for (got = 0; got < RUN_MAX; got += done) {
			ret = blink_tree_load(tree, run + got, RUN_MAX - got,
					      90, GFP_KERNEL, &done);
			EXPECT_EQ(ret, got + done < RUN_MAX ? -ENOMEM : 0);
			EXPECT_EQ(blink_tree_count(tree), first + got + done);
		}
		shim_self->fail_one_in = 0;
		first += RUN_MAX;
	}
	expect_sound(tree);
	expect_keys(1);
	erase_all();
}

/* Threads load what lies between each other's keys; each checks its own. */
static void load_own(unsigned int id)
{
	u64 random = test_seed() + id, begin, end, key, value;

	for (begin = id; begin < nr_keys; begin = end) {
		end = min(begin + 1000 * THREADS, nr_keys);
		load_range(&random, begin, end, THREADS, 60 + 10 * id);
		for (key = begin; key < end; key += THREADS) {
			EXPECT_EQ(blink_tree_lookup(tree, key, &value), 0);
			EXPECT_EQ(value, ~key);
		}
		end = begin + (end - begin + THREADS - 1) / THREADS * THREADS;
	}
}

static void several_at_once(void)
{
	tree = tree_create();
	nr_keys = test_scale(200000);
	run_threads(THREADS, load_own);
	expect_sound(tree);
	EXPECT_EQ(blink_tree_count(tree), nr_keys);
	expect_keys(1);
	erase_all();
}

#ifdef SHIM_POINTS
#define LOADED 200

static unsigned int loaded_leaves;

/* All that was loaded is erased, and its memory given back. */
static void erase_behind(void)
{
	struct blink_tree_ioc_stats stats;
	u64 key;

	if (shim_self->atomic || shim_self->rcu_depth)
		return;
	shim_hooks.point = NULL;
	blink_tree_stats(tree, &stats);
	if (stats.splits < loaded_leaves) {
		shim_hooks.point = erase_behind;
		return;
	}
	EXPECT(blink_tree_height(tree) > 1);
	for (key = 0; blink_tree_count(tree); key++)
		blink_tree_erase(tree, key, NULL);
	blink_tell_all(tree, 0);
	rcu_barrier();
	/* Of those told lazily one may lack what was split for want of memory. */
	EXPECT(tree->queue || blink_tree_height(tree) == 1);
}

/*
 * The interleaving: a load has linked so many leaves, and has no memory for the
 * next one. While it waits for some, others erase all that there is: the node from
 * which it would have entered its next leaf is gone with its grace period.
 */
static void erased_meanwhile(void)
{
	struct blink_tree_entry run[LOADED];
	struct blink_tree_ioc_stats stats;
	unsigned int n, done;

	for (n = 0; n < LOADED; n++)
		run[n] = (struct blink_tree_entry){ .key = n, .value = ~n };
	for (loaded_leaves = 2; loaded_leaves < 12; loaded_leaves++) {
		tree = tree_create();
		shim_self->fail_nowait = true;
		shim_hooks.point = erase_behind;
		EXPECT_EQ(blink_tree_load(tree, run, LOADED, 100, GFP_KERNEL,
					  &done),
			  0);
		shim_self->fail_nowait = false;
		EXPECT(!shim_hooks.point);
		blink_tree_stats(tree, &stats);
		EXPECT(stats.erases && stats.entries + stats.erases == LOADED);
		expect_sound(tree);
		blink_tree_destroy(tree);
	}
}
#endif

const struct test load_tests[] = {
	{ "load: leaves are filled as was asked for", fill_is_kept },
	{ "load: keys in the way", keys_in_the_way },
	{ "load: keys that do not ascend", not_ascending },
	{ "load: impossible fill", bad_fill },
	{ "load: limit on entries", limit_is_kept },
	{ "load: short of memory", without_memory },
	{ "load: several at once", several_at_once },
#ifdef SHIM_POINTS
	{ "load: erased meanwhile", erased_meanwhile },
#endif
	{},
};
