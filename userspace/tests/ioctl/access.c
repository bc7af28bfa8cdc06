// SPDX-License-Identifier: GPL-2.0
/* The rights of a descriptor that was opened for reading only, or for writing only. */

#include "kselftest_harness.h"

#include "../common/record.h"
#include "alarms.h"
#include "blink_test.h"

#define NAME "selftest.access"
#define RW (BLINK_TREE_OPEN_READ | BLINK_TREE_OPEN_WRITE)

/* A descriptor opened for reading only, or for writing only. */
FIXTURE(access)
{
	int device;
	int full;
	int tree;
};

FIXTURE_VARIANT(access)
{
	unsigned int flags;
};

FIXTURE_VARIANT_ADD(access, read)
MEMBERS(.flags = BLINK_TREE_OPEN_READ);

FIXTURE_VARIANT_ADD(access, write)
MEMBERS(.flags = BLINK_TREE_OPEN_WRITE);

FIXTURE_VARIANT_ADD(access, both)
MEMBERS(.flags = RW);

FIXTURE_SETUP(access)
{
	self->device = device_open();
	ASSERT_GE(self->device, 0);
	tree_unlink(self->device, NAME);
	self->full = tree_create(self->device, NAME, 0600, 0);
	ASSERT_GE(self->full, 0);
	ASSERT_EQ(0, fill(self->full, 0, 100, 2));
	self->tree = tree_open(self->device, NAME, variant->flags);
	ASSERT_GE(self->tree, 0);
}

FIXTURE_TEARDOWN(access)
{
	tree_unlink(self->device, NAME);
	close(self->tree);
	close(self->full);
	close(self->device);
}

/* An operation on key 50: the access that it needs, and its result if it has that. */
static const struct {
	unsigned int opcode;
	unsigned int need;
	int result;
} trials[] = {
	{ BLINK_TREE_OP_LOOKUP, BLINK_TREE_OPEN_READ, 0 },
	{ BLINK_TREE_OP_INSERT, BLINK_TREE_OPEN_WRITE, -EEXIST },
	{ BLINK_TREE_OP_STORE, BLINK_TREE_OPEN_WRITE, 1 },
	{ BLINK_TREE_OP_REPLACE, BLINK_TREE_OPEN_WRITE, 0 },
	{ BLINK_TREE_OP_CMPXCHG, RW, -ESTALE },
	{ BLINK_TREE_OP_CMPERASE, RW, -ESTALE },
	{ BLINK_TREE_OP_FLOOR, BLINK_TREE_OPEN_READ, 0 },
	{ BLINK_TREE_OP_CEILING, BLINK_TREE_OPEN_READ, 0 },
	{ BLINK_TREE_OP_GET_OR_INSERT, RW, 1 },
	{ BLINK_TREE_OP_ERASE, BLINK_TREE_OPEN_WRITE, 0 },
	/* An unknown operation fails with any access. */
	{ BLINK_TREE_OP_NR, 0, -EINVAL },
};

static int expected(unsigned int i, unsigned int flags)
{
	return trials[i].need & ~flags ? -EBADF : trials[i].result;
}

/* A descriptor for writing only does not tell the value that was there. */
static bool old_concealed(const struct blink_tree_ioc_op *op,
			  unsigned int flags)
{
	return flags & BLINK_TREE_OPEN_READ || op->old == 0 || op->old == JUNK;
}

TEST_F(access, of_each_operation)
{
	bool writable = variant->flags & BLINK_TREE_OPEN_WRITE;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(trials); i++) {
		struct blink_tree_ioc_op op = {
			.opcode = trials[i].opcode,
			.key = 50,
			.value = 1,
			.old = JUNK,
		};

		EXPECT_EQ(expected(i, variant->flags), op_call(self->tree, &op))
		TH_LOG("opcode %u", trials[i].opcode);
		EXPECT_TRUE(old_concealed(&op, variant->flags));
	}
	EXPECT_EQ(0, tree_check(self->full, writable ? 99 : 100));
}

/* In a batch it is each operation's own matter too. */
TEST_F(access, of_each_operation_of_a_batch)
{
	struct blink_tree_ioc_op ops[ARRAY_SIZE(trials)] = {};
	bool writable = variant->flags & BLINK_TREE_OPEN_WRITE;
	unsigned int i, done;

	for (i = 0; i < ARRAY_SIZE(trials); i++) {
		ops[i].opcode = trials[i].opcode;
		ops[i].key = 50;
		ops[i].value = 1;
		ops[i].old = JUNK;
	}
	ASSERT_EQ(0, batch(self->tree, ops, ARRAY_SIZE(ops), &done));
	EXPECT_EQ(ARRAY_SIZE(ops), done);
	for (i = 0; i < ARRAY_SIZE(trials); i++) {
		EXPECT_EQ(expected(i, variant->flags), ops[i].result)
		TH_LOG("opcode %u", trials[i].opcode);
		EXPECT_TRUE(old_concealed(&ops[i], variant->flags));
	}
	EXPECT_EQ(0, tree_check(self->full, writable ? 99 : 100));
}

TEST_F(access, of_what_only_reads)
{
	bool readable = variant->flags & BLINK_TREE_OPEN_READ;
	int want = readable ? 0 : -EBADF;
	struct blink_tree_entry entry;
	struct blink_tree_ioc_scan scan = {
		.capacity = 1,
		.last = U64_MAX,
		.entries = ptr_to_u64(&entry),
		.entry_size = sizeof(entry),
	};
	struct blink_tree_ioc_verify verify = {};
	struct blink_tree_ioc_stats stats = {};

	EXPECT_EQ(want, call(self->tree, BLINK_TREE_IOC_SCAN, &scan));
	EXPECT_EQ(want, call(self->tree, BLINK_TREE_IOC_STATS, &stats));
	EXPECT_EQ(want, call(self->tree, BLINK_TREE_IOC_VERIFY, &verify));
}

#define MANY 200000
#define FIRST 7

/* The calls that a signal ended, or an error. Each leaves the range as it is. */
static int erase_as_writer(int tree, __u64 *count)
{
	struct number_erase erase;
	int ret, cut = 0;

	number_erase_init(&erase, FIRST, U64_MAX);
	for (*count = 0;; cut++) {
		ret = call(tree, BLINK_TREE_IOC_RECORD_ERASE, &erase.arg);
		if (ret)
			return ret;
		*count += erase.arg.count;
		if (be64toh(erase.first) != FIRST || erase.last != U64_MAX)
			return -EBADMSG;
		if (erase.arg.flags & BLINK_TREE_RECORD_ERASE_DONE)
			return cut;
	}
}

/* The rest of the range begins at a key, which only a reader may learn. */
TEST(a_signal_tells_no_key_to_a_writer)
{
	int device = device_open(), cut = 0, full, tree;
	unsigned int i;
	__u64 count;

	tree_unlink(device, NAME);
	full = tree_create(device, NAME, 0600, 0);
	tree = tree_open(device, NAME, BLINK_TREE_OPEN_WRITE);
	ASSERT_GE(tree, 0);
	ASSERT_EQ(0, tree_unlink(device, NAME));
	ASSERT_EQ(0, alarm_handle(SA_RESTART));
	for (i = 0; i < 50 && cut < 10; i++) {
		int ret;

		ASSERT_EQ(0, fill(full, FIRST, MANY, 3));
		alarm_every(500);
		ret = erase_as_writer(tree, &count);
		alarm_every(0);
		ASSERT_LE(0, ret);
		EXPECT_EQ(MANY, count);
		EXPECT_EQ(0, entries_of(full));
		cut += ret;
	}
	EXPECT_LE(10, cut);
	close(tree);
	close(full);
	close(device);
}

TEST_HARNESS_MAIN
