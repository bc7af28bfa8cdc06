// SPDX-License-Identifier: GPL-2.0
/* Bulk loads. */
#include "fixture.h"

#define KEYS 20000

static struct blink_tree_entry *entries_of(struct kunit *test, unsigned int nr)
{
	struct blink_tree_entry *entries;
	unsigned int i;

	entries = kunit_kcalloc(test, nr, sizeof(*entries), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, entries);
	for (i = 0; i < nr; i++) {
		entries[i].key = 3 * i;
		entries[i].value = fixture_value(3 * i);
	}
	return entries;
}

static void filled_as_asked(struct kunit *test)
{
	static const unsigned int fills[] = { 10, 50, 100 };
	struct blink_tree_entry *entries = entries_of(test, KEYS);
	unsigned int i, k, done, full;
	struct fixture_shape shape;
	struct blink_tree_ioc_verify report;
	struct blink_tree *tree;
	u64 value;

	fixture_shape(test, &shape);
	for (i = 0; i < ARRAY_SIZE(fills); i++) {
		tree = fixture_tree(test);
		KUNIT_EXPECT_EQ(test,
				blink_tree_load(tree, entries, KEYS, fills[i],
						GFP_KERNEL, &done),
				0);
		KUNIT_EXPECT_EQ(test, done, KEYS);
		fixture_sound(test, tree, KEYS);
		full = shape.leaf_slots * fills[i] / 100;
		KUNIT_ASSERT_EQ(test, blink_tree_verify(tree, &report), 0);
		KUNIT_EXPECT_EQ(test, report.leaves, DIV_ROUND_UP(KEYS, full));
		for (k = 0; k < KEYS; k++)
			if (blink_tree_lookup(tree, 3 * k, &value) ||
			    value != fixture_value(3 * k))
				fixture_fail_at(test, 3 * k, "not there");
	}
}

static void key_in_the_way(struct kunit *test)
{
	struct blink_tree_entry *entries = entries_of(test, 1000);
	struct blink_tree *tree = fixture_tree(test);
	unsigned int done;

	KUNIT_ASSERT_EQ(
		test, blink_tree_insert(tree, 3 * 500, 1, NULL, GFP_KERNEL), 0);
	KUNIT_EXPECT_EQ(test,
			blink_tree_load(tree, entries, 1000, 90, GFP_KERNEL,
					&done),
			-EEXIST);
	KUNIT_EXPECT_EQ(test, done, 500);
	KUNIT_EXPECT_EQ(test,
			blink_tree_load(tree, entries + 501, 499, 90,
					GFP_KERNEL, &done),
			0);
	fixture_sound(test, tree, 1000);
}

static void impossible_fill(struct kunit *test)
{
	struct blink_tree_entry *entries = entries_of(test, 1);
	struct blink_tree *tree = fixture_tree(test);
	unsigned int done = 1;

	KUNIT_EXPECT_EQ(test,
			blink_tree_load(tree, entries, 1, 0, GFP_KERNEL, &done),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, done, 0);
	KUNIT_EXPECT_EQ(
		test, blink_tree_load(tree, entries, 1, 101, GFP_KERNEL, &done),
		-EINVAL);
	fixture_sound(test, tree, 0);
}

static struct kunit_case load_cases[] = {
	KUNIT_CASE_SLOW(filled_as_asked),
	KUNIT_CASE(key_in_the_way),
	KUNIT_CASE(impossible_fill),
	{},
};

static struct kunit_suite load_suite = {
	.name = "blink_tree_load",
	.init = fixture_init,
	.test_cases = load_cases,
};

kunit_test_suite(load_suite);
