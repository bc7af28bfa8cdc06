/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The lock around an index that has none: many readers or one writer, by
 * spinning, as the kernel's rwlock_t. One and the same for C and C++.
 */
#ifndef COMPARE_RWLOCK_H
#define COMPARE_RWLOCK_H

#include <linux/types.h>
#include <sched.h>

#define RWLOCK_WRITER 0x80000000U

/* RWLOCK_WRITER, or the number of readers. */
struct rwlock {
	unsigned int state;
};

static inline void rwlock_wait(unsigned int *spins)
{
	__builtin_ia32_pause();
	/* The owner may be waiting for this very CPU. */
	if (!(++*spins % 128))
		sched_yield();
}

static inline void rwlock_read_lock(struct rwlock *lock)
{
	unsigned int spins = 0;

	while (__atomic_fetch_add(&lock->state, 1, __ATOMIC_ACQUIRE) &
	       RWLOCK_WRITER) {
		__atomic_fetch_sub(&lock->state, 1, __ATOMIC_RELAXED);
		while (__atomic_load_n(&lock->state, __ATOMIC_RELAXED) &
		       RWLOCK_WRITER)
			rwlock_wait(&spins);
	}
}

static inline void rwlock_read_unlock(struct rwlock *lock)
{
	__atomic_fetch_sub(&lock->state, 1, __ATOMIC_RELEASE);
}

static inline void rwlock_write_lock(struct rwlock *lock)
{
	unsigned int spins = 0, none = 0;

	while (!__atomic_compare_exchange_n(&lock->state, &none, RWLOCK_WRITER,
					    false, __ATOMIC_ACQUIRE,
					    __ATOMIC_RELAXED)) {
		none = 0;
		rwlock_wait(&spins);
	}
}

/* Readers that are about to find out that they must wait are counted too. */
static inline void rwlock_write_unlock(struct rwlock *lock)
{
	__atomic_fetch_sub(&lock->state, RWLOCK_WRITER, __ATOMIC_RELEASE);
}

#endif /* COMPARE_RWLOCK_H */
