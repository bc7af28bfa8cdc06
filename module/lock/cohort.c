// SPDX-License-Identifier: GPL-2.0
/*
 * The gates of cohort locks (cohort.h): a table on each NUMA node.
 *
 * A writer owns a gate from blink_cohort_lock() to blink_cohort_unlock(). Only
 * the owner accesses the fields of the gate, except @lock and @waiters.
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
 * struct blink_gate - a queue for the writers of one NUMA node
 * @lock: its holder owns the gate; a fair lock
 * @waiters: number of writers that wait for @lock, or are about to
 * @passes: how often in a row the gate was passed
 * @held: the node lock that was passed with the gate, or NULL
 */
struct blink_gate {
	arch_spinlock_t lock;
	atomic_t waiters;
	unsigned int passes;
	struct blink_lock *held;
} ____cacheline_aligned;

/**
 * struct blink_gates - the gates of all NUMA nodes
 * @dep_map: represents all of these gates in lockdep
 * @of: table of each NUMA node; NULL if no CPU of it was ever online, or no
 *	memory was available
 */
struct blink_gates {
	struct lockdep_map dep_map;
	struct blink_gate *of[MAX_NUMNODES];
};

/* Gates of trees without and with BLINK_TREE_IRQSAFE. */
static struct blink_gates gates_of[2];
static struct lock_class_key gates_key[2];

/* The cpuhp state whose callback prepares CPUs that come online. */
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
	/*
	 * Pairs with the address dependency in gate_of(): a writer that finds
	 * the table finds its gates unlocked and empty.
	 */
	smp_store_release(&gates->of[nid], table);
	return 0;
}

/*
 * A CPU is about to come online, possibly the first of its NUMA node. Once the
 * module has gates, a lack of memory for this node's gates is no error: its
 * writers use no gates.
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

/*
 * A gate without waiters stores no lock, because no writer would ever unlock
 * it.
 */
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
 * A NUMA node gets its gates when its first CPU comes online, at any time.
 *
 * Context: process.
 * Return: 0, -ENOMEM, or -ENOSPC if the kernel has no dynamic cpuhp state left.
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
 * blink_gates_destroy() - free the gates
 *
 * Context: process; no writer waits at a gate, and none will.
 */
void blink_gates_destroy(void)
{
	cpuhp_remove_state(gates_state);
	gates_state = 0;
	gates_destroy_all();
}

/**
 * blink_gates_get() - the gates for the writers of a tree
 * @irqsafe: whether the tree has BLINK_TREE_IRQSAFE
 *
 * Context: any.
 * Return: the gates.
 */
struct blink_gates *blink_gates_get(bool irqsafe)
{
	return &gates_of[irqsafe];
}

/*
 * The gate of this NUMA node for a lock; preemption is disabled. NULL if the
 * NUMA node has no gates: they found no memory, or the NUMA node of its CPUs
 * was not known before they were online.
 */
static struct blink_gate *gate_of(struct blink_gates *gates,
				  struct blink_lock *lock)
{
	/*
	 * Pairs with the release in gates_create_table(): the writer finds
	 * initialised gates behind the pointer.
	 */
	struct blink_gate *table = READ_ONCE(gates->of[numa_node_id()]);

	return table ? &table[hash_ptr(lock, GATE_BITS)] : NULL;
}

/*
 * The caller owns the gate. Get the lock, unless it was passed with the gate.
 * The new holder sees everything that the last holder did under the lock: the
 * lock of the gate orders this if the node lock was passed, and the node lock
 * itself otherwise.
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
 * blink_gates_might_wait() - tell lockdep that the caller may wait at a gate
 * @gates: the gates
 *
 * blink_cohort_lock() calls it even if the lock is free, so that lockdep learns
 * of the dependency without contention.
 *
 * Context: as blink_cohort_lock().
 */
void blink_gates_might_wait(struct blink_gates *gates)
{
	spin_acquire(&gates->dep_map, 0, 0, _RET_IP_);
	spin_release(&gates->dep_map, _RET_IP_);
}
#endif

/**
 * blink_cohort_lock_slow() - lock a node that another CPU has locked, at a gate
 *	if this NUMA node has gates
 * @gates: the gates of its tree
 * @lock: the lock
 *
 * Context: as blink_cohort_lock(), preemption disabled.
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
 * Decide whether to pass the lock. @waiters can be out of date: a writer that
 * is counted too late gets the gate when it is unlocked, and waits for the node
 * lock.
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
 * blink_cohort_unlock() - release a lock that was taken through a gate
 * @gates: the gates of its tree
 * @lock: the lock
 * @pass: the lock may be passed, because its node stays allocated while the
 *	lock is held
 *
 * Context: as blink_unlock().
 * Return: whether the lock was passed or unlocked.
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
	/*
	 * A release, which pairs with the acquire of the gate's lock: the next
	 * owner sees @held, @passes and everything that was done under the node
	 * lock.
	 */
	arch_spin_unlock(&gate->lock);
	preempt_enable();
	__release(lock);
	return end;
}
