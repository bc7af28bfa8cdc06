/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Annotations, single accesses and barriers.
 *
 * Accesses are relaxed atomics, so that ThreadSanitizer knows that they are
 * meant to race. It knows no fences: under it, every smp_wmb() releases and
 * every smp_rmb() acquires one and the same token, which orders more than the
 * fences do (a fence that is missing is for KCSAN to find) but never less.
 */
#ifndef SHIM_LINUX_COMPILER_H
#define SHIM_LINUX_COMPILER_H

#include <linux/types.h>
#include <sys/cdefs.h>

#include "../shim.h"

/* Once each in the counts of gcov, not once for each of its callers. */
#ifdef SHIM_GCOV
#undef __always_inline
#define __always_inline inline
#endif

/* gcc defines macros for its sanitizers, and clang has features. */
#ifndef __has_feature
#define __has_feature(feature) 0
#endif
#if defined(SHIM_POINTS) || defined(__SANITIZE_ADDRESS__) ||                \
	defined(__SANITIZE_THREAD__) || __has_feature(address_sanitizer) || \
	__has_feature(thread_sanitizer)
#define SHIM_INSTRUMENTED
#endif

#define __init
#define __rcu
#define __percpu
#define noinline shim_attribute(__noinline__)
#define noinline_for_stack noinline
#define __acquires(...)
#define __releases(...)
#define __acquire(x) ((void)0)
#define __release(x) ((void)0)

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

#define container_of(ptr, type, member) \
	((type *)((char *)(ptr) - offsetof(type, member)))

#define shim_load(p, order) (shim_point(), __atomic_load_n(p, order))
#define shim_store(p, val, order)                              \
	({                                                     \
		__auto_type __shim_p = (p);                    \
		__typeof__(*__shim_p) __shim_val = (val);      \
		shim_point();                                  \
		__atomic_store_n(__shim_p, __shim_val, order); \
	})

/* The compiler must not move accesses across this. */
#define barrier() asm volatile("" ::: "memory")

/* The compiler must not use what it knows of a variable's value. */
#define OPTIMIZER_HIDE_VAR(var) asm("" : "=r"(var) : "0"(var))

/* KCSAN's mark of an access whose race is intended. */
#ifdef SHIM_TSAN
void shim_race_begin(const char *file,
		     int line) asm("AnnotateIgnoreReadsBegin");
void shim_race_end(const char *file, int line) asm("AnnotateIgnoreReadsEnd");

/* It marks the access for KCSAN, and here for ThreadSanitizer. */
#define data_race(expr)                              \
	({                                           \
		shim_race_begin(__FILE__, __LINE__); \
		__auto_type shim_result = (expr);    \
		shim_race_end(__FILE__, __LINE__);   \
		shim_result;                         \
	})
#else
/* As above. */
#define data_race(expr) (shim_point(), (expr))
#endif

#define READ_ONCE(x) shim_load(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, val) shim_store(&(x), val, __ATOMIC_RELAXED)
/* These two are for the core to pair. */
#define smp_load_acquire(p) shim_load(p, __ATOMIC_ACQUIRE)
/* As above. */
#define smp_store_release(p, val) shim_store(p, val, __ATOMIC_RELEASE)

/*
 * The hint to the CPU in a loop that waits, and a full barrier that ThreadSanitizer
 * does not instrument.
 */
#if defined(__x86_64__)
#define shim_pause() __builtin_ia32_pause()
#define shim_mb() __builtin_ia32_mfence()
#elif defined(__aarch64__)
#define shim_pause() ({ asm volatile("yield" ::: "memory"); })
#define shim_mb() ({ asm volatile("dmb ish" ::: "memory"); })
#else
#error "the shim knows x86-64 and arm64 only"
#endif

#ifdef SHIM_TSAN
void __tsan_acquire(void *addr);
void __tsan_release(void *addr);
extern char shim_fence_token;
#define shim_acquire_fence() __tsan_acquire(&shim_fence_token)
#define shim_release_fence() __tsan_release(&shim_fence_token)
#define shim_full_fence() \
	(shim_release_fence(), shim_acquire_fence(), shim_mb())
#else
#define shim_acquire_fence() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#define shim_release_fence() __atomic_thread_fence(__ATOMIC_RELEASE)
#define shim_full_fence() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#endif

/* For the core to pair, again. */
#define smp_rmb() (shim_point(), shim_acquire_fence())
/* As above. */
#define smp_wmb() (shim_point(), shim_release_fence())

/* Both, and stores before it are seen before loads after it. */
#define smp_mb() (shim_point(), shim_full_fence())

/* A loop that waits for another thread. */
#define cpu_relax() (shim_pause(), shim_spin())

/* A wait that may be long: the other thread may want this very CPU. */
void shim_relax(unsigned int *spins);

/* Wait until a condition of the word, which is VAL in it, holds. */
#define smp_cond_load_acquire(p, cond)                      \
	({                                                  \
		__typeof__(*(p)) VAL;                       \
		unsigned int __shim_spins = 0;              \
		/* As above. */                             \
		for (; VAL = smp_load_acquire(p), !(cond);) \
			shim_relax(&__shim_spins);          \
		VAL;                                        \
	})

#endif /* SHIM_LINUX_COMPILER_H */
