/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The lock around an index that has none: many readers or one writer, by spinning,
 * with the queue of the kernel's rwlock_t (kernel/locking/qrwlock.c), so that readers
 * do not keep a writer away. The same for C and C++.
 */
#ifndef COMPARE_RWLOCK_H
#define COMPARE_RWLOCK_H

#include <linux/types.h>
#include <sched.h>

#include "lab/marks.h"

/* A writer has the lock; a writer waits for it; a reader has it. */
#define RWLOCK_WRITER 0x0ffU
#define RWLOCK_WAITING 0x100U
#define RWLOCK_READER 0x200U

/* The first thread in the queue waits for @state, the others for @queue. */
struct rwlock {
	unsigned int state;
	unsigned int queue;
};

static inline void rwlock_wait(unsigned int *spins)
{
	__builtin_ia32_pause();
	/* The owner may be waiting for this very CPU. */
	if (!(++*spins % 128))
		sched_yield();
}

static inline bool rwlock_swap(unsigned int *word, unsigned int from,
			       unsigned int to)
{
	return __atomic_compare_exchange_n(word, &from, to, false,
					   __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static inline void rwlock_enqueue(struct rwlock *lock)
{
	unsigned int spins = 0;

	while (!rwlock_swap(&lock->queue, 0, 1))
		rwlock_wait(&spins);
}

static inline void rwlock_dequeue(struct rwlock *lock)
{
	__atomic_store_n(&lock->queue, 0, __ATOMIC_RELEASE);
}

/* A writer that waits does so in the queue, behind this reader. */
static inline void rwlock_read_lock_slow(struct rwlock *lock)
{
	unsigned int spins = 0;

	__atomic_fetch_sub(&lock->state, RWLOCK_READER, __ATOMIC_RELAXED);
	rwlock_enqueue(lock);
	__atomic_fetch_add(&lock->state, RWLOCK_READER, __ATOMIC_RELAXED);
	while (__atomic_load_n(&lock->state, __ATOMIC_ACQUIRE) & RWLOCK_WRITER)
		rwlock_wait(&spins);
	rwlock_dequeue(lock);
}

static inline void rwlock_read_lock(struct rwlock *lock)
{
	blink_tell_lock(lock, BLINK_TAG_LOCK_SHARED);
	if (__atomic_fetch_add(&lock->state, RWLOCK_READER, __ATOMIC_ACQUIRE) &
	    (RWLOCK_WRITER | RWLOCK_WAITING))
		rwlock_read_lock_slow(lock);
}

static inline void rwlock_read_unlock(struct rwlock *lock)
{
	__atomic_fetch_sub(&lock->state, RWLOCK_READER, __ATOMIC_RELEASE);
	blink_tell_lock(lock, BLINK_TAG_UNLOCK);
}

static inline void rwlock_write_lock(struct rwlock *lock)
{
	unsigned int spins = 0;

	blink_tell_lock(lock, BLINK_TAG_LOCK);
	if (rwlock_swap(&lock->state, 0, RWLOCK_WRITER))
		return;
	rwlock_enqueue(lock);
	__atomic_fetch_or(&lock->state, RWLOCK_WAITING, __ATOMIC_RELAXED);
	while (!rwlock_swap(&lock->state, RWLOCK_WAITING, RWLOCK_WRITER))
		rwlock_wait(&spins);
	rwlock_dequeue(lock);
}

/* Readers that are about to find out that they must wait are counted too. */
static inline void rwlock_write_unlock(struct rwlock *lock)
{
	__atomic_fetch_sub(&lock->state, RWLOCK_WRITER, __ATOMIC_RELEASE);
	blink_tell_lock(lock, BLINK_TAG_UNLOCK);
}

#endif /* COMPARE_RWLOCK_H */
