/* SPDX-License-Identifier: GPL-2.0 */
/* Disabling the interrupts that could want the locks which a writer holds. */
#ifndef BLINK_CORE_WRITER_H
#define BLINK_CORE_WRITER_H

#include <linux/bottom_half.h>
#include <linux/hardirq.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>

#include "mark.h"
#include "tree.h"

/*
 * Whether this context may wait for a node lock. If its holders leave
 * interrupts enabled, an interrupt must not wait, because it can have
 * interrupted a holder. A task with interrupts disabled must not wait either,
 * because it can hold a lock for which an interrupt on the holder's CPU waits.
 */
static inline bool blink_may_wait(const struct blink_tree *tree)
{
	if (tree->flags & BLINK_TREE_IRQSAFE)
		return !in_nmi();
	return !in_nmi() && !in_hardirq() && !irqs_disabled();
}

/*
 * Between these two functions a writer, or a reader that takes a node lock, is not
 * interrupted by a context that could want the same node locks.
 * Documentation/design/locking.rst has the lock order.
 *
 * On PREEMPT_RT softirqs run in threads, so nothing but preemption has to be
 * disabled. local_bh_disable() is wrong there: a caller that has disabled preemption
 * cannot take the lock that it takes, and leaves its count of disabled softirqs
 * wrong if the task that it preempted had disabled them.
 */
static inline unsigned long blink_writer_begin(struct blink_tree *tree)
{
	unsigned long flags = 0;

	if (tree->flags & BLINK_TREE_IRQSAFE)
		local_irq_save(flags);
	else if (IS_ENABLED(CONFIG_PREEMPT_RT))
		preempt_disable();
	else
		local_bh_disable();
	blink_mark_set();
	return flags;
}

static inline void blink_writer_end(struct blink_tree *tree,
				    unsigned long flags)
{
	blink_mark_clear();
	if (tree->flags & BLINK_TREE_IRQSAFE)
		local_irq_restore(flags);
	else if (IS_ENABLED(CONFIG_PREEMPT_RT))
		preempt_enable();
	else
		local_bh_enable();
}

#endif /* BLINK_CORE_WRITER_H */
