// SPDX-License-Identifier: GPL-2.0
/* Memory in limbo (limbo.h): counting it, and waiting until it becomes less. */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "limbo.h"
#include "tree.h"

/**
 * blink_limbo_add() - count memory that enters or leaves limbo
 * @tree: the tree
 * @bytes: how much; negative when it is freed
 *
 * A percpu_counter would take a lock for each batch, and reads its count by
 * plain accesses. Memory that leaves limbo entered it a grace period before, and was
 * uncharged.
 *
 * Context: any but NMI.
 */
void blink_limbo_add(struct blink_tree *tree, s64 bytes)
{
	s64 mine;

	if (bytes > 0) {
		this_cpu_add(tree->counters->limbo_in, bytes);
	} else {
		/*
		 * Uncharged, then counted. Pairs with the smp_rmb() in
		 * charge_once().
		 */
		smp_wmb();
		this_cpu_add(tree->counters->limbo_out, -bytes);
	}
	mine = this_cpu_add_return(tree->counters->limbo, bytes);
	if (mine > -tree->limbo_batch && mine < tree->limbo_batch)
		return;
	mine = this_cpu_xchg(tree->counters->limbo, 0);
	atomic_long_add(mine, &tree->limbo);
}

/**
 * blink_limbo_admits() - wait until the memory in limbo permits another leaf
 * @tree: the tree
 * @gfp: how the leaf would be allocated
 *
 * An erase never allocates, so it only moves memory from the tree to limbo.
 * Only a new leaf adds to the sum of both. While %BLINK_LIMBO_FULL bytes are in
 * limbo, an allocation waits for a grace period or fails. So a tree never uses
 * more than its largest size, these bytes, a leaf for each allocation under
 * way, and %BLINK_LIMBO_SLACK bytes.
 *
 * Context: no node lock held; sleeps if @gfp allows it.
 * Return: 0; -ENOMEM if the allocation must fail, because it must not sleep or its task
 * was killed; -EAGAIN if it must not wait (%__GFP_NORETRY).
 */
int blink_limbo_admits(struct blink_tree *tree, gfp_t gfp)
{
	while (unlikely(atomic_long_read(&tree->limbo) >= BLINK_LIMBO_FULL)) {
		if (!(gfp & __GFP_DIRECT_RECLAIM))
			return -ENOMEM;
		if (gfp & __GFP_NORETRY)
			return -EAGAIN;
		if (fatal_signal_pending(current) && !(gfp & __GFP_NOFAIL))
			return -ENOMEM;
		schedule_timeout_uninterruptible(1);
	}
	return 0;
}

/**
 * blink_tree_limbo() - memory of dead nodes that wait for a grace period
 * @tree: the tree
 *
 * It grows when entries are erased faster than readers end their RCU read
 * sections. A caller that erases much and may sleep should call
 * blink_tree_limbo_wait() with the amount that it can afford. Above 64 MiB the
 * tree leaves nodes unmerged; above 256 MiB an insert that needs a leaf waits
 * or fails. Both limits are compared with a count that is inexact by up to 4
 * MiB; this function adds up the exact one.
 *
 * Context: any but NMI; it reads two counters of each CPU.
 * Return: bytes, exact while no node dies or is freed; meanwhile at least those that are
 * in limbo from the begin to the end of the call.
 */
u64 blink_tree_limbo(struct blink_tree *tree)
{
	u64 in = 0, out = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		out += READ_ONCE(per_cpu_ptr(tree->counters, cpu)->limbo_out);
	/*
	 * Each node that @out counts has been counted as one that entered, a
	 * grace period before. Pairs with that.
	 */
	smp_rmb();
	for_each_possible_cpu(cpu)
		in += READ_ONCE(per_cpu_ptr(tree->counters, cpu)->limbo_in);
	return in - out;
}
EXPORT_SYMBOL_GPL(blink_tree_limbo);

/**
 * blink_limbo_exceeds() - whether a tree has too much memory in limbo
 * @tree: the tree
 * @most: the most bytes in limbo that are not too much
 *
 * It reads the counter of each CPU only if the shared counter is close to @most.
 *
 * Context: any but NMI.
 * Return: true if it has more.
 */
bool blink_limbo_exceeds(struct blink_tree *tree, u64 most)
{
	s64 about = atomic_long_read(&tree->limbo) + BLINK_LIMBO_SLACK;

	return about > 0 && about > most && blink_tree_limbo(tree) > most;
}

/**
 * blink_tree_limbo_wait() - wait while a tree has too much memory in limbo
 * @tree: the tree
 * @most: the most bytes in limbo for which it does not wait
 *
 * Callers that erase many entries and may sleep call it between erases.
 *
 * Context: process, outside of RCU read sections; sleeps.
 * Return: 0, or -EINTR if a signal arrived first.
 */
int blink_tree_limbo_wait(struct blink_tree *tree, u64 most)
{
	while (unlikely(blink_limbo_exceeds(tree, most))) {
		if (signal_pending(current))
			return -EINTR;
		schedule_timeout_interruptible(1);
	}
	return 0;
}
EXPORT_SYMBOL_GPL(blink_tree_limbo_wait);
