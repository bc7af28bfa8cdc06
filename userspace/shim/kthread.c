// SPDX-License-Identifier: GPL-2.0
/* Kernel threads in userspace. */
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <pthread.h>
#include <sched.h>

/**
 * struct task_struct - a kernel thread
 * @thread: the thread that it is
 * @main: its function
 * @data: the argument of @main
 * @cpu: its CPU
 * @ret: the result of @main
 * @refs: references; one is given up by kthread_stop()
 * @mutex: guards the rest
 * @wake: signalled with @woken
 * @woken: a wake-up came since the last set_current_state()
 * @stop: kthread_stop() was called
 */
struct task_struct {
	pthread_t thread;
	int (*main)(void *data);
	void *data;
	unsigned int cpu;
	int ret;
	unsigned int refs;
	pthread_mutex_t mutex;
	pthread_cond_t wake;
	bool woken;
	bool stop;
};

static __thread struct task_struct *self;

unsigned int shim_next_cpu(unsigned int cpu)
{
	cpu_set_t allowed;

	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		shim_die(__FILE__, __LINE__, "no CPUs");
	while (cpu < SHIM_CPUS_END && !CPU_ISSET(cpu, &allowed))
		cpu++;
	return cpu;
}

static void bind_to(unsigned int cpu)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
}

static void *kthread_main(void *arg)
{
	self = arg;
	bind_to(self->cpu);
	shim_thread_register();
	schedule();
	/* As in the kernel, a thread that is stopped before it ran never runs. */
	self->ret = -EINTR;
	if (!kthread_should_stop())
		self->ret = self->main(self->data);
	shim_thread_unregister();
	return NULL;
}

struct task_struct *shim_kthread_create(int (*main)(void *data), void *data,
					unsigned int cpu)
{
	struct task_struct *task = kzalloc(sizeof(*task), GFP_KERNEL);

	if (!task)
		return ERR_PTR(-ENOMEM);
	task->main = main;
	task->data = data;
	task->cpu = cpu;
	task->refs = 1;
	pthread_mutex_init(&task->mutex, NULL);
	pthread_cond_init(&task->wake, NULL);
	if (pthread_create(&task->thread, NULL, kthread_main, task)) {
		kfree(task);
		return ERR_PTR(-ENOMEM);
	}
	return task;
}

void get_task_struct(struct task_struct *task)
{
	__atomic_fetch_add(&task->refs, 1, __ATOMIC_RELAXED);
}

void put_task_struct(struct task_struct *task)
{
	if (__atomic_sub_fetch(&task->refs, 1, __ATOMIC_ACQ_REL))
		return;
	pthread_cond_destroy(&task->wake);
	pthread_mutex_destroy(&task->mutex);
	kfree(task);
}

static void wake(struct task_struct *task, bool stop)
{
	pthread_mutex_lock(&task->mutex);
	task->stop |= stop;
	task->woken = true;
	pthread_cond_signal(&task->wake);
	pthread_mutex_unlock(&task->mutex);
}

int kthread_stop(struct task_struct *task)
{
	int ret;

	might_sleep();
	wake(task, true);
	pthread_join(task->thread, NULL);
	ret = task->ret;
	put_task_struct(task);
	return ret;
}

bool kthread_should_stop(void)
{
	bool stop;

	pthread_mutex_lock(&self->mutex);
	stop = self->stop;
	pthread_mutex_unlock(&self->mutex);
	return stop;
}

int wake_up_process(struct task_struct *task)
{
	wake(task, false);
	return 1;
}

void shim_set_state(unsigned int state)
{
	pthread_mutex_lock(&self->mutex);
	self->woken = !state;
	pthread_mutex_unlock(&self->mutex);
}

void schedule(void)
{
	might_sleep();
	if (!self) {
		shim_spin();
		sched_yield();
		return;
	}
	pthread_mutex_lock(&self->mutex);
	while (!self->woken)
		pthread_cond_wait(&self->wake, &self->mutex);
	pthread_mutex_unlock(&self->mutex);
}
