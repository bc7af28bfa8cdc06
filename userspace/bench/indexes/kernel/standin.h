/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stand-ins that the kernel's own indexes and the schemes of module/lab need
 * besides userspace/shim.
 *
 * lib/maple_tree.c, lib/xarray.c, lib/rbtree.c and lib/btree.c are compiled
 * unchanged from the kernel's source, with this header included before the
 * first line. So the same things stand in for the kernel as for our core:
 * arch_spinlock_t of the shim is behind spinlock_t, liburcu and the shim's
 * reclaimer behind RCU, userspace/shim/slab.c behind kmem_cache. Headers of
 * which all that matters is here are made empty by the Makefile.
 */
#ifndef COMPARE_KERNEL_STANDIN_H
#define COMPARE_KERNEL_STANDIN_H

#include <linux/kernel.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/topology.h>

#include "rwlock.h"

#define __force
#define __must_check
#define __must_hold(x)
#define __exit
#define __maybe_unused shim_attribute(__unused__)
#define fallthrough __attribute__((__fallthrough__))

#define EXPORT_SYMBOL EXPORT_SYMBOL_GPL
#define MODULE_AUTHOR SHIM_NOTHING
#define MODULE_DESCRIPTION SHIM_NOTHING
#define MODULE_LICENSE SHIM_NOTHING
/* Users of the module call this function first. */
#define module_init(fn)        \
	int standin_##fn(void) \
	{                      \
		return fn();   \
	}
#define module_exit SHIM_NOTHING
int standin_btree_module_init(void);

#ifndef ULONG_MAX
#define ULONG_MAX (~0UL)
#endif
#ifndef UINT_MAX
#define UINT_MAX (~0U)
#endif
#define MAX_ERRNO 4095
#define DIV_ROUND_UP(n, d) (((n) + (d) - 1) / (d))
#define BITS_TO_LONGS(n) DIV_ROUND_UP(n, BITS_PER_LONG)
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define min_t(type, a, b) min((type)(a), (type)(b))
#define max_t(type, a, b) max((type)(a), (type)(b))

#define WARN_ON(cond) WARN_ON_ONCE(cond)

/* Tracepoints that never fire. */
#define trace_ma_op(...) ((void)0)
#define trace_ma_read(...) ((void)0)
#define trace_ma_write(...) ((void)0)

#define rcu_dereference_check(p, cond) \
	((void)(cond), shim_load(&(p), __ATOMIC_ACQUIRE))

/* Of RCU's callbacks; only assertions that are compiled out look at it. */
static struct lockdep_map rcu_callback_map __maybe_unused;
#define lock_is_held(map) shim_is_held(map)

#define spinlock_t struct standin_lock

struct standin_lock {
	arch_spinlock_t raw;
	struct lockdep_map dep_map;
};

/* The kernel's own code is compiled without ThreadSanitizer, but it takes locks. */
#ifdef SHIM_TSAN
#define standin_acquired(lock) __tsan_acquire(lock)
#define standin_released(lock) __tsan_release(lock)
#else
#define standin_acquired(lock) ((void)(lock))
#define standin_released(lock) ((void)(lock))
#endif

/*
 * In the kernel the holder of a spinlock is not preempted, so that no grace period
 * ends meanwhile. The xarray relies on this: it gives a node to call_rcu() before it
 * unlinks it (xas_delete_node()).
 */
static inline void spin_lock(struct standin_lock *lock)
{
	rcu_read_lock();
	arch_spin_lock(&lock->raw);
	standin_acquired(lock);
}

static inline void spin_unlock(struct standin_lock *lock)
{
	standin_released(lock);
	arch_spin_unlock(&lock->raw);
	rcu_read_unlock();
}

static inline bool spin_trylock(struct standin_lock *lock)
{
	rcu_read_lock();
	if (!arch_spin_trylock(&lock->raw)) {
		rcu_read_unlock();
		return false;
	}
	standin_acquired(lock);
	return true;
}

#define spin_lock_init(lock) ((void)((lock)->raw.locked = 0))
#define spin_lock_nested(lock, subclass) spin_lock(lock)
/* A thread is a task, and nothing interrupts it. */
#define spin_lock_bh(lock) spin_lock(lock)
#define spin_unlock_bh(lock) spin_unlock(lock)
#define spin_lock_irq(lock) spin_lock(lock)
#define spin_unlock_irq(lock) spin_unlock(lock)
#define spin_lock_irqsave(lock, flags) ((flags) = 0, spin_lock(lock))
#define spin_unlock_irqrestore(lock, flags) ((void)(flags), spin_unlock(lock))

/* Without PREEMPT_RT the two are the same. */
#define raw_spinlock_t spinlock_t
#define raw_spin_lock_init(lock) spin_lock_init(lock)
#define raw_spin_lock_nested(lock, subclass) spin_lock_nested(lock, subclass)
#define raw_spin_unlock(lock) spin_unlock(lock)

#define rwlock_t struct rwlock
#define rwlock_init(lock) ((void)(*(lock) = (rwlock_t){}))
#define read_lock(lock) rwlock_read_lock(lock)
#define read_unlock(lock) rwlock_read_unlock(lock)
#define write_lock(lock) rwlock_write_lock(lock)
#define write_lock_nested(lock, subclass) write_lock(lock)
#define write_unlock(lock) rwlock_write_unlock(lock)

/* lockdep sees no lock of the laboratory here. */
#define lockdep_set_class(lock, key) ((void)(lock), (void)(key))
#define rwlock_acquire_read(map, subclass, trylock, ip) ((void)(map))
#define rwlock_release(map, ip) ((void)(map))

/* In the kernel, a large allocation follows the pointer to the data of its NUMA node. */
#define kvmalloc_node(size, gfp, nid)                                         \
	(shim_check((nid) == NUMA_NO_NODE || node_state(nid, N_MEMORY),       \
		    __FILE__, __LINE__, "memory of a NUMA node without any"), \
	 kmalloc(size, gfp))

#define __GFP_BITS_SHIFT 26
#define SLAB_HWCACHE_ALIGN 0
#define SLAB_PANIC 0
#define might_alloc(gfp) ((void)(gfp))
#define gfpflags_allow_blocking(gfp) (!!((gfp) & __GFP_DIRECT_RECLAIM))
#define kmem_cache_alloc_lru(cache, lru, gfp) \
	((void)(lru), kmem_cache_alloc(cache, gfp))

static inline void kmem_cache_free_bulk(struct kmem_cache *cache, size_t nr,
					void **object)
{
	while (nr--)
		kmem_cache_free(cache, object[nr]);
}

/* All or none. */
static inline int kmem_cache_alloc_bulk(struct kmem_cache *cache, gfp_t gfp,
					size_t nr, void **object)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		object[i] = kmem_cache_alloc(cache, gfp);
		if (!object[i]) {
			kmem_cache_free_bulk(cache, i, object);
			return 0;
		}
	}
	return nr;
}

/* A pool without a reserve. */
#define mempool_t struct standin_pool

struct standin_pool {
	void *(*alloc)(gfp_t gfp, void *data);
	void (*free)(void *element, void *data);
};

static inline mempool_t *mempool_create(int reserve,
					void *(*alloc)(gfp_t gfp, void *data),
					void (*free)(void *element, void *data),
					void *data)
{
	mempool_t *pool = kmalloc(sizeof(*pool), GFP_KERNEL);

	if (pool)
		*pool = (mempool_t){ .alloc = alloc, .free = free };
	return pool;
}

static inline void mempool_destroy(mempool_t *pool)
{
	kfree(pool);
}

static inline void *mempool_alloc(mempool_t *pool, gfp_t gfp)
{
	return pool->alloc(gfp, NULL);
}

static inline void mempool_free(void *element, mempool_t *pool)
{
	if (element)
		pool->free(element, NULL);
}

struct list_head {
	struct list_head *next;
	struct list_head *prev;
};

struct list_lru;

static inline unsigned long __ffs(unsigned long word)
{
	return __builtin_ctzl(word);
}

static inline bool test_bit(unsigned int nr, const unsigned long *map)
{
	return map[nr / BITS_PER_LONG] >> nr % BITS_PER_LONG & 1;
}

static inline void __set_bit(unsigned int nr, unsigned long *map)
{
	map[nr / BITS_PER_LONG] |= BIT(nr % BITS_PER_LONG);
}

static inline bool __test_and_set_bit(unsigned int nr, unsigned long *map)
{
	bool was = test_bit(nr, map);

	__set_bit(nr, map);
	return was;
}

static inline bool __test_and_clear_bit(unsigned int nr, unsigned long *map)
{
	bool was = test_bit(nr, map);

	map[nr / BITS_PER_LONG] &= ~BIT(nr % BITS_PER_LONG);
	return was;
}

/* Bitmaps here are those of an xarray's node, of one word. */
static inline bool bitmap_empty(const unsigned long *map, unsigned int bits)
{
	return !*map;
}

static inline void bitmap_fill(unsigned long *map, unsigned int bits)
{
	*map = GENMASK(bits - 1, 0);
}

static inline void bitmap_clear(unsigned long *map, unsigned int start,
				unsigned int nr)
{
	while (nr--)
		__test_and_clear_bit(start++, map);
}

static inline unsigned int find_next_bit(const unsigned long *map,
					 unsigned int bits, unsigned int from)
{
	while (from < bits && !test_bit(from, map))
		from++;
	return from;
}

#endif /* COMPARE_KERNEL_STANDIN_H */
