// SPDX-License-Identifier: GPL-2.0
/*
 * Trees whose values are bytes, with keys of each kind: random operations with values of
 * all lengths, each compared with a plain model. The model has the handle of each value,
 * so an operation must give exactly the value that was put in.
 */
#include <linux/errno.h>
#include <linux/rcupdate.h>
#include <linux/string.h>

#include "universe.h"
#include "values.h"

/* Keys that the tree may contain. */
#define KEYS 1500

KUNIT_ARRAY_PARAM_DESC(values_course, values_courses, name);

/**
 * struct trial - a tree, and what it must contain
 * @test: the test
 * @values: for work on the tree
 * @model: the handle of the value of each key
 * @rnd: random numbers
 * @range: the entries that a range must have
 * @bytes: those that a comparison expects
 */
struct trial {
	struct kunit *test;
	struct values *values;
	struct model model;
	struct rnd_state rnd;
	struct blink_tree_entry range[KEYS];
	u8 bytes[BLINK_VALUE_MAX + 1];
};

static struct trial *trial_create(struct kunit *test)
{
	struct trial *trial = fixture_alloc(test, 1, sizeof(*trial));

	trial->test = test;
	trial->values = values_of_course(test);
	fixture_seed(test, &trial->rnd);
	model_init(test, &trial->model, 0, 1, KEYS);
	return trial;
}

static u64 random_key(struct trial *trial)
{
	return fixture_below(&trial->rnd, KEYS);
}

/* A new value, which belongs to the test until an operation puts it into the tree. */
static u64 new_value(struct trial *trial, u64 key)
{
	return values_made(trial->test, trial->values, key,
			   values_length(&trial->rnd),
			   fixture_random(&trial->rnd));
}

static bool same(struct trial *trial, const struct blink_tree_ioc_op *op,
		 const struct blink_tree_ioc_op *expected)
{
	return !memcmp(op, expected, sizeof(*op)) &&
	       (!op->value ||
		values_whole(trial->values, op->value, op->key)) &&
	       (!op->old || values_whole(trial->values, op->old, op->key));
}

static void wrong(struct trial *trial, const struct blink_tree_ioc_op *op)
{
	fixture_fail_at(trial->test, op->key, "opcode %u: %d", op->opcode,
			op->result);
}

static void random_reads(struct trial *trial)
{
	static const u16 opcodes[] = { BLINK_TREE_OP_LOOKUP,
				       BLINK_TREE_OP_FLOOR,
				       BLINK_TREE_OP_CEILING };
	unsigned int nr = 1 + fixture_below(&trial->rnd, VALUES_BATCH), i;
	struct blink_tree_ioc_op op[VALUES_BATCH] = {}, expected[VALUES_BATCH];

	for (i = 0; i < nr; i++) {
		op[i].opcode =
			opcodes[fixture_below(&trial->rnd, ARRAY_SIZE(opcodes))];
		op[i].key = random_key(trial);
		expected[i] = op[i];
		model_apply(&trial->model, &expected[i]);
	}
	rcu_read_lock();
	if (nr == 1)
		values_op(trial->values, op, GFP_NOWAIT);
	else
		values_batch(trial->values, op, nr);
	for (i = 0; i < nr && same(trial, &op[i], &expected[i]); i++)
		;
	rcu_read_unlock();
	if (i < nr)
		wrong(trial, &op[i]);
}

static bool adds(u16 opcode)
{
	return opcode == BLINK_TREE_OP_INSERT ||
	       opcode == BLINK_TREE_OP_GET_OR_INSERT;
}

/* An operation that puts in a new value, or takes one out, or both. */
static void random_write(struct trial *trial, u16 opcode, bool puts)
{
	struct blink_tree *tree = trial->values->tree;
	struct blink_tree_ioc_op op = { .opcode = opcode }, expected;
	bool stores = opcode == BLINK_TREE_OP_STORE;
	u64 handle;

	op.key = random_key(trial);
	handle = puts ? new_value(trial, op.key) : 0;
	op.value = handle;
	expected = op;
	model_apply(&trial->model, &expected);
	values_op(trial->values, &op, GFP_KERNEL);
	if (!same(trial, &op, &expected))
		wrong(trial, &op);
	if (puts && op.result && !stores)
		blink_value_free(tree, handle);
	if (op.result == stores && !adds(opcode))
		blink_value_put(tree, op.old);
}

/*
 * The bytes that a comparison expects: those of the value; or too few of them, or one
 * too many, or with a wrong last byte. Returns whether they are equal.
 */
static bool random_expected(struct trial *trial, u64 key, u32 *length)
{
	const struct blink_value *value = NULL;
	u32 all = 0;

	if (trial->model.present[key])
		value = blink_value(trial->model.value[key]);
	if (value)
		all = value->length;
	if (value)
		memcpy(trial->bytes, value->data, all);
	*length = all;
	switch (fixture_below(&trial->rnd, 6)) {
	case 0:
		trial->bytes[(*length)++] = 0;
		return false;
	case 1:
		*length -= all > 0;
		return !all;
	case 2:
		if (all)
			trial->bytes[all - 1] ^= 1;
		return !all;
	default:
		return true;
	}
}

/* Replace a value, or erase it, if it has these bytes. */
static void random_comparison(struct trial *trial, bool erase)
{
	u64 key = random_key(trial), old = 0, present = 0, handle = 0;
	struct blink_tree *tree = trial->values->tree;
	u32 length;
	bool equal = random_expected(trial, key, &length);
	int ret;

	if (trial->model.present[key])
		present = trial->model.value[key];
	if (erase) {
		ret = values_cmperase(trial->values, key, trial->bytes, length,
				      &old);
	} else {
		handle = new_value(trial, key);
		ret = values_cmpxchg(trial->values, key, trial->bytes, length,
				     handle, &old);
	}
	if (ret != (!present ? -ENOENT : equal ? 0 : -ESTALE) || old != present)
		fixture_fail_at(trial->test, key, "comparison: %d", ret);
	if (present && !values_whole(trial->values, old, key))
		fixture_fail_at(trial->test, key, "another value");
	if (ret && !erase)
		blink_value_free(tree, handle);
	if (ret)
		return;
	blink_value_put(tree, old);
	if (erase)
		model_erase(&trial->model, key);
	else
		model_set(&trial->model, key, handle);
}

/* A few keys in a row: those up to the first one that is present are added. */
static void random_load(struct trial *trial)
{
	struct blink_tree_entry entries[VALUES_BATCH];
	u64 key = fixture_below(&trial->rnd, KEYS - VALUES_BATCH);
	unsigned int done, i;
	int ret;

	for (i = 0; i < VALUES_BATCH; i++) {
		entries[i].key = key + i;
		entries[i].value = new_value(trial, key + i);
	}
	ret = values_load(trial->values, entries, VALUES_BATCH, &done);
	for (i = 0; i < VALUES_BATCH && !trial->model.present[key + i]; i++)
		;
	if (done != i || ret != (i < VALUES_BATCH ? -EEXIST : 0))
		fixture_fail_at(trial->test, key, "load: %d, %u added", ret,
				done);
	for (i = 0; i < done; i++)
		model_set(&trial->model, key + i, entries[i].value);
	for (; i < VALUES_BATCH; i++)
		blink_value_free(trial->values->tree, entries[i].value);
}

/* Scan a range, of which each entry has its value. */
static void check_range(struct trial *trial, u64 first, u64 last, bool desc)
{
	struct blink_tree_entry entries[VALUES_BATCH];
	unsigned int nr, at = 0;
	int n, i;

	values_range(trial->values, first, last, desc);
	nr = model_range(&trial->model, &trial->values->range, trial->range);
	while (!trial->values->range.done) {
		rcu_read_lock();
		n = values_scan(trial->values, entries, VALUES_BATCH);
		for (i = 0; i < n && at < nr; i++, at++)
			if (entries[i].key != trial->range[at].key ||
			    entries[i].value != trial->range[at].value ||
			    !values_whole(trial->values, entries[i].value,
					  entries[i].key))
				break;
		rcu_read_unlock();
		if (n < 0 || i < n)
			fixture_fail_at(trial->test, first, "scan: %d, %u", n,
					at);
	}
	if (at != nr)
		fixture_fail_at(trial->test, first, "a scan of %u", at);
}

static void random_scan(struct trial *trial)
{
	u64 first = random_key(trial);

	check_range(trial, first, first + fixture_below(&trial->rnd, 300),
		    fixture_below(&trial->rnd, 2));
}

static void random_erase_range(struct trial *trial)
{
	u64 first = random_key(trial);
	unsigned int nr, count = 0;
	int ret;

	values_range(trial->values, first,
		     first + fixture_below(&trial->rnd, 120),
		     fixture_below(&trial->rnd, 2));
	nr = model_range(&trial->model, &trial->values->range, trial->range);
	while (!trial->values->range.done) {
		ret = values_erase_range(trial->values, 50);
		if (ret < 0)
			fixture_fail_at(trial->test, first, "erase: %d", ret);
		count += ret;
	}
	if (count != nr)
		fixture_fail_at(trial->test, first, "%u erased", count);
	while (nr--)
		model_erase(&trial->model, trial->range[nr].key);
}

static void random_operation(struct trial *trial)
{
	static const u16 puts[] = { BLINK_TREE_OP_INSERT, BLINK_TREE_OP_STORE,
				    BLINK_TREE_OP_REPLACE,
				    BLINK_TREE_OP_GET_OR_INSERT };
	static const u16 takes[] = {
		BLINK_TREE_OP_POP_MIN,
		BLINK_TREE_OP_POP_MAX,
		[2 ... 15] = BLINK_TREE_OP_ERASE,
	};

	switch (fixture_below(&trial->rnd, 64)) {
	case 0:
		random_scan(trial);
		return;
	case 1:
		random_load(trial);
		return;
	case 2:
		random_erase_range(trial);
		return;
	case 3 ... 24:
		random_write(trial, puts[fixture_below(&trial->rnd, 4)], true);
		return;
	case 25 ... 35:
		random_write(trial, takes[fixture_below(&trial->rnd, 16)],
			     false);
		return;
	case 36 ... 46:
		random_comparison(trial, fixture_below(&trial->rnd, 3) == 0);
		return;
	default:
		random_reads(trial);
	}
}

/* The tree is destroyed with all the values that it has then. */
static void random_operations(struct kunit *test)
{
	unsigned long ops = world_work(10000), i;
	struct trial *trial = trial_create(test);

	for (i = 0; i < ops; i++) {
		random_operation(trial);
		cond_resched();
	}
	check_range(trial, 0, U64_MAX, false);
	fixture_content(test, trial->values->tree, trial->model.count);
}

#define CASES FIXTURE_PARAM_SLOW(random_operations, values_course_gen_params)

FIXTURE_SUITE("values", CASES);
FIXTURE_SUITE("values-inner", CASES);
FIXTURE_SUITE("values-full", CASES);
