// SPDX-License-Identifier: GPL-2.0
/*
 * Values that are bytes, beside other threads: readers see whole values of their keys
 * only, and a comparison never takes one value for another.
 */
#include <linux/errno.h>
#include <linux/rcupdate.h>
#include <linux/string.h>

#include "threads.h"
#include "values.h"

#define KEYS 300

KUNIT_ARRAY_PARAM_DESC(values_course, values_courses, name);

/* For each thread what it needs to work on the tree. */
static struct values **
values_of_threads(struct kunit *test, struct blink_tree *tree, unsigned int nr)
{
	struct values **values;
	unsigned int i;

	values = fixture_alloc(test, nr, sizeof(*values));
	for (i = 0; i < nr; i++)
		values[i] = values_create(test, tree);
	return values;
}

static struct values *values_of(const struct thread *me)
{
	struct values *const *values = me->arg;

	return values[me->id];
}

/* A value that the thread took out of the tree: still whole, and of its key. */
static void thread_put(struct thread *me, struct values *values, u64 key,
		       u64 handle)
{
	if (!values_whole(values, handle, key))
		thread_fail(me, "a wrong value of key %llu taken out", key);
	blink_value_put(values->tree, handle);
}

/* INSERT, STORE, REPLACE or GET_OR_INSERT of a new value. */
static void thread_write(struct thread *me, struct values *values, u64 key)
{
	static const u16 opcodes[] = {
		BLINK_TREE_OP_INSERT,	     BLINK_TREE_OP_STORE,
		BLINK_TREE_OP_STORE,	     BLINK_TREE_OP_REPLACE,
		BLINK_TREE_OP_GET_OR_INSERT,
	};
	struct blink_tree_ioc_op op = { .key = key };
	bool stores;

	if (values_make(values, key, values_length(&me->rnd),
			fixture_random(&me->rnd), GFP_KERNEL, &op.value)) {
		thread_fail(me, "no memory");
		return;
	}
	op.opcode = opcodes[fixture_below(&me->rnd, ARRAY_SIZE(opcodes))];
	stores = op.opcode == BLINK_TREE_OP_STORE;
	values_op(values, &op, GFP_KERNEL);
	if (stores ? op.result == 1 :
		     op.opcode == BLINK_TREE_OP_REPLACE && !op.result)
		thread_put(me, values, key, op.old);
	if (op.result && !(stores && op.result == 1))
		blink_value_free(values->tree, op.value);
}

static void thread_remove(struct thread *me, struct values *values, u64 key)
{
	static const u16 opcodes[] = {
		BLINK_TREE_OP_ERASE,
		BLINK_TREE_OP_ERASE,
		BLINK_TREE_OP_POP_MIN,
		BLINK_TREE_OP_POP_MAX,
	};
	struct blink_tree_ioc_op op = { .key = key };

	op.opcode = opcodes[fixture_below(&me->rnd, ARRAY_SIZE(opcodes))];
	values_op(values, &op, GFP_KERNEL);
	if (!op.result)
		thread_put(me, values, op.key, op.old);
	else if (op.result != -ENOENT)
		thread_fail(me, "opcode %u: %d", op.opcode, op.result);
}

/* Copy the value of a key. Returns its length, or an error. */
static int copy_value(struct values *values, u64 key, u8 *bytes)
{
	struct blink_tree_ioc_op op = { .opcode = BLINK_TREE_OP_LOOKUP,
					.key = key };
	int ret;

	rcu_read_lock();
	values_op(values, &op, GFP_NOWAIT);
	ret = op.result;
	if (!ret) {
		ret = blink_value(op.value)->length;
		memcpy(bytes, blink_value(op.value)->data, ret);
	}
	rcu_read_unlock();
	return ret;
}

/* Replace a value that was read before, if the key still has it. */
static int replace_read(struct thread *me, struct values *values, u64 key,
			u32 length, u64 *old)
{
	u64 handle;
	int ret = values_make(values, key, length, fixture_random(&me->rnd),
			      GFP_KERNEL, &handle);

	if (ret)
		return ret;
	ret = values_cmpxchg(values, key, values->buffer, length, handle, old);
	if (ret)
		blink_value_free(values->tree, handle);
	return ret;
}

/* Replace or remove a value that was read before. */
static void thread_compare(struct thread *me, struct values *values, u64 key)
{
	int length = copy_value(values, key, values->buffer), ret;
	u64 old;

	if (length < 0)
		return;
	if (fixture_below(&me->rnd, 2))
		ret = values_cmperase(values, key, values->buffer, length,
				      &old);
	else
		ret = replace_read(me, values, key, length, &old);
	if (!ret)
		thread_put(me, values, key, old);
	else if (ret != -ENOENT && ret != -ESTALE)
		thread_fail(me, "comparison: %d", ret);
}

static void thread_erase_range(struct thread *me, struct values *values,
			       u64 key)
{
	int ret;

	values_range(values, key, key + 20, fixture_below(&me->rnd, 2));
	while (!values->range.done) {
		ret = values_erase_range(values, 8);
		if (ret < 0)
			thread_fail(me, "erase of a range: %d", ret);
	}
}

static void modify(struct thread *me)
{
	const unsigned long rounds = world_work(1000);
	struct values *values = values_of(me);
	unsigned long n;
	u64 key;

	for (n = 0; n < rounds && thread_goes_on(me); n++) {
		key = fixture_below(&me->rnd, KEYS);
		switch (fixture_below(&me->rnd, 16)) {
		case 0:
			thread_erase_range(me, values, key);
			break;
		case 1 ... 3:
			thread_remove(me, values, key);
			break;
		case 4 ... 7:
			thread_compare(me, values, key);
			break;
		default:
			thread_write(me, values, key);
		}
	}
}

/* A few reads in one section; the values are compared behind the last one. */
static bool read_some(struct thread *me, struct values *values)
{
	struct blink_tree_ioc_op op[VALUES_BATCH] = {};
	unsigned int i;

	for (i = 0; i < VALUES_BATCH; i++) {
		op[i].opcode = i & 1 ? BLINK_TREE_OP_LOOKUP :
			       i & 2 ? BLINK_TREE_OP_FLOOR :
				       BLINK_TREE_OP_CEILING;
		op[i].key = fixture_below(&me->rnd, KEYS);
	}
	if (fixture_below(&me->rnd, 2))
		values_batch(values, op, VALUES_BATCH);
	else
		for (i = 0; i < VALUES_BATCH; i++)
			values_op(values, &op[i], GFP_NOWAIT);
	for (i = 0; i < VALUES_BATCH; i++)
		if (op[i].result ?
			    op[i].result != -ENOENT :
			    !values_whole(values, op[i].value, op[i].key))
			return false;
	return true;
}

static bool scan_some(struct thread *me, struct values *values)
{
	struct blink_tree_entry entries[2][VALUES_BATCH];
	u64 key = fixture_below(&me->rnd, KEYS);
	int nr[2] = {}, i, j;

	values_range(values, key, U64_MAX, false);
	for (i = 0; i < 2 && !values->range.done; i++)
		nr[i] = values_scan(values, entries[i], VALUES_BATCH);
	for (i = 0; i < 2; i++)
		for (j = 0; j < nr[i]; j++)
			if (!values_whole(values, entries[i][j].value,
					  entries[i][j].key))
				return false;
	return nr[0] >= 0 && nr[1] >= 0;
}

static void read_whole_values(struct thread *me)
{
	struct values *values = values_of(me);
	bool right;

	while (thread_goes_on(me)) {
		rcu_read_lock();
		right = fixture_below(&me->rnd, 4) ? read_some(me, values) :
						     scan_some(me, values);
		rcu_read_unlock();
		if (!right)
			thread_fail(me, "a value that is not whole");
	}
}

/* Erase all, and see that no value is left. */
static void erase_all(struct kunit *test, struct values *values)
{
	values_range(values, 0, U64_MAX, false);
	while (!values->range.done)
		KUNIT_ASSERT_GE(test, values_erase_range(values, 100), 0);
	fixture_emptied(test, values->tree);
}

/* Leaders, followers if there are any, and what they leave. */
static void run_threads_of(struct kunit *test, struct values *values,
			   unsigned int nr, thread_work_t lead,
			   thread_work_t follow)
{
	struct threads *threads = threads_create(test, values->tree);

	threads_lead(threads, nr, lead,
		     values_of_threads(test, values->tree, nr));
	if (follow)
		threads_follow(threads, nr, follow,
			       values_of_threads(test, values->tree, nr));
	threads_run(threads);
}

static void whole_values(struct kunit *test)
{
	struct values *values = values_of_course(test);

	run_threads_of(test, values, world_cpus(), modify, read_whole_values);
	erase_all(test, values);
}

/* Counters, each the value of a key: eight bytes, so that memory is used again soon. */
#define COUNTERS 3

static u64 counter_make(struct values *values, u64 count)
{
	u64 handle;

	/* data_race: as in values_make(). */
	if (data_race(blink_value_make(values->tree, &count, sizeof(count),
				       GFP_KERNEL, &handle)))
		return 0;
	return handle;
}

/* A thread that removes a value puts another one in its place. */
static int put_back(struct thread *me, struct values *values, u64 key,
		    u64 handle)
{
	u64 old;
	int ret = values_write(values, BLINK_TREE_OP_INSERT, key, handle, &old,
			       GFP_KERNEL);

	if (ret)
		thread_fail(me, "another thread has put one there: %d", ret);
	return ret;
}

/* Replace a value, or remove it and put the next one in its place. */
static int exchange(struct thread *me, struct values *values, u64 key,
		    const void *expected, u32 length, u64 handle, u64 *old)
{
	int ret;

	if (fixture_below(&me->rnd, 4))
		return values_cmpxchg(values, key, expected, length, handle,
				      old);
	ret = values_cmperase(values, key, expected, length, old);
	return ret ?: put_back(me, values, key, handle);
}

static int count_once(struct thread *me, struct values *values, u64 key)
{
	u64 count, handle, old;
	int ret = copy_value(values, key, (u8 *)&count);

	if (ret < 0)
		return ret;
	handle = counter_make(values, count + 1);
	if (!handle)
		return -ENOMEM;
	ret = exchange(me, values, key, &count, sizeof(count), handle, &old);
	if (ret)
		blink_value_free(values->tree, handle);
	else
		blink_value_put(values->tree, old);
	return ret;
}

static void count(struct thread *me)
{
	const unsigned long rounds = world_work(1000);
	struct values *values = values_of(me);
	unsigned long n = 0;
	int ret;

	while (n < rounds && thread_goes_on(me)) {
		ret = count_once(me, values, n % COUNTERS);
		n += !ret;
		if (ret && ret != -ESTALE && ret != -ENOENT)
			thread_fail(me, "counter: %d", ret);
	}
}

/* No increment is lost: a comparison is of the value that is replaced. */
static void counters(struct kunit *test)
{
	struct values *values = values_of_course(test);
	unsigned int nr = world_cpus();
	u64 key, handle, got = 0, sum = 0;

	for (key = 0; key < COUNTERS; key++) {
		handle = counter_make(values, 0);
		KUNIT_ASSERT_GT(test, handle, 0);
		values_insert(test, values, key, handle);
	}
	run_threads_of(test, values, nr, count, NULL);
	for (key = 0; key < COUNTERS; key++) {
		KUNIT_EXPECT_EQ(test, copy_value(values, key, (u8 *)&got),
				sizeof(got));
		sum += got;
	}
	KUNIT_EXPECT_EQ(test, sum, nr * world_work(1000));
	erase_all(test, values);
}

/* The bytes of a value that is replaced by equal ones. */
#define EQUAL_LENGTH 40

static u64 equal_make(struct thread *me, struct values *values)
{
	u64 handle = 0;

	if (values_make(values, 0, EQUAL_LENGTH, 0, GFP_KERNEL, &handle))
		thread_fail(me, "no memory");
	return handle;
}

static void replace_by_equal(struct thread *me)
{
	struct values *values = values_of(me);
	u64 handle, old;

	while (thread_goes_on(me)) {
		handle = equal_make(me, values);
		if (!handle)
			return;
		if (values_write(values, BLINK_TREE_OP_REPLACE, 0, handle, &old,
				 GFP_KERNEL))
			blink_value_free(values->tree, handle);
		else
			blink_value_put(values->tree, old);
	}
}

static void compare_equal(struct thread *me)
{
	const unsigned long rounds = world_work(1000);
	struct values *values = values_of(me);
	unsigned long n;
	u64 handle, old;
	int ret;

	for (n = 0; n < rounds && thread_goes_on(me); n++) {
		handle = equal_make(me, values);
		if (!handle)
			return;
		memcpy(values->buffer, values->bytes, EQUAL_LENGTH);
		ret = exchange(me, values, 0, values->buffer, EQUAL_LENGTH,
			       handle, &old);
		if (ret)
			blink_value_free(values->tree, handle);
		else
			blink_value_put(values->tree, old);
		if (ret && ret != -ENOENT)
			thread_fail(me, "an equal value: %d", ret);
	}
}

/* A value that is replaced by an equal one is equal all the time. */
static void equal_values(struct kunit *test)
{
	struct values *values = values_of_course(test);

	values_insert(test, values, 0,
		      values_made(test, values, 0, EQUAL_LENGTH, 0));
	run_threads_of(test, values, 2, compare_equal, replace_by_equal);
	erase_all(test, values);
}

#define CASES                                                           \
	FIXTURE_PARAM_SLOW(whole_values, values_course_gen_params),     \
		FIXTURE_PARAM_SLOW(counters, values_course_gen_params), \
		FIXTURE_PARAM_SLOW(equal_values, values_course_gen_params)

FIXTURE_SUITE("values_threads", CASES);
FIXTURE_SUITE("values_threads-inner", CASES);
FIXTURE_SUITE("values_threads-full", CASES);
