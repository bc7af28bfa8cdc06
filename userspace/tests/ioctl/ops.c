// SPDX-License-Identifier: GPL-2.0
/*
 * BLINK_TREE_IOC_OP: the effect of each operation on one key that is there or is not,
 * at the ends of the key space as well, and which fields it writes.
 */
#include "kselftest_harness.h"

#include "blink_test.h"
#include "modes.h"

#define MISSING_OPS                                                         \
	{ BLINK_TREE_OP_LOOKUP, BLINK_TREE_OP_REPLACE, BLINK_TREE_OP_ERASE, \
	  BLINK_TREE_OP_CMPXCHG }

static struct blink_tree_ioc_op op_make(unsigned int opcode, __u64 key,
					__u64 value, __u64 old)
{
	return (struct blink_tree_ioc_op){
		.opcode = opcode,
		.key = key,
		.value = value,
		.old = old,
	};
}

/* One key at a time, in a tree that has nothing else. */
FIXTURE(key)
{
	int tree;
};

FIXTURE_VARIANT(key)
{
	__u64 key;
	struct blink_tree_ioc_create how;
};

#define ADD_KEY(name, number, ...)     \
	FIXTURE_VARIANT_ADD(key, name) \
	MEMBERS(.key = (number), .how = { __VA_ARGS__ })

#define ADD_KEYS(arg, mode, text, nodes, ...)                     \
	;                                                         \
	ADD_KEY(mode##_least, 0, __VA_ARGS__);                    \
	ADD_KEY(mode##_one, 1, __VA_ARGS__);                      \
	ADD_KEY(mode##_sign_bit, 1ULL << 63, __VA_ARGS__);        \
	ADD_KEY(mode##_below_greatest, U64_MAX - 1, __VA_ARGS__); \
	ADD_KEY(mode##_greatest, U64_MAX, __VA_ARGS__)

FOR_EACH_U64_MODE(ADD_KEYS, unused);

FIXTURE_SETUP(key)
{
	self->tree = tree_new_as(&variant->how);
	ASSERT_GE(self->tree, 0);
}

FIXTURE_TEARDOWN(key)
{
	close(self->tree);
}

TEST_F(key, empty_tree_has_none)
{
	const unsigned int opcodes[] = MISSING_OPS;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(opcodes); i++) {
		EXPECT_EQ(-ENOENT,
			  op_simple(self->tree, opcodes[i], variant->key, 1));
	}
	EXPECT_EQ(-ENOENT,
		  op_simple(self->tree, BLINK_TREE_OP_FLOOR, U64_MAX, 0));
	EXPECT_EQ(-ENOENT, op_simple(self->tree, BLINK_TREE_OP_CEILING, 0, 0));
	EXPECT_EQ(0, tree_check(self->tree, 0));
}

/* An operation that misses its key writes nothing but the result. */
TEST_F(key, missing_leaves_the_fields)
{
	const unsigned int opcodes[] = MISSING_OPS;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(opcodes); i++) {
		struct blink_tree_ioc_op op =
			op_make(opcodes[i], variant->key, JUNK, ~JUNK);

		EXPECT_EQ(-ENOENT, op_call(self->tree, &op));
		EXPECT_EQ(opcodes[i], op.opcode);
		EXPECT_EQ(variant->key, op.key);
		EXPECT_EQ(JUNK, op.value);
		EXPECT_EQ(~JUNK, op.old);
	}
}

TEST_F(key, insert_then_lookup)
{
	__u64 value = JUNK;

	EXPECT_EQ(0, insert(self->tree, variant->key, 5));
	EXPECT_EQ(0, lookup(self->tree, variant->key, &value));
	EXPECT_EQ(5, value);
	EXPECT_EQ(-ENOENT, lookup(self->tree, variant->key ^ 1, &value));
	EXPECT_EQ(0, tree_check(self->tree, 1));
}

TEST_F(key, insert_twice_is_eexist)
{
	struct blink_tree_ioc_op op =
		op_make(BLINK_TREE_OP_INSERT, variant->key, 6, JUNK);
	__u64 value;

	ASSERT_EQ(0, insert(self->tree, variant->key, 5));
	EXPECT_EQ(-EEXIST, op_call(self->tree, &op));
	EXPECT_EQ(5, op.old);
	EXPECT_EQ(0, lookup(self->tree, variant->key, &value));
	EXPECT_EQ(5, value);
	EXPECT_EQ(0, tree_check(self->tree, 1));
}

TEST_F(key, store_adds_then_overwrites)
{
	struct blink_tree_ioc_op op =
		op_make(BLINK_TREE_OP_STORE, variant->key, 5, JUNK);
	__u64 value;

	EXPECT_EQ(0, op_call(self->tree, &op));
	op = op_make(BLINK_TREE_OP_STORE, variant->key, 6, JUNK);
	EXPECT_EQ(1, op_call(self->tree, &op));
	EXPECT_EQ(5, op.old);
	EXPECT_EQ(0, lookup(self->tree, variant->key, &value));
	EXPECT_EQ(6, value);
	EXPECT_EQ(0, tree_check(self->tree, 1));
}

TEST_F(key, replace_overwrites)
{
	struct blink_tree_ioc_op op =
		op_make(BLINK_TREE_OP_REPLACE, variant->key, 6, JUNK);
	__u64 value;

	EXPECT_EQ(-ENOENT, op_call(self->tree, &op));
	ASSERT_EQ(0, insert(self->tree, variant->key, 5));
	EXPECT_EQ(0, op_call(self->tree, &op));
	EXPECT_EQ(5, op.old);
	EXPECT_EQ(0, lookup(self->tree, variant->key, &value));
	EXPECT_EQ(6, value);
}

TEST_F(key, erase_returns_the_value)
{
	struct blink_tree_ioc_op op =
		op_make(BLINK_TREE_OP_ERASE, variant->key, 0, JUNK);
	__u64 value;

	ASSERT_EQ(0, insert(self->tree, variant->key, 5));
	EXPECT_EQ(0, op_call(self->tree, &op));
	EXPECT_EQ(5, op.old);
	EXPECT_EQ(-ENOENT, lookup(self->tree, variant->key, &value));
	EXPECT_EQ(-ENOENT, op_call(self->tree, &op));
	EXPECT_EQ(0, insert(self->tree, variant->key, 7));
	EXPECT_EQ(0, tree_check(self->tree, 1));
}

TEST_F(key, cmpxchg_compares)
{
	struct blink_tree_ioc_op op =
		op_make(BLINK_TREE_OP_CMPXCHG, variant->key, 6, 5);
	__u64 value;

	ASSERT_EQ(0, insert(self->tree, variant->key, 5));
	EXPECT_EQ(0, op_call(self->tree, &op));
	EXPECT_EQ(0, lookup(self->tree, variant->key, &value));
	EXPECT_EQ(6, value);

	op = op_make(BLINK_TREE_OP_CMPXCHG, variant->key, 7, 5);
	EXPECT_EQ(-ESTALE, op_call(self->tree, &op));
	EXPECT_EQ(6, op.old);
	EXPECT_EQ(0, lookup(self->tree, variant->key, &value));
	EXPECT_EQ(6, value);
}

TEST_F(key, cmperase_compares)
{
	struct blink_tree_ioc_op op =
		op_make(BLINK_TREE_OP_CMPERASE, variant->key, 0, 5);
	__u64 value;

	EXPECT_EQ(-ENOENT, op_call(self->tree, &op));
	EXPECT_EQ(5, op.old);
	ASSERT_EQ(0, insert(self->tree, variant->key, 6));
	EXPECT_EQ(-ESTALE, op_call(self->tree, &op));
	EXPECT_EQ(6, op.old);
	EXPECT_EQ(0, lookup(self->tree, variant->key, &value));
	EXPECT_EQ(6, value);
	EXPECT_EQ(0, op_call(self->tree, &op));
	EXPECT_EQ(6, op.old);
	EXPECT_EQ(-ENOENT, lookup(self->tree, variant->key, &value));
	EXPECT_EQ(0, tree_check(self->tree, 0));
}

TEST_F(key, every_value_is_a_value)
{
	const __u64 values[] = { 0, 1, U64_MAX, 1ULL << 63, JUNK };
	unsigned int i;
	__u64 value;

	for (i = 0; i < ARRAY_SIZE(values); i++) {
		EXPECT_EQ(!!i, store(self->tree, variant->key, values[i]));
		EXPECT_EQ(0, lookup(self->tree, variant->key, &value));
		EXPECT_EQ(values[i], value);
	}
}

TEST_F(key, floor_and_ceiling_find_it)
{
	struct blink_tree_ioc_op op;

	ASSERT_EQ(0, insert(self->tree, variant->key, 5));
	op = op_make(BLINK_TREE_OP_FLOOR, U64_MAX, JUNK, 0);
	EXPECT_EQ(0, op_call(self->tree, &op));
	EXPECT_EQ(variant->key, op.key);
	EXPECT_EQ(5, op.value);

	op = op_make(BLINK_TREE_OP_CEILING, 0, JUNK, 0);
	EXPECT_EQ(0, op_call(self->tree, &op));
	EXPECT_EQ(variant->key, op.key);
	EXPECT_EQ(5, op.value);

	op = op_make(BLINK_TREE_OP_FLOOR, variant->key, JUNK, 0);
	EXPECT_EQ(0, op_call(self->tree, &op));
	EXPECT_EQ(variant->key, op.key);
	op = op_make(BLINK_TREE_OP_CEILING, variant->key, JUNK, 0);
	EXPECT_EQ(0, op_call(self->tree, &op));
	EXPECT_EQ(variant->key, op.key);
}

TEST_F(key, floor_and_ceiling_pass_it)
{
	struct blink_tree_ioc_op op;

	ASSERT_EQ(0, insert(self->tree, variant->key, 5));
	if (variant->key) {
		op = op_make(BLINK_TREE_OP_FLOOR, variant->key - 1, JUNK, 0);
		EXPECT_EQ(-ENOENT, op_call(self->tree, &op));
		EXPECT_EQ(variant->key - 1, op.key);
		EXPECT_EQ(JUNK, op.value);
	}
	if (variant->key < U64_MAX) {
		op = op_make(BLINK_TREE_OP_CEILING, variant->key + 1, JUNK, 0);
		EXPECT_EQ(-ENOENT, op_call(self->tree, &op));
		EXPECT_EQ(variant->key + 1, op.key);
		EXPECT_EQ(JUNK, op.value);
	}
}

TEST_F(key, unknown_opcode_is_einval)
{
	const unsigned int opcodes[] = { BLINK_TREE_OP_NR, 255, 256, 0x8000,
					 UINT16_MAX };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(opcodes); i++) {
		EXPECT_EQ(-EINVAL,
			  op_simple(self->tree, opcodes[i], variant->key, 1));
	}
	EXPECT_EQ(0, tree_check(self->tree, 0));
}

TEST_F(key, any_flag_is_einval)
{
	unsigned int opcode, bit;

	ASSERT_EQ(0, insert(self->tree, variant->key, 5));
	for (opcode = 0; opcode < BLINK_TREE_OP_NR; opcode++) {
		for (bit = 0; bit < 16; bit++) {
			struct blink_tree_ioc_op op =
				op_make(opcode, variant->key, 6, 5);

			op.flags = 1 << bit;
			EXPECT_EQ(-EINVAL, op_call(self->tree, &op));
		}
	}
	EXPECT_EQ(0, tree_check(self->tree, 1));
}

/* A structure that cannot be written: nothing may have been done. */
TEST_F(key, read_only_memory_is_efault)
{
	struct blink_tree_ioc_op *op = (void *)guard_alloc(1);
	__u64 value;

	ASSERT_NE(NULL, op);
	*--op = op_make(BLINK_TREE_OP_INSERT, variant->key, 5, 0);
	ASSERT_EQ(0, mprotect((char *)(op + 1) - page_size(), page_size(),
			      PROT_READ));
	EXPECT_EQ(-EFAULT, call(self->tree, BLINK_TREE_IOC_OP, op));
	EXPECT_EQ(-ENOENT, lookup(self->tree, variant->key, &value));
	EXPECT_EQ(0, tree_check(self->tree, 0));
}

TEST_HARNESS_MAIN
