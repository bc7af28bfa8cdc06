/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Per-CPU variables: one copy for each thread, at a fixed distance. Only its
 * own thread changes a copy, so a relaxed load and store make an addition.
 */
#ifndef SHIM_LINUX_PERCPU_H
#define SHIM_LINUX_PERCPU_H

#include <linux/compiler.h>
#include <linux/slab.h>

#define SHIM_PERCPU_BYTES (256UL << 10)

void *shim_percpu_alloc(size_t size, gfp_t gfp);
void free_percpu(const void *ptr);

#define alloc_percpu_gfp(var, gfp) shim_percpu_alloc(sizeof(var), gfp)
#define alloc_percpu(var) alloc_percpu_gfp(var, GFP_KERNEL)
#define per_cpu_ptr(ptr, cpu) \
	((__typeof__(ptr))((uintptr_t)(ptr) + (cpu) * SHIM_PERCPU_BYTES))
#define for_each_possible_cpu(cpu)                     \
	for (int *__shim_cpu = shim_first_cpu(&(cpu)); \
	     *__shim_cpu < SHIM_THREADS; ++*__shim_cpu)

static inline int *shim_first_cpu(int *cpu)
{
	*cpu = 0;
	return cpu;
}

#define raw_cpu_ptr(ptr) per_cpu_ptr(ptr, shim_self->slot)
#define num_possible_cpus() READ_ONCE(shim_cpus)
#define num_online_cpus() READ_ONCE(shim_cpus)

#define this_cpu_ptr(ptr) raw_cpu_ptr(ptr)

/* A variable of its own: that of the first thread has a name, the others follow it. */
#define DECLARE_PER_CPU(type, name) extern __typeof__(type) name
#define DEFINE_PER_CPU(type, name)                                          \
	static char name##_all[SHIM_THREADS * SHIM_PERCPU_BYTES] __aligned( \
		64);                                                        \
	extern __typeof__(type) name __alias(name##_all)

#define this_cpu_add(var, n)                                               \
	({                                                                 \
		__typeof__(var) *__shim_p =                                \
			per_cpu_ptr(&(var), shim_self->slot);              \
		__typeof__(var) __shim_v =                                 \
			__atomic_load_n(__shim_p, __ATOMIC_RELAXED) + (n); \
		__atomic_store_n(__shim_p, __shim_v, __ATOMIC_RELAXED);    \
	})
#define this_cpu_read(var) READ_ONCE(*per_cpu_ptr(&(var), shim_self->slot))
#define this_cpu_write(var, n) \
	WRITE_ONCE(*per_cpu_ptr(&(var), shim_self->slot), n)
#define this_cpu_add_return(var, n) (this_cpu_add(var, n), this_cpu_read(var))
#define this_cpu_xchg(var, n)                                    \
	({                                                       \
		__typeof__(var) __shim_was = this_cpu_read(var); \
		this_cpu_write(var, n);                          \
		__shim_was;                                      \
	})
#define this_cpu_sub(var, n) this_cpu_add(var, -(n))
#define this_cpu_inc(var) this_cpu_add(var, 1)
#define __this_cpu_inc(var) this_cpu_add(var, 1)
#define __this_cpu_dec(var) this_cpu_add(var, -1)

#endif /* SHIM_LINUX_PERCPU_H */
