/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: the node lock
 *
 * Every node has a lock of four bytes, a qspinlock where the architecture has
 * them. It excludes writers from each other; readers do not take it, but for
 * one whose retries ran out.
 *
 * It spins on PREEMPT_RT too, so nothing is allocated, freed or slept for under
 * it. Documentation/design/locking.rst has the lock order, with the gates of cohort
 * locks. lockdep checks it by a class for each level of nodes, by a subclass for a
 * node's right neighbour, and by a class for each other lock of this type.
 *
 * Who takes node locks is inside blink_writer_begin() and blink_writer_end(),
 * which keep away whatever could interrupt it and want the same lock: softirqs,
 * or all interrupts where the tree was created with BLINK_TREE_IRQSAFE.
 *
 * The lock is one of the architecture's, not a raw_spinlock_t, because a cohort
 * lock is handed from one CPU to another while it stays locked (cohort.h); the
 * debugging of raw_spinlock_t knows no such thing. So lockdep is told here who
 * holds it.
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

/* Classes besides the levels of nodes. */
#define BLINK_LOCK_LEVELS 24
#define BLINK_LOCK_APPLIER BLINK_LOCK_LEVELS
#define BLINK_LOCK_QUEUE (BLINK_LOCK_LEVELS + 1)
#define BLINK_LOCK_LIMIT (BLINK_LOCK_LEVELS + 2)
#define BLINK_LOCK_CLASSES (BLINK_LOCK_LEVELS + 3)

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

/* The same; tells whether it was held. */
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

/* Lock the right neighbour of a node of which the lock is held. */
static __always_inline void blink_lock_right(struct blink_lock *lock)
	__acquires(lock)
{
	blink_lock_nested(lock, SINGLE_DEPTH_NESTING);
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
 * Wait until a lock is free that no caller will ask for again: its memory may go.
 * A waiter at a gate may have inherited it, one of another tree included
 * (cohort.h). It touches nothing but this word, for the last time when it unlocks
 * it, with queued spinlocks, paravirtual ones and those that test and set alike;
 * so the coherence of one word is all the order that this takes.
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
