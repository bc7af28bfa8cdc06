// SPDX-License-Identifier: GPL-2.0
/* Bulk loads. */
#include <linux/errno.h>
#include <linux/sched.h>

#include "fixture.h"

#define KEYS 20000
#define RUN_MAX 200

static struct blink_tree_entry *entries_of(struct kunit *test, unsigned int nr,
					   u64 step)
{
	struct blink_tree_entry *entries;
	unsigned int i;

	entries = fixture_alloc(test, nr, sizeof(*entries));
	for (i = 0; i < nr; i++) {
		entries[i].key = i * step;
		entries[i].value = fixture_value(entries[i].key);
	}
	return entries;
}

static void expect_entries(struct kunit *test, struct blink_tree *tree,
			   const struct blink_tree_entry *entries,
			   unsigned int nr)
{
	unsigned int i;
	u64 value;

	for (i = 0; i < nr; i++)
		if (blink_tree_lookup(tree, entries[i].key, &value) ||
		    value != entries[i].value)
			fixture_fail_at(test, entries[i].key, "not there");
}

/* Load all entries, some at a time. */
static void load_in_runs(struct kunit *test, struct blink_tree *tree,
			 struct rnd_state *rnd,
			 const struct blink_tree_entry *entries,
			 unsigned int nr, unsigned int fill)
{
	unsigned int i, n, done;
	int ret;

	for (i = 0; i < nr; i += n) {
		n = min(1 + fixture_below(rnd, RUN_MAX), nr - i);
		ret = blink_tree_load(tree, entries + i, n, fill, GFP_KERNEL,
				      &done);
		if (ret || done != n)
			fixture_fail_at(test, entries[i].key,
					"%u of %u loaded: %d", done, n, ret);
		cond_resched();
	}
}

/* Leaves are as full as they should be, and no fuller; the indexes know all. */
static void filled_as_asked(struct kunit *test)
{
	const unsigned int nr = world_work(KEYS);
	static const unsigned int fills[] = { 1, 10, 30, 50, 70, 100 };
	struct blink_tree_entry *entries = entries_of(test, nr, 3);
	unsigned int i, k, full;
	struct fixture_shape shape;
	struct blink_tree_ioc_verify report;
	struct blink_tree *tree;
	struct rnd_state rnd;

	fixture_seed(test, &rnd);
	fixture_shape(test, &shape);
	for (i = 0; i < ARRAY_SIZE(fills); i++) {
		tree = fixture_plain_tree(test);
		load_in_runs(test, tree, &rnd, entries, nr, fills[i]);
		fixture_sound(test, tree, nr);
		full = max(shape.leaf_slots * fills[i] / 100, 1U);
		KUNIT_ASSERT_EQ(test, blink_tree_verify(tree, &report), 0);
		KUNIT_EXPECT_EQ(test, report.leaves, DIV_ROUND_UP(nr, full));
		KUNIT_EXPECT_EQ(test, report.unindexed, 0);
		expect_entries(test, tree, entries, nr);
		for (k = 0; k < nr; k++)
			if (blink_tree_erase(tree, entries[k].key, NULL))
				fixture_fail_at(test, k, "not erased");
		fixture_emptied(test, tree);
	}
}

#define OTHERS 40

/* A few keys, in leaves of which the ranges are wide: most were erased. */
static void scatter(struct blink_tree *tree, struct rnd_state *rnd)
{
	u64 other[OTHERS];
	unsigned int n;

	for (n = 0; n < OTHERS; n++) {
		other[n] = fixture_below(rnd, 2 * RUN_MAX);
		blink_tree_store(tree, other[n], other[n], NULL, GFP_KERNEL);
	}
	for (n = 5; n < OTHERS; n++)
		blink_tree_erase(tree, other[n], NULL);
}

/* A load stops at the first key that is present; the entries before it are loaded. */
static void keys_in_the_way(struct kunit *test)
{
	struct blink_tree_entry *run = entries_of(test, RUN_MAX, 2);
	struct blink_tree_params params = world_params(test);
	unsigned long round, rounds = world_work(300);
	struct blink_tree_ioc_verify report;
	unsigned int stop, done;
	struct blink_tree *tree;
	struct rnd_state rnd;
	u64 value;
	int ret;

	fixture_seed(test, &rnd);
	for (round = 0; round < rounds; round++) {
		tree = blink_tree_create(&params, GFP_KERNEL);
		KUNIT_ASSERT_NOT_ERR_OR_NULL(test, tree);
		scatter(tree, &rnd);
		stop = 0;
		while (stop < RUN_MAX &&
		       blink_tree_lookup(tree, run[stop].key, &value))
			stop++;
		ret = blink_tree_load(tree, run, RUN_MAX, 80, GFP_KERNEL,
				      &done);
		KUNIT_EXPECT_EQ(test, ret, stop < RUN_MAX ? -EEXIST : 0);
		KUNIT_EXPECT_EQ(test, done, stop);
		expect_entries(test, tree, run, stop);
		KUNIT_EXPECT_EQ(test, blink_tree_verify(tree, &report), 0);
		blink_tree_destroy(tree);
	}
}

/* Any order will do, only not as fast. */
static void not_ascending(struct kunit *test)
{
	struct blink_tree_entry *run = entries_of(test, RUN_MAX, 1);
	struct blink_tree *tree = fixture_tree(test);
	unsigned int n, done;

	for (n = 0; n < RUN_MAX; n++)
		run[n].key = n * 77 % RUN_MAX;
	KUNIT_EXPECT_EQ(
		test,
		blink_tree_load(tree, run, RUN_MAX, 100, GFP_KERNEL, &done), 0);
	KUNIT_EXPECT_EQ(test, done, RUN_MAX);
	expect_entries(test, tree, run, RUN_MAX);
	fixture_sound(test, tree, RUN_MAX);
}

static void impossible_fill(struct kunit *test)
{
	struct blink_tree_entry *entries = entries_of(test, 1, 1);
	struct blink_tree *tree = fixture_tree(test);
	unsigned int done = 1;

	KUNIT_EXPECT_EQ(test,
			blink_tree_load(tree, entries, 1, 0, GFP_KERNEL, &done),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, done, 0);
	KUNIT_EXPECT_EQ(
		test, blink_tree_load(tree, entries, 1, 101, GFP_KERNEL, &done),
		-EINVAL);
	KUNIT_EXPECT_EQ(
		test, blink_tree_load(tree, entries, 0, 100, GFP_KERNEL, &done),
		0);
	fixture_sound(test, tree, 0);
}

/* Load as many as there may be, and some more, @most at a time. */
static void load_to_limit(struct kunit *test, unsigned int most)
{
	struct blink_tree_params params = { .max_entries = RUN_MAX / 2 };
	struct blink_tree_entry *run = entries_of(test, 2 * RUN_MAX, 1);
	struct blink_tree *tree = fixture_tree_with(test, &params);
	unsigned int n = 0, done;
	int ret;

	do {
		ret = blink_tree_load(tree, run + n, most, 100, GFP_KERNEL,
				      &done);
		n += done;
	} while (!ret);
	KUNIT_EXPECT_EQ(test, ret, -ENOSPC);
	KUNIT_EXPECT_EQ(test, n, RUN_MAX / 2);
	fixture_sound(test, tree, RUN_MAX / 2);
}

static void limit_is_kept(struct kunit *test)
{
	load_to_limit(test, RUN_MAX);
	load_to_limit(test, 1);
}

FIXTURE_SUITE("load", KUNIT_CASE_SLOW(filled_as_asked),
	      KUNIT_CASE(keys_in_the_way), KUNIT_CASE(not_ascending),
	      KUNIT_CASE(impossible_fill), KUNIT_CASE(limit_is_kept));
