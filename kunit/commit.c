// SPDX-License-Identifier: GPL-2.0
/*
 * Commits: the results of each operation, conditions that are not true, full leaves, and random
 * commits beside a model.
 */
#include <linux/string.h>

#include "commit.h"
#include "universe.h"

/* An operation on a tree with 5 → 50 and 9 → 90, and what it gives. */
struct outcome {
	const char *what;
	struct blink_tree_ioc_op op;
	int result;
	u64 value;
	u64 old;
};

static const struct outcome outcomes[] = {
	{ "lookup", OP(LOOKUP, 5, 7, 8), 0, 50, 8 },
	{ "lookup absent", OP(LOOKUP, 6, 7, 8), -ENOENT, 7, 8 },
	{ "insert", OP(INSERT, 6, 60, 8), 0, 60, 8 },
	{ "store new", OP(STORE, 6, 60, 8), 0, 60, 8 },
	{ "store over", OP(STORE, 5, 51, 8), 1, 51, 50 },
	{ "replace", OP(REPLACE, 5, 51, 8), 0, 51, 50 },
	{ "cmpxchg", OP(CMPXCHG, 5, 51, 50), 0, 51, 50 },
	{ "erase", OP(ERASE, 5, 7, 8), 0, 7, 50 },
	{ "cmperase", OP(CMPERASE, 5, 7, 50), 0, 7, 50 },
	{ "get or insert", OP(GET_OR_INSERT, 6, 60, 8), 0, 60, 8 },
	{ "get or insert present", OP(GET_OR_INSERT, 5, 51, 8), 1, 51, 50 },
	{ "add new", OP(ADD, 6, 60, 8), 0, 60, 8 },
	{ "add", OP(ADD, 5, 3, 8), 1, 3, 50 },
	{ "saturate new", OP(ADD_SATURATE, 6, -6ULL, 8), 0, -6ULL, 8 },
	{ "saturate", OP(ADD_SATURATE, 5, -60ULL, 8), 1, -60ULL, 50 },
	{ "expect", OP(EXPECT, 5, 7, 50), 0, 7, 50 },
	{ "absent", OP(ABSENT, 6, 7, 8), 0, 7, 8 },
};

/* Those that fail their commit. */
static const struct outcome failures[] = {
	{ "insert present", OP(INSERT, 5, 51, 8), -EEXIST, 51, 50 },
	{ "replace absent", OP(REPLACE, 6, 60, 8), -ENOENT, 60, 8 },
	{ "cmpxchg stale", OP(CMPXCHG, 5, 51, 8), -ESTALE, 51, 50 },
	{ "cmpxchg absent", OP(CMPXCHG, 6, 60, 8), -ENOENT, 60, 8 },
	{ "erase absent", OP(ERASE, 6, 7, 8), -ENOENT, 7, 8 },
	{ "cmperase stale", OP(CMPERASE, 5, 7, 8), -ESTALE, 7, 50 },
	{ "cmperase absent", OP(CMPERASE, 6, 7, 8), -ENOENT, 7, 8 },
	{ "expect stale", OP(EXPECT, 5, 7, 8), -ESTALE, 7, 50 },
	{ "expect absent", OP(EXPECT, 6, 7, 8), -ENOENT, 7, 8 },
	{ "absent present", OP(ABSENT, 5, 7, 8), -EEXIST, 7, 50 },
};

static void expect_outcome(struct kunit *test, const struct outcome *outcome,
			   const struct blink_tree_ioc_op *op)
{
	KUNIT_EXPECT_EQ_MSG(test, op->result, outcome->result, "%s",
			    outcome->what);
	KUNIT_EXPECT_EQ_MSG(test, op->value, outcome->value, "%s",
			    outcome->what);
	KUNIT_EXPECT_EQ_MSG(test, op->old, outcome->old, "%s", outcome->what);
}

/* The content that outcomes and failures begin with. */
static struct blink_tree *small_tree(struct kunit *test)
{
	struct blink_tree *tree = fixture_tree(test);

	KUNIT_ASSERT_EQ(test, blink_tree_store(tree, 5, 50, NULL, GFP_KERNEL),
			0);
	KUNIT_ASSERT_EQ(test, blink_tree_store(tree, 9, 90, NULL, GFP_KERNEL),
			0);
	return tree;
}

static void expect_value(struct kunit *test, struct blink_tree *tree, u64 key,
			 int ret, u64 value, const char *what)
{
	u64 found = value;

	KUNIT_EXPECT_EQ_MSG(test, blink_tree_lookup(tree, key, &found), ret,
			    "%s", what);
	KUNIT_EXPECT_EQ_MSG(test, found, value, "%s", what);
}

/* A key has the same value in two trees, or is absent from both. */
static void expect_same(struct kunit *test, struct blink_tree *tree,
			struct blink_tree *other, u64 key, const char *what)
{
	u64 value = 0;
	int ret = blink_tree_lookup(other, key, &value);

	expect_value(test, tree, key, ret, value, what);
}

/* Each operation, alone and beside a store that takes effect with it. */
static void results(struct kunit *test)
{
	struct blink_tree_ioc_op ops[2], single;
	struct blink_tree *tree, *other;
	unsigned int i, nr;

	for (i = 0; i < ARRAY_SIZE(outcomes); i++) {
		for (nr = 1; nr <= 2; nr++) {
			tree = small_tree(test);
			ops[0] = outcomes[i].op;
			ops[1] = (struct blink_tree_ioc_op)OP(STORE, 9, 91, 0);
			KUNIT_EXPECT_EQ(test, commit(tree, ops, nr), 0);
			expect_outcome(test, &outcomes[i], &ops[0]);
			expect_value(test, tree, 9, 0, nr == 2 ? 91 : 90,
				     outcomes[i].what);
			fixture_verified(test, tree);
		}
		/* It gives and does what it does when it is executed alone. */
		single = outcomes[i].op;
		if (single.opcode == BLINK_TREE_OP_EXPECT ||
		    single.opcode == BLINK_TREE_OP_ABSENT)
			continue;
		other = small_tree(test);
		blink_tree_op(other, &single, GFP_KERNEL);
		expect_outcome(test, &outcomes[i], &single);
		expect_same(test, tree, other, single.key, outcomes[i].what);
	}
}

/* A commit fails, and tells the number of the operation that is the reason. */
static void expect_failed(struct kunit *test, struct blink_tree *tree,
			  struct blink_tree_ioc_op *ops, unsigned int nr,
			  unsigned int number, const char *what)
{
	unsigned int failed = 77;
	int ret = blink_tree_commit(tree, ops, nr, &failed, GFP_KERNEL);

	KUNIT_EXPECT_EQ_MSG(test, ret, -ESTALE, "%s", what);
	KUNIT_EXPECT_EQ_MSG(test, failed, number, "%s", what);
}

/* A failed commit changes nothing, and says which operation failed. */
static void failed(struct kunit *test)
{
	struct blink_tree *tree = small_tree(test);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(failures); i++) {
		struct blink_tree_ioc_op ops[] = {
			OP(STORE, 9, 91, 0),
			failures[i].op,
			OP(INSERT, 1, 10, 0),
		};

		expect_failed(test, tree, ops, 3, 1, failures[i].what);
		expect_outcome(test, &failures[i], &ops[1]);
		KUNIT_EXPECT_EQ(test, ops[0].result, -ECANCELED);
		KUNIT_EXPECT_EQ(test, ops[2].result, -ECANCELED);
		/* The same alone. */
		ops[0] = failures[i].op;
		expect_failed(test, tree, ops, 1, 0, failures[i].what);
		expect_outcome(test, &failures[i], &ops[0]);
		expect_value(test, tree, 9, 0, 90, failures[i].what);
		expect_value(test, tree, 5, 0, 50, failures[i].what);
	}
	fixture_sound(test, tree, 2);
}

/* The first one that fails is told, in the caller's order. */
static void first_failure(struct kunit *test)
{
	struct blink_tree_ioc_op ops[] = {
		OP(LOOKUP, 7, 0, 0),
		OP(EXPECT, 9, 0, 1),
		OP(EXPECT, 5, 0, 1),
	};
	struct blink_tree *tree = small_tree(test);

	expect_failed(test, tree, ops, 3, 1, "two of them");
	KUNIT_EXPECT_EQ(test, ops[1].old, 90);
	KUNIT_EXPECT_EQ(test, ops[2].result, -ECANCELED);
}

/* Several operations on one key find what was there before the commit. */
static void one_key(struct kunit *test)
{
	struct blink_tree_ioc_op ops[] = {
		OP(LOOKUP, 5, 0, 0),
		OP(CMPERASE, 5, 0, 50),
		OP(EXPECT, 5, 0, 50),
	};
	struct blink_tree *tree = small_tree(test);

	KUNIT_EXPECT_EQ(test, commit(tree, ops, 3), 0);
	KUNIT_EXPECT_EQ(test, ops[0].value, 50);
	expect_value(test, tree, 5, -ENOENT, 0, "erased");
	fixture_sound(test, tree, 1);
}

static void invalid(struct kunit *test)
{
	static const struct blink_tree_ioc_op bad[][2] = {
		{ OP(FLOOR, 1, 0, 0), OP(STORE, 2, 0, 0) },
		{ OP(STORE, 2, 0, 0), OP(CEILING, 1, 0, 0) },
		{ OP(POP_MIN, 1, 0, 0), OP(STORE, 2, 0, 0) },
		{ OP(POP_MAX, 1, 0, 0), OP(STORE, 2, 0, 0) },
		{ OP(NR, 1, 0, 0), OP(STORE, 2, 0, 0) },
		{ { .opcode = U16_MAX }, OP(STORE, 2, 0, 0) },
		{ { .opcode = BLINK_TREE_OP_LOOKUP, .flags = 4 },
		  OP(STORE, 2, 0, 0) },
		{ OP(STORE, 2, 0, 0), OP(STORE, 2, 0, 0) },
		{ OP(ERASE, 5, 0, 0), OP(INSERT, 5, 0, 0) },
	};
	struct blink_tree_ioc_op ops[BLINK_TREE_COMMIT_MAX + 1] = {};
	struct blink_tree *tree = small_tree(test);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		memcpy(ops, bad[i], sizeof(bad[i]));
		KUNIT_EXPECT_EQ_MSG(test, commit(tree, ops, 2), -EINVAL, "%u",
				    i);
	}
	for (i = 0; i < ARRAY_SIZE(ops); i++)
		ops[i] = (struct blink_tree_ioc_op)OP(STORE, i, i, 0);
	KUNIT_EXPECT_EQ(test, commit(tree, ops, commit_max(test) + 1), -E2BIG);
	KUNIT_EXPECT_EQ(test, commit(tree, ops, 0), 0);
	fixture_sound(test, tree, 2);
	KUNIT_EXPECT_EQ(test, commit(tree, ops, commit_max(test)), 0);
}

/* As many entries as the tree may have: those that the commit removes make room. */
static void limit(struct kunit *test)
{
	struct blink_tree_ioc_op swap[] = {
		OP(INSERT, 1, 10, 0),
		OP(ERASE, 9, 0, 0),
	};
	struct blink_tree_ioc_op more[] = {
		OP(INSERT, 2, 20, 0),
		OP(INSERT, 3, 30, 0),
	};
	struct blink_tree_params params = world_params(test);
	struct blink_tree *tree;

	params.max_entries = 3;
	tree = fixture_tree_with(test, &params);
	fixture_fill(test, tree, 8, 1, 2);
	KUNIT_EXPECT_EQ(test, commit(tree, more, 2), -ENOSPC);
	KUNIT_EXPECT_EQ(test, more[0].result, -ECANCELED);
	fixture_content(test, tree, 2);
	KUNIT_EXPECT_EQ(test, commit(tree, more, 1), 0);
	KUNIT_EXPECT_EQ(test, commit(tree, swap, 2), 0);
	KUNIT_EXPECT_EQ(test, commit(tree, &more[1], 1), -ENOSPC);
	swap[0].opcode = BLINK_TREE_OP_ERASE;
	KUNIT_EXPECT_EQ(test, commit(tree, swap, 1), 0);
	KUNIT_EXPECT_EQ(test, commit(tree, &more[1], 1), 0);
	fixture_verified(test, tree);
}

/*
 * Full leaves: keys between two keys of a leaf, between those of many leaves, and behind all.
 * Some of the values make narrow leaves wider.
 */
static void split_at(struct kunit *test, u64 first, u64 step, u64 nr)
{
	struct blink_tree_ioc_op ops[BLINK_TREE_COMMIT_MAX];
	struct blink_tree *tree = fixture_tree(test);
	unsigned int max = commit_max(test), i;

	fixture_fill(test, tree, 0, 2, nr);
	for (i = 0; i < max; i++)
		ops[i] = (struct blink_tree_ioc_op){
			.opcode = BLINK_TREE_OP_INSERT,
			.key = first + i * step,
			.value = i % 4 ? i : U64_MAX / (i + 1),
		};
	KUNIT_EXPECT_EQ(test, commit(tree, ops, max), 0);
	fixture_verified(test, tree);
	for (i = 0; i < max; i++)
		expect_value(test, tree, ops[i].key, 0, ops[i].value,
			     "inserted");
	for (i = 0; i < max; i++)
		ops[i].opcode = BLINK_TREE_OP_ERASE;
	KUNIT_EXPECT_EQ(test, commit(tree, ops, max), 0);
	fixture_content(test, tree, nr);
	fixture_verified(test, tree);
}

static void splits(struct kunit *test)
{
	struct fixture_shape shape;
	u64 nr;

	fixture_shape(test, &shape);
	/* Full narrow leaves have up to 240 keys. */
	nr = commit_max(test) * 240;
	split_at(test, 1, 2, nr);
	split_at(test, 1, 2 * shape.leaf_slots, nr);
	split_at(test, 1, 480, nr);
	split_at(test, 2 * nr, 2, nr);
	split_at(test, 2 * nr, 2, shape.leaf_slots);
}

/* Leaves that lose their keys are merged: an emptied tree is one leaf. */
static void merges(struct kunit *test)
{
	struct blink_tree_ioc_op ops[BLINK_TREE_COMMIT_MAX];
	unsigned int nr = fixture_three_levels(test), max = commit_max(test);
	struct blink_tree *tree = fixture_tree(test);
	unsigned int i, n, key = 0;

	fixture_fill(test, tree, 0, 1, nr);
	while (key < nr) {
		n = min(max, nr - key);
		for (i = 0; i < n; i++)
			ops[i] = (struct blink_tree_ioc_op)OP(ERASE, key++, 0,
							      0);
		KUNIT_ASSERT_EQ(test, commit(tree, ops, n), 0);
	}
	fixture_emptied(test, tree);
}

/*
 * Values that become twice as great by each commit, until 0 is left of them: sums that narrow
 * leaves have no room for, although they have room for what is added.
 */
static void sums(struct kunit *test)
{
	struct blink_tree_ioc_op ops[BLINK_TREE_COMMIT_MAX];
	unsigned int max = commit_max(test), nr = 3 * max, i, bit;
	struct blink_tree *tree = fixture_tree(test);

	for (i = 0; i < nr; i++)
		KUNIT_ASSERT_EQ(test,
				blink_tree_insert(tree, i, 1, NULL, GFP_KERNEL),
				0);
	for (bit = 0; bit < 64; bit++) {
		for (i = 0; i < max; i++)
			ops[i] = (struct blink_tree_ioc_op)OP(ADD, 3 * i,
							      1ULL << bit, 0);
		KUNIT_ASSERT_EQ(test, commit(tree, ops, max), 0);
		for (i = 0; i < nr; i++)
			expect_value(test, tree, i, 0, i % 3 ? 1 : 2ULL << bit,
				     "sum");
	}
	fixture_sound(test, tree, nr);
}

/* Random commits beside a model. */
struct course {
	const char *name;
	unsigned int keys;
	unsigned int spot;
	unsigned int commits;
};

static const struct course courses[] = {
	{ "few keys", 12, 12, 4000 },
	{ "neighbours", 400, 40, 4000 },
	{ "many leaves", 3000, 3000, 3000 },
};

KUNIT_ARRAY_PARAM_DESC(course, courses, name);

static const u16 reading[] = { BLINK_TREE_OP_LOOKUP, BLINK_TREE_OP_EXPECT,
			       BLINK_TREE_OP_ABSENT };
static const u16 adding[] = {
	BLINK_TREE_OP_INSERT,	     BLINK_TREE_OP_STORE,
	BLINK_TREE_OP_GET_OR_INSERT, BLINK_TREE_OP_ADD,
	BLINK_TREE_OP_ADD_SATURATE,  BLINK_TREE_OP_REPLACE,
	BLINK_TREE_OP_CMPXCHG
};

/* These change a key that is present, and most remove it. */
static const u16 removing[] = { BLINK_TREE_OP_ERASE,   BLINK_TREE_OP_CMPERASE,
				BLINK_TREE_OP_ERASE,   BLINK_TREE_OP_CMPERASE,
				BLINK_TREE_OP_CMPXCHG, BLINK_TREE_OP_ADD };

/* An operation on a key that the commit does not have yet; most succeed. */
static struct blink_tree_ioc_op choose(struct rnd_state *rnd,
				       const struct model *model,
				       unsigned int i, bool writes)
{
	struct blink_tree_ioc_op op = {
		.key = model->key[i],
		/* Narrow leaves get wider with some values. */
		.value = fixture_random(rnd) >> fixture_below(rnd, 64),
		.old = model->value[i],
	};

	if (!fixture_below(rnd, 50))
		op.old++;
	if (!writes || !fixture_below(rnd, 4))
		op.opcode = model->present[i] ?
				    reading[fixture_below(rnd, 2)] :
				    reading[2 * fixture_below(rnd, 2)];
	else if (model->present[i])
		op.opcode = removing[fixture_below(rnd, ARRAY_SIZE(removing))];
	else
		op.opcode = adding[fixture_below(rnd, 5)];
	if (!fixture_below(rnd, 100))
		op.opcode = adding[fixture_below(rnd, ARRAY_SIZE(adding))];
	return op;
}

/* Give some operations a gap, but not that of the greatest key. */
static void choose_gaps(struct rnd_state *rnd, struct blink_tree_ioc_op *ops,
			unsigned int nr)
{
	unsigned int n, last = 0;

	for (n = 1; n < nr; n++)
		if (ops[n].key > ops[last].key)
			last = n;
	for (n = 0; n < nr; n++) {
		if (n == last || fixture_below(rnd, 4))
			continue;
		ops[n].flags = fixture_below(rnd, 8) ? BLINK_TREE_COMMIT_EMPTY :
						       BLINK_TREE_COMMIT_CLEAR;
	}
}

static unsigned int choose_ops(struct rnd_state *rnd, const struct model *model,
			       const struct course *course, unsigned int max,
			       struct blink_tree_ioc_op *ops)
{
	unsigned int nr = 1 + fixture_below(rnd, min(max, course->keys));
	unsigned int step = max(course->spot / nr, 1U);
	unsigned int i = fixture_below(rnd, course->keys), n;
	bool writes = fixture_below(rnd, 4);
	u64 keys[BLINK_TREE_COMMIT_MAX];

	for (n = 0; n < nr; n++)
		keys[n] = (i + (u64)n * step) % course->keys;
	fixture_shuffle(rnd, keys, nr);
	for (n = 0; n < nr; n++)
		ops[n] = choose(rnd, model, keys[n], writes);
	if (writes && fixture_below(rnd, 2))
		choose_gaps(rnd, ops, nr);
	return nr;
}

static void random_commits(struct kunit *test)
{
	const struct course *course = test->param_value;
	struct blink_tree *tree = fixture_tree(test);
	unsigned int max = commit_max(test), nr, i, place, bad;
	struct blink_tree_ioc_op *ops = fixture_alloc(test, max, sizeof(*ops));
	struct blink_tree_ioc_op *want =
		fixture_alloc(test, max, sizeof(*want));
	unsigned long n;
	struct rnd_state rnd;
	struct model model;
	int ret;

	fixture_seed(test, &rnd);
	model_init(test, &model, 5, 7, course->keys);
	for (n = 0; n < world_work(course->commits); n++) {
		nr = choose_ops(&rnd, &model, course, max, ops);
		memcpy(want, ops, nr * sizeof(*ops));
		place = 0;
		bad = 0;
		ret = blink_tree_commit(tree, ops, nr, &place, GFP_KERNEL);
		if (ret == -E2BIG) {
			/* A gap has more leaves than a commit can lock. */
			for (i = 0; i < nr; i++)
				want[i].flags = 0;
			memcpy(ops, want, nr * sizeof(*ops));
			ret = blink_tree_commit(tree, ops, nr, &place,
						GFP_KERNEL);
		}
		if (model_commit(&model, want, nr, &bad) != ret || place != bad)
			fixture_fail_at(test, ops[0].key,
					"commit %lu: %u of %u", n, place, nr);
		for (i = 0; i < nr; i++)
			if (memcmp(&ops[i], &want[i], sizeof(*ops)))
				fixture_fail_at(test, ops[i].key,
						"commit %lu, %u: %d", n, i,
						ops[i].result);
	}
	for (i = 0; i < model.nr; i++)
		expect_value(test, tree, model.key[i],
			     model.present[i] ? 0 : -ENOENT,
			     model.present[i] ? model.value[i] : 0, "at last");
	fixture_verified(test, tree);
	fixture_content(test, tree, model.count);
}

#define CASES                                                                \
	KUNIT_CASE(results), KUNIT_CASE(failed), KUNIT_CASE(first_failure),  \
		KUNIT_CASE(one_key), KUNIT_CASE(invalid), KUNIT_CASE(limit), \
		KUNIT_CASE(splits), KUNIT_CASE(merges), KUNIT_CASE(sums),    \
		FIXTURE_PARAM_SLOW(random_commits, course_gen_params)

FIXTURE_SUITE("commit", CASES);
FIXTURE_SUITE("commit-inner", CASES);
FIXTURE_SUITE("commit-full", CASES);
FIXTURE_SUITE("commit-compress", CASES);
FIXTURE_SUITE("commit-u128-inner", CASES);
FIXTURE_SUITE("commit-bytes-inner", CASES);
