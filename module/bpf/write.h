/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: modifications by BPF programs
 *
 * A kfunc that modifies a tree waits for the locks of nodes, like every writer. So the
 * verifier allows it in programs of those types that run in tasks and softirqs: on
 * packets, in hooks of cgroups, and as system calls (kfuncs.c). They do not interrupt a
 * writer, since writers disable softirqs. Programs for tracing run everywhere, in a
 * writer too, and may not modify trees.
 *
 * The kernel can still run a program on a packet elsewhere: netpoll sends packets with
 * interrupts disabled, from printk(). So each call checks its context first
 * (blink_bpf_may_write()), before it does anything that could wait or warn.
 *
 * Memory comes from the allocator, without waiting, as for other writers in softirqs. The
 * memory control group of the process that got the handle pays for it, and not that of
 * the task that the softirq interrupted (blink_bpf_pays()).
 */
#ifndef BLINK_BPF_WRITE_H
#define BLINK_BPF_WRITE_H

#include <linux/rcupdate.h>
#include <linux/sched/mm.h>

#include "../chardev/handle.h"
#include "../core/core.h"
#include "../core/tree/mark.h"
#include "../core/tree/writer.h"

/**
 * struct blink_bpf_write - a modification under way
 * @tree: the tree
 * @mode: FMODE_* of the handle
 * @charged: the memory control group that the context charged before, if blink_bpf_pays()
 */
struct blink_bpf_write {
	struct blink_tree *tree;
	fmode_t mode;
	struct mem_cgroup *charged;
};

/*
 * Whether a program may modify a tree here: not in a writer of any tree, not in an NMI or
 * a hard interrupt, and not with interrupts disabled. On PREEMPT_RT memory cannot be
 * allocated with preemption disabled either.
 */
static inline bool blink_bpf_may_write(const struct blink_tree *tree)
{
	if (IS_ENABLED(CONFIG_PREEMPT_RT) && !preemptible())
		return false;
	return blink_may_wait(tree) && !blink_mark_is_set();
}

/*
 * Whether the memory control group of the handle can pay. The one that softirqs charge is in a
 * variable of the CPU. On PREEMPT_RT a task that serves softirqs can preempt another one there,
 * and leave its own group behind, which may be freed: so none pays there.
 */
static inline bool blink_bpf_pays(void)
{
	return !IS_ENABLED(CONFIG_PREEMPT_RT) || in_task();
}

/**
 * blink_bpf_write_begin() - find the tree of a handle, to modify it
 * @write: set to what blink_bpf_write_end() needs
 * @number: the number of the handle
 * @mode: the access that the handle must have
 *
 * Context: any; a program that runs does not change its CPU.
 * Return: 0, then the caller calls blink_bpf_write_end() soon; -EBADF or -EBUSY.
 */
static inline int blink_bpf_write_begin(struct blink_bpf_write *write,
					u64 number, fmode_t mode)
{
	const struct blink_handle *handle;

	rcu_read_lock();
	handle = blink_handle_find(number, mode);
	if (unlikely(!handle || !blink_bpf_may_write(handle->tree))) {
		rcu_read_unlock();
		return handle ? -EBUSY : -EBADF;
	}
	write->tree = handle->tree;
	write->mode = handle->mode;
	if (blink_bpf_pays())
		write->charged = set_active_memcg(handle->payer);
	return 0;
}

static inline void blink_bpf_write_end(const struct blink_bpf_write *write)
{
	if (blink_bpf_pays())
		set_active_memcg(write->charged);
	rcu_read_unlock();
}

#endif /* BLINK_BPF_WRITE_H */
