// SPDX-License-Identifier: GPL-2.0
/* Bulk loads: into empty trees and others, by several at once, short of memory. */
#include <stdlib.h>

#include "core/node/node.h"
#include "core/tree/tree.h"
#include "test.h"

#define THREADS 4
#define RUN_MAX 200

static struct blink_tree *tree;
static u64 nr_keys;

static void expect_keys(u64 step)
{
	u64 key;

	for (key = 0; key < nr_keys; key += step)
		EXPECT_FOUND(tree, key, ~key);
}

static void erase_all(void)
{
	u64 key;

	for (key = 0; key < nr_keys; key++)
		EXPECT_ERASE(tree, key);
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

/* The tree has exactly the entries that the calls reported as loaded. */
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
	u64 random = test_seed() + id, begin, end, key;

	for (begin = id; begin < nr_keys; begin = end) {
		end = min(begin + 1000 * THREADS, nr_keys);
		load_range(&random, begin, end, THREADS, 60 + 10 * id);
		for (key = begin; key < end; key += THREADS)
			EXPECT_FOUND(tree, key, ~key);
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
	struct blink_tree_ioc_verify report;
	u64 key;

	if (shim_self->atomic || shim_self->rcu_depth)
		return;
	shim_hooks.point = NULL;
	if (tree_stats(tree).splits < loaded_leaves) {
		shim_hooks.point = erase_behind;
		return;
	}
	EXPECT(blink_tree_height(tree) > 1);
	for (key = 0; blink_tree_count(tree); key++)
		blink_tree_erase(tree, key, NULL);
	EXPECT_EQ(blink_tree_verify(tree, &report), 0);
	rcu_barrier();
	EXPECT_EQ(blink_tree_height(tree), 1);
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
		tree_end(tree);
	}
}
#endif

const struct test TESTS(load)[] = {
	{ "load: short of memory", without_memory },
	{ "load: several at once", several_at_once },
#ifdef SHIM_POINTS
	{ "load: erased meanwhile", erased_meanwhile },
#endif
	{},
};
