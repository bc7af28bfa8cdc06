/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Spinlocks of four bytes. A lock holds the slot of its owner plus one, so
 * that an assertion can tell whether it is this very thread that holds it.
 */
#ifndef SHIM_LINUX_SPINLOCK_H
#define SHIM_LINUX_SPINLOCK_H

#include <linux/irqflags.h>

#define raw_spinlock_t struct shim_lock

struct shim_lock {
	u32 owner;
};

struct lock_class_key {
	char unused;
};

#define SINGLE_DEPTH_NESTING 1
#define raw_spin_lock_init(lock) ((lock)->owner = 0)
#define raw_spin_lock_nested(lock, subclass) \
	((void)(subclass), raw_spin_lock(lock))
#define lockdep_set_class(lock, key) ((void)(lock), (void)(key))
#define lockdep_is_held(lock)                                 \
	(__atomic_load_n(&(lock)->owner, __ATOMIC_RELAXED) == \
	 shim_self->slot + 1)
#define lockdep_assert_held(lock) \
	SHIM_CHECK(lockdep_is_held(lock), "lock not held: " #lock)

/* Wait for a lock that another thread holds, and take it. */
void shim_lock_slow(raw_spinlock_t *lock);

static inline bool raw_spin_trylock(raw_spinlock_t *lock)
{
	u32 none = 0;

	shim_point();
	if (!__atomic_compare_exchange_n(&lock->owner, &none,
					 shim_self->slot + 1, false,
					 __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return false;
	preempt_disable();
	return true;
}

static inline void raw_spin_lock(raw_spinlock_t *lock)
{
	if (unlikely(!raw_spin_trylock(lock)))
		shim_lock_slow(lock);
}

static inline void raw_spin_unlock(raw_spinlock_t *lock)
{
	lockdep_assert_held(lock);
	shim_point();
	__atomic_store_n(&lock->owner, 0, __ATOMIC_RELEASE);
	preempt_enable();
	shim_point();
}

#endif /* SHIM_LINUX_SPINLOCK_H */
