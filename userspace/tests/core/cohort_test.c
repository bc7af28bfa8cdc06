// SPDX-License-Identifier: GPL-2.0
/* The cohort lock by itself: exclusion, and gates that locks share. */
#include <linux/cpuhotplug.h>
#include <linux/hash.h>
#include <linux/topology.h>
#include <unistd.h>

#include "core/node/locking.h"
#include "fiber.h"
#include "lock/cohort.h"
#include "test.h"

#define THREADS 4
#define LOCKS 512

static struct blink_lock lock[LOCKS];
static struct blink_lock *wanted[2];
/* Times that each was held, counted under the lock; and whether it is now. */
static u64 held[2];
static bool taken[2];
static u64 passed, gated, bounded;
static bool may_pass;

static void take_and_give(unsigned int i, unsigned int usecs)
{
	struct blink_gates *gates = blink_gates_get(false);
	bool at_gate = blink_cohort_lock(gates, wanted[i]);
	enum blink_cohort_end end;

	EXPECT(!taken[i]);
	taken[i] = true;
	held[i]++;
	shim_point();
	if (usecs)
		usleep(usecs);
	taken[i] = false;
	if (!at_gate) {
		blink_unlock(wanted[i]);
		return;
	}
	end = blink_cohort_unlock(gates, wanted[i], may_pass);
	__atomic_fetch_add(&gated, 1, __ATOMIC_RELAXED);
	if (end == BLINK_COHORT_PASSED)
		__atomic_fetch_add(&passed, 1, __ATOMIC_RELAXED);
	if (end == BLINK_COHORT_BOUNDED)
		__atomic_fetch_add(&bounded, 1, __ATOMIC_RELAXED);
}

/* Both locks, in turns; the threads are on two NUMA nodes. */
static void hammer(unsigned int id)
{
	u64 i, rounds = test_scale(50000);

	shim_stay(id % 2);
	for (i = 0; i < rounds; i++)
		take_and_give(i / 3 % 2, 0);
}

/* Two locks of which the addresses lead to one gate. */
static void choose_locks(void)
{
	unsigned int i;

	for (i = 0; i < LOCKS; i++)
		blink_lock_init(&lock[i], 0, false);
	wanted[0] = &lock[0];
	for (i = 1; i < LOCKS; i++)
		if (hash_ptr(&lock[i], 8) == hash_ptr(&lock[0], 8))
			break;
	if (EXPECT(i < LOCKS))
		wanted[1] = &lock[i];
	else
		wanted[1] = &lock[1];
}

/* New gates on two NUMA nodes, and two locks. */
static int begin_at_gates(bool pass)
{
	int nodes = shim_nodes;

	blink_gates_destroy();
	shim_nodes = 2;
	EXPECT_EQ(blink_gates_create(), 0);
	choose_locks();
	may_pass = pass;
	passed = 0;
	gated = 0;
	bounded = 0;
	held[0] = 0;
	held[1] = 0;
	return nodes;
}

/* At the end all locks are free. */
static void end_at_gates(int nodes)
{
	EXPECT(!blink_lock_is_held(wanted[0]));
	EXPECT(!blink_lock_is_held(wanted[1]));
	blink_gates_destroy();
	shim_nodes = nodes;
	EXPECT_EQ(blink_gates_create(), 0);
}

static void run_at_gates(bool pass, void (*fn)(unsigned int id))
{
	int nodes = begin_at_gates(pass);

	run_threads(THREADS, fn);
	end_at_gates(nodes);
}

static void exclusion(void)
{
	run_at_gates(true, hammer);
	EXPECT_EQ(held[0] + held[1], THREADS * test_scale(50000));
	printf("# %llu waited, %llu passed on\n", gated, passed);
}

static void never_passed(void)
{
	run_at_gates(false, hammer);
	EXPECT_EQ(held[0] + held[1], THREADS * test_scale(50000));
	EXPECT_EQ(passed, 0);
}

#ifdef SHIM_POINTS
#define RUNS 4000

/* Two on each NUMA node. */
static void hammer_a_little(unsigned int id)
{
	unsigned int i;

	shim_stay(id / 2);
	for (i = 0; i < 6; i++)
		take_and_give(i / 2 % 2, 0);
}

/* The same in thousands of orders. */
static void exclusion_in_any_order(void)
{
	u64 random = test_seed(), points = 0, i, runs = test_scale(RUNS);
	int nodes = begin_at_gates(true);
	struct fiber_run run;

	for (i = 0; i < runs && !test_failed(); i++) {
		fibers_run(FIBERS_MAX, hammer_a_little, points, &random, &run);
		points = run.points;
	}
	end_at_gates(nodes);
	/* The gates are those of all runs: their counts begin anew each time. */
	EXPECT(4 * passed > gated);
	printf("# %llu waited, %llu passed on\n", gated, passed);
}
#endif

#define TURNS (2 * BLINK_COHORT_BOUND)

/* One lock, at one gate, held until others wait: it is passed on at once. */
static void hold_long(unsigned int id)
{
	unsigned int i;

	shim_stay(0);
	for (i = 0; i < TURNS; i++)
		take_and_give(0, 50);
}

/* As often in a row as is allowed; then others have a chance. */
static void bound_is_kept(void)
{
	run_at_gates(true, hold_long);
	EXPECT_EQ(held[0], THREADS * TURNS);
	EXPECT(passed <= (gated - passed + 1) * BLINK_COHORT_BOUND);
	printf("# %llu waited, %llu passed on, %llu times to the bound\n",
	       gated, passed, bounded);
}

static void alone(void)
{
	struct blink_gates *gates = blink_gates_get(true);

	blink_lock_init(&lock[0], 0, true);
	EXPECT(!blink_cohort_lock(gates, &lock[0]));
	EXPECT(blink_lock_is_held(&lock[0]));
	EXPECT(!blink_trylock(&lock[0]));
	blink_unlock(&lock[0]);
	EXPECT(!blink_lock_is_held(&lock[0]));
	EXPECT(blink_trylock(&lock[0]));
	blink_unlock(&lock[0]);
}

/*
 * A leaf that three want: one has it, the second waits at the gate and gets it
 * there, the third waits at the gate when the second gives it up.
 */
static struct blink_tree *tree;
static struct blink_node *leaf;
static bool dies;
static atomic_t turn;

static void wait_for_turn(int n)
{
	while (atomic_read(&turn) < n)
		usleep(100);
}

/* Until so many other threads wait for locks. */
static void wait_for_spinning(unsigned int nr)
{
	while (shim_spinning() < nr)
		usleep(100);
}

static void want_leaf(unsigned int id)
{
	shim_stay(0);
	wait_for_turn(id > 0);
	/* The third comes when the second waits for the leaf. */
	if (id == 2)
		wait_for_spinning(1);
	preempt_disable();
	blink_node_lock_first(tree, leaf);
	if (!id) {
		atomic_inc(&turn);
		wait_for_spinning(2);
	}
	if (id == 1 && dies)
		leaf->flags |= BLINK_NODE_DEAD;
	blink_node_unlock(tree, leaf);
	preempt_enable();
}

/* Whether the NUMA node that came later has gates. */
static bool late_gates;

/* The second comes while the first holds the lock. */
static void hold_or_want(unsigned int id)
{
	struct blink_gates *gates = blink_gates_get(false);
	bool gated;

	shim_stay(1);
	wait_for_turn(id);
	gated = blink_cohort_lock(gates, &lock[0]);
	atomic_inc(&turn);
	EXPECT_EQ(gated, id == 1 && late_gates);
	EXPECT_EQ(held[0]++, id);
	if (!id)
		wait_for_spinning(1);
	EXPECT_EQ(held[0], id + 1);
	if (gated)
		blink_cohort_unlock(gates, &lock[0], true);
	else
		blink_unlock(&lock[0]);
}

enum { PREPARED = 1, MEMORY = 2 };

/*
 * A NUMA node that comes after the gates were made gets its own. It does without where a
 * CPU does not know its node in time, or where there is no memory: that is no reason not
 * to come online.
 */
static void come_later(void)
{
	bool prepared = test_current()->nr & PREPARED;
	bool memory = test_current()->nr & MEMORY;
	int nodes = shim_nodes;

	late_gates = prepared && memory;
	blink_gates_destroy();
	shim_nodes = 1;
	EXPECT_EQ(blink_gates_create(), 0);
	shim_nodes = 2;
	shim_self->fail_one_in = memory ? 0 : 1;
	if (prepared)
		EXPECT_EQ(shim_cpu_prepare(1), 0);
	shim_self->fail_one_in = 0;
	blink_lock_init(&lock[0], 0, false);
	atomic_set(&turn, 0);
	held[0] = 0;
	run_threads(2, hold_or_want);
	shim_nodes = nodes;
	blink_gates_destroy();
	EXPECT_EQ(blink_gates_create(), 0);
}

static u64 passes_of(bool dead)
{
	struct blink_tree_params params = { .locking =
						    BLINK_TREE_LOCKING_COHORT };
	struct blink_tree_ioc_stats stats;

	tree = blink_tree_create(&params, GFP_KERNEL);
	leaf = rcu_access_pointer(tree->index[0].root);
	dies = dead;
	atomic_set(&turn, 0);
	run_threads(3, want_leaf);
	leaf->flags &= ~BLINK_NODE_DEAD;
	blink_tree_stats(tree, &stats);
	EXPECT_EQ(stats.gate_passes + stats.gate_releases, 2);
	blink_tree_destroy(tree);
	return stats.gate_passes;
}

static void dead_leaf(void)
{
	EXPECT_EQ(passes_of(false), 1);
	EXPECT_EQ(passes_of(true), 0);
}

const struct test TESTS(cohort)[] = {
	{ "cohort: no gate without contention", alone },
	{ "cohort: locks that share a gate exclude", exclusion },
#ifdef SHIM_POINTS
	{ "cohort: and so they do in any order", exclusion_in_any_order },
#endif
	{ "cohort: a lock that must not be passed is not", never_passed },
	{ "cohort: a lock is passed on so often in a row", bound_is_kept },
	{ "cohort: a NUMA node that comes later", come_later,
	  .nr = PREPARED | MEMORY },
	{ "cohort: a NUMA node without gates", come_later, .nr = MEMORY },
	{ "cohort: a NUMA node without memory for gates", come_later,
	  .nr = PREPARED },
	{ "cohort: a dead leaf is not passed", dead_leaf },
	{},
};
