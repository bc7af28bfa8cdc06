/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: the node lock
 *
 * Every node has a lock of four bytes, a qspinlock if the architecture has
 * qspinlocks. It excludes writers from each other. Readers do not take it,
 * except a reader whose retries have run out.
 *
 * It spins on PREEMPT_RT too, so its holder does not sleep, allocate or free
 * memory. Documentation/design/locking.rst has the lock order, gates included.
 * lockdep checks the order by a class for each level of nodes, a subclass for
 * the right neighbour of a node, and a class for each other lock of this type.
 *
 * A task takes node locks only between blink_writer_begin() and
 * blink_writer_end(). These disable everything that could interrupt the task
 * and want the same lock: softirqs, or all interrupts if the tree was created
 * with BLINK_TREE_IRQSAFE.
 *
 * The lock is an arch_spinlock_t and not a raw_spinlock_t, because a cohort
 * lock is passed from one CPU to another while it stays locked (cohort.h). The
 * debugging code of raw_spinlock_t does not support this, so the functions
 * below tell lockdep which task holds the lock.
 */
#ifndef BLINK_LOCK_NODE_LOCK_H
#define BLINK_LOCK_NODE_LOCK_H

#include <linux/kernel.h>
#include <linux/lockdep.h>
#include <linux/spinlock.h>

/**
 * struct blink_lock - the lock of a node
 * @raw: the lock
 * @dep_map: for lockdep
 */
struct blink_lock {
	arch_spinlock_t raw;
#ifdef CONFIG_DEBUG_LOCK_ALLOC
	struct lockdep_map dep_map;
#endif
};

/* Lock classes in addition to those of the levels. */
#define BLINK_LOCK_LEVELS 24
#define BLINK_LOCK_LIMIT BLINK_LOCK_LEVELS
#define BLINK_LOCK_CLASSES (BLINK_LOCK_LEVELS + 1)

void blink_lock_init(struct blink_lock *lock, unsigned int level, bool irqsafe);

static __always_inline void blink_lock_nested(struct blink_lock *lock,
					      unsigned int subclass)
{
	preempt_disable();
	spin_acquire(&lock->dep_map, subclass, 0, _THIS_IP_);
	arch_spin_lock(&lock->raw);
}

static __always_inline void blink_lock(struct blink_lock *lock) __acquires(lock)
{
	blink_lock_nested(lock, 0);
	__acquire(lock);
}

/* Lock a node. Return whether another CPU held the lock. */
static __always_inline bool blink_lock_waited(struct blink_lock *lock)
	__acquires(lock)
{
	bool waited = false;

	preempt_disable();
	spin_acquire(&lock->dep_map, 0, 0, _THIS_IP_);
	if (unlikely(!arch_spin_trylock(&lock->raw))) {
		arch_spin_lock(&lock->raw);
		waited = true;
	}
	__acquire(lock);
	return waited;
}

static __always_inline bool blink_trylock(struct blink_lock *lock)
{
	preempt_disable();
	if (!arch_spin_trylock(&lock->raw)) {
		preempt_enable();
		return false;
	}
	spin_acquire(&lock->dep_map, 0, 1, _THIS_IP_);
	return true;
}

/* Lock the right neighbour of a node whose lock the caller holds. */
static __always_inline void blink_lock_right(struct blink_lock *lock)
	__acquires(lock)
{
	blink_lock_nested(lock, SINGLE_DEPTH_NESTING);
	__acquire(lock);
}

/*
 * Lock a node to the right of all nodes of its level that the caller holds. lockdep has
 * no classes for so many, and is told that the lock was free: the caller asserts the order.
 */
static __always_inline void blink_lock_further(struct blink_lock *lock)
	__acquires(lock)
{
	preempt_disable();
	arch_spin_lock(&lock->raw);
	spin_acquire(&lock->dep_map, SINGLE_DEPTH_NESTING, 1, _THIS_IP_);
	__acquire(lock);
}

static __always_inline void blink_unlock(struct blink_lock *lock)
	__releases(lock)
{
	spin_release(&lock->dep_map, _THIS_IP_);
	arch_spin_unlock(&lock->raw);
	preempt_enable();
	__release(lock);
}

/*
 * Wait until a lock is free, so that its memory can be freed. No operation on
 * its tree takes the lock any more, but a waiter at a gate can have inherited
 * it, even a waiter of another tree (cohort.h). This waiter accesses only this
 * word, and for the last time when it unlocks it, with every implementation of
 * arch_spinlock_t. So the coherence of one word is sufficient order.
 */
static inline void blink_lock_drain(struct blink_lock *lock)
{
	while (arch_spin_is_locked(&lock->raw))
		cpu_relax();
}

static inline bool blink_lock_is_held(const struct blink_lock *lock)
{
	return lockdep_is_held(lock);
}

static inline void blink_assert_locked(const struct blink_lock *lock)
{
	lockdep_assert_held(lock);
}

#endif /* BLINK_LOCK_NODE_LOCK_H */
