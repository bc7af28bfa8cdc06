// SPDX-License-Identifier: GPL-2.0
/*
 * The results of each operation, and its effect on the tree, if any: by
 * blink_tree_op(), by the function made for it, and in batches.
 */
#include "fixture.h"

/* An operation, its expected result, and the entry that it must leave in the tree. */
struct expectation {
	const char *what;
	struct blink_tree_ioc_op op;
	struct blink_tree_ioc_op result;
};

#define OP(code, k, v, o) \
	{ .opcode = BLINK_TREE_OP_##code, .key = (k), .value = (v), .old = (o) }
#define RESULT(ret, k, v, o) \
	{ .result = (ret), .key = (k), .value = (v), .old = (o) }

/* In this order on an empty tree. */
static const struct expectation expectations[] = {
	{ "lookup absent", OP(LOOKUP, 5, 7, 8), RESULT(-ENOENT, 5, 7, 8) },
	{ "insert", OP(INSERT, 5, 50, 8), RESULT(0, 5, 50, 8) },
	{ "insert present", OP(INSERT, 5, 51, 8), RESULT(-EEXIST, 5, 51, 50) },
	{ "lookup", OP(LOOKUP, 5, 7, 8), RESULT(0, 5, 50, 8) },
	{ "store new", OP(STORE, 9, 90, 8), RESULT(0, 9, 90, 8) },
	{ "store over", OP(STORE, 9, 91, 8), RESULT(1, 9, 91, 90) },
	{ "replace", OP(REPLACE, 9, 92, 8), RESULT(0, 9, 92, 91) },
	{ "replace absent", OP(REPLACE, 8, 1, 8), RESULT(-ENOENT, 8, 1, 8) },
	{ "cmpxchg", OP(CMPXCHG, 9, 93, 92), RESULT(0, 9, 93, 92) },
	{ "cmpxchg stale", OP(CMPXCHG, 9, 1, 92), RESULT(-ESTALE, 9, 1, 93) },
	{ "cmpxchg absent", OP(CMPXCHG, 8, 1, 8), RESULT(-ENOENT, 8, 1, 8) },
	{ "floor", OP(FLOOR, 8, 7, 8), RESULT(0, 5, 50, 8) },
	{ "floor none", OP(FLOOR, 4, 7, 8), RESULT(-ENOENT, 4, 7, 8) },
	{ "ceiling", OP(CEILING, 6, 7, 8), RESULT(0, 9, 93, 8) },
	{ "ceiling none", OP(CEILING, 10, 7, 8), RESULT(-ENOENT, 10, 7, 8) },
	{ "lookup stale", OP(LOOKUP, 9, 7, 8), RESULT(0, 9, 93, 8) },
	{ "erase", OP(ERASE, 5, 7, 8), RESULT(0, 5, 7, 50) },
	{ "erase absent", OP(ERASE, 5, 7, 8), RESULT(-ENOENT, 5, 7, 8) },
	{ "lookup erased", OP(LOOKUP, 5, 7, 8), RESULT(-ENOENT, 5, 7, 8) },
	{ "insert again", OP(INSERT, 5, 51, 8), RESULT(0, 5, 51, 8) },
	{ "cmperase stale", OP(CMPERASE, 5, 7, 50), RESULT(-ESTALE, 5, 7, 51) },
	{ "cmperase", OP(CMPERASE, 5, 7, 51), RESULT(0, 5, 7, 51) },
	{ "cmperase absent", OP(CMPERASE, 5, 7, 8), RESULT(-ENOENT, 5, 7, 8) },
	{ "get or insert", OP(GET_OR_INSERT, 5, 52, 8), RESULT(0, 5, 52, 8) },
	{ "get or insert present", OP(GET_OR_INSERT, 5, 53, 8),
	  RESULT(1, 5, 53, 52) },
	{ "pop min none", OP(POP_MIN, 10, 7, 8), RESULT(-ENOENT, 10, 7, 8) },
	{ "pop max none", OP(POP_MAX, 4, 7, 8), RESULT(-ENOENT, 4, 7, 8) },
	{ "pop min above", OP(POP_MIN, 6, 7, 8), RESULT(0, 9, 7, 93) },
	{ "pop max equal", OP(POP_MAX, 5, 7, 8), RESULT(0, 5, 7, 52) },
	{ "pop min empty", OP(POP_MIN, 0, 7, 8), RESULT(-ENOENT, 0, 7, 8) },
	{ "pop max empty", OP(POP_MAX, U64_MAX, 7, 8),
	  RESULT(-ENOENT, U64_MAX, 7, 8) },
	{ "insert for pops", OP(INSERT, 3, 30, 8), RESULT(0, 3, 30, 8) },
	{ "store for pops", OP(STORE, 4, 40, 8), RESULT(0, 4, 40, 8) },
	{ "pop max", OP(POP_MAX, U64_MAX, 7, 8), RESULT(0, 4, 7, 40) },
	{ "lookup popped", OP(LOOKUP, 4, 7, 8), RESULT(-ENOENT, 4, 7, 8) },
	{ "floor popped", OP(FLOOR, 4, 7, 8), RESULT(0, 3, 30, 8) },
	{ "add new", OP(ADD, 5, U64_MAX, 8), RESULT(0, 5, U64_MAX, 8) },
	{ "add", OP(ADD, 5, 7, 8), RESULT(1, 5, 7, U64_MAX) },
	{ "add less", OP(ADD, 5, -3ULL, 8), RESULT(1, 5, -3ULL, 6) },
	{ "lookup added", OP(LOOKUP, 5, 7, 8), RESULT(0, 5, 3, 8) },
	{ "saturate new", OP(ADD_SATURATE, 6, -9ULL, 8),
	  RESULT(0, 6, -9ULL, 8) },
	{ "saturate", OP(ADD_SATURATE, 6, S64_MAX, 8),
	  RESULT(1, 6, S64_MAX, 0) },
	{ "saturate twice", OP(ADD_SATURATE, 6, S64_MAX, 8),
	  RESULT(1, 6, S64_MAX, S64_MAX) },
	{ "saturate at most", OP(ADD_SATURATE, 6, 2, 8),
	  RESULT(1, 6, 2, U64_MAX - 1) },
	{ "saturate less", OP(ADD_SATURATE, 6, S64_MIN, 8),
	  RESULT(1, 6, S64_MIN, U64_MAX) },
	{ "saturate at least", OP(ADD_SATURATE, 6, S64_MIN, 8),
	  RESULT(1, 6, S64_MIN, S64_MAX) },
	{ "lookup saturated", OP(LOOKUP, 6, 7, 8), RESULT(0, 6, 0, 8) },
};

static void compare(struct kunit *test, const struct expectation *expected,
		    const struct blink_tree_ioc_op *op)
{
	const struct blink_tree_ioc_op *want = &expected->result;

	KUNIT_EXPECT_EQ_MSG(test, op->result, want->result, "%s",
			    expected->what);
	KUNIT_EXPECT_EQ_MSG(test, op->key, want->key, "%s", expected->what);
	KUNIT_EXPECT_EQ_MSG(test, op->value, want->value, "%s", expected->what);
	KUNIT_EXPECT_EQ_MSG(test, op->old, want->old, "%s", expected->what);
}

enum way { ONE_BY_ONE, BY_FUNCTIONS, AS_BATCH };

static void check_expectations(struct kunit *test, enum way way)
{
	struct blink_tree_ioc_op ops[ARRAY_SIZE(expectations)];
	struct blink_tree *tree = fixture_tree(test);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ops); i++)
		ops[i] = expectations[i].op;
	for (i = 0; i < ARRAY_SIZE(ops); i++)
		if (way == ONE_BY_ONE)
			blink_tree_op(tree, &ops[i], GFP_KERNEL);
		else if (way == BY_FUNCTIONS)
			fixture_call(tree, &ops[i]);
	if (way == AS_BATCH)
		blink_tree_batch(tree, ops, ARRAY_SIZE(ops), GFP_KERNEL);
	for (i = 0; i < ARRAY_SIZE(ops); i++)
		compare(test, &expectations[i], &ops[i]);
	fixture_sound(test, tree, 3);
}

static void one_by_one(struct kunit *test)
{
	check_expectations(test, ONE_BY_ONE);
}

/* The same by the function made for each. */
static void by_functions(struct kunit *test)
{
	check_expectations(test, BY_FUNCTIONS);
}

/* The same as a batch: operations on one key must keep their order. */
static void as_batch(struct kunit *test)
{
	check_expectations(test, AS_BATCH);
}

/* A caller need not ask for the old value. */
static void without_old(struct kunit *test)
{
	struct blink_tree *tree = fixture_tree(test);
	gfp_t gfp = GFP_KERNEL;
	u64 value;

	KUNIT_EXPECT_EQ(test, blink_tree_insert(tree, 5, 50, NULL, gfp), 0);
	KUNIT_EXPECT_EQ(test, blink_tree_insert(tree, 5, 51, NULL, gfp),
			-EEXIST);
	KUNIT_EXPECT_EQ(test, blink_tree_store(tree, 5, 52, NULL, gfp), 1);
	KUNIT_EXPECT_EQ(test, blink_tree_store(tree, 6, 60, NULL, gfp), 0);
	KUNIT_EXPECT_EQ(test, blink_tree_replace(tree, 5, 53, NULL), 0);
	KUNIT_EXPECT_EQ(test, blink_tree_add(tree, 5, 2, NULL, gfp), 1);
	KUNIT_EXPECT_EQ(test, blink_tree_add_saturate(tree, 5, -1, NULL, gfp),
			1);
	KUNIT_EXPECT_EQ(test, blink_tree_lookup(tree, 5, &value), 0);
	KUNIT_EXPECT_EQ(test, value, 54);
	KUNIT_EXPECT_EQ(test, blink_tree_erase(tree, 5, NULL), 0);
	fixture_sound(test, tree, 1);
}

static void invalid(struct kunit *test)
{
	static const struct blink_tree_ioc_op bad[] = {
		{ .opcode = BLINK_TREE_OP_NR, .key = 1, .value = 2 },
		{ .opcode = U16_MAX, .key = 1, .value = 2 },
		{ .opcode = BLINK_TREE_OP_INSERT, .flags = 1, .key = 1 },
		{ .opcode = BLINK_TREE_OP_STORE, .flags = BIT(15), .key = 1 },
		{ .opcode = BLINK_TREE_OP_ERASE, .flags = 1, .key = 5 },
		{ .opcode = BLINK_TREE_OP_LOOKUP, .flags = 1, .key = 5 },
	};
	struct blink_tree *tree = fixture_tree(test);
	struct blink_tree_ioc_op op;
	unsigned int i;

	fixture_fill(test, tree, 5, 1, 1);
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		op = bad[i];
		blink_tree_op(tree, &op, GFP_KERNEL);
		KUNIT_EXPECT_EQ(test, op.result, -EINVAL);
	}
	fixture_sound(test, tree, 1);
}

/* A bad operation in the middle of a batch is its own problem only. */
static void batch_goes_on(struct kunit *test)
{
	struct blink_tree_ioc_op ops[] = {
		OP(INSERT, 1, 10, 0),
		OP(NR, 1, 10, 0),
		OP(INSERT, 1, 11, 0),
		OP(INSERT, 2, 20, 0),
		{ .opcode = BLINK_TREE_OP_ERASE, .flags = 1, .key = 1 },
		OP(LOOKUP, 1, 0, 0),
	};
	struct blink_tree *tree = fixture_tree(test);

	blink_tree_batch(tree, ops, 0, GFP_KERNEL);
	fixture_sound(test, tree, 0);
	blink_tree_batch(tree, ops, ARRAY_SIZE(ops), GFP_KERNEL);
	KUNIT_EXPECT_EQ(test, ops[0].result, 0);
	KUNIT_EXPECT_EQ(test, ops[1].result, -EINVAL);
	KUNIT_EXPECT_EQ(test, ops[2].result, -EEXIST);
	KUNIT_EXPECT_EQ(test, ops[2].old, 10);
	KUNIT_EXPECT_EQ(test, ops[3].result, 0);
	KUNIT_EXPECT_EQ(test, ops[4].result, -EINVAL);
	KUNIT_EXPECT_EQ(test, ops[5].result, 0);
	KUNIT_EXPECT_EQ(test, ops[5].value, 10);
	fixture_sound(test, tree, 2);
}

static void batch_limit(struct kunit *test)
{
	struct blink_tree_params params = { .max_entries = 1 };
	struct blink_tree_ioc_op ops[] = {
		OP(STORE, 1, 10, 0), OP(STORE, 2, 20, 0), OP(STORE, 1, 11, 0),
		OP(ERASE, 1, 0, 0),  OP(STORE, 2, 21, 0),
	};
	struct blink_tree *tree = fixture_tree_with(test, &params);

	blink_tree_batch(tree, ops, ARRAY_SIZE(ops), GFP_KERNEL);
	KUNIT_EXPECT_EQ(test, ops[0].result, 0);
	KUNIT_EXPECT_EQ(test, ops[1].result, -ENOSPC);
	KUNIT_EXPECT_EQ(test, ops[2].result, 1);
	KUNIT_EXPECT_EQ(test, ops[3].result, 0);
	KUNIT_EXPECT_EQ(test, ops[4].result, 0);
	fixture_sound(test, tree, 1);
}

/* Large, unsorted, with splits and merges in it. */
static void batch_large(struct kunit *test)
{
	struct blink_tree *tree = fixture_tree(test);
	const unsigned int nr = 2000;
	struct rnd_state rnd;
	struct blink_tree_ioc_op *ops;
	unsigned int i;
	u64 *keys;

	fixture_seed(test, &rnd);
	keys = fixture_alloc(test, nr, sizeof(*keys));
	ops = fixture_alloc(test, nr, sizeof(*ops));
	for (i = 0; i < nr; i++)
		keys[i] = i;
	fixture_shuffle(&rnd, keys, nr);
	for (i = 0; i < nr; i++)
		ops[i] = (struct blink_tree_ioc_op)OP(
			INSERT, keys[i], fixture_value(keys[i]), 0);
	blink_tree_batch(tree, ops, nr, GFP_KERNEL);
	fixture_sound(test, tree, nr);
	for (i = 0; i < nr; i++) {
		if (ops[i].result)
			fixture_fail_at(test, ops[i].key, "insert: %d",
					ops[i].result);
		ops[i] = (struct blink_tree_ioc_op)OP(ERASE, i, 0, 0);
	}
	blink_tree_batch(tree, ops, nr, GFP_KERNEL);
	for (i = 0; i < nr; i++)
		if (ops[i].result || ops[i].old != fixture_value(i))
			fixture_fail_at(test, i, "erase: %d", ops[i].result);
	fixture_emptied(test, tree);
}

FIXTURE_SUITE("op", KUNIT_CASE(one_by_one), KUNIT_CASE(by_functions),
	      KUNIT_CASE(as_batch), KUNIT_CASE(without_old),
	      KUNIT_CASE(invalid), KUNIT_CASE(batch_goes_on),
	      KUNIT_CASE(batch_limit), KUNIT_CASE(batch_large));
