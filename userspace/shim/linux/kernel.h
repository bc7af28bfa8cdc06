/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Definitions that the kernel spreads over many small headers: errors as pointers,
 * least and greatest, bits, warnings. A warning ends the program: no test passes
 * with one.
 */
#include_next <linux/kernel.h>

#ifndef SHIM_LINUX_KERNEL_H
#define SHIM_LINUX_KERNEL_H

#include <errno.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/limits.h>
#include <stdio.h>
#include <string.h>

#define L1_CACHE_BYTES 64
#define ____cacheline_aligned __aligned(L1_CACHE_BYTES)

#define EXPORT_SYMBOL_GPL SHIM_NOTHING
#define SHIM_NOTHING(...) struct shim_nothing

#ifdef SHIM_LINES
#include "lab/marks.h"
#define prefetch(addr) blink_ask(addr)
#else
#define prefetch(addr) __builtin_prefetch(addr)
#endif

/* No option is set. */
#define IS_ENABLED(CONFIG_option) false

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define BITS_PER_LONG 64
#define BIT(n) (1UL << (n))
#define BIT_ULL(n) (1ULL << (n))
#define hash_ptr(p, bits) \
	((u32)(((uintptr_t)(p) * 0x61C8864680B583EBULL) >> (64 - (bits))))
#define GENMASK(h, l) ((~0UL << (l)) & (~0UL >> (63 - (h))))

/* As in the kernel, the comparison of pointers rejects unlike types. */
#define shim_pick(a, b, op)                                 \
	({                                                  \
		__typeof__(a) __shim_a = (a);               \
		__typeof__(b) __shim_b = (b);               \
		(void)(&__shim_a == &__shim_b);             \
		__shim_a op __shim_b ? __shim_a : __shim_b; \
	})
#define min(a, b) shim_pick(a, b, <)
#define max(a, b) shim_pick(a, b, >)
#define swap(a, b)                        \
	do {                              \
		__auto_type shim_a = (a); \
		(a) = (b);                \
		(b) = shim_a;             \
	} while (0)
#define min_t(type, a, b) min((type)(a), (type)(b))
#define max_t(type, a, b) max((type)(a), (type)(b))
#define clamp_t(type, value, low, high) \
	min_t(type, max_t(type, value, low), high)

#define WARN_ON_ONCE(cond)                                   \
	({                                                   \
		bool __shim_cond = (cond);                   \
		shim_check(!__shim_cond, __FILE__, __LINE__, \
			   "WARN_ON: " #cond);               \
		__shim_cond;                                 \
	})

#define PTR_ERR(ptr) ((long)(ptr))

static inline void *ERR_PTR(long error)
{
	return (void *)error;
}

static inline bool IS_ERR(const void *ptr)
{
	return (unsigned long)ptr >= (unsigned long)-4095;
}

static inline int PTR_ERR_OR_ZERO(const void *ptr)
{
	return IS_ERR(ptr) ? (int)(long)ptr : 0;
}

#endif /* SHIM_LINUX_KERNEL_H */
