// SPDX-License-Identifier: GPL-2.0
/*
 * Kinds of keys: which ones there are, functions for one kind that refuse a tree of
 * another, and keys of 128 bits that are alike in one half.
 */
#define KEYS_OWN_NAMES
#include <linux/err.h>
#include <linux/rcupdate.h>
#include <linux/topology.h>

#include "refused.h"
#include "threads.h"

static struct blink_tree *tree_of(struct kunit *test, enum blink_tree_key key)
{
	struct blink_tree_params params = world_params(test);
	struct blink_tree *tree;

	params.flags &= ~BLINK_TREE_COMPRESS;
	params.key = key;
	tree = blink_tree_create(&params, GFP_KERNEL);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, tree);
	return tree;
}

static void which_there_are(struct kunit *test)
{
	static const enum blink_tree_key wide[] = { BLINK_TREE_KEY_U128,
						    BLINK_TREE_KEY_MULTI };
	struct blink_tree_params params = {};
	unsigned int i;

	params.key = (enum blink_tree_key)U8_MAX;
	KUNIT_EXPECT_PTR_EQ(test, blink_tree_create(&params, GFP_KERNEL),
			    ERR_PTR(-EINVAL));
	for (i = 0; i < ARRAY_SIZE(wide); i++) {
		params.key = wide[i];
		params.flags = BLINK_TREE_COMPRESS;
		KUNIT_EXPECT_PTR_EQ(test,
				    blink_tree_create(&params, GFP_KERNEL),
				    ERR_PTR(-EINVAL));
		params.flags = BLINK_TREE_IRQSAFE;
		blink_tree_destroy(tree_of(test, wide[i]));
	}
}

/* Functions for one kind of keys that take no values; their names have @_. */
#define WITHOUT_VALUES(name, _, greatest)                                      \
	static void name(struct kunit *test, struct blink_tree *tree)          \
	{                                                                      \
		static struct blink##_##cursor cursor;                         \
		struct blink##_##scan scan = { .last = (greatest) };           \
		struct blink_tree##_##entry entry;                             \
		struct blink##_##finger finger;                                \
		u64 value;                                                     \
		EXPECT_REFUSED(test, blink_tree##_##lookup(tree, 1, &value));  \
		EXPECT_REFUSED(test, blink_tree##_##floor(tree, 1, &entry));   \
		EXPECT_REFUSED(test, blink_tree##_##ceiling(tree, 1, &entry)); \
		EXPECT_REFUSED(test,                                           \
			       blink_tree##_##scan(tree, &scan, &entry, 1));   \
		EXPECT_REFUSED(test,                                           \
			       blink_tree##_##count_range(tree, &scan, 1));    \
		EXPECT_REFUSED(test, blink_tree##_##erase_range(tree, &scan,   \
								NULL, 1));     \
		blink##_##cursor_init(&cursor, tree, 0, greatest);             \
		EXPECT_REFUSED(test, blink##_##cursor_next(&cursor, &entry));  \
		blink##_##finger_init(&finger, tree);                          \
		rcu_read_lock();                                               \
		EXPECT_REFUSED(test,                                           \
			       blink##_##finger_floor(&finger, 1, &entry));    \
		EXPECT_REFUSED(test,                                           \
			       blink##_##finger_ceiling(&finger, 1, &entry));  \
		EXPECT_REFUSED(test, blink##_##finger_next(&finger, &entry));  \
		EXPECT_REFUSED(test, blink##_##finger_prev(&finger, &entry));  \
		rcu_read_unlock();                                             \
	}

/* clang-format off */
WITHOUT_VALUES(narrow_without_values, _, U64_MAX)
WITHOUT_VALUES(wide_without_values, _u128_, BLINK_U128_MAX)
/* clang-format on */

/* A function for other keys than those of the tree does nothing. */
static void other_keys(struct kunit *test)
{
	static const enum blink_tree_key kinds[] = { BLINK_TREE_KEY_U64,
						     BLINK_TREE_KEY_U128,
						     BLINK_TREE_KEY_BYTES };
	struct blink_tree *tree;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		tree = tree_of(test, kinds[i]);
		KUNIT_EXPECT_EQ(test, keys_insert(tree, 1, 1, NULL, GFP_KERNEL),
				0);
		if (kinds[i] != BLINK_TREE_KEY_U64) {
			narrow_without_values(test, tree);
			refused_narrow(test, tree);
		}
		if (kinds[i] != BLINK_TREE_KEY_U128) {
			wide_without_values(test, tree);
			refused_wide(test, tree);
		}
		if (kinds[i] != BLINK_TREE_KEY_BYTES)
			refused_strings(test, tree);
		fixture_sound(test, tree, 1);
		blink_tree_destroy(tree);
	}
}

/* Enough for several levels of production's nodes. */
#define KEYS 4000

/* Keys of 128 bits: @least, and from one to the next @step more. */
struct row {
	const char *name;
	u128 least;
	u128 step;
};

static const struct row rows[] = {
	{ "the same upper half", (u128)7 << 64, 1 },
	{ "the same upper half, far apart", (u128)7 << 64, (u128)1 << 51 },
	{ "the same lower half", 7, (u128)1 << 64 },
	{ "the same lower half, far apart", 7, (u128)1 << 115 },
	{ "the halves meet", ((u128)1 << 64) - KEYS / 2, 1 },
	{ "bit 63", 0, (u128)1 << 63 },
	{ "both halves", 0, ((u128)1 << 64) + 1 },
	{ "the lower half falls", U64_MAX, ((u128)1 << 64) - 1 },
	{ "the greatest keys", BLINK_U128_MAX - KEYS + 1, 1 },
	{ "all keys", BLINK_U128_MAX % (KEYS - 1),
	  BLINK_U128_MAX / (KEYS - 1) },
};

KUNIT_ARRAY_PARAM_DESC(row, rows, name);

static u128 nth(const struct row *row, unsigned int i)
{
	return row->least + i * row->step;
}

static void add_nth(struct kunit *test, struct blink_tree *tree,
		    const struct row *row, unsigned int i)
{
	int ret =
		blink_tree_u128_insert(tree, nth(row, i), i, NULL, GFP_KERNEL);

	if (ret)
		fixture_fail_at(test, i, "insert: %d", ret);
}

/* Every other key is there: those with even numbers. */
static void check_nearest_keys(struct kunit *test, struct blink_tree *tree,
			       const struct row *row, unsigned int i)
{
	struct blink_tree_u128_entry below = {}, above = {};
	unsigned int even = i & ~1U;
	int ret;

	ret = blink_tree_u128_floor(tree, nth(row, i), &below);
	if (ret || below.key != nth(row, even) || below.value != even)
		fixture_fail_at(test, i, "floor: %d, %llu", ret, below.value);
	even += 2 * (i & 1);
	ret = blink_tree_u128_ceiling(tree, nth(row, i), &above);
	if (even >= KEYS && ret == -ENOENT)
		return;
	if (ret || above.key != nth(row, even) || above.value != even)
		fixture_fail_at(test, i, "ceiling: %d, %llu", ret, above.value);
}

static void check_lookups_and_batch(struct kunit *test, struct blink_tree *tree,
				    const struct row *row, unsigned int i)
{
	struct blink_tree_u128_op op = { .opcode = BLINK_TREE_OP_LOOKUP,
					 .key = nth(row, i) };
	u64 value = i;
	int ret = blink_tree_u128_lookup(tree, nth(row, i), &value);

	blink_tree_u128_batch(tree, &op, 1, GFP_KERNEL);
	if (ret != (i & 1 ? -ENOENT : 0) || value != i || op.result != ret)
		fixture_fail_at(test, i, "lookup: %d, %llu, in a batch %d", ret,
				value, op.result);
}

static void check_order(struct kunit *test, struct blink_tree *tree,
			const struct row *row, bool desc)
{
	struct blink_tree_u128_entry entry;
	struct blink_u128_cursor *cursor;
	unsigned int n = 0, at;

	cursor = fixture_alloc(test, 1, sizeof(*cursor));
	if (desc)
		blink_u128_cursor_init_desc(cursor, tree, 0, BLINK_U128_MAX);
	else
		blink_u128_cursor_init(cursor, tree, 0, BLINK_U128_MAX);
	for (; blink_u128_cursor_next(cursor, &entry) > 0; n++) {
		at = desc ? KEYS - 2 - 2 * n : 2 * n;
		if (entry.key != nth(row, at) || entry.value != at)
			fixture_fail_at(test, at, "scan: %llu", entry.value);
	}
	KUNIT_EXPECT_EQ(test, n, KEYS / 2);
}

/* Keys that are alike in one half are told apart, and are in their order. */
static void alike(struct kunit *test)
{
	struct blink_tree *tree = tree_of(test, BLINK_TREE_KEY_U128);
	const struct row *row = test->param_value;
	unsigned int i;
	int ret;

	for (i = 0; i < KEYS / 2; i += 2)
		add_nth(test, tree, row, i);
	for (i = KEYS - 2; i >= KEYS / 2; i -= 2)
		add_nth(test, tree, row, i);
	fixture_sound(test, tree, KEYS / 2);
	for (i = 0; i < KEYS; i++) {
		check_lookups_and_batch(test, tree, row, i);
		check_nearest_keys(test, tree, row, i);
	}
	check_order(test, tree, row, false);
	check_order(test, tree, row, true);
	for (i = 0; i < KEYS; i++) {
		ret = blink_tree_u128_erase(tree, nth(row, i), NULL);
		if (ret != (i & 1 ? -ENOENT : 0))
			fixture_fail_at(test, i, "erase: %d", ret);
	}
	fixture_emptied(test, tree);
	for (i = 0; i < KEYS; i += 2)
		add_nth(test, tree, row, i);
	/* An index that is built again enters leaves with the same upper half. */
	ret = blink_tree_rebuild(tree, numa_node_id(), GFP_KERNEL);
	if (ret != -ENODEV)
		KUNIT_EXPECT_EQ(test, ret, 0);
	fixture_sound(test, tree, KEYS / 2);
	blink_tree_destroy(tree);
}

/* Keys whose halves belong together: a mixture of two of them is none of them. */
#define PAIRS 64

static u128 paired(u64 i)
{
	return (u128)fixture_value(i) << 64 | fixture_value(~i);
}

static void come_and_go(struct thread *me)
{
	const unsigned long rounds = world_work(20000);
	struct blink_tree *tree = me->threads->tree;
	unsigned long n;
	u128 key;
	int ret;

	for (n = 0; n < rounds && (n % 64 || thread_goes_on(me)); n++) {
		key = paired(fixture_below(&me->rnd, PAIRS));
		if (n & 1)
			ret = blink_tree_u128_erase(tree, key, NULL);
		else
			ret = blink_tree_u128_insert(tree, key, (u64)key, NULL,
						     GFP_KERNEL);
		if (ret && ret != -ENOENT && ret != -EEXIST)
			thread_fail(me, "insert or erase: %d", ret);
	}
}

static void expect_paired(struct thread *me, int ret,
			  const struct blink_tree_u128_entry *entry)
{
	u64 i;

	if (ret)
		return;
	if (entry->value != (u64)entry->key)
		thread_fail(me, "a key with the value of another");
	for (i = 0; i < PAIRS; i++)
		if (entry->key == paired(i))
			return;
	thread_fail(me, "a mixture of keys: %llx %llx", (u64)(entry->key >> 64),
		    (u64)entry->key);
}

static void look_for_mixtures(struct thread *me)
{
	struct blink_tree *tree = me->threads->tree;
	struct blink_tree_u128_entry entry;
	u128 key;
	int ret;

	while (thread_goes_on(me)) {
		key = (u128)fixture_random(&me->rnd) << 64;
		ret = blink_tree_u128_floor(tree, key, &entry);
		expect_paired(me, ret, &entry);
		ret = blink_tree_u128_ceiling(tree, key, &entry);
		expect_paired(me, ret, &entry);
		ret = blink_tree_u128_pop_min(tree, key, &entry);
		expect_paired(me, ret, &entry);
	}
}

static void no_mixtures(struct kunit *test)
{
	struct blink_tree *tree = tree_of(test, BLINK_TREE_KEY_U128);
	struct threads *threads = threads_create(test, tree);
	struct blink_tree_ioc_verify report;

	threads_lead(threads, 2, come_and_go, NULL);
	threads_follow(threads, 2, look_for_mixtures, NULL);
	threads_run(threads);
	KUNIT_EXPECT_EQ(test, blink_tree_verify(tree, &report), 0);
	blink_tree_destroy(tree);
}

FIXTURE_SUITE("kinds", KUNIT_CASE(which_there_are), KUNIT_CASE(other_keys),
	      FIXTURE_PARAM(alike, row_gen_params), KUNIT_CASE(no_mixtures));
