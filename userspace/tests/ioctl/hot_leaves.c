// SPDX-License-Identifier: GPL-2.0
/*
 * BLINK_TREE_IOC_HOT_LEAVES while processes store into a few keys: each report is sorted
 * and within its bounds, and its leaves are leaves of the tree. Whether writers wait for
 * each other depends on the machine, so a report may be empty.
 */
#include <endian.h>

#include "kselftest_harness.h"

#include "blink_test.h"
#include "modes.h"

/* Every other key from 0 on; the writers store into those from HOT on. */
#define KEYS 1000
#define LAST_KEY (2 * (KEYS - 1))
#define HOT 500
#define HOT_KEYS 32
#define WRITERS 4
#define MS 1500

struct contest {
	int tree;
	__u32 leaf_slots;
	__u64 end;
	/* Reports with a leaf. */
	unsigned int warm;
};

FIXTURE(hot_leaves)
{
	struct contest contest;
};

FIXTURE_VARIANT(hot_leaves)
{
	struct blink_tree_ioc_create how;
};

ADD_MODES(hot_leaves);

FIXTURE_SETUP(hot_leaves)
{
	struct blink_tree_ioc_info info = {};
	int device = device_open();

	ASSERT_EQ(0, call(device, BLINK_TREE_IOC_INFO, &info));
	close(device);
	self->contest.tree = tree_new_as(&variant->how);
	ASSERT_GE(self->contest.tree, 0);
	ASSERT_EQ(0, fill(self->contest.tree, 0, KEYS, 2));
	/* A compressed leaf has up to four times as many. */
	self->contest.leaf_slots = 4 * info.leaf_slots;
}

FIXTURE_TEARDOWN(hot_leaves)
{
	close(self->contest.tree);
}

static int report(int tree, struct blink_tree_hot_leaf *leaves,
		  struct blink_tree_ioc_hot_leaves *arg)
{
	arg->leaves = ptr_to_u64(leaves);
	arg->leaf_size = sizeof(*leaves);
	memset(leaves, 0x55, arg->capacity * sizeof(*leaves));
	return call(tree, BLINK_TREE_IOC_HOT_LEAVES, arg);
}

static bool leaf_valid(const struct contest *contest,
		       const struct blink_tree_hot_leaf *leaf)
{
	static const __u8 zero[BLINK_TREE_HOT_KEY_MAX];
	__u64 low;

	memcpy(&low, leaf->low, sizeof(low));
	return leaf->heat && leaf->heat <= 255 &&
	       leaf->keys <= contest->leaf_slots &&
	       leaf->low_length == sizeof(low) && be64toh(low) <= LAST_KEY &&
	       !memcmp(leaf->low + sizeof(low), zero,
		       sizeof(leaf->low) - sizeof(low));
}

/* Take a report; false if something is wrong with it. */
static bool look(struct contest *contest, unsigned int capacity)
{
	struct blink_tree_hot_leaf leaves[BLINK_TREE_HOT_LEAVES_MAX];
	struct blink_tree_ioc_hot_leaves arg = { .capacity = capacity };
	unsigned int i;

	if (report(contest->tree, leaves, &arg) || arg.count > capacity)
		return false;
	for (i = 0; i < arg.count; i++) {
		if (!leaf_valid(contest, &leaves[i]) ||
		    (i && leaves[i].heat > leaves[i - 1].heat))
			return false;
	}
	contest->warm += !!arg.count;
	return true;
}

/* Child 0 looks, the others store. */
static int compete(int id, void *data)
{
	struct contest *contest = data;
	unsigned int i;

	while (now_ms() < contest->end) {
		if (!id && (!look(contest, 1) || !look(contest, 64)))
			return 1;
		for (i = 0; id && i < HOT_KEYS; i++)
			if (store(contest->tree, HOT + 2 * i, id) != 1)
				return 1;
	}
	if (!id)
		printf("# %u reports have a leaf\n", contest->warm);
	return 0;
}

TEST_F(hot_leaves, reports_beside_writers)
{
	self->contest.end = now_ms() + MS;
	ASSERT_EQ(0, in_children(1 + WRITERS, compete, &self->contest));
	EXPECT_EQ(0, tree_check(self->contest.tree, KEYS));
}

TEST_F(hot_leaves, one_writer_waits_for_none)
{
	struct blink_tree_ioc_hot_leaves arg = { .capacity = 64 };
	struct blink_tree_hot_leaf leaves[65];

	ASSERT_EQ(0, report(self->contest.tree, leaves, &arg));
	EXPECT_EQ(0, arg.count);
	EXPECT_EQ(sizeof(leaves[0]), arg.known);
	EXPECT_EQ(0x55, leaves[0].low[0]);
	arg.capacity = 0;
	EXPECT_EQ(-EINVAL, report(self->contest.tree, leaves, &arg));
	arg.capacity = 65;
	EXPECT_EQ(-EINVAL, report(self->contest.tree, leaves, &arg));
}

TEST_HARNESS_MAIN
