// SPDX-License-Identifier: GPL-2.0
/*
 * Random operations (random_ops.h) on a tree and on a model of it (model.h): every
 * result must be the same, and now and then the whole content is compared.
 */
#include "random_ops.h"

/* Operations between two comparisons of everything. */
#define COMPARE_EVERY 20000

/**
 * struct course - one random test
 * @name: what it is called
 * @base: least key
 * @step: distance of keys
 * @nr: number of keys
 * @ops: operations
 * @tide: as in struct random_ops
 * @spot: as in struct random_ops
 */
struct course {
	const char *name;
	u64 base;
	u64 step;
	unsigned int nr;
	unsigned int ops;
	unsigned int tide;
	unsigned int spot;
};

static const struct course courses[] = {
	{ "a leaf or two", 0, 1, 40, 150000, 50, 0 },
	{ "dense, small", 1000, 1, 500, 300000, 1500, 0 },
	{ "dense, large", 1 << 20, 1, 20000, 200000, 25000, 0 },
	{ "dense, spot", 0, 1, 8000, 200000, 3000, 120 },
	{ "sparse", 0, U64_MAX / 2999, 3000, 200000, 6000, 0 },
	{ "high end", U64_MAX - 799, 1, 800, 100000, 2000, 0 },
};

KUNIT_ARRAY_PARAM_DESC(course, courses, name);

static bool same_result(const struct blink_tree_ioc_op *a,
			const struct blink_tree_ioc_op *b)
{
	return a->result == b->result && a->key == b->key &&
	       a->value == b->value && a->old == b->old;
}

static void compare_all(struct kunit *test, struct random_ops *random,
			struct blink_tree *tree)
{
	const char *difference;
	u64 key;

	difference = model_compare(&random->model, tree, &key);
	if (difference)
		fixture_fail_at(test, key, "%s, after %lu operations",
				difference, random->n);
	fixture_sound(test, tree, random->model.count);
}

static void erase_the_rest(struct kunit *test, struct random_ops *random,
			   struct blink_tree *tree)
{
	struct model *model = &random->model;
	unsigned int i;

	for_each_set_bit(i, model->present, model->nr)
		if (blink_tree_erase(tree, model_key(model, i), NULL))
			fixture_fail_at(test, model_key(model, i), "lost");
	fixture_emptied(test, tree);
}

static void do_one(struct kunit *test, struct random_ops *random,
		   struct blink_tree *tree)
{
	struct blink_tree_ioc_op asked, op, expected;

	random_ops_choose(random, &asked);
	op = asked;
	expected = asked;
	blink_tree_op(tree, &op, GFP_KERNEL);
	model_apply(&random->model, &expected);
	if (!same_result(&op, &expected))
		fixture_fail_at(
			test, asked.key,
			"opcode %u, number %lu: result %d, key %llu, value %llu, old %llu; expected %d, %llu, %llu, %llu",
			asked.opcode, random->n, op.result, op.key, op.value,
			op.old, expected.result, expected.key, expected.value,
			expected.old);
}

static void random_operations(struct kunit *test)
{
	const struct course *course = test->param_value;
	struct random_ops random = { .tide = course->tide,
				     .spot = course->spot };
	struct blink_tree *tree = fixture_tree(test);
	unsigned long ops = fixture_work(course->ops);

	fixture_seed(test, &random.rnd);
	model_init(test, &random.model, course->base, course->step, course->nr);
	while (random.n < ops) {
		do_one(test, &random, tree);
		if (random.n % COMPARE_EVERY == 0)
			compare_all(test, &random, tree);
		cond_resched();
	}
	kunit_info(test, "operations %lu\n", random.n);
	compare_all(test, &random, tree);
	erase_the_rest(test, &random, tree);
}

/* Ranges at random, in both directions, with buffers of every size. */
static void random_scans(struct kunit *test)
{
	const unsigned int nr = 2000, room = 40;
	struct blink_tree *tree = fixture_tree(test);
	struct blink_tree_entry *entries;
	struct rnd_state rnd;
	struct model model;
	unsigned int i, round;

	fixture_seed(test, &rnd);
	model_init(test, &model, 100, 10, nr);
	entries = kunit_kcalloc(test, room, sizeof(*entries), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, entries);
	for (i = 0; i < nr; i++) {
		if (fixture_below(&rnd, 4) == 0)
			continue;
		fixture_fill(test, tree, model_key(&model, i), 1, 1);
		model_set(&model, i, fixture_value(model_key(&model, i)));
	}
	for (round = 0; round < fixture_work(300); round++) {
		u64 a = fixture_below(&rnd, 10 * nr + 200);
		u64 b = fixture_below(&rnd, 10 * nr + 200);
		struct blink_scan scan = {
			.first = min(a, b),
			.last = max(a, b),
			.desc = fixture_below(&rnd, 2),
		};
		unsigned int size = 1 + fixture_below(&rnd, room);

		if (!model_scan_matches(&model, tree, &scan, entries, size))
			fixture_fail_at(test, min(a, b),
					"scan up to %llu%s with room for %u",
					max(a, b), scan.desc ? ", down," : "",
					size);
		cond_resched();
	}
}

static struct kunit_case oracle_cases[2][3] = {
	[0 ... 1] = {
		KUNIT_CASE_PARAM_ATTR(random_operations, course_gen_params,
				      { .speed = KUNIT_SPEED_SLOW }),
		KUNIT_CASE_SLOW(random_scans),
		{},
	},
};

static struct kunit_suite oracle_suites[] = {
	FIXTURE_SUITE("blink_tree_oracle", oracle_cases[0]),
	FIXTURE_SUITE("blink_tree_oracle-full", oracle_cases[1]),
};

kunit_test_suites(&oracle_suites[0], &oracle_suites[1]);
