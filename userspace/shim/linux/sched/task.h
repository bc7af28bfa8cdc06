/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SHIM_LINUX_SCHED_TASK_H
#define SHIM_LINUX_SCHED_TASK_H

#include <linux/kthread.h>

void get_task_struct(struct task_struct *task);
void put_task_struct(struct task_struct *task);

#endif /* SHIM_LINUX_SCHED_TASK_H */
