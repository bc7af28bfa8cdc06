/* SPDX-License-Identifier: GPL-2.0 */
/*
 * RCU by liburcu. Callbacks run after a grace period, never earlier, in a thread of the
 * shim: ThreadSanitizer cannot see how liburcu's own call_rcu() uses the head.
 */
#ifndef SHIM_LINUX_RCUPDATE_H
#define SHIM_LINUX_RCUPDATE_H

#include <linux/irqflags.h>
#include <linux/kernel.h>

/* liburcu's names, where they are the kernel's too, are put aside. */
#define rcu_head shim_urcu_head
#ifdef SHIM_TSAN
#include <urcu/urcu-mb.h>
#define shim_urcu(name) urcu_mb_##name
extern char shim_rcu_token;
#define shim_rcu_release() __tsan_release(&shim_rcu_token)
#define shim_rcu_acquire() __tsan_acquire(&shim_rcu_token)
#else
/* Inline; ThreadSanitizer, which must not look into it, gets functions. */
#define _LGPL_SOURCE
#include <urcu/urcu-memb.h>
#define shim_urcu(name) urcu_memb_##name
#define shim_rcu_release() ((void)0)
#define shim_rcu_acquire() ((void)0)
#endif
#undef rcu_head
#undef rcu_dereference
#undef rcu_assign_pointer
#undef synchronize_rcu

void call_rcu(struct rcu_head *head, void (*func)(struct rcu_head *head));
#define call_rcu_hurry(head, func) call_rcu(head, func)
void rcu_barrier(void);
void synchronize_rcu(void);

static inline void rcu_read_lock(void)
{
	shim_point();
	if (!shim_hook(call_rcu))
		shim_urcu(read_lock)();
	if (SHIM_CHECKS)
		shim_self->rcu_depth++;
}

static inline void rcu_read_unlock(void)
{
	SHIM_CHECK(shim_self->rcu_depth, "an RCU read section ends twice");
	if (SHIM_CHECKS)
		shim_self->rcu_section += !--shim_self->rcu_depth;
	shim_rcu_release();
	if (!shim_hook(call_rcu))
		shim_urcu(read_unlock)();
	shim_point();
}

#define rcu_read_lock_held() (!SHIM_CHECKS || shim_self->rcu_depth)
#define RCU_LOCKDEP_WARN(cond, what) SHIM_CHECK(!(cond), what)

/* Dependent loads are acquires: the compilers know no better. */
#define rcu_dereference(p)                                                   \
	({                                                                   \
		SHIM_CHECK(                                                  \
			shim_self->rcu_depth,                                \
			"a pointer of RCU's outside of RCU's read section"); \
		shim_load(&(p), __ATOMIC_ACQUIRE);                           \
	})
#define rcu_dereference_protected(p, cond)               \
	({                                               \
		SHIM_CHECK(cond, "unprotected: " #cond); \
		READ_ONCE(p);                            \
	})
/* The object can also have been published by smp_wmb(). */
#define rcu_dereference_raw(p)                                          \
	({                                                              \
		__auto_type shim_p = shim_load(&(p), __ATOMIC_ACQUIRE); \
		shim_acquire_fence();                                   \
		shim_p;                                                 \
	})
#define rcu_access_pointer(p) READ_ONCE(p)
#define unrcu_pointer(p) (p)
#define RCU_INITIALIZER(p) (p)
#define rcu_assign_pointer(p, v) shim_store(&(p), v, __ATOMIC_RELEASE)
#define RCU_INIT_POINTER(p, v) __atomic_store_n(&(p), v, __ATOMIC_RELAXED)

#endif /* SHIM_LINUX_RCUPDATE_H */
