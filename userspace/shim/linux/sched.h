/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SHIM_LINUX_SCHED_H
#define SHIM_LINUX_SCHED_H

#include <linux/irqflags.h>
#include <sched.h>

/* Let some time pass, in which RCU may get on. */
void shim_sleep(void);
#define schedule_timeout_interruptible(ticks) shim_sleep()
#define schedule_timeout_uninterruptible(ticks) shim_sleep()

/* Let other threads run, which this one may be waiting for. */
#define schedule()                   \
	({                           \
		might_sleep();       \
		shim_spin();         \
		(void)sched_yield(); \
	})

#endif /* SHIM_LINUX_SCHED_H */
