// SPDX-License-Identifier: GPL-2.0
/*
 * The memory of values that are bytes: it is counted and limited, it stays while readers
 * can need it, and it comes back.
 */
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/rcupdate.h>

#include "inject.h"
#include "values.h"

/* Enough for several leaves. */
#define KEYS 400

KUNIT_ARRAY_PARAM_DESC(values_course, values_courses, name);

/* Insert keys with values of all lengths. */
static void fill(struct kunit *test, struct values *values, u64 nr)
{
	struct rnd_state rnd;
	u64 key;

	fixture_seed(test, &rnd);
	for (key = 0; key < nr; key++) {
		values_insert(test, values, key,
			      values_made(test, values, key,
					  values_length(&rnd),
					  fixture_random(&rnd)));
		cond_resched();
	}
}

/* Every key has its value. */
static void check_filled(struct kunit *test, struct values *values, u64 nr)
{
	struct blink_tree_ioc_op op = { .opcode = BLINK_TREE_OP_LOOKUP };
	bool whole = true;
	u64 key;

	for (key = 0; key < nr && whole; key++) {
		op.key = key;
		rcu_read_lock();
		values_op(values, &op, GFP_NOWAIT);
		whole = !op.result && values_whole(values, op.value, key);
		rcu_read_unlock();
	}
	if (!whole)
		fixture_fail_at(test, key - 1, "lost: %d", op.result);
}

static void stats_at_rest(struct blink_tree *tree,
			  struct blink_tree_ioc_stats *stats)
{
	blink_tree_barrier();
	blink_tree_stats(tree, stats);
}

static void erased_by_range(struct kunit *test)
{
	struct values *values = values_of_course(test);
	int ret, nr = 0;

	fill(test, values, KEYS);
	values_range(values, 0, U64_MAX, false);
	while (!values->range.done) {
		ret = values_erase_range(values, 70);
		KUNIT_ASSERT_GE(test, ret, 0);
		nr += ret;
	}
	KUNIT_EXPECT_EQ(test, nr, KEYS);
	fixture_emptied(test, values->tree);
}

/* The memory of a value in limbo belongs to the tree until the grace period ends. */
static void bytes_are_counted(struct kunit *test)
{
	struct values *values = values_of_course(test);
	struct blink_tree_ioc_stats before, made, held, after;
	u64 handle;

	fill(test, values, 10);
	stats_at_rest(values->tree, &before);
	handle = values_made(test, values, 10, 3000, 1);
	blink_tree_stats(values->tree, &made);
	/* The allocator has no smaller object for it. */
	KUNIT_EXPECT_EQ(test, made.bytes, before.bytes + 4096);
	rcu_read_lock();
	blink_value_put(values->tree, handle);
	blink_tree_stats(values->tree, &held);
	rcu_read_unlock();
	KUNIT_EXPECT_EQ(test, held.bytes, made.bytes);
	KUNIT_EXPECT_EQ(test, held.limbo_bytes, made.bytes - before.bytes);
	stats_at_rest(values->tree, &after);
	KUNIT_EXPECT_EQ(test, after.bytes, before.bytes);
	KUNIT_EXPECT_EQ(test, after.limbo_bytes, 0);
	blink_value_free(values->tree, values_made(test, values, 10, 3000, 1));
	blink_tree_stats(values->tree, &after);
	KUNIT_EXPECT_EQ(test, after.bytes, before.bytes);
	KUNIT_EXPECT_EQ(test, after.limbo_bytes, 0);
}

/* Ways to take the value of a key out of the tree; the last stands for a range. */
static const u16 ways[] = { BLINK_TREE_OP_ERASE,   BLINK_TREE_OP_POP_MIN,
			    BLINK_TREE_OP_STORE,   BLINK_TREE_OP_REPLACE,
			    BLINK_TREE_OP_CMPXCHG, BLINK_TREE_OP_CMPERASE,
			    BLINK_TREE_OP_NR };

/* Take the value of a key out. Returns 0 or 1, or an error. */
static int take_out(struct values *values, u16 way, u64 key, u64 handle,
		    u64 *old)
{
	const struct blink_value *value = blink_value(*old);

	switch (way) {
	case BLINK_TREE_OP_CMPXCHG:
		return values_cmpxchg(values, key, value->data, value->length,
				      handle, old);
	case BLINK_TREE_OP_CMPERASE:
		return values_cmperase(values, key, value->data, value->length,
				       old);
	case BLINK_TREE_OP_NR:
		values_range(values, key, key, false);
		return values_erase_range(values, 1);
	default:
		return values_write(values, way, key, handle, old, GFP_NOWAIT);
	}
}

/* Whether this way puts another value in. */
static bool puts_in(u16 way)
{
	return way == BLINK_TREE_OP_STORE || way == BLINK_TREE_OP_REPLACE ||
	       way == BLINK_TREE_OP_CMPXCHG;
}

/*
 * In a reader's section: find the value of a key, take it out, make others of its length,
 * and see that it is as it was.
 */
static const char *take_out_and_read(struct values *values, u16 way, u64 key)
{
	u64 found, old, other, more;
	int ret;

	if (values_make(values, key, 64, ~key, GFP_NOWAIT, &other) ||
	    values_write(values, BLINK_TREE_OP_GET_OR_INSERT, key, other,
			 &found, GFP_NOWAIT) != 1)
		return "no value to read";
	old = found;
	ret = take_out(values, way, key, other, &old);
	if (ret < 0 || old != found)
		return "it was not taken out";
	if (way != BLINK_TREE_OP_NR)
		blink_value_put(values->tree, old);
	if (!puts_in(way))
		blink_value_free(values->tree, other);
	if (values_make(values, ~key, 64, ~key, GFP_NOWAIT, &more))
		return "no memory";
	blink_value_free(values->tree, more);
	return values_whole(values, found, key) ? NULL : "it has changed";
}

static void kept_for_readers(struct kunit *test)
{
	struct values *values = values_of_course(test);
	const char *wrong;
	u64 key;

	for (key = 0; key < KEYS; key++)
		values_insert(test, values, key,
			      values_made(test, values, key, 64, key));
	for (key = 0; key < KEYS; key++) {
		rcu_read_lock();
		wrong = take_out_and_read(values, ways[key % ARRAY_SIZE(ways)],
					  key);
		rcu_read_unlock();
		if (wrong)
			fixture_fail_at(test, key, "way %llu: %s",
					key % ARRAY_SIZE(ways), wrong);
	}
}

/* A tree of its own, which a test destroys itself. */
static struct values *brief_tree(struct kunit *test, u64 max_bytes,
				 u64 max_entries)
{
	const struct values_course *course = test->param_value;
	struct blink_tree_params params = world_params(test);
	struct blink_tree *tree;

	params.flags = BLINK_TREE_BYTE_VALUES;
	params.key = course->kind;
	params.max_bytes = max_bytes;
	params.max_entries = max_entries;
	tree = blink_tree_create(&params, GFP_KERNEL);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, tree);
	return values_create(test, tree);
}

/* Add a key with a value of 1,000 bytes. Returns the error, after which nothing is left. */
static int add_big(struct values *values, u64 key)
{
	u64 handle, old;
	int ret = values_make(values, key, 1000, key, GFP_KERNEL, &handle);

	if (ret)
		return ret;
	ret = values_write(values, BLINK_TREE_OP_INSERT, key, handle, &old,
			   GFP_KERNEL);
	if (ret)
		blink_value_free(values->tree, handle);
	return ret;
}

/* Add keys until one is refused. Returns this one. */
static u64 add_until(struct kunit *test, struct values *values, u64 key,
		     int err)
{
	int ret;

	while (!(ret = add_big(values, key)) && key < 100000)
		key++;
	KUNIT_EXPECT_EQ(test, ret, err);
	return key;
}

/* A value that a limit refuses leaves all others as they are. */
static void check_limit(struct kunit *test, struct values *values)
{
	u64 nr = add_until(test, values, 0, -ENOSPC), key, old;

	KUNIT_EXPECT_GT(test, nr, 50);
	KUNIT_EXPECT_EQ(test, add_big(values, nr), -ENOSPC);
	check_filled(test, values, nr);
	fixture_content(test, values->tree, nr);
	for (key = nr / 2; key < nr; key++) {
		KUNIT_EXPECT_EQ(test,
				values_write(values, BLINK_TREE_OP_ERASE, key,
					     0, &old, GFP_KERNEL),
				0);
		blink_value_put(values->tree, old);
	}
	fixture_content(test, values->tree, nr / 2);
	KUNIT_EXPECT_GT(test, add_until(test, values, nr / 2, -ENOSPC),
			nr * 3 / 4);
	check_filled(test, values, nr * 3 / 4);
	blink_tree_destroy(values->tree);
}

/* Bytes of inner nodes, which are charged regardless of a limit. */
static u64 inner_bytes(struct kunit *test, struct blink_tree *tree)
{
	struct blink_tree_level_stats sum;
	unsigned int level = blink_tree_height(tree);
	u64 bytes = 0;

	while (--level) {
		fixture_level(test, tree, level, &sum);
		bytes += sum.bytes;
	}
	return bytes;
}

static void max_bytes(struct kunit *test)
{
	struct values *values = brief_tree(test, 1 << 20, 0);
	u64 nr = add_until(test, values, 0, -ENOSPC);

	KUNIT_EXPECT_LE(test,
			fixture_stats(values->tree).bytes -
				inner_bytes(test, values->tree),
			1 << 20);
	KUNIT_EXPECT_LE(test, 1000 * nr, 1 << 20);
	blink_tree_destroy(values->tree);
	check_limit(test, brief_tree(test, 1 << 20, 0));
}

static void max_entries(struct kunit *test)
{
	check_limit(test, brief_tree(test, 0, 100));
}

/* Add a key while the allocation number @n fails. Returns whether one failed. */
static bool add_failing(struct kunit *test, struct values *values, u64 key,
			unsigned int n, bool *added)
{
	u64 handle, old;
	bool failed;
	int ret;

	values_fill(values->bytes, key, 100, key);
	inject_nth(n);
	ret = blink_value_make(values->tree, values->bytes, 100,
			       GFP_NOWAIT | __GFP_NOWARN, &handle);
	*added = !ret;
	if (*added)
		ret = values_write(values, BLINK_TREE_OP_INSERT, key, handle,
				   &old, GFP_NOWAIT | __GFP_NOWARN);
	failed = inject_end();
	if (ret && (ret != -ENOMEM || !failed))
		fixture_fail_at(test, key, "insert: %d", ret);
	if (*added && ret)
		blink_value_free(values->tree, handle);
	*added = !ret;
	return failed;
}

/* If an allocation fails, the key is added with its value, or nothing is left. */
static void no_memory(struct kunit *test)
{
	struct values *values = values_of_course(test);
	unsigned int n, failures = 0;
	u64 key, old;
	bool added;

	if (!inject_possible(GFP_NOWAIT))
		kunit_skip(test, "no armed failslab, see kunit/run");
	for (key = 0; key < KEYS; key++) {
		for (n = 1; add_failing(test, values, key, n, &added); n++) {
			failures++;
			if (!added)
				continue;
			KUNIT_EXPECT_EQ(test,
					values_write(values,
						     BLINK_TREE_OP_ERASE, key,
						     0, &old, GFP_KERNEL),
					0);
			blink_value_put(values->tree, old);
		}
		cond_resched();
	}
	KUNIT_EXPECT_GE(test, failures, KEYS);
	check_filled(test, values, KEYS);
	KUNIT_EXPECT_EQ(test, blink_tree_count(values->tree), KEYS);
}

#define CASES                                                               \
	FIXTURE_PARAM(erased_by_range, values_course_gen_params),           \
		FIXTURE_PARAM(bytes_are_counted, values_course_gen_params), \
		FIXTURE_PARAM(kept_for_readers, values_course_gen_params),  \
		FIXTURE_PARAM(max_bytes, values_course_gen_params),         \
		FIXTURE_PARAM(max_entries, values_course_gen_params),       \
		FIXTURE_PARAM(no_memory, values_course_gen_params)

FIXTURE_SUITE("values_memory", CASES);
FIXTURE_SUITE("values_memory-inner", CASES);
FIXTURE_SUITE("values_memory-full", CASES);
