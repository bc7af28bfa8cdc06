// SPDX-License-Identifier: GPL-2.0
/*
 * Trees whose values are bytes: which ones can be created, and what is refused. A call
 * that is refused has no effect.
 */
#define KEYS_OWN_NAMES
#include <linux/err.h>
#include <linux/rcupdate.h>

#include "refused.h"
#include "values.h"

static int create(u32 flags, enum blink_tree_key key)
{
	struct blink_tree_params params = { .flags = flags, .key = key };
	struct blink_tree *tree = blink_tree_create(&params, GFP_KERNEL);

	if (IS_ERR(tree))
		return PTR_ERR(tree);
	blink_tree_destroy(tree);
	return 0;
}

static void which_there_are(struct kunit *test)
{
	const u32 flags = BLINK_TREE_BYTE_VALUES;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(values_courses); i++) {
		const enum blink_tree_key key = values_courses[i].kind;

		KUNIT_EXPECT_EQ(test, create(flags, key), 0);
		KUNIT_EXPECT_EQ(test, create(flags | BLINK_TREE_IRQSAFE, key),
				0);
		KUNIT_EXPECT_EQ(test, create(flags | BLINK_TREE_COMPRESS, key),
				-EINVAL);
	}
	KUNIT_EXPECT_EQ(test, create(flags, BLINK_TREE_KEY_MULTI), -EINVAL);
	KUNIT_EXPECT_EQ(test, create(flags << 1, BLINK_TREE_KEY_U64), -EINVAL);
}

/* A tree without the flags and the kind of the mode. */
static struct values *of_kind(struct kunit *test, u32 flags,
			      enum blink_tree_key key)
{
	struct blink_tree_params params = world_params(test);
	struct blink_tree *tree;

	params.flags = flags;
	params.key = key;
	tree = blink_tree_create(&params, GFP_KERNEL);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, tree);
	return values_create(test, tree);
}

static void add(struct kunit *test, struct values *values, u64 key)
{
	values_insert(test, values, key,
		      values_made(test, values, key, 10, key));
}

/* The tree has this key, with the value that add() made. */
static void check_has(struct kunit *test, struct values *values, u64 key)
{
	struct blink_tree_ioc_op op = { .opcode = BLINK_TREE_OP_LOOKUP,
					.key = key };
	bool whole = false;

	rcu_read_lock();
	values_op(values, &op, GFP_NOWAIT);
	if (!op.result)
		whole = values_whole(values, op.value, key);
	rcu_read_unlock();
	KUNIT_EXPECT_EQ(test, op.result, 0);
	KUNIT_EXPECT_TRUE(test, whole);
}

/* The functions that write numbers refuse trees with values of bytes. */
static void numbers_refused(struct kunit *test)
{
	struct values *values;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(values_courses); i++) {
		values = of_kind(test, BLINK_TREE_BYTE_VALUES,
				 values_courses[i].kind);
		add(test, values, 1);
		refused_narrow(test, values->tree);
		refused_wide(test, values->tree);
		refused_strings(test, values->tree);
		EXPECT_REFUSED(test, blink_tree_multi_insert(values->tree, 1, 1,
							     GFP_KERNEL));
		check_has(test, values, 1);
		fixture_content(test, values->tree, 1);
		blink_tree_destroy(values->tree);
	}
}

/* Each function for values that are bytes. */
static void refuse_values(struct kunit *test, struct values *values)
{
	struct blink_tree_entry entry = { .key = 1 };
	struct blink_tree_ioc_op op[2] = { { .key = 1 }, { .key = 1 } };
	unsigned int done = 1, opcode;
	u64 old;

	for (opcode = 0; opcode <= BLINK_TREE_OP_NR; opcode++) {
		op[0].opcode = opcode;
		values_op(values, op, GFP_KERNEL);
		EXPECT_REFUSED(test, op[0].result);
	}
	op[0].opcode = BLINK_TREE_OP_LOOKUP;
	values_batch(values, op, ARRAY_SIZE(op));
	EXPECT_REFUSED(test, op[0].result);
	EXPECT_REFUSED(test, op[1].result);
	EXPECT_REFUSED(test, values_cmpxchg(values, 1, "a", 1, 0, &old));
	EXPECT_REFUSED(test, values_cmperase(values, 1, "a", 1, &old));
	EXPECT_REFUSED(test, values_load(values, &entry, 1, &done));
	KUNIT_EXPECT_EQ(test, done, 0);
}

/* Functions for values of bytes refuse trees of other keys, or with numbers. */
static void others_refuse_values(struct kunit *test)
{
	const enum blink_tree_key last = BLINK_TREE_KEY_BYTES;
	unsigned int i, as, bytes;
	enum blink_tree_key of;
	struct values *values;
	u64 handle;

	for (i = 0; i < 2 * (last + 1); i++) {
		of = i / 2;
		bytes = i % 2;
		if (bytes && of == BLINK_TREE_KEY_MULTI)
			continue;
		values = of_kind(test, bytes ? BLINK_TREE_BYTE_VALUES : 0, of);
		if (bytes)
			add(test, values, 1);
		else
			KUNIT_EXPECT_EQ(test,
					values_make(values, 1, 1, 1, GFP_KERNEL,
						    &handle),
					-EOPNOTSUPP);
		for (as = 0; as < ARRAY_SIZE(values_courses); as++) {
			values->kind = values_courses[as].kind;
			if (!bytes || values->kind != of)
				refuse_values(test, values);
		}
		values->kind = of;
		if (bytes)
			check_has(test, values, 1);
		fixture_content(test, values->tree, bytes);
		blink_tree_destroy(values->tree);
	}
}

KUNIT_ARRAY_PARAM_DESC(values_course, values_courses, name);

static void lengths(struct kunit *test)
{
	struct values *values = values_of_course(test);
	u8 *bytes = values->bytes;
	u64 handle = 0;

	KUNIT_EXPECT_EQ(test,
			blink_value_make(values->tree, bytes,
					 BLINK_VALUE_MAX + 1, GFP_KERNEL,
					 &handle),
			-EINVAL);
	KUNIT_EXPECT_EQ(test,
			blink_value_make(values->tree, bytes, U32_MAX,
					 GFP_KERNEL, &handle),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, handle, 0);
	handle = values_made(test, values, 1, BLINK_VALUE_MAX, 7);
	KUNIT_EXPECT_EQ(test, blink_value(handle)->length, BLINK_VALUE_MAX);
	KUNIT_EXPECT_TRUE(test, values_whole(values, handle, 1));
	blink_value_free(values->tree, handle);
	handle = values_made(test, values, 1, 0, 7);
	KUNIT_EXPECT_EQ(test, blink_value(handle)->length, 0);
	blink_value_free(values->tree, handle);
}

/* Operations that the functions for values refuse. */
static void operations_refused(struct kunit *test)
{
	struct values *values = values_of_course(test);
	struct blink_tree_ioc_op op[3] = {
		{ .opcode = BLINK_TREE_OP_LOOKUP, .key = 1 },
		{ .opcode = BLINK_TREE_OP_ERASE, .key = 1 },
		{ .opcode = BLINK_TREE_OP_LOOKUP, .key = 1 },
	};
	static const u16 wrong[] = { BLINK_TREE_OP_CMPXCHG,
				     BLINK_TREE_OP_CMPERASE, BLINK_TREE_OP_NR,
				     U16_MAX };
	unsigned int opcode, i;

	add(test, values, 1);
	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		op[1].opcode = wrong[i];
		values_op(values, &op[1], GFP_KERNEL);
		KUNIT_EXPECT_EQ(test, op[1].result, -EINVAL);
	}
	for (opcode = 0; opcode <= BLINK_TREE_OP_NR; opcode++) {
		op[1].opcode = opcode;
		if (opcode == BLINK_TREE_OP_LOOKUP ||
		    opcode == BLINK_TREE_OP_FLOOR ||
		    opcode == BLINK_TREE_OP_CEILING)
			continue;
		values_batch(values, op, ARRAY_SIZE(op));
		for (i = 0; i < ARRAY_SIZE(op); i++)
			KUNIT_EXPECT_EQ(test, op[i].result, -EINVAL);
	}
	op[0].flags = 1;
	values_op(values, op, GFP_KERNEL);
	KUNIT_EXPECT_EQ(test, op[0].result, -EINVAL);
	check_has(test, values, 1);
	fixture_content(test, values->tree, 1);
}

/* The erase of a range has no room for values, and so takes no buffer. */
static void buffer_refused(struct kunit *test)
{
	struct values *values = values_of_course(test);
	struct blink_scan range = { .last = U64_MAX };
	struct blink_tree_entry entry;

	add(test, values, 1);
	KUNIT_EXPECT_EQ(test, keys_erase_range(values->tree, &range, &entry, 1),
			-EINVAL);
	check_has(test, values, 1);
}

#define CASES                                                            \
	KUNIT_CASE(which_there_are), KUNIT_CASE(numbers_refused),        \
		KUNIT_CASE(others_refuse_values),                        \
		FIXTURE_PARAM(buffer_refused, values_course_gen_params), \
		FIXTURE_PARAM(lengths, values_course_gen_params),        \
		FIXTURE_PARAM(operations_refused, values_course_gen_params)

FIXTURE_SUITE("values_refused", CASES);
FIXTURE_SUITE("values_refused-inner", CASES);
FIXTURE_SUITE("values_refused-full", CASES);
