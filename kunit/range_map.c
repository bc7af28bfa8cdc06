// SPDX-License-Identifier: GPL-2.0
/*
 * Ranges: beside an array that has the value of each key, at both ends of the keys; and threads
 * that share the keys out.
 */
#include <linux/blink_range.h>
#include <linux/minmax.h>

#include "fixture.h"
#include "threads.h"

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

/* Room of each place. */
#define KEYS 64

/**
 * struct ranges - a tree, and the keys of a test in it
 * @tree: the tree
 * @wide: its keys have 128 bits
 * @base: the first key
 * @keys: how many there are
 */
struct ranges {
	struct blink_tree *tree;
	bool wide;
	u128 base;
	u64 keys;
};

static struct ranges ranges_of(struct kunit *test, const struct place *place)
{
	struct ranges r = { .tree = fixture_tree(test), .keys = KEYS };

	r.wide = fixture_stats(r.tree).key == BLINK_TREE_KEY_U128;
	if (place)
		r.base = r.wide ? place->base : (u64)place->base;
	/* Across the halves of a key. */
	if (r.wide && place == &places[1])
		r.base = ((u128)1 << 64) - 20;
	return r;
}

/* A range of small numbers, as one of the tree, and back. */
static struct blink_range narrow(const struct ranges *r,
				 const struct blink_range *range)
{
	return (struct blink_range){ (u64)r->base + range->first,
				     (u64)r->base + range->last, range->value };
}

static struct blink_u128_range wide(const struct ranges *r,
				    const struct blink_range *range)
{
	return (struct blink_u128_range){ r->base + range->first,
					  r->base + range->last, range->value };
}

/* A hole can begin before the first key, and end behind the last one. */
static u64 clip(const struct ranges *r, u128 key, bool last)
{
	const u128 end = r->base + r->keys - 1;

	if (r->wide ? key > end : (u64)key > (u64)end)
		key = end;
	if (r->wide ? key < r->base : (u64)key < (u64)r->base)
		key = r->base;
	return key - r->base;
}

static int store(const struct ranges *r, u64 first, u64 last, u64 value)
{
	const struct blink_range range = { first, last, value };
	const struct blink_range key = narrow(r, &range);
	const struct blink_u128_range big = wide(r, &range);

	return r->wide ? blink_u128_range_store(r->tree, &big, GFP_KERNEL) :
			 blink_range_store(r->tree, &key, GFP_KERNEL);
}

static int insert(const struct ranges *r, u64 first, u64 last, u64 value)
{
	const struct blink_range range = { first, last, value };
	const struct blink_range key = narrow(r, &range);
	const struct blink_u128_range big = wide(r, &range);

	return r->wide ? blink_u128_range_insert(r->tree, &big, GFP_KERNEL) :
			 blink_range_insert(r->tree, &key, GFP_KERNEL);
}

/* Store as many parts as it takes. */
static int store_parts(const struct ranges *r, u64 first, u64 last, u64 value,
		       unsigned int *parts)
{
	const struct blink_range range = { first, last, value };
	struct blink_range key = narrow(r, &range);
	struct blink_u128_range big = wide(r, &range);
	int ret;

	for (*parts = 1;; ++*parts) {
		ret = r->wide ?
			      blink_u128_range_store_part(r->tree, &big,
							  GFP_KERNEL) :
			      blink_range_store_part(r->tree, &key, GFP_KERNEL);
		if (ret <= 0)
			return ret;
	}
}

typedef int (*find_t)(struct blink_tree *tree, u64 key,
		      struct blink_range *range);
typedef int (*find_wide_t)(struct blink_tree *tree, u128 key,
			   struct blink_u128_range *range);

static int find(const struct ranges *r, find_t find, find_wide_t find_wide,
		u64 key, struct blink_range *range)
{
	struct blink_u128_range big = {};
	struct blink_range small = {};
	int ret;

	if (!r->wide) {
		ret = find(r->tree, (u64)r->base + key, &small);
		big = (struct blink_u128_range){ small.first, small.last,
						 small.value };
	} else {
		ret = find_wide(r->tree, r->base + key, &big);
	}
	*range = (struct blink_range){ clip(r, big.first, false),
				       clip(r, big.last, true), big.value };
	return ret;
}

#define FIND(r, what, key, range) \
	find(r, blink_range_##what, blink_u128_range_##what, key, range)

static int gap(const struct ranges *r, u64 size, bool highest,
	       struct blink_range *range)
{
	struct blink_range key = narrow(r, range);
	struct blink_u128_range big = wide(r, range);
	int ret = r->wide ? blink_u128_range_gap(r->tree, size, highest, &big) :
			    blink_range_gap(r->tree, size, highest, &key);

	range->first = r->wide ? big.first - r->base : key.first - (u64)r->base;
	range->last = r->wide ? big.last - r->base : key.last - (u64)r->base;
	return ret;
}

static int alloc(const struct ranges *r, u64 size, bool highest,
		 struct blink_range *range)
{
	struct blink_range key = narrow(r, range);
	struct blink_u128_range big = wide(r, range);
	int ret = r->wide ? blink_u128_range_alloc(r->tree, size, highest, &big,
						   GFP_KERNEL) :
			    blink_range_alloc(r->tree, size, highest, &key,
					      GFP_KERNEL);

	range->first = r->wide ? big.first - r->base : key.first - (u64)r->base;
	range->last = r->wide ? big.last - r->base : key.last - (u64)r->base;
	return ret;
}

static bool same(const struct blink_range *range, u64 first, u64 last,
		 u64 value)
{
	return range->first == first && range->last == last &&
	       range->value == value;
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
	const struct ranges r = ranges_of(test, test->param_value);
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
	const struct ranges r = ranges_of(test, NULL);
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
	const struct ranges r = ranges_of(test, NULL);
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
	const struct ranges r = ranges_of(test, NULL);
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

/*
 * Threads that share keys out: a key that one of them has allocated belongs to no other until
 * it is freed.
 */
#define SHARED 256

struct shares {
	struct ranges r;
	unsigned int rounds;
	atomic_t owner[SHARED];
	atomic_t serial;
};

static void share_check(struct thread *me, struct shares *shares,
			const struct blink_range *range, int from, int to)
{
	u64 key;

	for (key = range->first; key <= range->last; key++)
		if (atomic_cmpxchg(&shares->owner[key], from, to) != from)
			thread_fail(me, "key %llu has another owner", key);
}

static void share_one(struct thread *me, struct shares *shares)
{
	struct blink_range range = { 0, SHARED - 1, 0 }, found;
	const u64 size = 1 + fixture_below(&me->rnd, 20);
	const bool highest = fixture_below(&me->rnd, 2);
	int id = 2 * atomic_inc_return(&shares->serial), ret;

	range.value = id;
	ret = alloc(&shares->r, size, highest, &range);
	if (ret == -EBUSY)
		return;
	if (ret || range.last - range.first != size - 1) {
		thread_fail(me, "%llu keys: %d", size, ret);
		return;
	}
	share_check(me, shares, &range, 0, id);
	ret = FIND(&shares->r, lookup, range.first, &found);
	if (ret || !same(&found, range.first, range.last, id))
		thread_fail(me, "range %d is %llu to %llu", id, found.first,
			    found.last);
	share_check(me, shares, &range, id, 0);
	ret = store(&shares->r, range.first, range.last, 0);
	if (ret)
		thread_fail(me, "range %d is not freed: %d", id, ret);
}

static void sharer(struct thread *me)
{
	struct shares *shares = me->arg;
	unsigned long n;

	for (n = 0; n < world_work(shares->rounds) && thread_goes_on(me); n++)
		share_one(me, shares);
}

static void share_out(struct kunit *test)
{
	struct shares *shares = fixture_alloc(test, 1, sizeof(*shares));
	struct threads *threads;

	shares->r = ranges_of(test, NULL);
	shares->r.keys = SHARED;
	shares->rounds = 20000;
	threads = threads_create(test, shares->r.tree);
	threads_lead(threads, 4, sharer, shares);
	threads_run(threads);
	fixture_emptied(test, shares->r.tree);
}

/*
 * A writer gives all keys the value 1, and then one key after the other a value of its own, so
 * that there are many leaves. Readers find what was there at one moment.
 */
struct turns {
	struct ranges r;
	unsigned int rounds;
	atomic_t looks;
};

static void turn(struct thread *me)
{
	struct turns *turns = me->arg;
	const struct ranges *r = &turns->r;
	unsigned long n;
	u64 key;

	for (n = 0; n < world_work(turns->rounds) && thread_goes_on(me); n++) {
		key = n % KEYS;
		if (!key && store(r, 0, KEYS - 1, 1))
			thread_fail(me, "no range of all keys");
		if (key && store(r, key - 1, key - 1, key + 1))
			thread_fail(me, "no range of key %llu", key - 1);
	}
}

static void turn_look(struct thread *me)
{
	struct turns *turns = me->arg;
	struct blink_range range;
	int ret;

	while (thread_goes_on(me)) {
		ret = FIND(&turns->r, lookup, fixture_below(&me->rnd, KEYS),
			   &range);
		if (ret ||
		    (range.value == 1 ? range.last != KEYS - 1 :
					!same(&range, range.value - 2,
					      range.value - 2, range.value)))
			thread_fail(me, "%llu to %llu is %llu: %d", range.first,
				    range.last, range.value, ret);
		atomic_inc(&turns->looks);
	}
}

static void one_moment(struct kunit *test)
{
	struct turns *turns = fixture_alloc(test, 1, sizeof(*turns));
	struct threads *threads;

	turns->r = ranges_of(test, NULL);
	turns->rounds = 60000;
	KUNIT_ASSERT_EQ(test, store(&turns->r, 0, KEYS - 1, 1), 0);
	threads = threads_create(test, turns->r.tree);
	threads_lead(threads, 1, turn, turns);
	threads_follow(threads, 3, turn_look, turns);
	threads_run(threads);
	KUNIT_EXPECT_GT(test, atomic_read(&turns->looks), 0);
	fixture_verified(test, turns->r.tree);
}

/*
 * Ranges that overlap: one writer has the keys from KEYS on, the others end before. So the value
 * there is the last one of this writer, whatever they do to the keys before.
 */
static void overlap_below(struct thread *me)
{
	struct turns *turns = me->arg;
	unsigned long n;

	for (n = 0; n < world_work(turns->rounds) && thread_goes_on(me); n++)
		if (store(&turns->r, fixture_below(&me->rnd, KEYS / 2),
			  KEYS / 2 + fixture_below(&me->rnd, KEYS / 2 - 1),
			  fixture_below(&me->rnd, 4)))
			thread_fail(me, "no range");
}

static void overlap_above(struct thread *me)
{
	struct turns *turns = me->arg;
	struct blink_range range;
	u64 value = 1000;
	int ret;

	while (thread_goes_on(me)) {
		ret = store(&turns->r,
			    KEYS / 2 + fixture_below(&me->rnd, KEYS / 2),
			    KEYS + fixture_below(&me->rnd, KEYS), ++value);
		ret = ret ?: FIND(&turns->r, lookup, KEYS, &range);
		if (ret || range.value != value)
			thread_fail(me, "%llu, not %llu: %d", range.value,
				    value, ret);
		atomic_inc(&turns->looks);
	}
}

static void overlaps(struct kunit *test)
{
	struct turns *turns = fixture_alloc(test, 1, sizeof(*turns));
	struct threads *threads;

	turns->r = ranges_of(test, NULL);
	turns->r.keys = 2 * KEYS;
	turns->rounds = 20000;
	threads = threads_create(test, turns->r.tree);
	threads_lead(threads, 2, overlap_below, turns);
	threads_follow(threads, 1, overlap_above, turns);
	threads_run(threads);
	KUNIT_EXPECT_GT(test, atomic_read(&turns->looks), 0);
	fixture_verified(test, turns->r.tree);
	KUNIT_EXPECT_EQ(test, store(&turns->r, 0, 2 * KEYS - 1, 0), 0);
	fixture_emptied(test, turns->r.tree);
}

/*
 * A plain store to a boundary, and then a commit that moves the next one, which is in another
 * leaf: no lookup finds the new end with the old value.
 */
#define MOVES 16

static u64 end_of(u64 value)
{
	return 32 + value % MOVES;
}

static void move_end(struct thread *me)
{
	struct turns *turns = me->arg;
	struct blink_tree *tree = turns->r.tree;
	unsigned long n;

	for (n = 1; n < world_work(turns->rounds) && thread_goes_on(me); n++) {
		struct blink_tree_ioc_op ops[] = {
			{ .opcode = BLINK_TREE_OP_ERASE, .key = end_of(n - 1) },
			{ .opcode = BLINK_TREE_OP_INSERT, .key = end_of(n) },
		};

		if (blink_tree_store(tree, 10, n, NULL, GFP_KERNEL) != 1 ||
		    blink_tree_commit(tree, ops, 2, NULL, GFP_KERNEL))
			thread_fail(me, "the end is not moved to %llu",
				    end_of(n));
	}
}

static void look_at_end(struct thread *me)
{
	struct turns *turns = me->arg;
	struct blink_range range;
	int ret;

	while (thread_goes_on(me)) {
		ret = FIND(&turns->r, lookup, 20, &range);
		if (ret || range.first != 10 ||
		    (range.last + 1 != end_of(range.value) &&
		     range.last + 1 != end_of(range.value - 1)))
			thread_fail(me, "value %llu, up to %llu: %d",
				    range.value, range.last, ret);
		atomic_inc(&turns->looks);
	}
}

static void plain_stores(struct kunit *test)
{
	static const u64 keys[] = { 8, 9, 10, 32, 60, 61 };
	struct turns *turns = fixture_alloc(test, 1, sizeof(*turns));
	struct threads *threads;
	unsigned int i;

	turns->r = ranges_of(test, NULL);
	if (turns->r.wide)
		kunit_skip(test, "other operations are on keys of 64 bits");
	turns->rounds = 60000;
	for (i = 0; i < ARRAY_SIZE(keys); i++)
		KUNIT_ASSERT_EQ(test,
				blink_tree_insert(turns->r.tree, keys[i],
						  keys[i] == 10 ? MOVES : 1,
						  NULL, GFP_KERNEL),
				0);
	threads = threads_create(test, turns->r.tree);
	threads_lead(threads, 1, move_end, turns);
	threads_follow(threads, 2, look_at_end, turns);
	threads_run(threads);
	KUNIT_EXPECT_GT(test, atomic_read(&turns->looks), 0);
	fixture_verified(test, turns->r.tree);
}

/* A search that looks at seven ranges and holes at a time. */
static void search_in_parts(struct kunit *test)
{
	const struct ranges r = ranges_of(test, NULL);
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

#define CASES_OF_U64 \
	CASES, KUNIT_CASE_SLOW(plain_stores), KUNIT_CASE(search_in_parts)
#define CASES                                                              \
	FIXTURE_PARAM_SLOW(random_ranges, place_gen_params),               \
		KUNIT_CASE(invalid), KUNIT_CASE(whole), KUNIT_CASE(parts), \
		KUNIT_CASE_SLOW(share_out), KUNIT_CASE_SLOW(one_moment),   \
		KUNIT_CASE_SLOW(overlaps)

FIXTURE_SUITE("range_map", CASES_OF_U64);
FIXTURE_SUITE("range_map-inner", CASES_OF_U64);
FIXTURE_SUITE("range_map-full", CASES_OF_U64);
FIXTURE_SUITE("range_map-compress", CASES_OF_U64);
FIXTURE_SUITE("range_map-cohort", CASES_OF_U64);
FIXTURE_SUITE("range_map-u128-inner", CASES);
