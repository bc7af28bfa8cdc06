/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernels that the modules support, and all differences between them: a
 * block for each version that changed something gives older kernels the same
 * interface. No other file tests the version.
 *
 * Kbuild includes this file before each file of each module. Stable kernels
 * adopt functions of later ones, so each replacement has a name of its own, and
 * a macro that hides the kernel's.
 */
#ifndef BLINK_COMPAT_H
#define BLINK_COMPAT_H

#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0)
#error "blink_tree needs Linux 6.1 or later"
#endif
#ifndef CONFIG_64BIT
#error "blink_tree needs a 64-bit kernel"
#endif
/* PRINTK and other options select it. */
#ifndef CONFIG_IRQ_WORK
#error "blink_tree needs CONFIG_IRQ_WORK"
#endif

/* Linux 6.2: call_rcu_hurry(), since call_rcu() can be lazy from then on */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
#include <linux/rcupdate.h>

#define call_rcu_hurry call_rcu
#endif

/* Linux 6.3: vm_flags_mod() */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
#include <linux/mm.h>

static inline void blink_compat_vm_flags(struct vm_area_struct *vma,
					 unsigned long set, unsigned long clear)
{
	vma->vm_flags = (vma->vm_flags | set) & ~clear;
}

#define vm_flags_mod blink_compat_vm_flags
#endif

/* Linux 6.5: u128 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 5, 0)
#include <linux/types.h>

typedef unsigned __int128 u128;
#endif

/* Linux 6.7: numa_nearest_node() */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 7, 0)
#include <linux/nodemask.h>
#include <linux/topology.h>

static inline int blink_compat_nearest_node(int nid, enum node_states state)
{
	int near = nid, best = INT_MAX, node;

	if (nid == NUMA_NO_NODE || node_state(nid, state))
		return nid;
	for_each_node_state(node, state) {
		if (node_distance(nid, node) >= best)
			continue;
		best = node_distance(nid, node);
		near = node;
	}
	return near;
}

#define numa_nearest_node blink_compat_nearest_node
#endif

/* Linux 6.7: kthread_stop_put() */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 7, 0)
#include <linux/kthread.h>
#include <linux/sched/task.h>

static inline int blink_compat_stop_put(struct task_struct *task)
{
	int ret = kthread_stop(task);

	put_task_struct(task);
	return ret;
}

#define kthread_stop_put blink_compat_stop_put
#endif

/* Linux 6.7: modules may fire the tracepoints of contended locks */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 7, 0)
#include <trace/events/lock.h>

#define trace_contention_begin(lock, flags) ((void)(lock))
#define trace_contention_end(lock, ret) ((void)(lock))
#endif

/* Linux 6.8: modules may have anonymous inodes of their own */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 8, 0)
#include <linux/anon_inodes.h>

#define anon_inode_create_getfile(name, ops, data, flags, context) \
	((void)(context), anon_inode_getfile(name, ops, data, flags))
#endif

/* Linux 6.9: BTF_KFUNCS_START(), for kernels that can read the BTF of modules */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 9, 0) && \
	defined(CONFIG_DEBUG_INFO_BTF_MODULES)
#define BLINK_KFUNCS
#endif

/* Linux 6.13: hrtimer_setup(); 6.15 removed hrtimer_init() */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
#include <linux/hrtimer.h>

static inline void
blink_compat_hrtimer_setup(struct hrtimer *timer,
			   enum hrtimer_restart (*fn)(struct hrtimer *timer),
			   clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = fn;
}

#define hrtimer_setup blink_compat_hrtimer_setup
#endif

/* Linux 6.16: timer_container_of(), the name of from_timer() since then */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 16, 0)
#include <linux/timer.h>

#undef timer_container_of
#define timer_container_of(var, timer, field) \
	container_of(timer, typeof(*(var)), field)
#endif

/* Linux 6.18: generators of parameters for KUnit get the test */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 18, 0)
#define BLINK_KUNIT_GENERATOR
#else
#define BLINK_KUNIT_GENERATOR struct kunit *test,
#endif

#endif /* BLINK_COMPAT_H */
