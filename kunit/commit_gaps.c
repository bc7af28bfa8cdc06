// SPDX-License-Identifier: GPL-2.0
/*
 * Gaps between the keys of a commit: those that have to be empty, and those that are cleared.
 */
#include "commit.h"
#include "threads.h"

#define GAP(code, k, v, o, f)             \
	{ .opcode = BLINK_TREE_OP_##code, \
	  .flags = BLINK_TREE_COMMIT_##f, \
	  .key = (k),                     \
	  .value = (v),                   \
	  .old = (o) }

/* A tree with the keys 10, 20, … 100, each with itself as its value. */
static struct blink_tree *tens(struct kunit *test)
{
	struct blink_tree *tree = fixture_tree(test);
	u64 key;

	for (key = 10; key <= 100; key += 10)
		KUNIT_ASSERT_EQ(
			test,
			blink_tree_store(tree, key, key, NULL, GFP_KERNEL), 0);
	return tree;
}

/* A gap fails its commit if a key is in it, with the number of its operation. */
static void empty(struct kunit *test)
{
	const struct {
		struct blink_tree_ioc_op ops[2];
		int result;
	} gaps[] = {
		{ { GAP(EXPECT, 10, 0, 10, EMPTY), OP(EXPECT, 20, 0, 20) }, 0 },
		{ { GAP(LOOKUP, 10, 10, 0, EMPTY), OP(ABSENT, 19, 0, 0) }, 0 },
		{ { GAP(ABSENT, 11, 0, 0, EMPTY), OP(ABSENT, 19, 0, 0) }, 0 },
		{ { GAP(ABSENT, 11, 0, 0, EMPTY), OP(EXPECT, 20, 0, 20) }, 0 },
		{ { GAP(ABSENT, 11, 0, 0, EMPTY), OP(ABSENT, 12, 0, 0) }, 0 },
		{ { GAP(ABSENT, 0, 0, 0, EMPTY), OP(EXPECT, 10, 0, 10) }, 0 },
		{ { GAP(EXPECT, 100, 0, 100, EMPTY), OP(ABSENT, -1ULL, 0, 0) },
		  0 },
		{ { GAP(EXPECT, 10, 0, 10, EMPTY), OP(ABSENT, 21, 0, 0) },
		  -ENOTEMPTY },
		{ { GAP(ABSENT, 11, 0, 0, EMPTY), OP(ABSENT, 21, 0, 0) },
		  -ENOTEMPTY },
		{ { GAP(ABSENT, 0, 0, 0, EMPTY), OP(EXPECT, 20, 0, 20) },
		  -ENOTEMPTY },
		{ { GAP(ABSENT, 0, 0, 0, EMPTY), OP(ABSENT, -1ULL, 0, 0) },
		  -ENOTEMPTY },
		{ { GAP(STORE, 85, 1, 0, EMPTY), OP(STORE, 95, 1, 0) },
		  -ENOTEMPTY },
	};
	struct blink_tree *tree = tens(test);
	struct blink_tree_ioc_op ops[2];
	unsigned int i, failed;
	int ret;

	for (i = 0; i < ARRAY_SIZE(gaps); i++) {
		memcpy(ops, gaps[i].ops, sizeof(ops));
		failed = 77;
		ret = blink_tree_commit(tree, ops, 2, &failed, GFP_KERNEL);
		KUNIT_EXPECT_EQ_MSG(test, ret, gaps[i].result ? -ESTALE : 0,
				    "%u", i);
		KUNIT_EXPECT_EQ_MSG(test, failed, gaps[i].result ? 0 : 77, "%u",
				    i);
		KUNIT_EXPECT_EQ_MSG(test, ops[0].result, gaps[i].result, "%u",
				    i);
	}
	fixture_sound(test, tree, 10);
}

/* The operations on a key have one gap, and those that fail before it are told first. */
static void shared(struct kunit *test)
{
	struct blink_tree_ioc_op ops[] = {
		OP(EXPECT, 30, 0, 30),
		GAP(EXPECT, 10, 0, 10, EMPTY),
		OP(STORE, 10, 11, 0),
	};
	struct blink_tree *tree = tens(test);
	unsigned int failed = 77;

	KUNIT_EXPECT_EQ(test,
			blink_tree_commit(tree, ops, 3, &failed, GFP_KERNEL),
			-ESTALE);
	KUNIT_EXPECT_EQ(test, failed, 2);
	KUNIT_EXPECT_EQ(test, ops[2].result, -ENOTEMPTY);
	KUNIT_EXPECT_EQ(test, ops[2].old, 10);
	ops[0].old = 31;
	KUNIT_EXPECT_EQ(test,
			blink_tree_commit(tree, ops, 3, &failed, GFP_KERNEL),
			-ESTALE);
	KUNIT_EXPECT_EQ(test, failed, 0);
	ops[0] = (struct blink_tree_ioc_op)OP(EXPECT, 20, 0, 20);
	KUNIT_EXPECT_EQ(test, commit(tree, ops, 3), 0);
	fixture_sound(test, tree, 10);
}

static void invalid(struct kunit *test)
{
	struct blink_tree_ioc_op ops[] = {
		GAP(EXPECT, 10, 0, 10, EMPTY),
		OP(EXPECT, 20, 0, 20),
	};
	struct blink_tree *tree = tens(test);

	KUNIT_EXPECT_EQ(test, commit(tree, ops, 2), 0);
	KUNIT_EXPECT_EQ(test, commit(tree, ops, 1), -EINVAL);
	ops[0].flags = BLINK_TREE_COMMIT_EMPTY | BLINK_TREE_COMMIT_CLEAR;
	KUNIT_EXPECT_EQ(test, commit(tree, ops, 2), -EINVAL);
	ops[0].flags = 4;
	KUNIT_EXPECT_EQ(test, commit(tree, ops, 2), -EINVAL);
	ops[0].flags = 0;
	ops[1].flags = BLINK_TREE_COMMIT_CLEAR;
	KUNIT_EXPECT_EQ(test, commit(tree, ops, 2), -EINVAL);
	/* A flag of an operation alone. */
	blink_tree_op(tree, &ops[1], GFP_KERNEL);
	KUNIT_EXPECT_EQ(test, ops[1].result, -EINVAL);
	fixture_sound(test, tree, 10);
}

/* Clear gaps of all lengths, at each place: the rest stays, and its neighbours are stored. */
static void clear(struct kunit *test)
{
	struct blink_tree *tree = fixture_tree(test);
	u64 first, n, key, nr = 40, value, want;

	for (n = 2; n <= nr; n += 1 + n / 4) {
		for (first = 0; first + n <= nr; first++) {
			struct blink_tree_ioc_op ops[] = {
				OP(STORE, first + n, 1, 0),
				GAP(STORE, first, 2, 0, CLEAR),
			};

			for (key = 0; key <= nr; key++)
				blink_tree_store(tree, key, 3, NULL,
						 GFP_KERNEL);
			KUNIT_ASSERT_EQ(test, commit(tree, ops, 2), 0);
			fixture_content(test, tree, nr + 2 - n);
			for (key = 0; key <= nr; key++) {
				bool gone = key > first && key < first + n;

				KUNIT_ASSERT_EQ(test,
						blink_tree_lookup(tree, key,
								  &value),
						gone ? -ENOENT : 0);
				if (gone)
					continue;
				want = 3;
				if (key == first)
					want = 2;
				if (key == first + n)
					want = 1;
				KUNIT_ASSERT_EQ(test, value, want);
			}
		}
		fixture_verified(test, tree);
	}
}

/* The keys of a cleared gap give their room back, also to those that the commit adds. */
static void limit(struct kunit *test)
{
	struct blink_tree_ioc_op ops[] = {
		GAP(INSERT, 5, 0, 0, CLEAR),
		OP(INSERT, 25, 0, 0),
	};
	struct blink_tree_params params = world_params(test);
	struct blink_tree *tree;

	params.max_entries = 10;
	tree = fixture_tree_with(test, &params);
	fixture_fill(test, tree, 10, 10, 10);
	KUNIT_EXPECT_EQ(test, commit(tree, ops, 2), 0);
	fixture_content(test, tree, 10);
	ops[0].opcode = BLINK_TREE_OP_EXPECT;
	ops[1].key = 95;
	KUNIT_EXPECT_EQ(test, commit(tree, ops, 2), 0);
	fixture_content(test, tree, 3);
	for (ops[1].key = 200; ops[1].key < 207; ops[1].key++)
		KUNIT_EXPECT_EQ(test, commit(tree, &ops[1], 1), 0);
	KUNIT_EXPECT_EQ(test, commit(tree, &ops[1], 1), -ENOSPC);
	fixture_verified(test, tree);
}

/* A gap of more leaves than a commit can lock changes nothing; in parts it is cleared. */
static void too_many(struct kunit *test)
{
	struct blink_tree *tree = fixture_tree(test);
	struct blink_tree_ioc_op ops[] = {
		GAP(STORE, 0, 1, 0, CLEAR),
		OP(STORE, 0, 1, 0),
	};
	struct fixture_shape shape;
	u64 nr, step;
	int ret;

	fixture_shape(test, &shape);
	nr = (commit_max(test) + 4) * 240;
	fixture_fill(test, tree, 0, 1, nr);
	ops[1].key = nr;
	KUNIT_EXPECT_EQ(test, commit(tree, ops, 2), -E2BIG);
	fixture_sound(test, tree, nr);
	for (step = nr; ops[0].key < nr; ops[0].key = ops[1].key) {
		do {
			ops[1].key = min(ops[0].key + step, nr);
			ret = commit(tree, ops, 2);
		} while (ret == -E2BIG && (step /= 2));
		KUNIT_ASSERT_EQ(test, ret, 0);
	}
	KUNIT_EXPECT_GT(test, nr, step);
	KUNIT_EXPECT_GE(test, step, shape.leaf_slots / 2);
	fixture_verified(test, tree);
}

/* Leaves that the commit splits, but that no gap has, do not count for the gap elsewhere. */
static void splits_beside(struct kunit *test)
{
	struct blink_tree_ioc_op ops[BLINK_TREE_COMMIT_MAX] = {
		GAP(LOOKUP, 0, 0, 0, EMPTY),
		OP(ABSENT, 1, 0, 0),
	};
	struct blink_tree *tree = fixture_tree(test);
	unsigned int max = commit_max(test), i;

	fixture_fill(test, tree, 0, 2, (max + 1) * 240);
	for (i = 2; i < max; i++)
		ops[i] =
			(struct blink_tree_ioc_op)OP(INSERT, 480 * i + 1, 0, 0);
	KUNIT_EXPECT_EQ(test, commit(tree, ops, max), 0);
	fixture_sound(test, tree, (max + 1) * 240 + max - 2);
}

/* The leaves of a tree that lost all keys but two are merged. */
static void merges(struct kunit *test)
{
	unsigned int max = commit_max(test);
	struct blink_tree *tree = fixture_tree(test);
	struct fixture_shape shape;
	u64 key, step;

	fixture_shape(test, &shape);
	step = (max - 2) * (shape.leaf_slots / 2);
	fixture_fill(test, tree, 0, 1, 40 * step);
	for (key = 0; key < 40 * step; key += step) {
		struct blink_tree_ioc_op ops[] = {
			GAP(ERASE, key, 0, 0, CLEAR),
			OP(LOOKUP, key + step, 0, 0),
		};

		KUNIT_ASSERT_EQ(test, commit(tree, ops, 2), 0);
	}
	fixture_emptied(test, tree);
}

/*
 * Each gap between two fences has exactly one key at any moment. Threads put another one
 * there, which clears the gap, and look for it.
 */
#define GAPS 24
#define GAP_WIDTH 50

struct gaps {
	unsigned int rounds;
	atomic_t seen;
	atomic_t moved;
};

/* Put another key into a gap. */
static void gap_move(struct thread *me, struct gaps *gaps)
{
	u64 fence = (u64)fixture_below(&me->rnd, GAPS) * GAP_WIDTH;
	struct blink_tree_ioc_op ops[] = {
		OP(EXPECT, fence + GAP_WIDTH, 0, 1),
		GAP(STORE, fence + 1 + fixture_below(&me->rnd, GAP_WIDTH - 1),
		    2, 0, CLEAR),
		GAP(EXPECT, fence, 0, 1, CLEAR),
	};
	int ret = commit(me->threads->tree, ops, 3);

	if (ret)
		thread_fail(me, "gap %llu is not changed: %d", fence, ret);
	atomic_inc(&gaps->moved);
}

/* The threads that look may have no CPU for all of the rounds. */
static bool gaps_go_on(const struct gaps *gaps, unsigned long n)
{
	return n < world_work(gaps->rounds) || !atomic_read(&gaps->seen);
}

static void gap_mover(struct thread *me)
{
	struct gaps *gaps = me->arg;
	unsigned long n;

	for (n = 0; gaps_go_on(gaps, n) && thread_goes_on(me); n++)
		gap_move(me, gaps);
}

/* If the key that a ceiling found is still there, nothing else is in its gap. */
static void gap_look(struct thread *me, struct gaps *gaps)
{
	u64 fence = (u64)fixture_below(&me->rnd, GAPS) * GAP_WIDTH;
	struct blink_tree_ioc_op ops[] = {
		GAP(EXPECT, 0, 0, 2, EMPTY),
		GAP(EXPECT, fence, 0, 1, EMPTY),
		OP(EXPECT, fence + GAP_WIDTH, 0, 1),
	};
	struct blink_tree *tree = me->threads->tree;
	struct blink_tree_entry entry;
	unsigned int failed = 0;
	int ret = blink_tree_ceiling(tree, fence + 1, &entry);

	if (ret || entry.key >= fence + GAP_WIDTH) {
		thread_fail(me, "gap %llu has no key: %d", fence, ret);
		return;
	}
	ops[0].key = entry.key;
	ret = blink_tree_commit(tree, ops, 3, &failed, GFP_KERNEL);
	if (!ret)
		atomic_inc(&gaps->seen);
	else if (ret != -ESTALE || failed || ops[0].result != -ENOENT)
		thread_fail(me, "gap %llu: %d, %u", fence, ret, failed);
}

static void gap_looker(struct thread *me)
{
	while (thread_goes_on(me))
		gap_look(me, me->arg);
}

static void one_in_each(struct kunit *test)
{
	struct gaps gaps = { .rounds = 20000 };
	struct blink_tree *tree = fixture_tree(test);
	struct threads *threads = threads_create(test, tree);
	u64 i;

	for (i = 0; i <= GAPS; i++) {
		blink_tree_store(tree, i * GAP_WIDTH, 1, NULL, GFP_KERNEL);
		if (i < GAPS)
			blink_tree_store(tree, i * GAP_WIDTH + 1, 2, NULL,
					 GFP_KERNEL);
	}
	threads_lead(threads, 2, gap_mover, &gaps);
	threads_follow(threads, 2, gap_looker, &gaps);
	threads_run(threads);
	KUNIT_EXPECT_GT(test, atomic_read(&gaps.moved), 0);
	KUNIT_EXPECT_GT(test, atomic_read(&gaps.seen), 0);
	fixture_sound(test, tree, 2 * GAPS + 1);
}

#define CASES                                                               \
	KUNIT_CASE(empty), KUNIT_CASE(shared), KUNIT_CASE(invalid),         \
		KUNIT_CASE(clear), KUNIT_CASE(limit), KUNIT_CASE(too_many), \
		KUNIT_CASE(splits_beside), KUNIT_CASE(merges),              \
		KUNIT_CASE_SLOW(one_in_each)

FIXTURE_SUITE("commit_gaps", CASES);
FIXTURE_SUITE("commit_gaps-inner", CASES);
FIXTURE_SUITE("commit_gaps-full", CASES);
FIXTURE_SUITE("commit_gaps-compress", CASES);
FIXTURE_SUITE("commit_gaps-u128-inner", CASES);
FIXTURE_SUITE("commit_gaps-bytes-inner", CASES);
