// SPDX-License-Identifier: GPL-2.0
/*
 * The greatest key not above, and the least not below: at the ends of the key
 * space, at the edges of leaves, across leaves that have nothing to offer.
 */
#include "universe.h"

static void expect_nearest(struct kunit *test, struct blink_tree *tree,
			   const struct model *model, u64 key)
{
	static const u16 opcodes[] = { BLINK_TREE_OP_FLOOR,
				       BLINK_TREE_OP_CEILING };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(opcodes); i++) {
		struct blink_tree_ioc_op op = { .opcode = opcodes[i],
						.key = key };
		struct blink_tree_ioc_op expected = op;

		blink_tree_op(tree, &op, GFP_KERNEL);
		model_apply((struct model *)model, &expected);
		if (op.result != expected.result || op.key != expected.key ||
		    op.value != expected.value)
			fixture_fail_at(
				test, key,
				"%s: result %d, %llu; expected %d, %llu",
				i ? "ceiling" : "floor", op.result, op.key,
				expected.result, expected.key);
	}
}

/* Ask for every key near the grid, and for those at the ends of everything. */
static void expect_all(struct kunit *test, struct blink_tree *tree,
		       const struct model *model)
{
	unsigned int i;
	u64 key;

	for (i = 0; i < model->nr; i++) {
		key = model->key[i];
		expect_nearest(test, tree, model, key - 1);
		expect_nearest(test, tree, model, key);
		expect_nearest(test, tree, model, key + 1);
	}
	expect_nearest(test, tree, model, 0);
	expect_nearest(test, tree, model, U64_MAX);
	cond_resched();
}

static void add(struct kunit *test, struct blink_tree *tree,
		struct model *model, unsigned int i)
{
	u64 key = model->key[i];

	fixture_fill(test, tree, key, 1, 1);
	model_set(model, i, fixture_value(key));
}

static void del(struct kunit *test, struct blink_tree *tree,
		struct model *model, unsigned int i)
{
	if (blink_tree_erase(tree, model->key[i], NULL))
		fixture_fail_at(test, model->key[i], "not erased");
	model_erase(model, i);
}

static void every_key_of_many_leaves(struct kunit *test)
{
	struct blink_tree *tree = fixture_tree(test);
	struct model model;
	unsigned int i;

	model_init(test, &model, 10, 3, 1000);
	for (i = 0; i < model.nr; i++)
		add(test, tree, &model, i);
	expect_all(test, tree, &model);
}

static void ends_of_the_key_space(struct kunit *test)
{
	struct blink_tree *tree = fixture_tree(test);
	struct model model;
	unsigned int i;

	/* 0 and U64_MAX are both on this grid. */
	model_init(test, &model, 0, U64_MAX / 255, 256);
	for (i = 0; i < model.nr; i++)
		add(test, tree, &model, i);
	expect_all(test, tree, &model);
	/* An open end on either side. */
	for (i = 0; i < 100; i++) {
		del(test, tree, &model, i);
		del(test, tree, &model, model.nr - 1 - i);
	}
	expect_all(test, tree, &model);
}

/* The first leaf is emptied beside a full one, and takes over its keys. */
static void emptied_first_leaf(struct kunit *test)
{
	struct fixture_shape shape;
	struct blink_tree_ioc_verify report;
	struct blink_tree *tree;
	struct model model;
	unsigned int i;

	fixture_shape(test, &shape);
	tree = fixture_plain_tree(test);
	model_init(test, &model, 100, 1, 4 * shape.leaf_slots);
	for (i = 0; i < model.nr; i++)
		add(test, tree, &model, i);
	for (i = 0; i < shape.leaf_slots; i++)
		del(test, tree, &model, i);
	KUNIT_ASSERT_EQ(test, blink_tree_verify(tree, &report), 0);
	KUNIT_EXPECT_EQ(test, report.empty, 0);
	expect_all(test, tree, &model);
}

/* A hole of many leaves between two keys, in the middle and at both ends. */
static void holes(struct kunit *test)
{
	struct blink_tree *tree = fixture_tree(test);
	struct model model;
	unsigned int i;

	model_init(test, &model, 7, 5, 900);
	for (i = 0; i < model.nr; i++)
		add(test, tree, &model, i);
	for (i = 200; i < 700; i++) {
		del(test, tree, &model, i);
		if (i % 100 == 0)
			expect_all(test, tree, &model);
	}
	for (i = 0; i < 150; i++) {
		del(test, tree, &model, i);
		del(test, tree, &model, model.nr - 1 - i);
	}
	expect_all(test, tree, &model);
	for (i = 150; i < 200; i++)
		del(test, tree, &model, i);
	for (i = 700; i < model.nr - 150; i++)
		del(test, tree, &model, i);
	expect_all(test, tree, &model);
	fixture_emptied(test, tree);
}

FIXTURE_SUITE("floor_ceiling", KUNIT_CASE(every_key_of_many_leaves),
	      KUNIT_CASE(ends_of_the_key_space), KUNIT_CASE(emptied_first_leaf),
	      KUNIT_CASE_SLOW(holes));
