/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counters that several threads change. As in the kernel, what returns a value
 * is fully ordered and what does not is relaxed.
 */
#ifndef SHIM_LINUX_ATOMIC_H
#define SHIM_LINUX_ATOMIC_H

#include <linux/compiler.h>

#define atomic_t struct shim_atomic
#define atomic64_t struct shim_atomic64
#define atomic_long_t struct shim_atomic64

struct shim_atomic {
	int counter;
};

struct shim_atomic64 {
	long counter;
};

#define shim_atomic_add(i, v, order) \
	(shim_point(), __atomic_add_fetch(&(v)->counter, i, order))

#define ATOMIC_INIT(i) { (i) }
#define atomic_read(v) READ_ONCE((v)->counter)
#define atomic_set(v, i) WRITE_ONCE((v)->counter, i)
#define atomic_add(i, v) ((void)shim_atomic_add(i, v, __ATOMIC_RELAXED))
#define atomic_inc(v) atomic_add(1, v)
#define atomic_dec(v) atomic_add(-1, v)
#define atomic_xchg(v, new) \
	(shim_point(),      \
	 __atomic_exchange_n(&(v)->counter, new, __ATOMIC_SEQ_CST))
/* Pairs as its caller says. */
#define atomic_cond_read_acquire(v, cond) \
	smp_cond_load_acquire(&(v)->counter, cond)
/* For its caller to pair. */
#define smp_mb__before_atomic() smp_mb()
/* The same. */
#define smp_mb__after_atomic() smp_mb()
#define atomic_dec_return_release(v) shim_atomic_add(-1, v, __ATOMIC_RELEASE)
#define atomic_inc_return(v) shim_atomic_add(1, v, __ATOMIC_SEQ_CST)
#define atomic_fetch_inc(v) (atomic_inc_return(v) - 1)
#define atomic_dec_and_test(v) (!shim_atomic_add(-1, v, __ATOMIC_SEQ_CST))

/* For the core to pair. */
#define atomic_read_acquire(v) smp_load_acquire(&(v)->counter)
/* As above. */
#define atomic_set_release(v, i) smp_store_release(&(v)->counter, i)
#define atomic_cmpxchg(v, old, new)                                          \
	({                                                                   \
		int __shim_old = (old);                                      \
		__atomic_compare_exchange_n(&(v)->counter, &__shim_old, new, \
					    false, __ATOMIC_SEQ_CST,         \
					    __ATOMIC_RELAXED);               \
		__shim_old;                                                  \
	})

#define atomic_long_read(v) atomic_read(v)
#define atomic_long_set(v, i) atomic_set(v, i)
#define atomic_long_add(i, v) atomic_add(i, v)
#define atomic_long_sub(i, v) atomic_add(-(long)(i), v)
#define atomic_long_add_return(i, v) shim_atomic_add(i, v, __ATOMIC_SEQ_CST)
#define atomic_long_xchg(v, i) \
	(shim_point(), __atomic_exchange_n(&(v)->counter, i, __ATOMIC_SEQ_CST))
#define atomic_long_try_cmpxchg(v, old, new)                         \
	(shim_point(),                                               \
	 __atomic_compare_exchange_n(&(v)->counter, old, new, false, \
				     __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))

#define atomic64_read(v) atomic_read(v)
#define atomic64_set(v, i) atomic_set(v, i)
#define atomic64_add(i, v) atomic_add(i, v)
#define atomic64_sub(i, v) atomic_add(-(s64)(i), v)
#define atomic64_inc(v) atomic_add(1, v)
#define atomic64_fetch_add(i, v) \
	(shim_atomic_add(i, v, __ATOMIC_SEQ_CST) - (long)(i))
#define atomic64_add_return(i, v) shim_atomic_add(i, v, __ATOMIC_SEQ_CST)
#define atomic64_inc_return(v) atomic64_add_return(1, v)

#define try_cmpxchg(p, old, new)                                           \
	(shim_point(),                                                     \
	 __atomic_compare_exchange_n(p, old, new, false, __ATOMIC_SEQ_CST, \
				     __ATOMIC_RELAXED))

#define cmpxchg(p, old, new)                         \
	({                                           \
		__typeof__(*(p)) __shim_was = (old); \
		try_cmpxchg(p, &__shim_was, new);    \
		__shim_was;                          \
	})

static inline bool atomic64_try_cmpxchg(atomic64_t *v, s64 *old, s64 new)
{
	return try_cmpxchg(&v->counter, (long *)old, new);
}

static inline int atomic_fetch_add_unless(atomic_t *v, int i, int unless)
{
	int old = atomic_read(v);

	while (old != unless && !try_cmpxchg(&v->counter, &old, old + i))
		;
	return old;
}

static inline int atomic_dec_if_positive(atomic_t *v)
{
	int old = atomic_read(v);

	while (old > 0 && !try_cmpxchg(&v->counter, &old, old - 1))
		;
	return old - 1;
}

#endif /* SHIM_LINUX_ATOMIC_H */
