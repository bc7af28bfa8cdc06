// SPDX-License-Identifier: GPL-2.0
/*
 * Calls that are no ioctl of the module: unknown numbers, other operations of
 * files; and the answer of BLINK_TREE_IOC_INFO about those that there are.
 */
#include "kselftest_harness.h"

#include "blink_test.h"

FIXTURE(numbers)
{
	int device;
	int tree;
};

FIXTURE_SETUP(numbers)
{
	self->device = device_open();
	ASSERT_GE(self->device, 0);
	self->tree = tree_create(self->device, "", 0, 0);
	ASSERT_GE(self->tree, 0);
}

FIXTURE_TEARDOWN(numbers)
{
	close(self->tree);
	close(self->device);
}

TEST_F(numbers, unknown_are_enotty)
{
	char arg[256] = {};
	unsigned int nr;

	for (nr = 0; nr < 256; nr++) {
		unsigned int cmd = _IOC(_IOC_READ | _IOC_WRITE,
					BLINK_TREE_IOC_TYPE, nr, sizeof(arg));

		bool control = nr <= _IOC_NR(BLINK_TREE_IOC_LIST);
		bool tree = nr >= _IOC_NR(BLINK_TREE_IOC_OP) &&
			    nr <= _IOC_NR(BLINK_TREE_IOC_WATCH);

		EXPECT_TRUE(control || call(self->device, cmd, arg) == -ENOTTY);
		EXPECT_TRUE(tree || call(self->tree, cmd, arg) == -ENOTTY);
	}
}

TEST_F(numbers, no_other_file_operations)
{
	char byte = 0;

	EXPECT_EQ(-1, read(self->tree, &byte, 1));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, write(self->tree, &byte, 1));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, read(self->device, &byte, 1));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(MAP_FAILED,
		  mmap(NULL, 4096, PROT_READ, MAP_SHARED, self->tree, 0));
	EXPECT_EQ(ENODEV, errno);
}

TEST_F(numbers, info_tells_what_is_true)
{
	struct blink_tree_ioc_info info = {};

	ASSERT_EQ(0, call(self->device, BLINK_TREE_IOC_INFO, &info));
	EXPECT_EQ(sizeof(info), info.known);
	EXPECT_EQ((2ULL << _IOC_NR(BLINK_TREE_IOC_WATCH)) - 1, info.ioctls);
	EXPECT_EQ((1ULL << BLINK_TREE_OP_NR) - 1, info.opcodes);
	EXPECT_EQ(BLINK_TREE_FEATURE_COMPRESS | BLINK_TREE_FEATURE_U128 |
			  BLINK_TREE_FEATURE_MULTI | BLINK_TREE_FEATURE_BYTES |
			  BLINK_TREE_FEATURE_BYTE_VALUES |
			  BLINK_TREE_FEATURE_OPEN_OWNER,
		  info.features & ~BLINK_TREE_FEATURE_BPF);
	EXPECT_EQ(BLINK_TREE_NAME_MAX, info.name_max);
	EXPECT_LE(1, info.numa_nodes);
	EXPECT_LE(4, info.leaf_slots);
	EXPECT_LE(4, info.inner_slots);
	EXPECT_LE(info.leaf_slots * sizeof(struct blink_tree_entry),
		  info.leaf_bytes);
	EXPECT_LE(info.inner_slots * sizeof(struct blink_tree_entry),
		  info.inner_bytes);
	EXPECT_NE(NULL, memchr(info.version, 0, sizeof(info.version)));
	EXPECT_NE(0, info.version[0]);
}

TEST_HARNESS_MAIN
