// SPDX-License-Identifier: GPL-2.0
/* Memory in limbo (limbo.h): the count of it, and waiting for it to become less. */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "limbo.h"
#include "tree.h"

/**
 * blink_limbo_add() - count memory that enters limbo, or leaves it
 * @tree: the tree
 * @bytes: how much; less than 0 when it is freed
 *
 * It works as percpu_counter does, which takes a lock for each batch and looks at
 * the count by plain accesses.
 *
 * Context: any but NMI.
 */
void blink_limbo_add(struct blink_tree *tree, s64 bytes)
{
	s64 mine = this_cpu_add_return(tree->counters->limbo, bytes);

	if (mine > -tree->limbo_batch && mine < tree->limbo_batch)
		return;
	mine = this_cpu_xchg(tree->counters->limbo, 0);
	atomic_long_add(mine, &tree->limbo);
}

/**
 * blink_limbo_admits() - whether a tree may get another leaf, as far as limbo goes
 * @tree: the tree
 * @gfp: how it would be allocated
 *
 * An erase never allocates, so that it moves memory from the tree to limbo at
 * most. Only a leaf more adds to both together: while %BLINK_LIMBO_FULL bytes
 * wait for a grace period, an allocation waits for that too, or fails. So a tree
 * never has more than it had at its largest and that many bytes, plus a leaf for
 * each allocation under way and %BLINK_LIMBO_SLACK bytes.
 *
 * Context: no node lock held; sleeps if @gfp allows it.
 * Return: false if the allocation is to fail: it must not sleep, or the task is
 * killed.
 */
bool blink_limbo_admits(struct blink_tree *tree, gfp_t gfp)
{
	while (unlikely(atomic_long_read(&tree->limbo) >= BLINK_LIMBO_FULL)) {
		if (!(gfp & __GFP_DIRECT_RECLAIM))
			return false;
		if (fatal_signal_pending(current) && !(gfp & __GFP_NOFAIL))
			return false;
		schedule_timeout_uninterruptible(1);
	}
	return true;
}

/**
 * blink_tree_limbo() - memory of dead nodes that wait for a grace period
 * @tree: the tree
 *
 * It grows when many entries are erased faster than readers end their RCU read
 * sections. An eraser that may sleep should do so, in blink_tree_limbo_wait(),
 * when this exceeds what it wants to afford. Beyond 64 MiB the tree leaves nodes
 * unmerged; beyond 256 MiB an insertion that takes a leaf waits, or fails. Both are
 * judged by a count that may be off by 4 MiB; this is the exact one.
 *
 * Context: any but NMI; it looks at a counter of each CPU.
 * Return: bytes, exact while no node dies or is freed.
 */
u64 blink_tree_limbo(struct blink_tree *tree)
{
	struct blink_counters sum;

	blink_counters_sum(tree->counters, &sum);
	return max(atomic_long_read(&tree->limbo) + sum.limbo, 0LL);
}
EXPORT_SYMBOL_GPL(blink_tree_limbo);

/* It looks at the counter of each CPU only where the common one is too close. */
static bool limbo_exceeds(struct blink_tree *tree, u64 most)
{
	s64 about = atomic_long_read(&tree->limbo) + BLINK_LIMBO_SLACK;

	return about > 0 && about > most && blink_tree_limbo(tree) > most;
}

/**
 * blink_tree_limbo_wait() - wait while a tree has too much memory in limbo
 * @tree: the tree
 * @most: bytes that are not too much
 *
 * For callers that erase much and may sleep, before they go on.
 *
 * Context: process, outside of RCU read sections; sleeps.
 * Return: 0, or -EINTR if a signal came first.
 */
int blink_tree_limbo_wait(struct blink_tree *tree, u64 most)
{
	while (unlikely(limbo_exceeds(tree, most))) {
		if (signal_pending(current))
			return -EINTR;
		schedule_timeout_interruptible(1);
	}
	return 0;
}
EXPORT_SYMBOL_GPL(blink_tree_limbo_wait);
