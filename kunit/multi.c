// SPDX-License-Identifier: GPL-2.0
/* Trees with equal keys: pairs of a key and a value, compared with a set of pairs. */
#define KEYS_OWN_NAMES
#include <linux/bitops.h>
#include <linux/blink_tree_u128.h>
#include <linux/limits.h>

#include "refused.h"

#define KEYS 8
#define VALUES 64

/**
 * struct pairs - a tree, and what it has to contain
 * @tree: the tree
 * @has: of each key its values, one in each bit
 * @rnd: random numbers
 */
struct pairs {
	struct blink_tree *tree;
	u64 has[KEYS];
	struct rnd_state rnd;
};

/* Both ends of the keys, and of the values of each. */
static u64 nth_key(unsigned int i)
{
	return i == KEYS - 1 ? U64_MAX : i;
}

static u64 nth_value(unsigned int i)
{
	return i == VALUES - 1 ? U64_MAX : 3 * i;
}

static void insert_or_erase(struct kunit *test, struct pairs *pairs,
			    unsigned int key)
{
	unsigned int bit = fixture_below(&pairs->rnd, VALUES);
	bool present = pairs->has[key] & BIT_ULL(bit);
	int ret, expected;

	/* They become more at first. */
	if (fixture_below(&pairs->rnd, 3)) {
		ret = blink_tree_multi_insert(pairs->tree, nth_key(key),
					      nth_value(bit), GFP_KERNEL);
		expected = present ? -EEXIST : 0;
		pairs->has[key] |= BIT_ULL(bit);
	} else {
		ret = blink_tree_multi_erase(pairs->tree, nth_key(key),
					     nth_value(bit));
		expected = present ? 0 : -ENOENT;
		pairs->has[key] &= ~BIT_ULL(bit);
	}
	if (ret != expected)
		fixture_fail_at(test, key, "value %u: %d, not %d", bit, ret,
				expected);
}

static void check_key(struct kunit *test, struct pairs *pairs, unsigned int key)
{
	unsigned int nr = hweight64(pairs->has[key]);
	unsigned int most = 1 + fixture_below(&pairs->rnd, 2 * VALUES);
	u64 value = 0;
	int ret;

	ret = blink_tree_multi_lookup(pairs->tree, nth_key(key), &value);
	if (nr ? ret || value != nth_value(__ffs64(pairs->has[key])) :
		 ret != -ENOENT)
		fixture_fail_at(test, key, "lookup: %d, %llu", ret, value);
	ret = blink_tree_multi_count(pairs->tree, nth_key(key), most);
	if (ret > (int)nr || ret < (int)min(nr, most))
		fixture_fail_at(test, key, "count: %d of %u, %u", ret, nr,
				most);
}

/* In steps: each removes as many as it is asked for, but for the last one. */
static void erase_key(struct kunit *test, struct pairs *pairs, unsigned int key)
{
	unsigned int left = hweight64(pairs->has[key]), most;
	int ret;

	do {
		most = 1 + fixture_below(&pairs->rnd, VALUES / 2);
		ret = blink_tree_multi_erase_key(pairs->tree, nth_key(key),
						 most);
		if (ret != (int)min(left, most))
			fixture_fail_at(test, key, "erase: %d of %u, %u", ret,
					left, most);
		left -= ret;
	} while (ret == (int)most);
	pairs->has[key] = 0;
}

static void set_of_pairs(struct kunit *test)
{
	struct blink_tree_params params = world_params(test);
	struct pairs *pairs = fixture_alloc(test, 1, sizeof(*pairs));
	unsigned long rounds = world_work(20000), n;
	unsigned int key, nr = 0;

	params.flags &= ~BLINK_TREE_COMPRESS;
	params.key = BLINK_TREE_KEY_MULTI;
	pairs->tree = fixture_tree_with(test, &params);
	fixture_seed(test, &pairs->rnd);
	for (n = 0; n < rounds; n++) {
		key = fixture_below(&pairs->rnd, KEYS);
		insert_or_erase(test, pairs, key);
		check_key(test, pairs, fixture_below(&pairs->rnd, KEYS));
		if (n % 1000 == 999)
			erase_key(test, pairs, key);
	}
	for (key = 0; key < KEYS; key++)
		nr += hweight64(pairs->has[key]);
	fixture_sound(test, pairs->tree, nr);
	for (key = 0; key < KEYS; key++)
		erase_key(test, pairs, key);
	fixture_emptied(test, pairs->tree);
}

/* How many there shall be at least, or at most. */
static void how_many(struct kunit *test)
{
	struct blink_tree_params params = { .key = BLINK_TREE_KEY_MULTI };
	struct blink_tree *tree = fixture_tree_with(test, &params);

	KUNIT_EXPECT_EQ(test, blink_tree_multi_insert(tree, 5, 1, GFP_KERNEL),
			0);
	KUNIT_EXPECT_EQ(test, blink_tree_multi_count(tree, 5, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, blink_tree_multi_count(tree, 5, UINT_MAX), 1);
	KUNIT_EXPECT_EQ(test, blink_tree_multi_erase_key(tree, 5, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, blink_tree_multi_erase_key(tree, 5, UINT_MAX), 1);
	KUNIT_EXPECT_EQ(test, blink_tree_multi_erase_key(tree, 5, 1), 0);
	fixture_emptied(test, tree);
}

/* A tree of another kind stays as it is. */
static void other_kinds(struct kunit *test)
{
	static const enum blink_tree_key kinds[] = { BLINK_TREE_KEY_U64,
						     BLINK_TREE_KEY_U128,
						     BLINK_TREE_KEY_BYTES };
	unsigned int i;
	u64 value;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		struct blink_tree_params params = { .key = kinds[i] };
		struct blink_tree *tree = fixture_tree_with(test, &params);

		EXPECT_REFUSED(test,
			       blink_tree_multi_insert(tree, 1, 1, GFP_KERNEL));
		EXPECT_REFUSED(test, blink_tree_multi_lookup(tree, 1, &value));
		EXPECT_REFUSED(test, blink_tree_multi_count(tree, 1, 1));
		EXPECT_REFUSED(test, blink_tree_multi_erase(tree, 1, 1));
		EXPECT_REFUSED(test, blink_tree_multi_erase_key(tree, 1, 1));
		fixture_emptied(test, tree);
	}
}

FIXTURE_SUITE("multi", KUNIT_CASE(set_of_pairs), KUNIT_CASE(how_many),
	      KUNIT_CASE(other_kinds));
