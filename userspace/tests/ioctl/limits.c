// SPDX-License-Identifier: GPL-2.0
/*
 * A tree's max_entries: exact also when several processes insert and erase at
 * once, and a matter of adding keys only.
 */
#include <pthread.h>

#include "kselftest_harness.h"

#include "blink_test.h"

#define PROCESSES 4

FIXTURE(limits)
{
	int tree;
	__u64 *sum;
};

FIXTURE_VARIANT(limits)
{
	__u64 max;
};

FIXTURE_VARIANT_ADD(limits, one)
MEMBERS(.max = 1);
FIXTURE_VARIANT_ADD(limits, some)
MEMBERS(.max = 100);
FIXTURE_VARIANT_ADD(limits, many)
MEMBERS(.max = 3333);

FIXTURE_SETUP(limits)
{
	self->tree = tree_new(variant->max);
	ASSERT_GE(self->tree, 0);
	self->sum = shared_alloc(sizeof(*self->sum));
	ASSERT_NE(NULL, self->sum);
}

FIXTURE_TEARDOWN(limits)
{
	close(self->tree);
}

struct shared {
	int tree;
	__u64 max;
	__u64 *sum;
};

/* Insert until the tree is full, and count. */
static int fill_up(int id, void *arg)
{
	const struct shared *shared = arg;
	__u64 key = id, added = 0;
	int ret;

	while (!(ret = insert(shared->tree, key, value_of(key)))) {
		key += PROCESSES;
		added++;
	}
	__atomic_add_fetch(shared->sum, added, __ATOMIC_RELAXED);
	return ret != -ENOSPC;
}

TEST_F(limits, exact_for_all_together)
{
	struct shared shared = { self->tree, variant->max, self->sum };

	EXPECT_EQ(0, in_children(PROCESSES, fill_up, &shared));
	EXPECT_EQ(variant->max, *self->sum);
	EXPECT_EQ(0, tree_check(self->tree, variant->max));
}

#define ROUNDS 400

/* Processes that go for the last room at the same moment, again and again. */
struct contest {
	pthread_barrier_t barrier;
	int tree;
	unsigned int winners[ROUNDS];
};

static bool contest_init(struct contest *contest, int tree)
{
	pthread_barrierattr_t attr;

	contest->tree = tree;
	return !pthread_barrierattr_init(&attr) &&
	       !pthread_barrierattr_setpshared(&attr, PTHREAD_PROCESS_SHARED) &&
	       !pthread_barrier_init(&contest->barrier, &attr, PROCESSES);
}

static int compete(int id, void *arg)
{
	struct contest *contest = arg;
	__u64 key = (1ULL << 40) + id;
	unsigned int round;
	int ret, wrong = 0;

	for (round = 0; round < ROUNDS; round++) {
		pthread_barrier_wait(&contest->barrier);
		ret = insert(contest->tree, key, 0);
		wrong |= ret && ret != -ENOSPC;
		pthread_barrier_wait(&contest->barrier);
		if (!ret) {
			__atomic_add_fetch(&contest->winners[round], 1,
					   __ATOMIC_RELAXED);
			wrong |= erase(contest->tree, key);
		}
	}
	return wrong;
}

TEST_F(limits, one_winner_of_the_last_room)
{
	struct contest *contest = shared_alloc(sizeof(*contest));
	unsigned int round;

	ASSERT_NE(NULL, contest);
	ASSERT_TRUE(contest_init(contest, self->tree));
	if (variant->max > 1)
		ASSERT_EQ(0, fill(self->tree, 0, variant->max - 1, 1));
	EXPECT_EQ(0, in_children(PROCESSES, compete, contest));
	for (round = 0; round < ROUNDS; round++)
		ASSERT_EQ(1, contest->winners[round]);
	EXPECT_EQ(0, tree_check(self->tree, variant->max - 1));
}

TEST_HARNESS_MAIN
