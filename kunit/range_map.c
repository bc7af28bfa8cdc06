// SPDX-License-Identifier: GPL-2.0
/* Ranges beside an array that has the value of each key, at both ends of the keys. */
#include <linux/minmax.h>

#include "range_map.h"

/* The keys of the tests are numbers from 0 on; a world has them at one of these places. */
static const struct place {
	const char *name;
	u128 base;
} places[] = {
	{ "least keys", 0 },
	{ "keys between", (u128)0x7fffffffffffffd0 },
	{ "greatest keys", -(u128)64 },
};

KUNIT_ARRAY_PARAM_DESC(place, places, name);

static struct ranges ranges_at(struct kunit *test, const struct place *place)
{
	struct ranges r = ranges_of(test);

	r.base = r.wide ? place->base : (u64)place->base;
	/* Across the halves of a key. */
	if (r.wide && place == &places[1])
		r.base = ((u128)1 << 64) - 20;
	return r;
}

/* The neighbours of a key that have the same value. */
static struct blink_range expected(const u64 *value, u64 key)
{
	struct blink_range range = { key, key, value[key] };

	while (range.first && value[range.first - 1] == range.value)
		range.first--;
	while (range.last < KEYS - 1 && value[range.last + 1] == range.value)
		range.last++;
	return range;
}

/* Compare each key, and the number of boundaries. */
static void compare(struct kunit *test, const struct ranges *r,
		    const u64 *value)
{
	struct blink_range range, want;
	u64 key, count = !!value[0];
	int ret;

	for (key = 0; key < KEYS; key++) {
		ret = FIND(r, lookup, key, &range);
		want = expected(value, key);
		KUNIT_ASSERT_EQ(test, ret, 0);
		if (!same(&range, want.first, want.last, want.value))
			fixture_fail_at(test, key, "%llu to %llu is %llu",
					range.first, range.last, range.value);
		if (key)
			count += value[key] != value[key - 1];
	}
	/* Keys behind the greatest one do not exist. */
	if (r->base != (r->wide ? -(u128)KEYS : -(u64)KEYS))
		count += !!value[KEYS - 1];
	KUNIT_ASSERT_EQ(test, blink_tree_count(r->tree), count);
}

static void compare_next(struct kunit *test, const struct ranges *r,
			 const u64 *value, u64 key)
{
	struct blink_range range, want;
	u64 at;
	int ret;

	for (at = key; at < KEYS && !value[at]; at++)
		;
	ret = FIND(r, next, key, &range);
	KUNIT_ASSERT_EQ(test, ret, at < KEYS ? 0 : -ENOENT);
	if (!ret) {
		want = expected(value, at);
		KUNIT_ASSERT_TRUE(test, same(&range, want.first, want.last,
					     want.value));
	}
	for (at = key + 1; at && !value[at - 1]; at--)
		;
	ret = FIND(r, prev, key, &range);
	KUNIT_ASSERT_EQ(test, ret, at ? 0 : -ENOENT);
	if (!ret) {
		want = expected(value, at - 1);
		KUNIT_ASSERT_TRUE(test, same(&range, want.first, want.last,
					     want.value));
	}
}

static void compare_gap(struct kunit *test, const struct ranges *r,
			const u64 *value, struct rnd_state *rnd)
{
	u64 first = fixture_below(rnd, KEYS), last = fixture_below(rnd, KEYS);
	u64 size = 1 + fixture_below(rnd, 12), at, n = 0, want = KEYS;
	const bool highest = fixture_below(rnd, 2);
	struct blink_range range;
	int ret;

	if (first > last)
		swap(first, last);
	range = (struct blink_range){ first, last };
	for (at = first; at <= last; at++) {
		n = value[at] ? 0 : n + 1;
		if (n >= size && (highest || want == KEYS))
			want = at - size + 1;
	}
	ret = gap(r, size, highest, &range);
	KUNIT_ASSERT_EQ(test, ret, want < KEYS ? 0 : -EBUSY);
	if (!ret && !same(&range, want, want + size - 1, 0))
		fixture_fail_at(test, want, "%llu of %llu to %llu: %llu", size,
				first, last, range.first);
}

/* Random ranges beside an array. */
static void random_ranges(struct kunit *test)
{
	const struct ranges r = ranges_at(test, test->param_value);
	u64 *value = fixture_alloc(test, KEYS, sizeof(*value));
	unsigned long n, rounds = world_work(4000);
	u64 first, last, with, key;
	struct rnd_state rnd;
	bool hole;
	int ret;

	fixture_seed(test, &rnd);
	for (n = 0; n < rounds; n++) {
		first = fixture_below(&rnd, KEYS);
		last = min_t(u64, KEYS - 1,
			     first + fixture_below(&rnd, n % 8 ? 8 : KEYS));
		with = fixture_below(&rnd, 4);
		hole = with;
		for (key = first; key <= last; key++)
			hole &= !value[key];
		if (n % 3) {
			ret = store(&r, first, last, with);
			KUNIT_ASSERT_EQ(test, ret, 0);
		} else {
			ret = insert(&r, first, last, with);
			KUNIT_ASSERT_EQ(test, ret,
					!with ? -EINVAL :
					hole  ? 0 :
						-EEXIST);
		}
		for (key = first; key <= last && !ret; key++)
			value[key] = with;
		compare(test, &r, value);
		compare_next(test, &r, value, fixture_below(&rnd, KEYS));
		compare_gap(test, &r, value, &rnd);
	}
	fixture_verified(test, r.tree);
	KUNIT_EXPECT_EQ(test, store(&r, 0, KEYS - 1, 0), 0);
	fixture_emptied(test, r.tree);
}

static void invalid(struct kunit *test)
{
	const struct ranges r = ranges_of(test);
	struct blink_range range = { 5, 4, 0 };

	KUNIT_EXPECT_EQ(test, store(&r, 5, 4, 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, insert(&r, 5, 4, 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, insert(&r, 4, 5, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, gap(&r, 1, false, &range), -EINVAL);
	range = (struct blink_range){ 4, 5, 1 };
	KUNIT_EXPECT_EQ(test, gap(&r, 0, false, &range), -EINVAL);
	KUNIT_EXPECT_EQ(test, alloc(&r, 0, false, &range), -EINVAL);
	KUNIT_EXPECT_EQ(test, alloc(&r, 3, false, &range), -EBUSY);
	range.value = 0;
	KUNIT_EXPECT_EQ(test, alloc(&r, 1, false, &range), -EINVAL);
	fixture_emptied(test, r.tree);
}

/* The whole of the keys, and ranges at its ends. */
static void whole(struct kunit *test)
{
	const struct ranges r = ranges_of(test);
	struct blink_u128_range big = { 0, r.wide ? -(u128)1 : U64_MAX, 7 };
	struct blink_range all = { 0, U64_MAX, 7 }, range;
	int ret = r.wide ? blink_u128_range_store(r.tree, &big, GFP_KERNEL) :
			   blink_range_store(r.tree, &all, GFP_KERNEL);

	KUNIT_EXPECT_EQ(test, ret, 0);
	KUNIT_EXPECT_EQ(test, blink_tree_count(r.tree), 1);
	KUNIT_EXPECT_EQ(test, insert(&r, 3, 3, 1), -EEXIST);
	KUNIT_EXPECT_EQ(test, store(&r, 3, 3, 1), 0);
	KUNIT_EXPECT_EQ(test, blink_tree_count(r.tree), 3);
	KUNIT_EXPECT_EQ(test, store(&r, 3, 3, 7), 0);
	KUNIT_EXPECT_EQ(test, blink_tree_count(r.tree), 1);
	range = (struct blink_range){ 0, KEYS - 1, 0 };
	KUNIT_EXPECT_EQ(test, gap(&r, 1, true, &range), -EBUSY);
	all.value = 0;
	big.value = 0;
	ret = r.wide ? blink_u128_range_store(r.tree, &big, GFP_KERNEL) :
		       blink_range_store(r.tree, &all, GFP_KERNEL);
	KUNIT_EXPECT_EQ(test, ret, 0);
	fixture_emptied(test, r.tree);
}

/* A range over more ranges than a commit can remove is refused, or stored in parts. */
static void parts(struct kunit *test)
{
	const struct ranges r = ranges_of(test);
	struct fixture_shape shape;
	struct blink_range range;
	unsigned int n;
	u64 nr, i;

	fixture_shape(test, &shape);
	nr = 40 * 240;
	for (i = 0; i < nr; i++)
		KUNIT_ASSERT_EQ(test, store(&r, 3 * i, 3 * i + i % 2, i + 1),
				0);
	KUNIT_EXPECT_EQ(test, blink_tree_count(r.tree), 2 * nr);
	KUNIT_EXPECT_EQ(test, store(&r, 1, 3 * nr, 5), -E2BIG);
	KUNIT_EXPECT_EQ(test, blink_tree_count(r.tree), 2 * nr);
	KUNIT_EXPECT_EQ(test, store_parts(&r, 1, 3 * nr - 3, 5, &n), 0);
	KUNIT_EXPECT_GT(test, n, 1);
	KUNIT_EXPECT_EQ(test, FIND(&r, lookup, 0, &range), 0);
	KUNIT_EXPECT_TRUE(test, same(&range, 0, 0, 1));
	KUNIT_EXPECT_EQ(test, FIND(&r, lookup, 1, &range), 0);
	KUNIT_EXPECT_EQ(test, range.first, 1);
	KUNIT_EXPECT_EQ(test, range.value, 5);
	/* The last key of the last range is left. */
	KUNIT_EXPECT_EQ(test, blink_tree_count(r.tree), 4);
	fixture_verified(test, r.tree);
}

/* A search that looks at seven ranges and holes at a time. */
static void search_in_parts(struct kunit *test)
{
	const struct ranges r = ranges_of(test);
	struct blink_range_search search = { .range = { 0, 1000 }, .size = 3 };
	unsigned int calls = 1;
	u64 i;
	int ret;

	if (r.wide)
		kunit_skip(test, "its structure is that for keys of 64 bits");
	for (i = 0; i < 100; i++)
		KUNIT_ASSERT_EQ(test, store(&r, 4 * i, 4 * i + 1, i + 1), 0);
	for (; (ret = blink_range_search(r.tree, &search, 7)) > 0; calls++)
		KUNIT_EXPECT_LE(test, search.range.first, 400);
	KUNIT_EXPECT_EQ(test, ret, 0);
	KUNIT_EXPECT_TRUE(test, same(&search.range, 398, 400, 0));
	KUNIT_EXPECT_EQ(test, calls, 200 / 7 + 1);
	search = (struct blink_range_search){ { 0, 397 }, 0, true };
	KUNIT_EXPECT_EQ(test, blink_range_search(r.tree, &search, 1), 0);
	KUNIT_EXPECT_TRUE(test, same(&search.range, 396, 397, 100));
	search = (struct blink_range_search){ { 5, 4 }, 0, true };
	KUNIT_EXPECT_EQ(test, blink_range_search(r.tree, &search, 1), -EINVAL);
}

#define CASES                                                \
	FIXTURE_PARAM_SLOW(random_ranges, place_gen_params), \
		KUNIT_CASE(invalid), KUNIT_CASE(whole), KUNIT_CASE(parts)
#define CASES_OF_U64 CASES, KUNIT_CASE(search_in_parts)

FIXTURE_SUITE("range_map", CASES_OF_U64);
FIXTURE_SUITE("range_map-inner", CASES_OF_U64);
FIXTURE_SUITE("range_map-full", CASES_OF_U64);
FIXTURE_SUITE("range_map-compress", CASES_OF_U64);
FIXTURE_SUITE("range_map-cohort", CASES_OF_U64);
FIXTURE_SUITE("range_map-u128-inner", CASES);
