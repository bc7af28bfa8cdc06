// SPDX-License-Identifier: GPL-2.0
/* A crew: one thread for each CPU, bound to it. They begin together. */
#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "lab.h"

/**
 * struct crew - threads
 * @work: what each does
 * @off: they need not, as some could not be hired
 * @begin: they may
 * @done: all have
 * @busy: how many have not
 * @nr: how many there are
 * @member: the threads, what each works on and what comes of it
 */
struct crew {
	int (*work)(void *arg);
	bool off;
	struct completion begin;
	struct completion done;
	atomic_t busy;
	unsigned int nr;
	struct member {
		struct crew *crew;
		struct task_struct *task;
		void *arg;
	} member[] __counted_by(nr);
};

static int member_main(void *data)
{
	struct member *me = data;
	struct crew *crew = me->crew;
	int ret = 0;

	wait_for_completion(&crew->begin);
	if (!crew->off)
		ret = crew->work(me->arg);
	if (atomic_dec_and_test(&crew->busy))
		complete(&crew->done);
	return ret;
}

/* Start a thread on each CPU; an error leaves those that there are so far. */
static int hire(struct crew *crew, void *args, size_t size)
{
	struct member *member = crew->member;
	unsigned int cpu;

	for_each_online_cpu(cpu) {
		member->crew = crew;
		member->arg = args;
		member->task = kthread_create_on_cpu(member_main, member, cpu,
						     "blink_lab/%u");
		if (IS_ERR(member->task))
			return PTR_ERR(member->task);
		/* It may be gone before dismiss() asks what came of it. */
		get_task_struct(member->task);
		wake_up_process(member->task);
		member++;
		args += size;
	}
	return 0;
}

/* The first error of any of them. */
static int dismiss(struct crew *crew)
{
	int ret = 0, error;
	unsigned int i;

	for (i = 0; i < crew->nr; i++) {
		if (IS_ERR_OR_NULL(crew->member[i].task))
			continue;
		error = kthread_stop_put(crew->member[i].task);
		ret = ret ?: error;
	}
	return ret;
}

static int run(struct crew *crew, void *args, size_t size)
{
	int ret = hire(crew, args, size), error;

	crew->off = ret;
	complete_all(&crew->begin);
	if (!ret)
		wait_for_completion(&crew->done);
	error = dismiss(crew);
	return ret ?: error;
}

/**
 * lab_crew_run() - let every CPU do some work
 * @work: the work; returns 0 or an error
 * @args: an array of arguments for it, one for each online CPU in order
 * @size: the size of each
 *
 * Context: process, within cpus_read_lock(); sleeps.
 * Return: 0, the first error of any of them, or that of starting them.
 */
int lab_crew_run(int (*work)(void *arg), void *args, size_t size)
{
	unsigned int nr = num_online_cpus();
	struct crew *crew;
	int ret;

	crew = kzalloc(struct_size(crew, member, nr), GFP_KERNEL);
	if (!crew)
		return -ENOMEM;
	crew->nr = nr;
	crew->work = work;
	init_completion(&crew->begin);
	init_completion(&crew->done);
	atomic_set(&crew->busy, nr);
	ret = run(crew, args, size);
	kfree(crew);
	return ret;
}
