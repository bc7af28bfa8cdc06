/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SHIM_LINUX_LOCKDEP_H
#define SHIM_LINUX_LOCKDEP_H

#include <linux/irqflags.h>
#include <linux/spinlock.h>

#define lockdep_assert_irqs_disabled() \
	SHIM_CHECK(irqs_disabled(), "interrupts are enabled")

#endif /* SHIM_LINUX_LOCKDEP_H */
