// SPDX-License-Identifier: GPL-2.0
/*
 * Scans and cursors by a single thread: order, ranges, resuming, and iterations
 * whose body modifies the tree. concurrent.c tests them while other threads modify
 * the tree.
 */
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "fixture.h"

#define KEYS 1000ULL
/* Keys are FIRST, FIRST + STEP, ... */
#define FIRST 100ULL
#define STEP 3ULL
#define LAST (FIRST + (KEYS - 1) * STEP)

static struct blink_tree *filled_tree(struct kunit *test)
{
	struct blink_tree *tree = fixture_tree(test);

	fixture_fill(test, tree, FIRST, STEP, KEYS);
	return tree;
}

/* The next entry must have this key, and its value. */
static void expect_next(struct kunit *test, struct blink_cursor *cursor,
			u64 key)
{
	struct blink_tree_entry entry;
	int ret = blink_cursor_next(cursor, &entry);

	if (ret != 1)
		fixture_fail_at(test, key, "next: %d", ret);
	if (entry.key != key || entry.value != fixture_value(key))
		fixture_fail_at(test, key, "next is %llu", entry.key);
}

/* At the end a cursor stays there. */
static void expect_end(struct kunit *test, struct blink_cursor *cursor)
{
	struct blink_tree_entry entry = { 1, 2 };

	KUNIT_EXPECT_EQ(test, blink_cursor_next(cursor, &entry), 0);
	KUNIT_EXPECT_EQ(test, blink_cursor_next(cursor, &entry), 0);
	KUNIT_EXPECT_EQ(test, entry.key, 1);
	KUNIT_EXPECT_EQ(test, entry.value, 2);
}

static void empty_tree(struct kunit *test)
{
	struct blink_tree *tree = fixture_tree(test);
	struct blink_scan scan = { .first = 0, .last = U64_MAX };
	struct blink_cursor cursor;
	struct blink_tree_entry entry;

	blink_cursor_init(&cursor, tree, 0, U64_MAX);
	expect_end(test, &cursor);
	blink_cursor_init_desc(&cursor, tree, 0, U64_MAX);
	expect_end(test, &cursor);
	KUNIT_EXPECT_EQ(test, blink_tree_scan(tree, &scan, &entry, 1), 0);
	KUNIT_EXPECT_TRUE(test, scan.done);
	KUNIT_EXPECT_EQ(test, blink_tree_scan(tree, &scan, &entry, 1), 0);
}

/* All that is in [@first, @last], there and back. */
static void check_range(struct kunit *test, struct blink_tree *tree, u64 first,
			u64 last)
{
	/* Two of them are too much for the stack. */
	static struct blink_cursor up, down;
	u64 i;

	blink_cursor_init(&up, tree, first, last);
	blink_cursor_init_desc(&down, tree, first, last);
	for (i = 0; i < KEYS; i++) {
		u64 key = FIRST + i * STEP;

		if (key >= first && key <= last)
			expect_next(test, &up, key);
	}
	for (i = 0; i < KEYS; i++) {
		u64 key = LAST - i * STEP;

		if (key >= first && key <= last)
			expect_next(test, &down, key);
	}
	expect_end(test, &up);
	expect_end(test, &down);
}

static void ranges(struct kunit *test)
{
	struct blink_tree *tree = filled_tree(test);
	u64 i;

	check_range(test, tree, 0, FIRST - 1);
	check_range(test, tree, 0, FIRST);
	check_range(test, tree, LAST, U64_MAX);
	check_range(test, tree, LAST + 1, U64_MAX);
	check_range(test, tree, FIRST, LAST);
	check_range(test, tree, FIRST + 1, LAST - 1);
	check_range(test, tree, 0, U64_MAX);
	/* Reversed, so empty. */
	check_range(test, tree, FIRST + 1, FIRST);
	check_range(test, tree, LAST, FIRST);
	check_range(test, tree, U64_MAX, 0);
	check_range(test, tree, 1, 0);
	/* Single keys, there or not, wherever they are in their leaf. */
	for (i = FIRST; i < FIRST + 100 * STEP; i++)
		check_range(test, tree, i, i);
	/* Ranges that begin or end at any place of a leaf. */
	for (i = 0; i < 60; i++) {
		check_range(test, tree, FIRST + i * STEP, FIRST + 500);
		check_range(test, tree, FIRST + 500, FIRST + 500 + i * STEP);
	}
}

/* Nothing wraps where the range or the keys touch the ends of the key space. */
static void ends_of_the_key_space(struct kunit *test)
{
	struct blink_tree *tree = fixture_tree(test);
	struct blink_cursor cursor;
	u64 i;

	fixture_fill(test, tree, 0, 1, 100);
	fixture_fill(test, tree, U64_MAX, -1, 100);

	blink_cursor_init(&cursor, tree, 0, U64_MAX);
	for (i = 0; i < 100; i++)
		expect_next(test, &cursor, i);
	for (i = 0; i < 100; i++)
		expect_next(test, &cursor, U64_MAX - 99 + i);
	expect_end(test, &cursor);

	blink_cursor_init_desc(&cursor, tree, 0, U64_MAX);
	for (i = 0; i < 100; i++)
		expect_next(test, &cursor, U64_MAX - i);
	for (i = 0; i < 100; i++)
		expect_next(test, &cursor, 99 - i);
	expect_end(test, &cursor);

	blink_cursor_init(&cursor, tree, U64_MAX, U64_MAX);
	expect_next(test, &cursor, U64_MAX);
	expect_end(test, &cursor);
	blink_cursor_init_desc(&cursor, tree, 0, 0);
	expect_next(test, &cursor, 0);
	expect_end(test, &cursor);
}

/* Scan everything, @nr entries at most at a time. */
static void scan_in_pieces(struct kunit *test, struct blink_tree *tree,
			   bool desc, unsigned int nr)
{
	struct blink_scan scan = { .first = 0, .last = U64_MAX, .desc = desc };
	struct blink_tree_entry *entries;
	u64 i = 0, key;
	int n, k;

	entries = kunit_kcalloc(test, nr + 1, sizeof(*entries), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, entries);
	entries[nr].key = 0xfeed;
	while (!scan.done) {
		n = blink_tree_scan(tree, &scan, entries, nr);
		KUNIT_ASSERT_LE(test, n, (int)nr);
		if (!scan.done)
			KUNIT_ASSERT_GT(test, n, 0);
		for (k = 0; k < n; k++, i++) {
			key = desc ? LAST - i * STEP : FIRST + i * STEP;
			if (entries[k].key != key ||
			    entries[k].value != fixture_value(key))
				fixture_fail_at(test, key,
						"%llu instead, room for %u",
						entries[k].key, nr);
		}
	}
	KUNIT_EXPECT_EQ(test, i, KEYS);
	KUNIT_EXPECT_EQ(test, entries[nr].key, 0xfeed);
	KUNIT_EXPECT_EQ(test, blink_tree_scan(tree, &scan, entries, nr), 0);
}

static void resume(struct kunit *test)
{
	static const unsigned int sizes[] = { 1,  2,  3,  7,   27,   28,  29,
					      32, 33, 64, 999, 1000, 1001 };
	struct blink_tree *tree = filled_tree(test);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		scan_in_pieces(test, tree, false, sizes[i]);
		scan_in_pieces(test, tree, true, sizes[i]);
	}
}

static void no_room(struct kunit *test)
{
	struct blink_scan scan = { .first = 0, .last = U64_MAX };
	struct blink_tree *tree = filled_tree(test);

	KUNIT_EXPECT_EQ(test, blink_tree_scan(tree, &scan, NULL, 0), -EINVAL);
	KUNIT_EXPECT_FALSE(test, scan.done);
	KUNIT_EXPECT_EQ(test, scan.first, 0);
	KUNIT_EXPECT_EQ(test, scan.last, U64_MAX);
}

static void iteration_macros(struct kunit *test)
{
	struct blink_tree *tree = filled_tree(test);
	struct blink_cursor cursor;
	struct blink_tree_entry entry;
	u64 n = 0, sum = 0, last = 0;

	blink_tree_for_each(&cursor, tree, &entry) {
		sum += entry.key;
		n++;
	}
	KUNIT_EXPECT_EQ(test, n, KEYS);
	KUNIT_EXPECT_EQ(test, sum, KEYS * (FIRST + LAST) / 2);

	blink_tree_for_each_reverse(&cursor, tree, &entry) {
		if (n < KEYS && entry.key >= last)
			fixture_fail_at(test, entry.key, "after %llu", last);
		last = entry.key;
		n--;
	}
	KUNIT_EXPECT_EQ(test, n, 0);

	blink_tree_for_each_range(&cursor, tree, &entry, FIRST, FIRST + STEP)
		n++;
	KUNIT_EXPECT_EQ(test, n, 2);
	blink_tree_for_each(&cursor, tree, &entry)
		break;
	KUNIT_EXPECT_EQ(test, entry.key, FIRST);
}

/* The body erases what it is at. Every key is seen, none is left. */
static void erase_while_iterating(struct kunit *test)
{
	struct blink_tree *tree = filled_tree(test);
	struct blink_cursor cursor;
	struct blink_tree_entry entry;
	u64 n = 0;

	blink_tree_for_each(&cursor, tree, &entry) {
		if (entry.key != FIRST + n * STEP ||
		    blink_tree_erase(tree, entry.key, NULL))
			fixture_fail_at(test, entry.key, "place %llu", n);
		n++;
	}
	KUNIT_EXPECT_EQ(test, n, KEYS);
	fixture_emptied(test, tree);

	fixture_fill(test, tree, FIRST, STEP, KEYS);
	blink_tree_for_each_reverse(&cursor, tree, &entry) {
		n--;
		if (entry.key != FIRST + n * STEP ||
		    blink_tree_erase(tree, entry.key, NULL))
			fixture_fail_at(test, entry.key, "place %llu", n);
	}
	KUNIT_EXPECT_EQ(test, n, 0);
	fixture_emptied(test, tree);
}

/*
 * The body inserts behind the cursor, which splits the leaves it comes from,
 * and further ahead than the leaf it holds a copy of. The former are not seen,
 * the latter are.
 */
static void insert_while_iterating(struct kunit *test)
{
	const u64 ahead = 100;
	struct blink_tree *tree = filled_tree(test);
	struct blink_cursor cursor;
	u64 i, key;

	blink_cursor_init(&cursor, tree, 0, U64_MAX);
	for (i = 0; i < KEYS + ahead; i++) {
		key = FIRST + i * STEP;
		if (i < KEYS) {
			expect_next(test, &cursor, key);
			fixture_fill(test, tree, key - 1, 1, 1);
			fixture_fill(test, tree, key + ahead * STEP + 1, 1, 1);
		}
		if (i >= ahead)
			expect_next(test, &cursor, key + 1);
	}
	expect_end(test, &cursor);
	fixture_sound(test, tree, 3 * KEYS);
}

/* A cursor may rest for long and see its leaves split, die and come back. */
static void much_happens_between(struct kunit *test)
{
	struct blink_tree *tree = filled_tree(test);
	/* Two of them are too much for the stack. */
	static struct blink_cursor up, down;
	u64 i;

	blink_cursor_init(&up, tree, 0, U64_MAX);
	blink_cursor_init_desc(&down, tree, 0, U64_MAX);
	expect_next(test, &up, FIRST);
	expect_next(test, &down, LAST);
	for (i = 1; i + 1 < KEYS; i++)
		KUNIT_ASSERT_EQ(test,
				blink_tree_erase(tree, FIRST + i * STEP, NULL),
				0);
	rcu_barrier();
	fixture_fill(test, tree, FIRST + STEP, STEP, KEYS - 2);
	for (i = 1; i < KEYS; i++) {
		expect_next(test, &up, FIRST + i * STEP);
		expect_next(test, &down, LAST - i * STEP);
	}
	expect_end(test, &up);
	expect_end(test, &down);
}

FIXTURE_SUITE("cursor", KUNIT_CASE(empty_tree), KUNIT_CASE(ranges),
	      KUNIT_CASE(ends_of_the_key_space), KUNIT_CASE(resume),
	      KUNIT_CASE(no_room), KUNIT_CASE(iteration_macros),
	      KUNIT_CASE(erase_while_iterating),
	      KUNIT_CASE(insert_while_iterating),
	      KUNIT_CASE(much_happens_between));
