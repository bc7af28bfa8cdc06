// SPDX-License-Identifier: GPL-2.0
/*
 * BLINK_TREE_IOC_ERASE_RANGE: which keys it removes, and how it ends early.
 */
#include <signal.h>
#include <sys/time.h>

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

ADD_MODES(erase_range);

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

#define NAME "selftest.erase_range"
#define MANY 200000
#define FIRST 7

static void on_alarm(int sig)
{
	(void)sig;
}

static void timer_set(unsigned int usec)
{
	struct itimerval timer = {
		.it_value.tv_usec = usec,
		.it_interval.tv_usec = usec,
	};

	setitimer(ITIMER_REAL, &timer, NULL);
}

/* The calls that a signal ended, or an error. Each leaves the range as it is. */
static int erase_as_writer(int tree, __u64 *count)
{
	struct blink_tree_ioc_erase_range arg = { .first = FIRST,
						  .last = U64_MAX };
	int ret, cut = 0;

	for (*count = 0;; cut++) {
		ret = call(tree, BLINK_TREE_IOC_ERASE_RANGE, &arg);
		if (ret)
			return ret;
		*count += arg.count;
		if (arg.first != FIRST || arg.last != U64_MAX)
			return -EBADMSG;
		if (arg.flags & BLINK_TREE_ERASE_RANGE_DONE)
			return cut;
	}
}

/* The rest of the range begins at a key, which only a reader may learn. */
TEST(a_signal_tells_no_key_to_a_writer)
{
	struct sigaction action = { .sa_handler = on_alarm,
				    .sa_flags = SA_RESTART };
	int device = device_open(), cut = 0, full, tree;
	unsigned int i;
	__u64 count;

	tree_unlink(device, NAME);
	full = tree_create(device, NAME, 0600, 0);
	tree = tree_open(device, NAME, BLINK_TREE_OPEN_WRITE);
	ASSERT_GE(tree, 0);
	ASSERT_EQ(0, tree_unlink(device, NAME));
	ASSERT_EQ(0, sigaction(SIGALRM, &action, NULL));
	for (i = 0; i < 50 && cut < 10; i++) {
		int ret;

		ASSERT_EQ(0, fill(full, FIRST, MANY, 3));
		timer_set(500);
		ret = erase_as_writer(tree, &count);
		timer_set(0);
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
