// SPDX-License-Identifier: GPL-2.0
/*
 * Trees whose keys are strings of bytes: sets of strings that are hard to tell apart, with
 * the operations of oracle.c; ranges with open and closed ends; and that all memory comes
 * back.
 */
#include "oracle.h"
#include "strings.h"

#define SET_SIZE 3000

/**
 * struct course - a test of one kind of strings
 * @name: for the report
 * @kind: the kind
 */
struct course {
	const char *name;
	enum strings_kind kind;
};

static const struct course courses[] = {
	{ "short, with NUL", STRINGS_SHORT },
	{ "paths", STRINGS_PATHS },
	{ "a prefix of 290 bytes", STRINGS_LONG_PREFIX },
	{ "each begins the next", STRINGS_ZEROES },
	{ "1,024 bytes that differ at the end", STRINGS_LAST_BYTE },
	{ "random", STRINGS_RANDOM },
};

KUNIT_ARRAY_PARAM_DESC(course, courses, name);

static void forget_strings(void *unused)
{
	keys_strings = NULL;
}

/* From here on the numbers of the test stand for strings of this kind. */
static const struct strings *use_strings(struct kunit *test)
{
	const struct course *course = test->param_value;
	struct strings *set;
	struct rnd_state rnd;

	fixture_seed(test, &rnd);
	set = strings_create(test, course->kind, SET_SIZE, &rnd);
	set->found = fixture_alloc(test, ORACLE_BATCH, sizeof(*set->found));
	KUNIT_ASSERT_EQ(test, kunit_add_action(test, forget_strings, NULL), 0);
	keys_strings = set;
	return set;
}

static void random_operations(struct kunit *test)
{
	const struct strings *set = use_strings(test);
	const struct oracle_course course = {
		.step = 2,
		.nr = set->nr,
		.ops = 40000,
		.tide = 2 * set->nr,
		.key = BLINK_TREE_KEY_BYTES,
	};

	oracle_run(test, &course);
}

/* Load all keys, find each, and erase them. */
static void load_and_empty(struct kunit *test)
{
	const struct strings *set = use_strings(test);
	struct blink_tree *tree = strings_tree(test);
	struct blink_tree_entry *entries;
	unsigned int i, done;
	u64 value;

	entries = fixture_alloc(test, set->nr, sizeof(*entries));
	for (i = 0; i < set->nr; i++)
		entries[i] =
			(struct blink_tree_entry){ 2 * i, fixture_value(i) };
	KUNIT_ASSERT_EQ(test,
			blink_tree_load(tree, entries, set->nr, 70, GFP_KERNEL,
					&done),
			0);
	KUNIT_ASSERT_EQ(test, done, set->nr);
	fixture_content(test, tree, set->nr);
	KUNIT_EXPECT_EQ(
		test, blink_tree_load(tree, entries, 2, 70, GFP_KERNEL, &done),
		-EEXIST);
	KUNIT_EXPECT_EQ(test, done, 0);
	for (i = 0; i < set->nr; i++)
		if (blink_tree_lookup(tree, 2 * i, &value) ||
		    value != fixture_value(i))
			fixture_fail_at(test, i, "lookup of a loaded key");
	for (i = 0; i < set->nr; i++)
		if (blink_tree_erase(tree, 2 * i, &value) ||
		    value != fixture_value(i))
			fixture_fail_at(test, i, "erase of a loaded key");
	fixture_emptied(test, tree);
}

/* A key that is too long cannot be added, and is not found. */
static void lengths(struct kunit *test)
{
	const gfp_t gfp = GFP_KERNEL;
	u8 *data = fixture_alloc(test, 1, BLINK_BYTES_MAX + 1);
	struct blink_bytes_key key = blink_bytes_key(data, BLINK_BYTES_MAX + 1);
	struct blink_tree *tree = strings_tree(test);
	u64 value;

	KUNIT_EXPECT_EQ(test, blink_tree_bytes_insert(tree, key, 1, NULL, gfp),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, blink_tree_bytes_lookup(tree, key, &value),
			-ENOENT);
	key.length = BLINK_BYTES_MAX;
	KUNIT_EXPECT_EQ(test, blink_tree_bytes_insert(tree, key, 2, NULL, gfp),
			0);
	key.length = 0;
	KUNIT_EXPECT_EQ(test, blink_tree_bytes_insert(tree, key, 3, NULL, gfp),
			0);
	KUNIT_EXPECT_EQ(test, blink_tree_bytes_lookup(tree, key, &value), 0);
	KUNIT_EXPECT_EQ(test, value, 3);
	fixture_content(test, tree, 2);
}

#define CASES                                                          \
	FIXTURE_PARAM_SLOW(random_operations, course_gen_params),      \
		FIXTURE_PARAM_SLOW(load_and_empty, course_gen_params), \
		KUNIT_CASE(lengths)

FIXTURE_SUITE("bytes", CASES);
FIXTURE_SUITE("bytes-inner", CASES);
FIXTURE_SUITE("bytes-full", CASES);
