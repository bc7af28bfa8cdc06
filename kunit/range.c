// SPDX-License-Identifier: GPL-2.0
/*
 * Erasing and counting ranges: bounds, pieces, both directions, limits, and beside
 * readers. Random ranges are in oracle.c.
 */
#include "filled.h"
#include "reader_checks.h"

static u64 erase_keys(struct kunit *test, struct blink_tree *tree, u64 first,
		      u64 last, unsigned int nr)
{
	struct blink_scan scan = { first, last };
	u64 n = 0;
	int ret;

	while (!scan.done) {
		ret = blink_tree_erase_range(tree, &scan, NULL, nr);
		if (ret < 0 || ret > nr || (!ret && !scan.done))
			fixture_fail_at(test, scan.first, "erase: %d", ret);
		n += ret;
		cond_resched();
	}
	KUNIT_EXPECT_EQ(test, blink_tree_erase_range(tree, &scan, NULL, 1), 0);
	return n;
}

static void invalid(struct kunit *test)
{
	struct blink_scan scan = { .last = U64_MAX };
	struct blink_tree *tree = filled_tree(test);

	KUNIT_EXPECT_EQ(test, blink_tree_erase_range(tree, &scan, NULL, 0),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, blink_tree_count_range(tree, &scan, 0), -EINVAL);
	KUNIT_EXPECT_FALSE(test, scan.done);
	KUNIT_EXPECT_EQ(test, scan.first, 0);
	KUNIT_EXPECT_EQ(test, blink_tree_count_range(tree, &scan, UINT_MAX),
			(int)KEYS);
	/* Reversed, so empty. */
	KUNIT_EXPECT_EQ(test, erase_keys(test, tree, LAST, FIRST, 10), 0);
	fixture_sound(test, tree, KEYS);
}

/* The room of erased entries is given back, neither more nor less. */
static void limit(struct kunit *test)
{
	struct blink_tree_params params = { .max_entries = 500 };
	struct blink_tree *tree = fixture_tree_with(test, &params);
	unsigned int round;

	for (round = 0; round < 3; round++) {
		fixture_fill(test, tree, blink_tree_count(tree), 1,
			     500 - blink_tree_count(tree));
		KUNIT_EXPECT_EQ(test,
				blink_tree_insert(tree, 1000, 0, NULL,
						  GFP_KERNEL),
				-ENOSPC);
		KUNIT_EXPECT_EQ(test, erase_keys(test, tree, 100, U64_MAX, 64),
				400);
		fixture_sound(test, tree, 100);
	}
	KUNIT_EXPECT_EQ(test, erase_keys(test, tree, 0, U64_MAX, 7), 100);
	fixture_emptied(test, tree);
}

/* Erase between the kept keys of a group, while others add keys there. */
static void erase_groups(struct thread *me)
{
	const struct key_groups *groups = me->arg;
	struct blink_scan scan;
	u64 first;
	int ret;

	while (thread_goes_on(me)) {
		first = fixture_below(&me->rnd, groups->nr) * KEY_GROUP +
			KEPT_PER_GROUP;
		scan = (struct blink_scan){
			.first = first,
			.last = first + KEY_GROUP - KEPT_PER_GROUP - 1,
			.desc = fixture_below(&me->rnd, 2),
		};
		while (!scan.done) {
			ret = blink_tree_erase_range(me->threads->tree, &scan,
						     NULL, 7);
			if (ret < 0)
				thread_fail(me, "erase of %llu: %d", first,
					    ret);
		}
	}
}

/* A count includes the kept keys, and never those that are never there. */
static void count_groups(struct thread *me)
{
	const struct key_groups *groups = me->arg;
	u64 least, most, n;
	struct blink_scan scan;
	int ret;

	while (thread_goes_on(me)) {
		scan = (struct blink_scan){
			.last = groups_keys(groups) - 1,
			.desc = fixture_below(&me->rnd, 2),
		};
		least = groups->nr * KEPT_PER_GROUP;
		most = groups->nr * (KEY_GROUP - 2);
		n = 0;
		while (!scan.done) {
			ret = blink_tree_count_range(me->threads->tree, &scan,
						     1000);
			n += max(ret, 0);
		}
		if (n < least || n > most)
			thread_fail(me, "counted %llu, not %llu to %llu", n,
				    least, most);
	}
}

static void insert_groups(struct thread *me)
{
	const struct key_groups *groups = me->arg;
	unsigned long n;
	u64 key;
	int ret;

	for (n = 0; n < groups->waves && thread_goes_on(me); n++) {
		key = fixture_below(&me->rnd, groups_keys(groups));
		if (key_is_kept(key) || key_is_never(key))
			continue;
		ret = blink_tree_insert(me->threads->tree, key,
					fixture_value(key), NULL, GFP_KERNEL);
		if (ret && ret != -EEXIST)
			thread_fail(me, "insert of %llu: %d", key, ret);
	}
}

static void beside_readers(struct kunit *test)
{
	struct key_groups groups = { .nr = 20, .waves = world_work(20000) };
	struct blink_tree *tree = fixture_tree(test);
	struct threads *threads = threads_create(test, tree);

	groups_fill(test, tree, &groups);
	threads_lead(threads, 2, insert_groups, &groups);
	threads_follow(threads, 2, erase_groups, &groups);
	threads_follow(threads, 1, count_groups, &groups);
	threads_follow(threads, 1, check_lookups, &groups);
	threads_follow(threads, 1, check_nearest, &groups);
	threads_follow(threads, 1, check_scans, &groups);
	threads_follow(threads, 1, check_verify, &groups);
	threads_run(threads);
	fixture_sound(test, tree, blink_tree_count(tree));
}

#define CASES \
	KUNIT_CASE(invalid), KUNIT_CASE(limit), KUNIT_CASE_SLOW(beside_readers)

FIXTURE_SUITE("range", CASES);
FIXTURE_SUITE("range-full", CASES);
