/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Spinlocks of four bytes, and in place of lockdep a list of what each thread
 * was said to hold, so that an assertion can tell.
 */
#ifndef SHIM_LINUX_SPINLOCK_H
#define SHIM_LINUX_SPINLOCK_H

#include <linux/irqflags.h>

#include "lab/marks.h"

#define arch_spinlock_t struct shim_lock
#define __ARCH_SPIN_LOCK_UNLOCKED { 0 }

struct shim_lock {
	u32 locked;
};

/* Of no size: it is its address that stands for a lock. */
struct lockdep_map {};

struct lock_class_key {
	char unused;
};

#define CONFIG_DEBUG_LOCK_ALLOC 1
#define SINGLE_DEPTH_NESTING 1
#define _THIS_IP_ 0
#define _RET_IP_ 0
#define lockdep_init_map_wait(map, name, key, subclass, wait) \
	((void)(map), (void)(key))
#define lockdep_init_map(map, name, key, subclass) \
	((void)(map), (void)(name), (void)(key))
/* Locks that sleep: the list is of those that spin. */
#define rwsem_acquire(map, subclass, trylock, ip) \
	((void)(map), (void)(subclass))
#define rwsem_acquire_read(map, subclass, trylock, ip) \
	rwsem_acquire(map, subclass, trylock, ip)
#define rwsem_release(map, ip) ((void)(map))
#define spin_acquire(map, subclass, trylock, ip) \
	((void)(subclass), shim_held(map, true))
#define spin_release(map, ip) shim_held(map, false)
#define lockdep_is_held(lock) shim_is_held(&(lock)->dep_map)
#define lockdep_assert_held(lock) \
	SHIM_CHECK(lockdep_is_held(lock), "lock not held: " #lock)

/* Wait for a lock that another thread holds, and take it. */
void shim_lock_slow(arch_spinlock_t *lock);

/* How many threads wait for locks. */
unsigned int shim_spinning(void);

/* Note that this thread holds a lock, or will; or that it does no more. */
void shim_note_held(const struct lockdep_map *map, bool held);
bool shim_is_held(const struct lockdep_map *map);
bool shim_holds_locks(void);

static inline void shim_held(const struct lockdep_map *map, bool held)
{
	if (SHIM_CHECKS)
		shim_note_held(map, held);
}

static inline bool shim_lock_take(arch_spinlock_t *lock)
{
	u32 none = 0;

	shim_point();
	return __atomic_compare_exchange_n(&lock->locked, &none, 1, false,
					   __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static inline bool arch_spin_trylock(arch_spinlock_t *lock)
{
	bool taken = shim_lock_take(lock);

	if (taken)
		blink_tell_lock(lock, BLINK_TAG_LOCK);
	return taken;
}

static inline void arch_spin_lock(arch_spinlock_t *lock)
{
	blink_tell_lock(lock, BLINK_TAG_LOCK);
	if (unlikely(!shim_lock_take(lock)))
		shim_lock_slow(lock);
}

static inline void arch_spin_unlock(arch_spinlock_t *lock)
{
	shim_point();
	__atomic_store_n(&lock->locked, 0, __ATOMIC_RELEASE);
	blink_tell_lock(lock, BLINK_TAG_UNLOCK);
	shim_point();
}

/* ThreadSanitizer knows no order of accesses to one word. */
#ifdef SHIM_TSAN
/* Pairs with arch_spin_unlock(), for that tool alone. */
#define arch_spin_is_locked(lock) smp_load_acquire(&(lock)->locked)
#else
#define arch_spin_is_locked(lock) READ_ONCE((lock)->locked)
#endif

#endif /* SHIM_LINUX_SPINLOCK_H */
