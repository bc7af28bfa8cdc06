/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Kernel threads: registered threads of this process, bound to the CPUs that it may
 * run on. A task state is not kept: schedule() returns at once if a wake-up came
 * after the last set_current_state(), and waits for one otherwise.
 */
#ifndef SHIM_LINUX_KTHREAD_H
#define SHIM_LINUX_KTHREAD_H

#include <linux/compiler.h>
#include <linux/sched.h>

#define TASK_RUNNING 0
#define TASK_IDLE 1

struct task_struct;

struct task_struct *shim_kthread_create(int (*main)(void *data), void *data,
					unsigned int cpu);
#define kthread_create_on_cpu(main, data, cpu, name) \
	shim_kthread_create(main, data, cpu)
int kthread_stop(struct task_struct *task);
bool kthread_should_stop(void);

int wake_up_process(struct task_struct *task);
void shim_set_state(unsigned int state);
#define set_current_state(state) shim_set_state(state)
#define __set_current_state(state) ((void)(state))

/* The CPUs of the machine that this process may use, not those of struct shim_thread. */
unsigned int shim_next_cpu(unsigned int cpu);
#define for_each_online_cpu(cpu)                              \
	for ((cpu) = shim_next_cpu(0); (cpu) < SHIM_CPUS_END; \
	     (cpu) = shim_next_cpu((cpu) + 1))
#define SHIM_CPUS_END 1024U

#endif /* SHIM_LINUX_KTHREAD_H */
