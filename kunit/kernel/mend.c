// SPDX-License-Identifier: GPL-2.0
/*
 * Indexes that lack entries and are only read. Readers ask for a mend, in any
 * context, and a worker mends; a tree may end before, while or after it does.
 */
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/smp.h>

#include "../../module/core/tree/tree.h"
#include "../short.h"

/* Enough for hundreds of leaves and three levels; and for some bursts of a mend. */
#define KEYS 40000
/* Few enough for many trees, one after the other. */
#define FEW_KEYS 2000
/* A busy host may let the worker wait for so long. */
#define PATIENCE_MS 30000

static u64 unindexed(struct kunit *test, struct blink_tree *tree)
{
	struct blink_tree_ioc_verify report;

	KUNIT_ASSERT_EQ(test, blink_tree_verify(tree, &report), 0);
	KUNIT_ASSERT_EQ(test, report.violation, BLINK_TREE_OK);
	return report.unindexed;
}

/* Readers on any CPU go through it. */
static struct blink_tree *one_index(struct kunit *test)
{
	static const struct blink_tree_params params;

	return fixture_tree_with(test, &params);
}

/*
 * A tree without an index: all leaves but the first lack an entry. Keys descend, so that
 * none is searched for from leaf to leaf.
 */
static void fill_unindexed(struct kunit *test, struct blink_tree *tree,
			   unsigned int nr)
{
	short_hold(tree);
	short_of_inner(test, tree, ORDER_DESCENDING, nr, 0);
	KUNIT_ASSERT_GT(test, unindexed(test, tree), nr / 65);
	short_let_go(tree);
}

static u64 hops_of(struct blink_tree *tree, u64 key)
{
	struct blink_tree_ioc_stats before;
	u64 value;

	blink_tree_stats(tree, &before);
	blink_tree_lookup(tree, key, &value);
	return fixture_stats(tree).right_hops - before.right_hops;
}

/* A CPU that looks up a key with interrupts off. */
struct search {
	struct blink_tree *tree;
	u64 key;
	int ret;
	bool done;
};

static void search(void *data)
{
	struct search *search = data;
	u64 value;

	search->ret = blink_tree_lookup(search->tree, search->key, &value);
	if (!search->ret && value != fixture_value(search->key))
		search->ret = -EBADMSG;
	/* Pairs with the acquire in destroyed_before_the_interrupt(). */
	smp_store_release(&search->done, true);
	/* Its own interrupt is due, and has to wait. */
	mdelay(1);
}

static void nothing(void *unused)
{
}

/* By a task, or by the hard interrupt of another CPU. */
static const struct from {
	const char *name;
	bool interrupt;
} froms[] = { { "a task", false }, { "an interrupt", true } };

KUNIT_ARRAY_PARAM_DESC(from, froms, name);

static void search_from(struct kunit *test, const struct from *from,
			struct blink_tree *tree, u64 key)
{
	struct search todo = { .tree = tree, .key = key };
	unsigned int cpu = cpumask_any_but(cpu_online_mask, get_cpu());

	put_cpu();
	/* There may be one only: its interrupts are off, too. */
	if (cpu >= nr_cpu_ids)
		cpu = 0;
	if (from->interrupt)
		smp_call_function_single(cpu, search, &todo, true);
	else
		search(&todo);
	/* An interrupt does not wait for the mender, if that writes just then. */
	if (!from->interrupt || todo.ret != -EAGAIN)
		KUNIT_ASSERT_EQ(test, todo.ret, 0);
}

/* Wait for the mender. A reader goes on to ask, as readers do. */
static u64 wait_until_mended(struct kunit *test, struct blink_tree *tree,
			     const struct from *from, u64 last)
{
	unsigned int ms;
	u64 left;

	for (ms = 0; ms < PATIENCE_MS; ms += 20) {
		left = unindexed(test, tree);
		if (left <= 1)
			break;
		search_from(test, from, tree, last);
		msleep(20);
	}
	return left;
}

static void readers_are_mended(struct kunit *test)
{
	struct blink_tree *tree = one_index(test);
	const struct from *from = test->param_value;
	u64 key, most = 0;

	short_need_arms(test);
	fill_unindexed(test, tree, KEYS);
	KUNIT_EXPECT_LE(test, wait_until_mended(test, tree, from, KEYS - 1), 1);
	for (key = 0; key < KEYS; key++)
		most = max(most, hops_of(tree, key));
	/* This thread is the only user of the tree. */
	KUNIT_EXPECT_LE(test, most, BLINK_HOPS_MAX);
	KUNIT_EXPECT_GE(test, blink_tree_height(tree), 3);
}

static struct blink_tree *unindexed_tree(struct kunit *test)
{
	struct blink_tree *tree = blink_tree_create(NULL, GFP_KERNEL);

	KUNIT_ASSERT_FALSE(test, IS_ERR(tree));
	fill_unindexed(test, tree, FEW_KEYS);
	return tree;
}

/*
 * A tree is destroyed when its mender was asked, works, or is done: that is a
 * matter of time. Another tree's mender has been asked, too, and goes on.
 */
static void destroyed_while_mended(struct kunit *test)
{
	const struct from *from = test->param_value;
	struct blink_tree *lasting = one_index(test), *tree;
	unsigned long round, rounds = world_work(40);

	short_need_arms(test);
	fill_unindexed(test, lasting, KEYS);
	for (round = 0; round < rounds; round++) {
		tree = unindexed_tree(test);
		search_from(test, from, tree, FEW_KEYS - 1);
		search_from(test, from, lasting, KEYS * round / rounds);
		udelay(round % 20 * 20);
		blink_tree_destroy(tree);
	}
	KUNIT_EXPECT_LE(test, wait_until_mended(test, lasting, from, KEYS - 1),
			1);
}

/* The search has ended, the interrupt that it sent its own CPU waits. */
static void destroyed_before_the_interrupt(struct kunit *test)
{
	unsigned long round, rounds = world_work(40);
	struct search todo;
	unsigned int cpu;

	short_need_arms(test);
	if (num_online_cpus() < 2)
		kunit_skip(test, "needs two CPUs");
	for (round = 0; round < rounds; round++) {
		todo = (struct search){
			.tree = unindexed_tree(test),
			.key = FEW_KEYS - 1,
		};
		cpu = cpumask_any_but(cpu_online_mask, get_cpu());
		smp_call_function_single(cpu, search, &todo, false);
		put_cpu();
		/* Pairs with the release in search(). */
		while (!smp_load_acquire(&todo.done))
			cpu_relax();
		blink_tree_destroy(todo.tree);
		KUNIT_EXPECT_EQ(test, todo.ret, 0);
		/* @todo is used until that CPU's function has returned. */
		smp_call_function_single(cpu, nothing, NULL, true);
	}
}

FIXTURE_SUITE("mend", FIXTURE_PARAM_SLOW(readers_are_mended, from_gen_params),
	      FIXTURE_PARAM_SLOW(destroyed_while_mended, from_gen_params),
	      KUNIT_CASE_SLOW(destroyed_before_the_interrupt));
