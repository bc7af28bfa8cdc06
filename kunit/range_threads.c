// SPDX-License-Identifier: GPL-2.0
/* Ranges that several threads store and look up at the same time. */
#include "range_map.h"
#include "threads.h"

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

static void share_out_from(struct kunit *test, u128 base)
{
	struct shares *shares = fixture_alloc(test, 1, sizeof(*shares));
	struct threads *threads;

	shares->r = ranges_of(test);
	shares->r.base = base;
	shares->r.keys = SHARED;
	shares->rounds = 20000;
	threads = threads_create(test, shares->r.tree);
	threads_lead(threads, 4, sharer, shares);
	threads_run(threads);
	fixture_emptied(test, shares->r.tree);
}

static void share_out(struct kunit *test)
{
	share_out_from(test, 0);
}

/* No boundary is behind the greatest key. */
static void share_out_greatest(struct kunit *test)
{
	share_out_from(test, -(u128)SHARED);
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

/* Let some threads do their rounds, and others go on until these have. */
static void take_turns(struct kunit *test, struct turns *turns,
		       unsigned int leaders, thread_work_t lead,
		       unsigned int followers, thread_work_t follow)
{
	struct threads *threads = threads_create(test, turns->r.tree);

	threads_lead(threads, leaders, lead, turns);
	threads_follow(threads, followers, follow, turns);
	threads_run(threads);
	KUNIT_EXPECT_GT(test, atomic_read(&turns->looks), 0);
}

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

	turns->r = ranges_of(test);
	turns->rounds = 60000;
	KUNIT_ASSERT_EQ(test, store(&turns->r, 0, KEYS - 1, 1), 0);
	take_turns(test, turns, 1, turn, 3, turn_look);
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
	struct blink_range range = {};
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

	turns->r = ranges_of(test);
	turns->r.keys = 2 * KEYS;
	turns->rounds = 20000;
	take_turns(test, turns, 2, overlap_below, 1, overlap_above);
	fixture_verified(test, turns->r.tree);
	KUNIT_EXPECT_EQ(test, store(&turns->r, 0, 2 * KEYS - 1, 0), 0);
	fixture_emptied(test, turns->r.tree);
}

/*
 * One thread has keys far away, and the others fill the hole before them with so many ranges that
 * their boundaries are in more leaves than a commit can lock.
 */
#define FAR 100000
#define FILLED 400

static void store_far(struct thread *me)
{
	struct turns *turns = me->arg;
	unsigned long n;
	int ret;

	for (n = 0; n < world_work(turns->rounds) && thread_goes_on(me); n++) {
		ret = insert(&turns->r, FAR, FAR + 10, 1 + n % 2);
		if (ret)
			thread_fail(me, "free keys are not taken: %d", ret);
		ret = store(&turns->r, FAR, FAR + 10, 0);
		if (ret)
			thread_fail(me, "they are not freed: %d", ret);
	}
}

static void fill_before(struct thread *me)
{
	struct turns *turns = me->arg;
	unsigned int parts;
	u64 key;

	while (thread_goes_on(me)) {
		for (key = 0; key < FILLED; key++)
			if (store(&turns->r, 2 * key, 2 * key, 1 + key))
				thread_fail(me, "no range of %llu", 2 * key);
		if (store_parts(&turns->r, 0, 2 * FILLED, 0, &parts))
			thread_fail(me, "no hole");
		atomic_inc(&turns->looks);
	}
}

static void far_apart(struct kunit *test)
{
	struct turns *turns = fixture_alloc(test, 1, sizeof(*turns));

	turns->r = ranges_of(test);
	turns->r.keys = FAR + 11;
	turns->rounds = 20000;
	take_turns(test, turns, 1, store_far, 2, fill_before);
	KUNIT_EXPECT_EQ(test, store(&turns->r, 0, FAR + 10, 0), 0);
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
	unsigned int i;

	turns->r = ranges_of(test);
	if (turns->r.wide)
		kunit_skip(test, "other operations are on keys of 64 bits");
	turns->rounds = 60000;
	for (i = 0; i < ARRAY_SIZE(keys); i++)
		KUNIT_ASSERT_EQ(test,
				blink_tree_insert(turns->r.tree, keys[i],
						  keys[i] == 10 ? MOVES : 1,
						  NULL, GFP_KERNEL),
				0);
	take_turns(test, turns, 1, move_end, 2, look_at_end);
	fixture_verified(test, turns->r.tree);
}

#define CASES                                                            \
	KUNIT_CASE_SLOW(share_out), KUNIT_CASE_SLOW(share_out_greatest), \
		KUNIT_CASE_SLOW(far_apart), KUNIT_CASE_SLOW(one_moment), \
		KUNIT_CASE_SLOW(overlaps)
#define CASES_OF_U64 CASES, KUNIT_CASE_SLOW(plain_stores)

FIXTURE_SUITE("range_threads", CASES_OF_U64);
FIXTURE_SUITE("range_threads-inner", CASES_OF_U64);
FIXTURE_SUITE("range_threads-full", CASES_OF_U64);
FIXTURE_SUITE("range_threads-compress", CASES_OF_U64);
FIXTURE_SUITE("range_threads-cohort", CASES_OF_U64);
FIXTURE_SUITE("range_threads-u128-inner", CASES);
