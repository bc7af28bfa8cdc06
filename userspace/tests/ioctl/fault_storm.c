// SPDX-License-Identifier: GPL-2.0
/*
 * A tree that grows and shrinks while memory is short: allocations fail at
 * random, or all of them. A key is either added or it is not, as the result
 * says; erasing, overwriting and reading need no memory at all.
 *
 * The index may lag behind the leaves then, but must stay sound.
 */
#include "kselftest_harness.h"

#include "fault_inject.h"

#define KEYS 2000

FIXTURE(storm)
{
	struct fault_inject inject;
	int tree;
};

FIXTURE_VARIANT(storm)
{
	const char *percent;
};

FIXTURE_VARIANT_ADD(storm, some)
MEMBERS(.percent = "30");
FIXTURE_VARIANT_ADD(storm, most)
MEMBERS(.percent = "80");
FIXTURE_VARIANT_ADD(storm, all)
MEMBERS(.percent = "100");

FIXTURE_SETUP(storm)
{
	const char *missing = fault_open(&self->inject);

	if (missing)
		SKIP(return, "%s", missing);
	self->tree = tree_new(0);
	ASSERT_GE(self->tree, 0);
	ASSERT_EQ(0, fault_probability(variant->percent));
}

FIXTURE_TEARDOWN(storm)
{
	close(self->tree);
	fault_close(&self->inject);
}

static int op_in_storm(struct fault_inject *inject, int tree,
		       unsigned int opcode, __u64 key)
{
	struct blink_tree_ioc_op op = {
		.opcode = opcode,
		.key = key,
		.value = value_of(key),
	};

	return fault_storm(inject, tree, BLINK_TREE_IOC_OP, &op);
}

/* Keys in an order that makes all leaves split: 1237 is prime to KEYS. */
static __u64 key_of(unsigned int i)
{
	return i * 1237ULL % KEYS;
}

TEST_F(storm, keys_are_added_or_not)
{
	unsigned int i, refused = 0;
	__u64 value;
	int ret;

	for (i = 0; i < KEYS; i++) {
		__u64 key = key_of(i);

		ret = op_in_storm(&self->inject, self->tree,
				  BLINK_TREE_OP_INSERT, key);
		ASSERT_TRUE(!ret || ret == -ENOMEM);
		ASSERT_EQ(ret ? -ENOENT : 0, lookup(self->tree, key, &value));
		if (!ret)
			continue;
		refused++;
		if (i % 16 == 0)
			ASSERT_TRUE(tree_sound(self->tree, i));
		ASSERT_EQ(0, insert(self->tree, key, value_of(key)));
	}
	/* Only allocations failed, at leaves that were full. */
	EXPECT_LE(1, refused);
	EXPECT_GT(KEYS / 2, refused);
	EXPECT_TRUE(tree_sound(self->tree, KEYS));
	for (i = 0; i < KEYS; i++)
		ASSERT_EQ(0, lookup(self->tree, i, &value));
}

/* In a batch each operation fails for itself. */
TEST_F(storm, batch_goes_on)
{
	struct blink_tree_ioc_op *ops = calloc(KEYS, sizeof(*ops));
	struct blink_tree_ioc_batch arg = {
		.count = KEYS,
		.ops = ptr_to_u64(ops),
		.op_size = sizeof(struct blink_tree_ioc_op),
	};
	unsigned int i, added = 0;
	__u64 value;

	ASSERT_NE(NULL, ops);
	for (i = 0; i < KEYS; i++) {
		ops[i].opcode = BLINK_TREE_OP_INSERT;
		ops[i].key = key_of(i);
	}
	ASSERT_EQ(0, fault_storm(&self->inject, self->tree,
				 BLINK_TREE_IOC_BATCH, &arg));
	ASSERT_EQ(KEYS, arg.done);
	for (i = 0; i < KEYS; i++) {
		ASSERT_TRUE(!ops[i].result || ops[i].result == -ENOMEM);
		ASSERT_EQ(ops[i].result ? -ENOENT : 0,
			  lookup(self->tree, ops[i].key, &value));
		added += !ops[i].result;
	}
	EXPECT_LT(0, added);
	/* A failed allocation is tried again: at 30 percent all can succeed. */
	if (strcmp(variant->percent, "30"))
		EXPECT_GT(KEYS, added);
	EXPECT_TRUE(tree_sound(self->tree, added));
	free(ops);
}

FIXTURE(shortage)
{
	struct fault_inject inject;
	int tree;
};

FIXTURE_SETUP(shortage)
{
	const char *missing = fault_open(&self->inject);

	if (missing)
		SKIP(return, "%s", missing);
	self->tree = tree_new(0);
	ASSERT_GE(self->tree, 0);
}

FIXTURE_TEARDOWN(shortage)
{
	close(self->tree);
	fault_close(&self->inject);
}

TEST_F(shortage, nothing_else_needs_memory)
{
	const unsigned int opcodes[] = { BLINK_TREE_OP_LOOKUP,
					 BLINK_TREE_OP_FLOOR,
					 BLINK_TREE_OP_CEILING,
					 BLINK_TREE_OP_REPLACE,
					 BLINK_TREE_OP_ERASE };
	unsigned int i, j;

	ASSERT_EQ(0, fault_probability("100"));
	ASSERT_EQ(0, fill(self->tree, 0, KEYS, 1));
	for (i = 0; i < KEYS; i++) {
		for (j = 0; j < ARRAY_SIZE(opcodes); j++) {
			ASSERT_EQ(0, op_in_storm(&self->inject, self->tree,
						 opcodes[j], key_of(i)));
		}
	}
	EXPECT_EQ(0, tree_check(self->tree, 0));
	EXPECT_EQ(1, height_of(self->tree));
}

/* One failure in each insertion, somewhere: a retry must always help. */
TEST_F(shortage, one_failure_is_no_harm)
{
	__u64 state = random_stream(seed_get(), 0), value;
	unsigned int i, hits = 0;
	int ret;

	for (i = 0; i < KEYS; i++) {
		struct blink_tree_ioc_op op = {
			.opcode = BLINK_TREE_OP_INSERT,
			.key = key_of(i),
			.value = value_of(key_of(i)),
		};

		ret = fault_nth(&self->inject, 1 + random_next(&state) % 8,
				self->tree, BLINK_TREE_IOC_OP, &op);
		hits += self->inject.hit;
		ASSERT_TRUE(!ret || (self->inject.hit &&
				     (ret == -ENOMEM || ret == -EFAULT)));
		if (ret == -ENOMEM)
			ASSERT_EQ(-ENOENT, lookup(self->tree, op.key, &value));
		ret = store(self->tree, op.key, value_of(op.key));
		ASSERT_LE(0, ret);
	}
	EXPECT_LE(1, hits);
	EXPECT_TRUE(tree_sound(self->tree, KEYS));
}

TEST_HARNESS_MAIN
