// SPDX-License-Identifier: GPL-2.0
/*
 * Limbo, when it is full: which tasks wait for it, and what it bounds. As
 * a rule the tests only count bytes into it.
 */
#include <linux/jiffies.h>
#include <unistd.h>

#include "core/index/alloc.h"
#include "core/node/node.h"
#include "core/tree/limbo.h"
#include "core/tree/tree.h"
#include "test.h"

static struct blink_tree *tree;
static atomic_t inserted;

static void count_limbo(s64 bytes)
{
	blink_limbo_add(tree, bytes);
}

static void fill_limbo(void)
{
	count_limbo(BLINK_LIMBO_FULL);
}

static void empty_limbo(void)
{
	count_limbo(-BLINK_LIMBO_FULL);
}

static void end_test(u64 keys)
{
	EXPECT_EQ(blink_tree_count(tree), keys);
	tree_end(tree);
}

/* A caller that may sleep, and would rather not wait for others. */
#define IMPATIENT (GFP_KERNEL | __GFP_NORETRY)

/* Only an operation that needs a leaf fails; it changes nothing. */
static void leaf_refused(gfp_t gfp, int err)
{
	struct blink_tree_ioc_op ops[] = {
		{ .opcode = BLINK_TREE_OP_INSERT, .key = 1000 },
		{ .opcode = BLINK_TREE_OP_STORE, .key = 1, .value = 5 },
	};
	struct blink_tree_entry entry = { .key = 1000 };
	unsigned int done;

	EXPECT_EQ(blink_tree_insert(tree, 1000, 0, NULL, gfp), err);
	EXPECT_EQ(blink_tree_load(tree, &entry, 1, 100, gfp, &done), err);
	EXPECT_EQ(done, 0);
	blink_tree_batch(tree, ops, 2, gfp);
	EXPECT_EQ(ops[0].result, err);
	EXPECT_EQ(ops[1].result, 1);
}

static void no_leaf_at_once(void)
{
	tree = tree_filled(BLINK_LEAF_SLOTS);
	fill_limbo();
	EXPECT_EQ(blink_tree_insert(tree, 1000, 0, NULL, GFP_ATOMIC), -ENOMEM);
	leaf_refused(GFP_NOWAIT, -ENOMEM);
	leaf_refused(IMPATIENT, -EAGAIN);
	EXPECT_ERASE(tree, 0);
	EXPECT_EQ(blink_tree_insert(tree, 1000, 0, NULL, GFP_NOWAIT), 0);
	EXPECT_EQ(blink_tree_insert(tree, 1001, 0, NULL, GFP_NOWAIT), -ENOMEM);
	empty_limbo();
	EXPECT_EQ(blink_tree_insert(tree, 1001, 0, NULL, GFP_NOWAIT), 0);
	end_test(BLINK_LEAF_SLOTS + 1);
}

static gfp_t inserts_with;

static void insert_or_empty(unsigned int id)
{
	if (id) {
		shim_self->killed = inserts_with & __GFP_NOFAIL;
		EXPECT_EQ(blink_tree_insert(tree, 1000, 0, NULL, inserts_with),
			  0);
		shim_self->killed = false;
		atomic_inc(&inserted);
		return;
	}
	usleep(50000);
	EXPECT_EQ(atomic_read(&inserted), 0);
	empty_limbo();
}

static void wait_in_insert(gfp_t gfp)
{
	inserts_with = gfp;
	atomic_set(&inserted, 0);
	tree = tree_filled(BLINK_LEAF_SLOTS);
	fill_limbo();
	run_threads(2, insert_or_empty);
	end_test(BLINK_LEAF_SLOTS + 1);
}

/* Whether it is killed or not, where it must not fail. */
static void insert_waits(void)
{
	wait_in_insert(GFP_KERNEL);
	wait_in_insert(GFP_KERNEL | __GFP_NOFAIL);
}

/* A task that is killed has its memory given back soon: it asks for no more. */
static void killed_gives_up(void)
{
	tree = tree_filled(BLINK_LEAF_SLOTS);
	fill_limbo();
	shim_self->killed = true;
	EXPECT_EQ(blink_tree_insert(tree, 1000, 0, NULL, GFP_KERNEL), -ENOMEM);
	shim_self->killed = false;
	empty_limbo();
	end_test(BLINK_LEAF_SLOTS);
}

/* An eraser that may sleep can wait until limbo is smaller, or a signal comes. */
static void eraser_waits(void)
{
	tree = tree_filled(BLINK_LEAF_SLOTS);
	EXPECT_EQ(blink_tree_limbo_wait(tree, 0), 0);
	fill_limbo();
	EXPECT_EQ(blink_tree_limbo_wait(tree, BLINK_LIMBO_FULL), 0);
	shim_self->signalled = true;
	EXPECT_EQ(blink_tree_limbo_wait(tree, BLINK_LIMBO_FULL - 1), -EINTR);
	empty_limbo();
	EXPECT_EQ(blink_tree_limbo_wait(tree, 0), 0);
	shim_self->signalled = false;
	end_test(BLINK_LEAF_SLOTS);
}

/* The room that is left in limbo, so that it is full soon. */
#define ROOM (1024L * 1024)
#define KEYS 5000

static atomic_t reading, churned;

/* Insert and erase the same keys; returns how many there was no memory for. */
static u64 churn_once(u64 nr)
{
	u64 key, refused = 0;
	int ret;

	for (key = 0; key < nr; key++) {
		ret = blink_tree_insert(tree, key, key, NULL, GFP_NOWAIT);
		refused += ret == -ENOMEM;
		EXPECT(!ret || ret == -ENOMEM);
	}
	for (key = 0; key < nr; key++)
		blink_tree_erase(tree, key, NULL);
	return refused;
}

/* A reader that stays until the other thread has ended its work. */
static void stay(void)
{
	rcu_read_lock();
	atomic_inc(&reading);
	while (!atomic_read(&churned))
		usleep(1000);
	rcu_read_unlock();
}

static void begin_beside(void)
{
	while (!atomic_read(&reading))
		usleep(1000);
}

/* Beside a reader that stays: no more than at its largest, and what limbo has. */
static void read_or_churn(unsigned int id)
{
	unsigned int i;
	u64 largest;

	if (id) {
		stay();
		return;
	}
	begin_beside();
	EXPECT_EQ(churn_once(KEYS), 0);
	largest = tree_stats(tree).bytes;
	for (i = 0; i < 100 && !churn_once(KEYS); i++)
		;
	EXPECT(i < 100);
	for (i = 0; i < 4; i++)
		EXPECT(churn_once(KEYS));
	EXPECT(tree_stats(tree).bytes <=
	       largest + ROOM + 3 * BLINK_LIMBO_BATCH);
	expect_sound(tree);
	atomic_inc(&churned);
}

static void beside_a_reader(void)
{
	atomic_set(&reading, 0);
	atomic_set(&churned, 0);
	tree = tree_create();
	count_limbo(BLINK_LIMBO_FULL - ROOM);
	run_threads(2, read_or_churn);
	rcu_barrier();
	EXPECT_EQ(churn_once(KEYS), 0);
	count_limbo(ROOM - BLINK_LIMBO_FULL);
	blink_tree_destroy(tree);
}

/* The bytes that CPUs count for themselves are bounded for any number of CPUs. */
static void slack_of_many_cpus(void)
{
	unsigned int cpus = shim_cpus;
	struct blink_tree *tree;

	for (shim_cpus = 1; shim_cpus <= 8192; shim_cpus *= 2) {
		tree = tree_create();
		EXPECT(tree->limbo_batch > 0);
		EXPECT(tree->limbo_batch * (long)shim_cpus <=
		       BLINK_LIMBO_SLACK);
		blink_tree_destroy(tree);
	}
	shim_cpus = cpus;
}

#ifdef TEST_SLAB
/*
 * LMDB: a slow reader keeps memory from being freed, without a bound. Here a
 * tree stops merging leaves that still hold something.
 */
#define DEFER_LIMIT ((u64)BLINK_LIMBO_MAX)

static void read_or_erase(unsigned int id)
{
	struct blink_tree_ioc_stats stats;
	u64 key, nr = 0;

	if (id) {
		stay();
		return;
	}
	begin_beside();
	do {
		for (key = nr; key < nr + 100000; key++)
			blink_tree_insert(tree, key, key, NULL, GFP_KERNEL);
		nr = key;
		blink_tree_stats(tree, &stats);
	} while (stats.bytes < (1 + shim_nodes) * DEFER_LIMIT);
	/* Some of each leaf stay: one that is empty goes in any case. */
	for (key = 0; key < nr; key++)
		if (key % 4)
			blink_tree_erase(tree, key, NULL);
	blink_tree_stats(tree, &stats);
	EXPECT(stats.merges_deferred);
	EXPECT(stats.limbo_bytes >= DEFER_LIMIT);
	EXPECT(stats.limbo_bytes < DEFER_LIMIT + BLINK_LIMBO_SLACK);
	expect_sound(tree);
	atomic_inc(&churned);
}

static void slow_reader(void)
{
	atomic_set(&reading, 0);
	atomic_set(&churned, 0);
	tree = tree_create();
	run_threads(2, read_or_erase);
	rcu_barrier();
	EXPECT_EQ(blink_tree_limbo(tree), 0);
	blink_tree_destroy(tree);
}
#endif

#ifdef SHIM_POINTS
/* Bytes that are in limbo all the time. */
#define KNOWN 64

static void expect_known(void)
{
	shim_hooks.point = NULL;
	EXPECT(blink_tree_limbo(tree) >= KNOWN);
	shim_hooks.point = expect_known;
}

/* At no point does the count of a CPU that goes to the shared one belong to none. */
static void counted_at_each_point(void)
{
	tree = tree_create();
	count_limbo(KNOWN);
	shim_hooks.point = expect_known;
	count_limbo(tree->limbo_batch);
	count_limbo(-tree->limbo_batch);
	shim_hooks.point = NULL;
	EXPECT_EQ(blink_tree_limbo(tree), KNOWN);
	count_limbo(-KNOWN);
	end_test(0);
}

static unsigned int points_until;

/* Another node dies, and is freed. */
static void die_and_free(void)
{
	if (!points_until || --points_until)
		return;
	count_limbo(1);
	count_limbo(-1);
}

/* While other nodes come and go, the count includes all nodes that stay. */
static void counted_while_others_go(void)
{
	unsigned int points = 0;
	u64 bytes;

	tree = tree_create();
	count_limbo(KNOWN);
	shim_hooks.point = die_and_free;
	do {
		points_until = ++points;
		bytes = blink_tree_limbo(tree);
		EXPECT(bytes == KNOWN || bytes == KNOWN + 1);
	} while (!points_until);
	shim_hooks.point = NULL;
	EXPECT(points > 2 * num_possible_cpus());
	count_limbo(-KNOWN);
	end_test(0);
}

/* How many points a grace period lasts, but for those of its callbacks. */
static unsigned int points_left;

static void count_point(void)
{
	if (points_left && !shim_self->atomic && !--points_left)
		rcu_barrier();
}

/* Leaves that are erased, and so small a part of the tree that a stock has room for them. */
#define FEW 4U

/* Keys that are far apart: no leaf takes more of them if it is narrow. */
static void insert_and_erase(unsigned int leaves, unsigned int erased)
{
	const u64 step = U64_MAX / (leaves * BLINK_LEAF_SLOTS);
	u64 i;

	for (i = 0; i < leaves * BLINK_LEAF_SLOTS; i++)
		EXPECT_INSERT(tree, i * step, i * step);
	/* Until there is a wait for them, or the points are over. */
	shim_rcu_waits = true;
	for (i = 0; i < erased * BLINK_LEAF_SLOTS; i++)
		EXPECT_ERASE(tree, i * step);
	EXPECT(blink_tree_limbo(tree));
}

/*
 * Charge a leaf at a limit; whether the grace period ended before a wait for it. All that the
 * grace period frees is in a stock then, if the rest of the tree is large: no move tells.
 */
static bool charged_while_freed(unsigned int points)
{
	struct blink_tree_params params = test_params;
	long bytes;

	params.max_bytes = 1UL << 30;
	tree = blink_tree_create(&params, GFP_KERNEL);
	insert_and_erase(FEW * BLINK_BYTE_STOCK_SHARE, FEW);
	blink_charge_limit(tree, 0);
	WRITE_ONCE(tree->charge.max_bytes,
		   atomic_long_read(&tree->charge.own.used));
	bytes = blink_node_cost(tree, true);
	points_left = points;
	shim_hooks.point = count_point;
	if (EXPECT_EQ(blink_charge_leaf(tree, bytes, GFP_KERNEL), 0))
		blink_uncharge(tree, bytes);
	shim_hooks.point = NULL;
	rcu_barrier();
	shim_rcu_waits = false;
	end_test((FEW * BLINK_BYTE_STOCK_SHARE - FEW) * BLINK_LEAF_SLOTS);
	return !points_left;
}

/* Whenever the grace period ends, a leaf gets the memory. */
static void room_of_limbo(void)
{
	unsigned int points = 1;
	int cpus = shim_cpus;

	shim_cpus = 1;
	while (charged_while_freed(points) && !test_failed())
		points++;
	shim_cpus = cpus;
	EXPECT(points > 3);
}

static unsigned int ticks;

static void count_tick(void)
{
	ticks++;
}

/* Charge leaves that a limit refuses, as the operations of a batch do; count the ticks. */
static unsigned int ticks_of_charges(unsigned int nr)
{
	long bytes = blink_node_cost(tree, true);

	ticks = 0;
	shim_hooks.spin = count_tick;
	while (nr--)
		EXPECT_EQ(blink_charge_leaf(tree, bytes, GFP_KERNEL), -ENOSPC);
	shim_hooks.spin = NULL;
	return ticks;
}

/* While a grace period does not end, the waits of a batch for it do not add up. */
static void waits_once_in_vain(void)
{
	struct blink_tree_params params = test_params;
	unsigned int once;

	params.max_bytes = 1UL << 30;
	tree = blink_tree_create(&params, GFP_KERNEL);
	blink_charge_limit(tree, 0);
	WRITE_ONCE(tree->charge.max_bytes,
		   atomic_long_read(&tree->charge.own.used));
	count_limbo(KNOWN);
	EXPECT_EQ(blink_charge_leaf(tree, blink_node_cost(tree, true),
				    IMPATIENT),
		  -EAGAIN);
	once = ticks_of_charges(1);
	EXPECT(once >= HZ / 8);
	EXPECT_EQ(ticks_of_charges(100), 0);
	shim_jiffies += HZ;
	EXPECT_EQ(ticks_of_charges(100), once);
	count_limbo(-KNOWN);
	end_test(0);
}
#endif

const struct test TESTS(limbo)[] = {
	{ "limbo: what many CPUs count for themselves", slack_of_many_cpus },
	{ "limbo: no leaf is to be had while it is full", no_leaf_at_once,
	  .plain = true },
	{ "limbo: an insert waits while it is full", insert_waits,
	  .plain = true },
	{ "limbo: a task that is killed does not wait", killed_gives_up,
	  .plain = true },
#ifdef SHIM_POINTS
	{ "limbo: what stays is counted while a count moves",
	  counted_at_each_point, .plain = true },
	{ "limbo: what stays is counted while other nodes go",
	  counted_while_others_go, .plain = true },
	{ "limbo: room when a grace period has just ended", room_of_limbo },
	{ "limbo: a batch waits once in vain", waits_once_in_vain },
#endif
	{ "limbo: an eraser waits until a signal comes", eraser_waits },
	{ "limbo: bounded beside a reader that stays", beside_a_reader },
#ifdef TEST_SLAB
	{ "limbo: merges beside a reader that stays", slow_reader,
	  .plain = true },
#endif
	{},
};
