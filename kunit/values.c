// SPDX-License-Identifier: GPL-2.0
/*
 * Trees whose values are bytes, with keys of each kind: random operations with values of
 * all lengths, each compared with a plain model. The model has the handle of each value,
 * so an operation must give exactly the value that was put in.
 */
#include <linux/errno.h>
#include <linux/rcupdate.h>
#include <linux/string.h>

#include "values.h"

/* Keys that the tree may contain. */
#define KEYS 1500

KUNIT_ARRAY_PARAM_DESC(values_course, values_courses, name);

/**
 * struct item - the value that the tree must have for a key
 * @handle: the handle of its value; 0 if the key is absent
 * @length: the length of the value
 * @seed: the seed of its bytes
 */
struct item {
	u64 handle;
	u32 length;
	u64 seed;
};

/**
 * struct trial - a tree, and what it must contain
 * @test: the test
 * @values: for work on the tree
 * @item: of each key
 * @count: how many keys are present
 * @rnd: random numbers
 * @expected: the bytes that a comparison expects
 */
struct trial {
	struct kunit *test;
	struct values *values;
	struct item item[KEYS];
	u64 count;
	struct rnd_state rnd;
	u8 expected[BLINK_VALUE_MAX + 1];
};

static struct trial *trial_create(struct kunit *test)
{
	struct trial *trial = kunit_kzalloc(test, sizeof(*trial), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, trial);
	trial->test = test;
	trial->values = values_of_course(test);
	fixture_seed(test, &trial->rnd);
	return trial;
}

static u64 random_key(struct trial *trial)
{
	return fixture_below(&trial->rnd, KEYS);
}

/* A new value, which belongs to the test until an operation puts it into the tree. */
static struct item item_make(struct trial *trial, u64 key)
{
	struct item item = {
		.length = values_length(&trial->rnd),
		.seed = fixture_random(&trial->rnd),
	};

	item.handle = values_made(trial->test, trial->values, key, item.length,
				  item.seed);
	return item;
}

static void trial_set(struct trial *trial, u64 key, struct item item)
{
	trial->count += !!item.handle - !!trial->item[key].handle;
	trial->item[key] = item;
}

/* The nearest key that is present, from @key on; KEYS if there is none. */
static u64 trial_near(const struct trial *trial, u64 key, bool below)
{
	while (key < KEYS && !trial->item[key].handle)
		key += below ? -1 : 1;
	return key < KEYS ? key : KEYS;
}

/* Whether a handle is that of a key's value, with the bytes that the value must have. */
static bool trial_has(struct trial *trial, u64 key, u64 handle)
{
	return handle && trial->item[key].handle == handle &&
	       blink_value(handle)->length == trial->item[key].length &&
	       values_whole(trial->values, handle, key);
}

/* A value that an operation took out of the tree. */
static void taken(struct trial *trial, u64 key, u64 handle)
{
	if (!trial_has(trial, key, handle))
		fixture_fail_at(trial->test, key, "not its value");
	blink_value_put(trial->values->tree, handle);
}

/* The key where an operation must take effect; KEYS if there is none. */
static u64 place_of(const struct trial *trial,
		    const struct blink_tree_ioc_op *op)
{
	switch (op->opcode) {
	case BLINK_TREE_OP_FLOOR:
	case BLINK_TREE_OP_POP_MAX:
		return trial_near(trial, op->key, true);
	case BLINK_TREE_OP_CEILING:
	case BLINK_TREE_OP_POP_MIN:
		return trial_near(trial, op->key, false);
	default:
		return op->key;
	}
}

/* The result of an operation on a key that is present, or is not. */
static int result_of(u16 opcode, bool present)
{
	switch (opcode) {
	case BLINK_TREE_OP_INSERT:
		return present ? -EEXIST : 0;
	case BLINK_TREE_OP_GET_OR_INSERT:
	case BLINK_TREE_OP_STORE:
		return present;
	default:
		return present ? 0 : -ENOENT;
	}
}

/* Whether an operation that reads has found what is there. */
static bool reads_right(struct trial *trial, const struct blink_tree_ioc_op *op,
			u64 at)
{
	bool present = at < KEYS && trial->item[at].handle;

	if (op->result)
		return op->result == -ENOENT && !present;
	return present && op->key == at && trial_has(trial, at, op->value);
}

static void random_read(struct trial *trial)
{
	static const u16 opcodes[] = { BLINK_TREE_OP_LOOKUP,
				       BLINK_TREE_OP_FLOOR,
				       BLINK_TREE_OP_CEILING };
	struct blink_tree_ioc_op op[VALUES_BATCH] = {};
	unsigned int nr = 1 + fixture_below(&trial->rnd, VALUES_BATCH), i;
	u64 at[VALUES_BATCH];

	for (i = 0; i < nr; i++) {
		op[i].opcode =
			opcodes[fixture_below(&trial->rnd, ARRAY_SIZE(opcodes))];
		op[i].key = random_key(trial);
		at[i] = place_of(trial, &op[i]);
	}
	rcu_read_lock();
	if (nr == 1)
		values_op(trial->values, op, GFP_NOWAIT);
	else
		values_batch(trial->values, op, nr);
	for (i = 0; i < nr && reads_right(trial, &op[i], at[i]); i++)
		;
	rcu_read_unlock();
	if (i < nr)
		fixture_fail_at(trial->test, at[i], "opcode %u: %d",
				op[i].opcode, op[i].result);
}

/* INSERT, STORE, REPLACE or GET_OR_INSERT of a new value. */
static void random_write(struct trial *trial)
{
	static const u16 opcodes[] = {
		BLINK_TREE_OP_INSERT,
		BLINK_TREE_OP_STORE,
		BLINK_TREE_OP_REPLACE,
		BLINK_TREE_OP_GET_OR_INSERT,
	};
	struct blink_tree_ioc_op op = { .key = random_key(trial) };
	struct item item = item_make(trial, op.key);
	bool present = trial->item[op.key].handle;
	bool stores;

	op.opcode = opcodes[fixture_below(&trial->rnd, ARRAY_SIZE(opcodes))];
	op.value = item.handle;
	stores = op.opcode == BLINK_TREE_OP_STORE;
	values_op(trial->values, &op, GFP_KERNEL);
	if (op.result != result_of(op.opcode, present))
		fixture_fail_at(trial->test, op.key, "opcode %u: %d", op.opcode,
				op.result);
	if (op.opcode == BLINK_TREE_OP_REPLACE ? present : stores && present)
		taken(trial, op.key, op.old);
	else if (present && !trial_has(trial, op.key, op.old))
		fixture_fail_at(trial->test, op.key, "not the present value");
	if (!op.result || stores)
		trial_set(trial, op.key, item);
	else
		blink_value_free(trial->values->tree, item.handle);
}

/* ERASE, POP_MIN or POP_MAX. */
static void random_removal(struct trial *trial)
{
	struct blink_tree_ioc_op op = {
		.opcode = BLINK_TREE_OP_ERASE,
		.key = random_key(trial),
	};
	u64 at;

	if (!fixture_below(&trial->rnd, 8))
		op.opcode = fixture_below(&trial->rnd, 2) ?
				    BLINK_TREE_OP_POP_MIN :
				    BLINK_TREE_OP_POP_MAX;
	at = place_of(trial, &op);
	values_op(trial->values, &op, GFP_KERNEL);
	if (op.result != (at < KEYS && trial->item[at].handle ? 0 : -ENOENT))
		fixture_fail_at(trial->test, at, "opcode %u: %d", op.opcode,
				op.result);
	if (op.result)
		return;
	taken(trial, op.key, op.old);
	trial_set(trial, at, (struct item){});
}

/*
 * The bytes that a comparison expects: those of the value; or too few of them, or one
 * too many, or with a wrong last byte. Returns whether they are equal.
 */
static bool random_expected(struct trial *trial, u64 key, u32 *length)
{
	const struct item *item = &trial->item[key];

	*length = item->length;
	values_fill(trial->expected, key, *length, item->seed);
	switch (fixture_below(&trial->rnd, 6)) {
	case 0:
		trial->expected[(*length)++] = 0;
		return false;
	case 1:
		*length -= *length > 0;
		return *length == item->length;
	case 2:
		if (*length)
			trial->expected[*length - 1] ^= 1;
		return !*length;
	default:
		return true;
	}
}

/* The result of a comparison, after which @old is the value of the key. */
static void check_compared(struct trial *trial, u64 key, bool equal, int ret,
			   u64 old)
{
	bool present = trial->item[key].handle;

	if (ret != (!present ? -ENOENT : equal ? 0 : -ESTALE))
		fixture_fail_at(trial->test, key, "comparison: %d", ret);
	if (ret == -ESTALE && !trial_has(trial, key, old))
		fixture_fail_at(trial->test, key, "not the present value");
	if (ret == -ENOENT && old)
		fixture_fail_at(trial->test, key, "a value of an absent key");
	if (!ret)
		taken(trial, key, old);
}

static void random_cmpxchg(struct trial *trial)
{
	u64 key = random_key(trial), old = 0;
	struct item item = item_make(trial, key);
	u32 length;
	bool equal = random_expected(trial, key, &length);
	int ret = values_cmpxchg(trial->values, key, trial->expected, length,
				 item.handle, &old);

	check_compared(trial, key, equal, ret, old);
	if (ret)
		blink_value_free(trial->values->tree, item.handle);
	else
		trial_set(trial, key, item);
}

static void random_cmperase(struct trial *trial)
{
	u64 key = random_key(trial), old = 0;
	u32 length;
	bool equal = random_expected(trial, key, &length);
	int ret = values_cmperase(trial->values, key, trial->expected, length,
				  &old);

	check_compared(trial, key, equal, ret, old);
	if (!ret)
		trial_set(trial, key, (struct item){});
}

/* A few keys in a row: those up to the first one that is present are added. */
static void random_load(struct trial *trial)
{
	struct blink_tree_entry entries[VALUES_BATCH];
	u64 key = fixture_below(&trial->rnd, KEYS - VALUES_BATCH);
	struct item item[VALUES_BATCH];
	unsigned int done, i;
	int ret;

	for (i = 0; i < VALUES_BATCH; i++) {
		item[i] = item_make(trial, key + i);
		entries[i].key = key + i;
		entries[i].value = item[i].handle;
	}
	ret = values_load(trial->values, entries, VALUES_BATCH, &done);
	for (i = 0; i < VALUES_BATCH && !trial->item[key + i].handle; i++)
		;
	if (done != i || ret != (i < VALUES_BATCH ? -EEXIST : 0))
		fixture_fail_at(trial->test, key, "load: %d, %u added", ret,
				done);
	for (i = 0; i < done; i++)
		trial_set(trial, key + i, item[i]);
	for (; i < VALUES_BATCH; i++)
		blink_value_free(trial->values->tree, item[i].handle);
}

static u64 range_count(const struct trial *trial, u64 first, u64 last)
{
	u64 count = 0;

	for (; first <= last; first++)
		count += !!trial->item[first].handle;
	return count;
}

/* The next entries of a scan that has come to @at. Returns how many. */
static u64 scan_some(struct trial *trial, u64 *at, bool desc)
{
	struct blink_tree_entry entries[VALUES_BATCH];
	int nr, i;

	rcu_read_lock();
	nr = values_scan(trial->values, entries, VALUES_BATCH);
	for (i = 0; i < nr; i++) {
		*at = trial_near(trial, *at, desc);
		if (*at == KEYS || entries[i].key != *at ||
		    !trial_has(trial, *at, entries[i].value))
			break;
		*at += desc ? -1 : 1;
	}
	rcu_read_unlock();
	if (nr < 0 || i < nr)
		fixture_fail_at(trial->test, *at, "scan: %d, %d", nr, i);
	return nr;
}

/* A random range. */
static u64 range_begin(struct trial *trial, u64 *last, u32 width, bool desc)
{
	u64 first = random_key(trial);

	*last = min(first + fixture_below(&trial->rnd, width), KEYS - 1ULL);
	values_range(trial->values, first, *last, desc);
	return first;
}

static void random_scan(struct trial *trial)
{
	bool desc = fixture_below(&trial->rnd, 2);
	u64 last, first = range_begin(trial, &last, 300, desc), at, count = 0;

	at = desc ? last : first;
	while (!trial->values->range.done)
		count += scan_some(trial, &at, desc);
	if (count != range_count(trial, first, last))
		fixture_fail_at(trial->test, first, "a scan of %llu", count);
}

static void random_erase_range(struct trial *trial)
{
	bool desc = fixture_below(&trial->rnd, 2);
	u64 last, first = range_begin(trial, &last, 120, desc), count = 0;
	int ret;

	while (!trial->values->range.done) {
		ret = values_erase_range(trial->values, 50);
		if (ret < 0)
			fixture_fail_at(trial->test, first, "erase: %d", ret);
		count += ret;
	}
	if (count != range_count(trial, first, last))
		fixture_fail_at(trial->test, first, "%llu erased", count);
	for (; first <= last; first++)
		trial_set(trial, first, (struct item){});
}

static void random_operation(struct trial *trial)
{
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
		random_write(trial);
		return;
	case 25 ... 35:
		random_removal(trial);
		return;
	case 36 ... 42:
		random_cmpxchg(trial);
		return;
	case 43 ... 46:
		random_cmperase(trial);
		return;
	default:
		random_read(trial);
	}
}

/* All that the model has is in the tree. */
static void check_all(struct trial *trial)
{
	u64 count = 0, at = 0;

	values_range(trial->values, 0, U64_MAX, false);
	while (!trial->values->range.done)
		count += scan_some(trial, &at, false);
	KUNIT_EXPECT_EQ(trial->test, count, trial->count);
	fixture_content(trial->test, trial->values->tree, trial->count);
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
	check_all(trial);
}

#define CASES FIXTURE_PARAM_SLOW(random_operations, values_course_gen_params)

FIXTURE_SUITE("values", CASES);
FIXTURE_SUITE("values-inner", CASES);
FIXTURE_SUITE("values-full", CASES);
