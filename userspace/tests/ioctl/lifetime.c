// SPDX-License-Identifier: GPL-2.0
/*
 * Memory of nodes that wait for a grace period: a caller with too much of it waits.
 */

#include "kselftest_harness.h"

#include "../common/record.h"
#include "alarms.h"
#include "blink_test.h"

/* Leaves with one key each, as many as take long to free. */
#define LEAVES 60000U

/* Load @nr keys, each into a leaf of its own. */
static int load_thin(int tree, unsigned int nr)
{
	struct blink_tree_entry *entries = calloc(nr, sizeof(*entries));
	struct blink_tree_ioc_load arg = {
		.count = nr,
		.fill = 1,
		.entries = ptr_to_u64(entries),
		.entry_size = sizeof(struct blink_tree_entry),
	};
	unsigned int i;
	int ret;

	if (!entries)
		return -ENOMEM;
	for (i = 0; i < nr; i++)
		entries[i].key = i;
	ret = call(tree, BLINK_TREE_IOC_LOAD, &arg);
	free(entries);
	return ret ? ret : arg.done == nr ? 0 : -EINTR;
}

/* With more than this in limbo a task that modifies a tree waits. */
#define ENOUGH (16ULL << 20)
#define ALARM_US 20000

/* Where the kernel lets us say how long grace periods last; it takes a second. */
#define RCU "/sys/module/rcutree/parameters"
#define GRACE "jiffies_till_first_fqs"

FIXTURE(limbo)
{
	int tree;
	char grace[32];
};

static int grace_read(char *text, size_t size)
{
	FILE *f = fopen(RCU "/" GRACE, "r");
	int ret = f && fgets(text, size, f) ? 0 : -ENOENT;

	if (f)
		fclose(f);
	return ret;
}

FIXTURE_SETUP(limbo)
{
	struct blink_tree_ioc_create how = {
		.replication = BLINK_TREE_REPLICATE_FULL
	};

	if (grace_read(self->grace, sizeof(self->grace)) ||
	    write_file(RCU, GRACE, "1000"))
		SKIP(return, "cannot make grace periods longer");
	self->tree = tree_new_as(&how);
	ASSERT_GE(self->tree, 0);
	ASSERT_EQ(0, load_thin(self->tree, LEAVES));
	ASSERT_EQ(0, alarm_handle(0));
	ASSERT_EQ(0, alarm_every(ALARM_US));
}

FIXTURE_TEARDOWN(limbo)
{
	alarm_every(0);
	write_file(RCU, GRACE, self->grace);
	close(self->tree);
}

static bool limbo_full(int tree)
{
	struct blink_tree_ioc_stats arg;

	return !tree_stats(tree, &arg) && arg.limbo_bytes > ENOUGH;
}

/* An operation waits until a signal comes; then nothing has been done. */
TEST_F(limbo, a_signal_ends_the_wait)
{
	__u64 key = 0, value;
	bool full = false;
	int ret = 0;

	while (!ret && key < LEAVES) {
		full = limbo_full(self->tree);
		ret = erase(self->tree, key++);
	}
	if (!ret)
		SKIP(return, "limbo never was full: grace periods are short");
	ASSERT_EQ(-EINTR, ret);
	EXPECT_TRUE(full);
	EXPECT_EQ(0, lookup(self->tree, --key, &value));
	EXPECT_EQ(LEAVES - key, entries_of(self->tree));
}

/* Let operations fail where they would wait. */
static int dont_wait(int tree)
{
	return fcntl(tree, F_SETFL, fcntl(tree, F_GETFL) | O_NONBLOCK);
}

/* The work done before counts, and no error is returned. */
TEST_F(limbo, nonblocking_calls_tell_how_far_they_came)
{
	struct number_erase range;

	number_erase_init(&range, 0, UINT64_MAX);
	ASSERT_EQ(0, dont_wait(self->tree));
	ASSERT_EQ(0, call(self->tree, BLINK_TREE_IOC_RECORD_ERASE, &range.arg));
	if (range.arg.flags & BLINK_TREE_RECORD_ERASE_DONE)
		SKIP(return, "limbo never was full: grace periods are short");
	EXPECT_LT(0, range.arg.count);
	EXPECT_EQ(be64toh(range.first), range.arg.count);
	EXPECT_EQ(LEAVES - range.arg.count, entries_of(self->tree));
}

/* A single operation has nothing to tell. */
TEST_F(limbo, a_nonblocking_operation_fails)
{
	__u64 key = 0, value;
	int ret = 0;

	ASSERT_EQ(0, dont_wait(self->tree));
	while (!ret && key < LEAVES)
		ret = erase(self->tree, key++);
	if (!ret)
		SKIP(return, "limbo never was full: grace periods are short");
	EXPECT_EQ(-EAGAIN, ret);
	EXPECT_EQ(0, lookup(self->tree, --key, &value));
}

/* A batch tells how far it came. */
TEST_F(limbo, a_batch_stops_for_a_signal)
{
	struct blink_tree_ioc_op *ops = calloc(LEAVES, sizeof(*ops));
	unsigned int i, from = 0, done = 1;
	__u64 value;
	int ret = 0;

	ASSERT_NE(NULL, ops);
	for (i = 0; i < LEAVES; i++) {
		ops[i].opcode = BLINK_TREE_OP_ERASE;
		ops[i].key = i;
	}
	while (!ret && from < LEAVES) {
		ret = batch(self->tree, ops + from, LEAVES - from, &done);
		from += done;
	}
	free(ops);
	EXPECT_EQ(LEAVES - from, entries_of(self->tree));
	if (!ret)
		SKIP(return, "limbo never was full: grace periods are short");
	ASSERT_EQ(-EINTR, ret);
	EXPECT_EQ(0, done);
	EXPECT_EQ(0, lookup(self->tree, from, &value));
}

TEST_HARNESS_MAIN
