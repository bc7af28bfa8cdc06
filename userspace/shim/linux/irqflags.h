/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Contexts. A thread of a test is a task and nothing interrupts it; only how
 * deep it is in sections that must not sleep is kept.
 */
#ifndef SHIM_LINUX_IRQFLAGS_H
#define SHIM_LINUX_IRQFLAGS_H

#include <linux/compiler.h>

static inline void preempt_disable(void)
{
	shim_self->atomic++;
}

static inline void preempt_enable(void)
{
	SHIM_CHECK(shim_self->atomic, "preemption enabled twice");
	shim_self->atomic--;
}

#define local_bh_disable() preempt_disable()
#define local_bh_enable() preempt_enable()
#define irqs_disabled() (shim_self->irqs_off)
#define local_irq_save(flags)                                   \
	((flags) = irqs_disabled(), shim_self->irqs_off = true, \
	 preempt_disable())
#define local_irq_restore(flags) \
	(preempt_enable(), shim_self->irqs_off = (flags))
#define in_nmi() false
#define in_hardirq() false
#define in_task() true

#define might_sleep()                                           \
	SHIM_CHECK(!(shim_self->atomic | shim_self->rcu_depth), \
		   "sleeping in atomic context")
#define cond_resched() might_sleep()

#endif /* SHIM_LINUX_IRQFLAGS_H */
