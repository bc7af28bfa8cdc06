// SPDX-License-Identifier: GPL-2.0
/*
 * BLINK_TREE_IOC_ERASE_RANGE: which keys it removes, and how it ends early.
 */
#include "kselftest_harness.h"

#include "blink_test.h"
#include "modes.h"

#define KEYS 20000

FIXTURE(erase_range)
{
	int tree;
};

FIXTURE_VARIANT(erase_range)
{
	struct blink_tree_ioc_create how;
};

ADD_MODES(erase_range)

FIXTURE_SETUP(erase_range)
{
	self->tree = tree_new_as(&variant->how);
	ASSERT_GE(self->tree, 0);
	ASSERT_EQ(0, fill(self->tree, 0, KEYS, 1));
}

FIXTURE_TEARDOWN(erase_range)
{
	close(self->tree);
}

static int erase_keys(int tree, __u64 first, __u64 last, __u64 *count)
{
	struct blink_tree_ioc_erase_range arg = {
		.first = first,
		.last = last,
		.count = JUNK,
	};
	int ret;

	*count = 0;
	do {
		ret = call(tree, BLINK_TREE_IOC_ERASE_RANGE, &arg);
		*count += ret ? 0 : arg.count;
	} while (!ret && !(arg.flags & BLINK_TREE_ERASE_RANGE_DONE));
	return ret;
}

TEST_F(erase_range, removes_the_range_alone)
{
	__u64 count, value;

	ASSERT_EQ(0, erase_keys(self->tree, 100, KEYS - 101, &count));
	EXPECT_EQ(KEYS - 200, count);
	EXPECT_EQ(0, lookup(self->tree, 99, &value));
	EXPECT_EQ(-ENOENT, lookup(self->tree, 100, &value));
	EXPECT_EQ(-ENOENT, lookup(self->tree, KEYS - 101, &value));
	EXPECT_EQ(0, lookup(self->tree, KEYS - 100, &value));
	EXPECT_EQ(0, tree_check(self->tree, 200));
	ASSERT_EQ(0, erase_keys(self->tree, 0, U64_MAX, &count));
	EXPECT_EQ(200, count);
	EXPECT_EQ(0, tree_check(self->tree, 0));
}

TEST_F(erase_range, one_key)
{
	__u64 count;

	EXPECT_EQ(0, erase_keys(self->tree, 7, 7, &count));
	EXPECT_EQ(1, count);
	EXPECT_EQ(0, erase_keys(self->tree, 7, 7, &count));
	EXPECT_EQ(0, count);
	EXPECT_EQ(0, erase_keys(self->tree, KEYS, U64_MAX, &count));
	EXPECT_EQ(0, count);
	EXPECT_EQ(0, tree_check(self->tree, KEYS - 1));
}

TEST_F(erase_range, reversed_is_einval)
{
	__u64 count;

	EXPECT_EQ(-EINVAL, erase_keys(self->tree, 8, 7, &count));
	EXPECT_EQ(0, tree_check(self->tree, KEYS));
}

/* A structure that cannot be written: nothing may have been done. */
TEST_F(erase_range, read_only_memory_is_efault)
{
	struct blink_tree_ioc_erase_range *arg = (void *)guard_alloc(1);

	ASSERT_NE(NULL, arg);
	*--arg = (struct blink_tree_ioc_erase_range){ .last = U64_MAX };
	ASSERT_EQ(0, mprotect((char *)(arg + 1) - page_size(), page_size(),
			      PROT_READ));
	EXPECT_EQ(-EFAULT, call(self->tree, BLINK_TREE_IOC_ERASE_RANGE, arg));
	EXPECT_EQ(0, tree_check(self->tree, KEYS));
}

TEST_HARNESS_MAIN
