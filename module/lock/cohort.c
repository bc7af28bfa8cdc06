// SPDX-License-Identifier: GPL-2.0
/*
 * The gates of cohort locks (cohort.h), a table of them on each NUMA node.
 *
 * A gate is owned from blink_cohort_lock() to blink_cohort_unlock(); all of it
 * but @waiters belongs to its owner.
 */
#include <linux/atomic.h>
#include <linux/bug.h>
#include <linux/cache.h>
#include <linux/compiler.h>
#include <linux/cpuhotplug.h>
#include <linux/errno.h>
#include <linux/hash.h>
#include <linux/numa.h>
#include <linux/slab.h>
#include <linux/topology.h>
#include <trace/events/lock.h>

#include "cohort.h"

#define GATE_BITS 8

/**
 * struct blink_gate - where the writers of one NUMA node queue
 * @lock: owned by one of them; first come, first served
 * @waiters: those who wait for @lock, or are about to
 * @passes: how often in a row the gate was passed on
 * @held: the node lock that was passed on with it
 */
struct blink_gate {
	arch_spinlock_t lock;
	atomic_t waiters;
	unsigned int passes;
	struct blink_lock *held;
} ____cacheline_aligned;

/**
 * struct blink_gates - the gates of all NUMA nodes
 * @dep_map: stands for all of them, to lockdep
 * @of: table of each NUMA node; NULL where no CPU was ever online
 */
struct blink_gates {
	struct lockdep_map dep_map;
	struct blink_gate *of[MAX_NUMNODES];
};

/* Of trees without and with BLINK_TREE_IRQSAFE. */
static struct blink_gates gates_of[2];
static struct lock_class_key gates_key[2];

/* What prepares CPUs that come online. */
static int gates_state;

static int gates_create_table(struct blink_gates *gates, int nid)
{
	const size_t size = sizeof(struct blink_gate) << GATE_BITS;
	struct blink_gate *table;
	unsigned int i;

	if (gates->of[nid])
		return 0;
	table = kzalloc_node(size, GFP_KERNEL, nid);
	if (!table)
		return -ENOMEM;
	for (i = 0; i < 1U << GATE_BITS; i++)
		table[i].lock = (arch_spinlock_t)__ARCH_SPIN_LOCK_UNLOCKED;
	/* Pairs with the dependency in gate_of(): a gate is found free. */
	smp_store_release(&gates->of[nid], table);
	return 0;
}

/*
 * A CPU is about to come online; its NUMA node may be new. Once there are gates
 * elsewhere, a node that finds no memory for its own does without.
 */
static int gates_prepare_cpu(unsigned int cpu)
{
	int nid = cpu_to_node(cpu), err;

	if (nid == NUMA_NO_NODE)
		return 0;
	err = gates_create_table(&gates_of[false], nid);
	if (!err)
		err = gates_create_table(&gates_of[true], nid);
	return gates_state > 0 ? 0 : err;
}

/* A gate without waiters has no lock to pass on: it would never be unlocked. */
static void gates_expect_idle(const struct blink_gate *table)
{
	unsigned int i;

	for (i = 0; table && i < 1U << GATE_BITS; i++)
		WARN_ON_ONCE(table[i].held || atomic_read(&table[i].waiters));
}

static void gates_destroy_tables(struct blink_gates *gates)
{
	int nid;

	for (nid = 0; nid < MAX_NUMNODES; nid++) {
		gates_expect_idle(gates->of[nid]);
		kfree(gates->of[nid]);
		gates->of[nid] = NULL;
	}
}

static void gates_destroy_all(void)
{
	gates_destroy_tables(&gates_of[false]);
	gates_destroy_tables(&gates_of[true]);
}

/**
 * blink_gates_create() - allocate the gates
 *
 * A NUMA node has them from its first CPU on, whenever that comes online.
 *
 * Context: process.
 * Return: 0 or -ENOMEM; -ENOSPC if too many others prepare CPUs.
 */
int blink_gates_create(void)
{
	int irqsafe;

	for (irqsafe = false; irqsafe <= true; irqsafe++)
		lockdep_init_map_wait(&gates_of[irqsafe].dep_map, "blink_gate",
				      &gates_key[irqsafe], 0, LD_WAIT_SPIN);
	gates_state = cpuhp_setup_state(CPUHP_BP_PREPARE_DYN,
					"blink_tree:gates", gates_prepare_cpu,
					NULL);
	if (gates_state < 0)
		gates_destroy_all();
	return min(gates_state, 0);
}

/**
 * blink_gates_destroy() - give the gates back
 *
 * Context: process; nobody waits any more.
 */
void blink_gates_destroy(void)
{
	cpuhp_remove_state(gates_state);
	gates_state = 0;
	gates_destroy_all();
}

/**
 * blink_gates_get() - the gates that the writers of a tree use
 * @irqsafe: whether it has BLINK_TREE_IRQSAFE
 *
 * Context: any.
 * Return: the gates.
 */
struct blink_gates *blink_gates_get(bool irqsafe)
{
	return &gates_of[irqsafe];
}

/*
 * The gate for a lock here, preemption being off. There is none where a CPU learns
 * only when it runs which NUMA node it is on, or where there was no memory.
 */
static struct blink_gate *gate_of(struct blink_gates *gates,
				  struct blink_lock *lock)
{
	/* Pairs with gates_create_table(). */
	struct blink_gate *table = READ_ONCE(gates->of[numa_node_id()]);

	return table ? &table[hash_ptr(lock, GATE_BITS)] : NULL;
}

/*
 * The gate is ours: get the lock, which may have come with it. What the last
 * holder did under the lock comes before what we do: it is ordered by the gate's
 * own lock if ours was passed, else by the lock itself.
 */
static void lock_at_gate(struct blink_gate *gate, struct blink_lock *lock)
{
	struct blink_lock *held = gate->held;

	gate->held = NULL;
	if (held == lock)
		return;
	gate->passes = 0;
	if (held)
		arch_spin_unlock(&held->raw);
	arch_spin_lock(&lock->raw);
}

#ifdef CONFIG_DEBUG_LOCK_ALLOC
/**
 * blink_gates_might_wait() - let lockdep know that a gate may be waited at
 * @gates: the gates
 *
 * What it is to know is the same with and without luck.
 *
 * Context: any where blink_cohort_lock() is allowed.
 */
void blink_gates_might_wait(struct blink_gates *gates)
{
	spin_acquire(&gates->dep_map, 0, 0, _RET_IP_);
	spin_release(&gates->dep_map, _RET_IP_);
}
#endif

/**
 * blink_cohort_lock_slow() - lock a node that is locked, at a gate if there is
 *	one
 * @gates: the gates of its tree
 * @lock: the lock
 *
 * Context: that of blink_cohort_lock(), preemption off.
 * Return: as blink_cohort_lock().
 */
bool blink_cohort_lock_slow(struct blink_gates *gates, struct blink_lock *lock)
{
	struct blink_gate *gate = gate_of(gates, lock);

	trace_contention_begin(lock, LCB_F_SPIN);
	if (gate) {
		spin_acquire(&gates->dep_map, 0, 0, _RET_IP_);
		atomic_inc(&gate->waiters);
		arch_spin_lock(&gate->lock);
		atomic_dec(&gate->waiters);
		lock_at_gate(gate, lock);
	} else {
		arch_spin_lock(&lock->raw);
	}
	spin_acquire(&lock->dep_map, 0, 0, _RET_IP_);
	trace_contention_end(lock, 0);
	return gate;
}

/*
 * Whether to pass the lock on, and why not. @waiters may be out of date: who
 * comes too late to be seen gets the gate, and waits for the lock, as anybody.
 */
static enum blink_cohort_end cohort_how_to_end(const struct blink_gate *gate,
					       bool pass)
{
	if (IS_ENABLED(CONFIG_PREEMPT_RT) || !pass ||
	    !atomic_read(&gate->waiters))
		return BLINK_COHORT_RELEASED;
	if (gate->passes == BLINK_COHORT_BOUND)
		return BLINK_COHORT_BOUNDED;
	return BLINK_COHORT_PASSED;
}

/**
 * blink_cohort_unlock() - give up a lock that was taken through a gate
 * @gates: the gates of its tree
 * @lock: the lock
 * @pass: what it is part of stays, as long as the lock is held
 *
 * Context: as blink_unlock().
 * Return: what became of the lock.
 */
enum blink_cohort_end blink_cohort_unlock(struct blink_gates *gates,
					  struct blink_lock *lock, bool pass)
	__releases(lock)
{
	struct blink_gate *gate = gate_of(gates, lock);
	enum blink_cohort_end end = cohort_how_to_end(gate, pass);

	spin_release(&lock->dep_map, _RET_IP_);
	spin_release(&gates->dep_map, _RET_IP_);
	if (end == BLINK_COHORT_PASSED) {
		gate->passes++;
		gate->held = lock;
	} else {
		gate->passes = 0;
		arch_spin_unlock(&lock->raw);
	}
	/* A release: the next owner finds all that was done under the lock. */
	arch_spin_unlock(&gate->lock);
	preempt_enable();
	__release(lock);
	return end;
}
