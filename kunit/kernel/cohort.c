// SPDX-License-Identifier: GPL-2.0
/*
 * The cohort lock, alone: it has one owner, it is passed on a bounded number of times in a
 * row, and every waiter gets it in the end. The lock's own code is compiled in here, with
 * gates of its own, so that the tests see its state.
 */
#include <linux/cpu.h>
#include <linux/cpumask.h>

/* A kernel that the tree is built into has both: these have names of their own. */
#define blink_gates_create test_gates_create
#define blink_gates_destroy test_gates_destroy
#define blink_gates_get test_gates_get
#define blink_gates_might_wait test_gates_might_wait
#define blink_cohort_lock_slow test_cohort_lock_slow
#define blink_cohort_unlock test_cohort_unlock
#define blink_lock_init test_lock_init

#include "../../module/lock/cohort.c"
#include "../../module/lock/node_lock.c"
#include "../threads.h"

/* So many locks that some of them share a gate. */
#define LOCKS (8 << GATE_BITS)
#define SHARING 4

/**
 * struct guarded - a lock, and what only its holder may touch
 * @lock: the lock
 * @gates: where it is waited for
 * @owner: its holder
 * @count: how often it was held
 * @row: how often in a row it was inherited
 * @passed: how often it was passed on, the last ones not yet counted in
 */
struct guarded {
	struct blink_lock *lock;
	struct blink_gates *gates;
	struct thread *owner;
	unsigned long count;
	unsigned int row;
	atomic_long_t passed;
};

/**
 * struct stand - locks that share a gate
 * @gates: the gates
 * @guarded: leaves, so to speak, in the order in which they may be locked
 * @parent: a lock that is taken while those are held
 * @hungry: members on other NUMA nodes that have not had their share
 */
struct stand {
	struct blink_gates *gates;
	struct guarded guarded[SHARING];
	struct guarded parent;
	atomic_t hungry;
};

static void destroy_gates(void *unused)
{
	blink_gates_destroy();
}

static void guard_init(struct stand *stand, struct guarded *guarded,
		       struct blink_lock *lock, unsigned int level)
{
	blink_lock_init(lock, level, false);
	guarded->lock = lock;
	guarded->gates = stand->gates;
}

/* The test ends here if there are not enough that share a gate. */
static struct stand *stand_create(struct kunit *test)
{
	struct stand *stand = fixture_alloc(test, 1, sizeof(*stand));
	struct blink_lock *locks;
	unsigned int i, nr = 0;

	locks = fixture_alloc(test, LOCKS, sizeof(*locks));
	KUNIT_ASSERT_EQ(test, blink_gates_create(), 0);
	KUNIT_ASSERT_EQ(
		test, kunit_add_action_or_reset(test, destroy_gates, NULL), 0);
	stand->gates = blink_gates_get(false);
	guard_init(stand, &stand->parent, &locks[0], 1);
	for (i = 1; i < LOCKS && nr < SHARING; i++) {
		if (hash_ptr(&locks[i], GATE_BITS) !=
		    hash_ptr(&locks[1], GATE_BITS))
			continue;
		guard_init(stand, &stand->guarded[nr++], &locks[i], 0);
	}
	KUNIT_ASSERT_EQ(test, nr, SHARING);
	return stand;
}

static bool has_gates(int nid)
{
	return gates_of[false].of[nid] && gates_of[true].of[nid];
}

/* All CPUs of a NUMA node. */
static int take_away(int nid)
{
	unsigned int cpu;
	int err = 0;

	for_each_present_cpu(cpu)
		if (cpu_to_node(cpu) == nid && cpu_online(cpu))
			err = err ?: remove_cpu(cpu);
	return err;
}

static int bring_back(int nid)
{
	unsigned int cpu;
	int err = 0;

	for_each_present_cpu(cpu)
		if (cpu_to_node(cpu) == nid && !cpu_online(cpu))
			err = add_cpu(cpu) ?: err;
	return err;
}

/* However the test ends. */
static void bring_back_action(void *nid)
{
	bring_back((long)nid);
}

/* A NUMA node of which the first CPU comes online now gets its gates by that. */
static void node_comes_later(struct kunit *test)
{
	long nid = cpu_to_node(cpumask_last(cpu_online_mask));

	if (nid == cpu_to_node(cpumask_first(cpu_online_mask)))
		kunit_skip(test, "needs two NUMA nodes");
	KUNIT_ASSERT_EQ(test, 0,
			kunit_add_action(test, bring_back_action, (void *)nid));
	KUNIT_ASSERT_EQ(test, take_away(nid), 0);
	stand_create(test);
	KUNIT_EXPECT_FALSE(test, has_gates(nid));
	KUNIT_ASSERT_EQ(test, bring_back(nid), 0);
	KUNIT_EXPECT_TRUE(test, has_gates(nid));
}

/* Own the lock for a while; report another owner. */
static void hold(struct thread *me, struct guarded *guarded)
{
	unsigned int i;

	if (guarded->owner)
		thread_fail(me, "the lock has an owner, %u",
			    guarded->owner->id);
	guarded->owner = me;
	guarded->count++;
	for (i = 0; i < 20; i++)
		cpu_relax();
	if (guarded->owner != me)
		thread_fail(me, "another owner came");
	guarded->owner = NULL;
}

/* The gate's owner checks how often in a row the lock was passed on. */
static void watch_row(struct thread *me, struct guarded *guarded)
{
	struct blink_gate *gate = gate_of(guarded->gates, guarded->lock);

	guarded->row = gate->passes ? guarded->row + 1 : 0;
	if (guarded->row > BLINK_COHORT_BOUND)
		thread_fail(me, "passed %u times in a row", guarded->row);
}

static bool take(struct thread *me, struct guarded *guarded)
{
	bool gated = blink_cohort_lock(guarded->gates, guarded->lock);

	if (gated)
		watch_row(me, guarded);
	hold(me, guarded);
	return gated;
}

static void give(struct guarded *guarded, bool gated)
{
	if (!gated)
		blink_unlock(guarded->lock);
	else if (blink_cohort_unlock(guarded->gates, guarded->lock, true) ==
		 BLINK_COHORT_PASSED)
		atomic_long_inc(&guarded->passed);
}

static unsigned long rounds(void)
{
	return world_work(10000);
}

static unsigned long sum_counts(const struct stand *stand)
{
	unsigned long sum = 0;
	unsigned int i;

	for (i = 0; i < SHARING; i++)
		sum += stand->guarded[i].count;
	return sum;
}

/* One lock that all want, and now and then others at the same gate. */
static void lock_one(struct thread *me)
{
	struct stand *stand = me->arg;
	unsigned long i;

	for (i = 0; i < rounds() && thread_goes_on(me); i++) {
		unsigned int which = fixture_below(&me->rnd, 3 * SHARING);
		struct guarded *one;

		one = &stand->guarded[which < SHARING ? which : 0];
		give(one, take(me, one));
	}
}

static void one_owner(struct kunit *test)
{
	struct stand *stand = stand_create(test);
	struct threads *threads = threads_create(test, NULL);

	threads_lead(threads, world_cpus(), lock_one, stand);
	threads_run(threads);
	KUNIT_EXPECT_EQ(test, sum_counts(stand), world_cpus() * rounds());
	kunit_info(test, "%lu passed\n",
		   atomic_long_read(&stand->guarded[0].passed));
}

/* As splits and merges do: through the gate, then right, then up. */
static void lock_family(struct thread *me)
{
	struct stand *stand = me->arg;
	unsigned long i;

	for (i = 0; i < rounds() && thread_goes_on(me); i++) {
		unsigned int which = fixture_below(&me->rnd, SHARING - 1);
		struct guarded *left = &stand->guarded[which];
		struct guarded *right = left + 1;
		bool gated = take(me, left);

		blink_lock_right(right->lock);
		hold(me, right);
		blink_lock(stand->parent.lock);
		hold(me, &stand->parent);
		blink_unlock(stand->parent.lock);
		blink_unlock(right->lock);
		give(left, gated);
	}
}

static void siblings_and_parents(struct kunit *test)
{
	struct stand *stand = stand_create(test);
	struct threads *threads = threads_create(test, NULL);

	threads_lead(threads, world_cpus(), lock_family, stand);
	threads_run(threads);
	KUNIT_EXPECT_EQ(test, sum_counts(stand), 2 * world_cpus() * rounds());
	KUNIT_EXPECT_EQ(test, stand->parent.count, world_cpus() * rounds());
}

static int node_of_member(unsigned int id)
{
	return cpu_to_node(
		cpumask_nth(id % num_online_cpus(), cpu_online_mask));
}

/*
 * Whether another writer of this NUMA node wants the lock: it waits for the gate, or it has
 * the gate and waits for the lock, if this one came without the gate.
 */
static bool has_company(struct guarded *guarded, bool gated)
{
	struct blink_gate *gate = gate_of(guarded->gates, guarded->lock);

	return gated ? atomic_read(&gate->waiters) :
		       arch_spin_is_locked(&gate->lock);
}

/*
 * The first thread's NUMA node keeps the lock to itself, if it can: its members wait for
 * company, so that the lock is passed on. The others come when it was.
 */
static void lock_or_hog(struct thread *me)
{
	struct stand *stand = me->arg;
	struct guarded *one = &stand->guarded[0];
	unsigned int i;
	bool gated;

	if (numa_node_id() != node_of_member(0)) {
		while (!IS_ENABLED(CONFIG_PREEMPT_RT) &&
		       !atomic_long_read(&one->passed) && thread_goes_on(me))
			;
		for (i = 0; i < 20 && thread_goes_on(me); i++)
			give(one, take(me, one));
		atomic_dec(&stand->hungry);
		return;
	}
	while (atomic_read(&stand->hungry) && thread_goes_on(me)) {
		gated = take(me, one);
		while (!has_company(one, gated) &&
		       atomic_read(&stand->hungry) && !thread_is_stopped(me))
			cpu_relax();
		give(one, gated);
	}
}

static void nobody_starves(struct kunit *test)
{
	struct stand *stand = stand_create(test);
	struct threads *threads = threads_create(test, NULL);
	unsigned int i, remote = 0;

	for (i = 0; i < world_cpus(); i++)
		remote += node_of_member(i) != node_of_member(0);
	if (!remote || world_cpus() - remote < 2)
		kunit_skip(test, "needs two NUMA nodes of two CPUs");
	atomic_set(&stand->hungry, remote);
	threads_lead(threads, world_cpus(), lock_or_hog, stand);
	threads_run(threads);
	if (!IS_ENABLED(CONFIG_PREEMPT_RT))
		KUNIT_EXPECT_GT(test,
				atomic_long_read(&stand->guarded[0].passed), 0);
}

FIXTURE_SUITE("cohort", KUNIT_CASE_SLOW(node_comes_later),
	      KUNIT_CASE_SLOW(one_owner), KUNIT_CASE_SLOW(siblings_and_parents),
	      KUNIT_CASE_SLOW(nobody_starves));
