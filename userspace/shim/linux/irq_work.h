/* SPDX-License-Identifier: GPL-2.0 */
/* Interrupts that a CPU sends itself; linux/workqueue.h says when they come. */
#ifndef SHIM_LINUX_IRQ_WORK_H
#define SHIM_LINUX_IRQ_WORK_H

#include <linux/types.h>

struct irq_work {
	void (*func)(struct irq_work *work);
	struct irq_work *next;
	bool pending;
	bool busy;
};

#define IRQ_WORK_INIT_HARD(fn) ((struct irq_work){ .func = (fn) })

bool irq_work_queue(struct irq_work *work);
void irq_work_sync(struct irq_work *work);

#endif /* SHIM_LINUX_IRQ_WORK_H */
