// SPDX-License-Identifier: GPL-2.0
/*
 * Cursors of a single thread, and iterations whose body modifies the tree. oracle.c has
 * ranges of all kinds, and reader_checks.c scans while other threads modify the tree.
 */
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "filled.h"

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

FIXTURE_SUITE("cursor", KUNIT_CASE(no_room), KUNIT_CASE(iteration_macros),
	      KUNIT_CASE(erase_while_iterating),
	      KUNIT_CASE(insert_while_iterating),
	      KUNIT_CASE(much_happens_between));
