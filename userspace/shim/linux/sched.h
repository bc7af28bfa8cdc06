/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SHIM_LINUX_SCHED_H
#define SHIM_LINUX_SCHED_H

#include <linux/irqflags.h>
#include <sched.h>

/* The calling thread: only to compare. */
#define current ((struct task_struct *)shim_self)

/* Let some time pass, in which RCU may get on. */
void shim_sleep(void);
#define schedule_timeout_interruptible(ticks) shim_sleep()
#define schedule_timeout_uninterruptible(ticks) shim_sleep()

/*
 * Let other threads run, which this one may be waiting for; or, in a kernel thread that
 * has set its state, wait for a wake-up (kthread.h).
 */
void schedule(void);

#endif /* SHIM_LINUX_SCHED_H */
