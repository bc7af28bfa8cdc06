/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: the cohort lock
 *
 * Several CPUs of one NUMA node that want the same node lock pass it among
 * themselves without unlocking it. The cache lines that the lock guards then
 * stay on that NUMA node (lock cohorting: Dice, Marathe and Shavit, PPoPP
 * 2012). The textbook puts a lock for each NUMA node into every lock. Here a
 * node of the tree keeps its four bytes, and a writer that fails to get them at
 * once queues at a *gate* of its own NUMA node: an entry of a table, chosen by
 * a hash of the lock's address.
 *
 * A *cohort* is the set of writers that wait at one gate. The owner of the gate
 * waits for the lock like any other CPU. If other writers wait at the gate when
 * the owner is done, it leaves the lock locked and *passes* the gate on. The
 * next owner *inherits* the lock; if it wants a different lock that shares the
 * gate, it unlocks the inherited one first. A gate is passed at most
 * BLINK_COHORT_BOUND times in a row. Then the lock is unlocked, and the first
 * waiter of another NUMA node gets it.
 *
 * A waiter can inherit a lock that it does not want, even a lock of another
 * tree, since trees share gates. It holds no reference to the leaf of that
 * lock. Therefore the lock of a dead leaf is not passed, and
 * blink_tree_destroy() frees a leaf only after its lock is free
 * (blink_lock_drain()).
 *
 * Only the first node lock of a writer goes through a gate
 * (Documentation/design/locking.rst has the lock order). So a writer that owns
 * a gate and waits for a node lock waits for a writer that does not need a gate
 * to proceed.
 *
 * Trees with BLINK_TREE_IRQSAFE have gates of their own: an interrupt must not
 * wait at a gate whose owner it interrupted.
 */
#ifndef BLINK_LOCK_COHORT_H
#define BLINK_LOCK_COHORT_H

#include <linux/types.h>

#include "node_lock.h"

/* How often a lock is passed within a NUMA node before it is unlocked. */
#define BLINK_COHORT_BOUND 64

struct blink_gates;

/**
 * enum blink_cohort_end - how a lock that was taken through a gate was released
 * @BLINK_COHORT_RELEASED: unlocked, because no writer waited at the gate or the
 *	lock must not be passed
 * @BLINK_COHORT_BOUNDED: unlocked because of the bound, although a writer
 *	waited at the gate
 * @BLINK_COHORT_PASSED: passed to the next writer at the gate
 */
enum blink_cohort_end {
	BLINK_COHORT_RELEASED,
	BLINK_COHORT_BOUNDED,
	BLINK_COHORT_PASSED,
};

int blink_gates_create(void);
void blink_gates_destroy(void);
struct blink_gates *blink_gates_get(bool irqsafe);

bool blink_cohort_lock_slow(struct blink_gates *gates, struct blink_lock *lock);
enum blink_cohort_end blink_cohort_unlock(struct blink_gates *gates,
					  struct blink_lock *lock, bool pass);

#ifdef CONFIG_DEBUG_LOCK_ALLOC
void blink_gates_might_wait(struct blink_gates *gates);
#else
static inline void blink_gates_might_wait(struct blink_gates *gates)
{
}
#endif

/**
 * blink_cohort_lock() - lock a node, the first one that the caller locks
 * @gates: the gates of its tree
 * @lock: the lock
 *
 * Context: as blink_lock(), no node lock held.
 * Return: whether the lock was taken through a gate. The caller then releases
 * it by blink_cohort_unlock(), on the same CPU, otherwise by blink_unlock().
 */
static __always_inline bool blink_cohort_lock(struct blink_gates *gates,
					      struct blink_lock *lock)
	__acquires(lock)
{
	bool gated = false;

	preempt_disable();
	blink_gates_might_wait(gates);
	if (likely(arch_spin_trylock(&lock->raw)))
		spin_acquire(&lock->dep_map, 0, 1, _THIS_IP_);
	else
		gated = blink_cohort_lock_slow(gates, lock);
	__acquire(lock);
	return gated;
}

#endif /* BLINK_LOCK_COHORT_H */
