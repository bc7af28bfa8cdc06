/* SPDX-License-Identifier: GPL-2.0 */
/* What keeps interrupts away from a writer that holds node locks. */
#ifndef BLINK_CORE_WRITER_H
#define BLINK_CORE_WRITER_H

#include <linux/bottom_half.h>
#include <linux/hardirq.h>
#include <linux/irqflags.h>

#include "tree.h"

/*
 * Whether a node's lock may be waited for here. Where its holders leave
 * interrupts on, neither an interrupt may wait, which could have come in the
 * middle of one, nor anybody with interrupts off, who could hold what an
 * interrupt in the middle of one is waiting for.
 */
static inline bool blink_may_wait(const struct blink_tree *tree)
{
	if (tree->flags & BLINK_TREE_IRQSAFE)
		return !in_nmi();
	return !in_nmi() && !in_hardirq() && !irqs_disabled();
}

/*
 * What writers do between these two is not interrupted by anything that could
 * want the same node locks. Documentation/design/locking.rst has the lock order.
 */
static inline unsigned long blink_writer_begin(struct blink_tree *tree)
{
	unsigned long flags = 0;

	if (tree->flags & BLINK_TREE_IRQSAFE)
		local_irq_save(flags);
	else
		local_bh_disable();
	return flags;
}

static inline void blink_writer_end(struct blink_tree *tree,
				    unsigned long flags)
{
	if (tree->flags & BLINK_TREE_IRQSAFE)
		local_irq_restore(flags);
	else
		local_bh_enable();
}

#endif /* BLINK_CORE_WRITER_H */
