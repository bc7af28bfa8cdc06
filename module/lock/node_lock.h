/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: the node lock
 *
 * Every node has a lock of four bytes, a qspinlock where the architecture has
 * them. It excludes writers from each other; readers do not take it, but for
 * one whose retries ran out.
 *
 * It is a raw spinlock: on PREEMPT_RT it spins too, so nothing is allocated,
 * freed or slept for under it. Locks are taken in this order: level ascending,
 * and within a level key ascending. lockdep checks the first by one class for
 * each level, the second by a subclass for a node's right neighbour.
 *
 * Who takes node locks is inside blink_writer_begin() and blink_writer_end(),
 * which keep away whatever could interrupt it and want the same lock: softirqs,
 * or all interrupts where the tree was created with BLINK_TREE_IRQSAFE.
 */
#ifndef BLINK_LOCK_NODE_LOCK_H
#define BLINK_LOCK_NODE_LOCK_H

#include <linux/lockdep.h>
#include <linux/spinlock.h>

/**
 * struct blink_lock - the lock of a node
 * @raw: the lock
 */
struct blink_lock {
	raw_spinlock_t raw;
};

void blink_lock_init(struct blink_lock *lock, unsigned int level, bool irqsafe);

static inline void blink_lock(struct blink_lock *lock) __acquires(lock)
{
	raw_spin_lock(&lock->raw);
}

/* Lock the right neighbour of a node of which the lock is held. */
static inline void blink_lock_right(struct blink_lock *lock) __acquires(lock)
{
	raw_spin_lock_nested(&lock->raw, SINGLE_DEPTH_NESTING);
}

static inline void blink_unlock(struct blink_lock *lock) __releases(lock)
{
	raw_spin_unlock(&lock->raw);
}

static inline bool blink_lock_is_held(const struct blink_lock *lock)
{
	return lockdep_is_held(&lock->raw);
}

static inline void blink_assert_locked(const struct blink_lock *lock)
{
	lockdep_assert_held(&lock->raw);
}

#endif /* BLINK_LOCK_NODE_LOCK_H */
