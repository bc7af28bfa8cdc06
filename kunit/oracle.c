// SPDX-License-Identifier: GPL-2.0
/*
 * Random operations (random_ops.h) on a tree and on a model of it (model.h): one by
 * one, by the function made for each, in batches; and ranges, by scans and cursors,
 * which are also counted and erased.
 * Every answer must be the same, and now and then the whole content is compared.
 */
#include <linux/errno.h>
#include <linux/sched.h>

#include "oracle.h"
#include "random_ops.h"

/* How often everything is compared. */
#define COMPARISONS 15
#define ROOM_MAX 40
/* A key that no scan stores behind its room. */
#define GUARD 0xfeedULL

static const struct oracle_course courses[] = {
	{ "a leaf or two", 0, 1, 40, 0, 150000, 50, 0 },
	{ "keys from 0 up", 0, 1, 1000, 0, 300000, 3000, 0 },
	{ "keys up to the greatest", U64_MAX - 799, 1, 800, 0, 100000, 2000,
	  0 },
	{ "20,000 keys", 1 << 20, 1, 20000, 0, 200000, 25000, 0 },
	{ "a spot that moves", 0, 1, 8000, 0, 200000, 3000, 120 },
	{ "both ends", 0, U64_MAX / 255, 256, 0, 100000, 800, 0 },
	{ "all over the range", 0, U64_MAX / 2999, 3000, 0, 200000, 6000, 0 },
	{ "20,000 random keys", 0, 0, 20000, 0, 200000, 25000, 0 },
	{ "limited number of entries", 0, 5, 500, 300, 100000, 2000, 0 },
};

KUNIT_ARRAY_PARAM_DESC(course, courses, name);

/**
 * struct run - a course that is under way
 * @test: the test
 * @tree: the tree
 * @random: the operations, and the model
 * @expected: room for all entries
 * @found: the same, for one more answer of a scan, and a GUARD
 * @ops: room for three times the operations of a batch
 */
struct run {
	struct kunit *test;
	struct blink_tree *tree;
	struct random_ops random;
	struct blink_tree_entry *expected;
	struct blink_tree_entry *found;
	struct blink_tree_ioc_op *ops;
};

static void begin(struct run *run, struct kunit *test,
		  const struct oracle_course *course)
{
	struct blink_tree_params params = {
		.key = course->key,
		.max_entries = course->limit,
	};
	struct random_ops *random = &run->random;

	*run = (struct run){
		.test = test,
		.tree = fixture_tree_with(test, &params),
		.random = { .tide = course->tide,
			    .spot = course->spot,
			    .alone = true },
	};
	fixture_seed(test, &random->rnd);
	if (course->step)
		model_init(test, &random->model, course->base, course->step,
			   course->nr);
	else
		model_init_random(test, &random->model, course->nr,
				  &random->rnd);
	random->model.limit = course->limit;
	run->expected = fixture_alloc(test, course->nr, sizeof(*run->expected));
	run->found = fixture_alloc(test, course->nr + ROOM_MAX + 1,
				   sizeof(*run->found));
	run->ops = fixture_alloc(test, 3 * ORACLE_BATCH, sizeof(*run->ops));
}

static void compare_op(struct run *run, const struct blink_tree_ioc_op *asked,
		       const struct blink_tree_ioc_op *expected,
		       const struct blink_tree_ioc_op *got)
{
	if (!memcmp(expected, got, sizeof(*got)))
		return;
	fixture_fail_at(
		run->test, asked->key,
		"opcode %u, number %lu: result %d, key %llu, value %llu, old %llu; expected %d, %llu, %llu, %llu",
		asked->opcode, run->random.n, got->result, got->key, got->value,
		got->old, expected->result, expected->key, expected->value,
		expected->old);
}

/* Some operations, one by one or as a batch. */
static void do_ops(struct run *run)
{
	struct blink_tree_ioc_op *asked = run->ops;
	struct blink_tree_ioc_op *expected = asked + ORACLE_BATCH;
	struct blink_tree_ioc_op *got = expected + ORACLE_BATCH;
	unsigned int how = fixture_below(&run->random.rnd, 3), nr = 1, i;

	/* Which operations of a batch find the limit reached is not defined. */
	how += !how && run->random.model.limit;
	if (!how)
		nr = 1 + fixture_below(&run->random.rnd, ORACLE_BATCH);
	for (i = 0; i < nr; i++) {
		random_ops_choose(&run->random, &asked[i]);
		got[i] = asked[i];
		expected[i] = asked[i];
		model_apply(&run->random.model, &expected[i]);
	}
	if (!how)
		blink_tree_batch(run->tree, got, nr, GFP_KERNEL);
	else if (how == 1)
		blink_tree_op(run->tree, got, GFP_KERNEL);
	else
		fixture_call(run->tree, got);
	for (i = 0; i < nr; i++)
		compare_op(run, &asked[i], &expected[i], &got[i]);
}

static unsigned int read_by_scan(struct run *run, struct blink_scan scan)
{
	int room = 1 + fixture_below(&run->random.rnd, ROOM_MAX), ret;
	unsigned int n = 0;

	while (!scan.done && n <= run->random.model.count) {
		run->found[n + room].key = GUARD;
		ret = blink_tree_scan(run->tree, &scan, run->found + n, room);
		if (ret < 0 || ret > room || (!ret && !scan.done) ||
		    run->found[n + room].key != GUARD)
			fixture_fail_at(run->test, scan.first,
					"a scan returned %d", ret);
		n += ret;
	}
	return n;
}

static unsigned int read_by_cursor(struct run *run,
				   const struct blink_scan *scan)
{
	struct blink_cursor cursor;
	unsigned int n = 0;

	if (scan->desc)
		blink_cursor_init_desc(&cursor, run->tree, scan->first,
				       scan->last);
	else
		blink_cursor_init(&cursor, run->tree, scan->first, scan->last);
	while (n <= run->random.model.count &&
	       blink_cursor_next(&cursor, &run->found[n]) > 0)
		n++;
	KUNIT_EXPECT_EQ(run->test, blink_cursor_next(&cursor, &run->found[n]),
			0);
	return n;
}

static void compare_range(struct run *run, const struct blink_scan *scan,
			  unsigned int n)
{
	unsigned int nr, i = 0;

	nr = model_range(&run->random.model, scan, run->expected);
	while (i < n && i < nr &&
	       !memcmp(&run->expected[i], &run->found[i], sizeof(*run->found)))
		i++;
	if (i < n || i < nr)
		fixture_fail_at(
			run->test, scan->first,
			"up to %llu%s: %u entries, expected %u, differ from number %u on, after %lu operations",
			scan->last, scan->desc ? ", down" : "", n, nr, i,
			run->random.n);
}

static void count_range(struct run *run, struct blink_scan scan)
{
	unsigned int nr = model_range(&run->random.model, &scan, run->expected);
	unsigned int n = 0;
	u64 first = scan.first;
	int ret;

	while (!scan.done) {
		ret = blink_tree_count_range(run->tree, &scan,
					     1 + fixture_below(&run->random.rnd,
							       ROOM_MAX));
		if (ret < 0 || (!ret && !scan.done))
			fixture_fail_at(run->test, scan.first,
					"a count returned %d", ret);
		n += ret;
	}
	if (n != nr)
		fixture_fail_at(
			run->test, first,
			"up to %llu%s: %u keys were counted, expected %u, after %lu operations",
			scan.last, scan.desc ? ", down" : "", n, nr,
			run->random.n);
}

static void erase_range(struct run *run, struct blink_scan scan)
{
	struct model *model = &run->random.model;
	bool told = random_ops_one_in(&run->random, 2);
	unsigned int nr = model_range(model, &scan, run->expected), n = 0, i;
	int room, ret;

	while (!scan.done) {
		room = 1 + fixture_below(&run->random.rnd, ROOM_MAX);
		ret = blink_tree_erase_range(
			run->tree, &scan, told ? run->found + n : NULL, room);
		if (ret < 0 || ret > room || (!ret && !scan.done) ||
		    n + ret > nr)
			fixture_fail_at(run->test, scan.first,
					"an erase returned %d", ret);
		n += ret;
	}
	for (i = 0; i < n; i++)
		if (told && memcmp(&run->expected[i], &run->found[i],
				   sizeof(*run->found)))
			fixture_fail_at(run->test, run->found[i].key,
					"was erased as number %u", i);
	if (n != nr)
		fixture_fail_at(run->test, scan.first,
				"%u keys were erased, expected %u", n, nr);
	for (i = 0; i < n; i++)
		model_erase(model, model_rank(model, run->expected[i].key));
}

static void do_range(struct run *run)
{
	const struct model *model = &run->random.model;
	struct blink_scan scan = {
		.first = random_ops_key(&run->random),
		.last = random_ops_key(&run->random),
		.desc = random_ops_one_in(&run->random, 2),
	};
	bool brief = !random_ops_one_in(&run->random, 5);
	unsigned int i;

	/* Short ones as a rule; sometimes one that is empty by its bounds. */
	if (brief) {
		i = model_rank(model, scan.first) +
		    fixture_below(&run->random.rnd, 100);
		scan.last = model->key[min(i, model->nr - 1)];
	}
	switch (fixture_below(&run->random.rnd, 4)) {
	case 0:
		compare_range(run, &scan, read_by_scan(run, scan));
		break;
	case 1:
		compare_range(run, &scan, read_by_cursor(run, &scan));
		break;
	case 2:
		count_range(run, scan);
		break;
	default:
		/* Many long ones would keep the tree small. */
		if (brief || random_ops_one_in(&run->random, 10))
			erase_range(run, scan);
	}
}

static void compare_all(struct run *run)
{
	struct blink_scan scan = { .last = U64_MAX };

	compare_range(run, &scan, read_by_cursor(run, &scan));
	scan.desc = true;
	compare_range(run, &scan, read_by_cursor(run, &scan));
	fixture_sound(run->test, run->tree, run->random.model.count);
}

static void erase_the_rest(struct run *run)
{
	const struct model *model = &run->random.model;
	unsigned int i;
	u64 old;

	for (i = 0; i < model->nr; i++)
		if (model->present[i] &&
		    (blink_tree_erase(run->tree, model->key[i], &old) ||
		     old != model->value[i]))
			fixture_fail_at(run->test, model->key[i], "lost");
	fixture_emptied(run->test, run->tree);
}

/* Random operations on a tree, of which each has the answer of a model. */
void oracle_run(struct kunit *test, const struct oracle_course *course)
{
	unsigned long ops = world_work(course->ops), compared = 0;
	struct run run;

	begin(&run, test, course);
	while (run.random.n < ops) {
		do_ops(&run);
		if (random_ops_one_in(&run.random, 50))
			do_range(&run);
		if (run.random.n - compared > ops / COMPARISONS) {
			compare_all(&run);
			compared = run.random.n;
		}
		cond_resched();
	}
	kunit_info(test, "operations %lu\n", run.random.n);
	compare_all(&run);
	erase_the_rest(&run);
}

static void random_operations(struct kunit *test)
{
	oracle_run(test, test->param_value);
}

#define CASES FIXTURE_PARAM_SLOW(random_operations, course_gen_params)

FIXTURE_SUITE("oracle", CASES);
FIXTURE_SUITE("oracle-full", CASES);
FIXTURE_SUITE("oracle-compress", CASES);
FIXTURE_SUITE("oracle-compress-full", CASES);
FIXTURE_SUITE("oracle-u128", CASES);
FIXTURE_SUITE("oracle-u128-full", CASES);
