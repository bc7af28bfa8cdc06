/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: the cohort lock
 *
 * A node lock that is wanted by several CPUs of one NUMA node goes from one of
 * them to the next while it stays locked, so that the lines that it guards stay
 * near (lock cohorting: Dice, Marathe and Shavit, PPoPP 2012). The textbook has
 * a lock for each NUMA node in every lock; here each node of the tree keeps its
 * four bytes, and who fails to get them at once queues at a *gate* of its own
 * NUMA node, one of a table, chosen by hashing the lock's address.
 *
 * A *cohort* is who waits at one gate. The gate's owner waits for the lock as
 * anybody does; when it is done, and others wait at the gate, it leaves the
 * lock locked and *passes* the gate on. The next owner *inherits* the lock, or,
 * if it wants another one that shares the gate, unlocks it first. At most
 * BLINK_COHORT_BOUND times in a row; then the lock is unlocked, and who waits
 * for it on another NUMA node is first in its queue.
 *
 * A waiter may inherit a lock that it does not want, of another tree even, since
 * trees share gates. It holds no reference to what the lock is part of: the lock
 * of a dead leaf is not passed, and the leaves of a tree that is destroyed are
 * freed when their locks are free (blink_lock_drain()).
 *
 * Only the first node lock of a writer goes through a gate
 * (Documentation/design/locking.rst has the lock order). A writer that owns a gate
 * and waits for a node lock waits for a writer that needs no gate to go on.
 *
 * Trees with and without BLINK_TREE_IRQSAFE have tables of their own: an
 * interrupt must not wait at a gate whose owner it interrupted.
 */
#ifndef BLINK_LOCK_COHORT_H
#define BLINK_LOCK_COHORT_H

#include <linux/types.h>

#include "node_lock.h"

/* How often a lock is passed within a NUMA node before others get it. */
#define BLINK_COHORT_BOUND 64

struct blink_gates;

/**
 * enum blink_cohort_end - how a lock taken through a gate was given up
 * @BLINK_COHORT_RELEASED: unlocked, nobody waited at the gate, or it must not
 *	be passed
 * @BLINK_COHORT_BOUNDED: unlocked, though somebody waited at the gate
 * @BLINK_COHORT_PASSED: handed to the next one at the gate
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
 * Return: whether it was taken through a gate: then blink_cohort_unlock() has
 * to give it up, on the same CPU, otherwise blink_unlock().
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
