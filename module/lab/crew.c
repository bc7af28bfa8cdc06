// SPDX-License-Identifier: GPL-2.0
/*
 * A crew: threads, each bound to a CPU of its own. They begin together. One that
 * can be told to stop is, when whoever waits for it gets a signal.
 */
#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/nodemask.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "lab.h"

/**
 * struct crew - threads
 * @work: what each does
 * @stop: set when they are to stop, or NULL
 * @off: they need not, as some could not be hired
 * @begin: they may
 * @done: all have
 * @busy: how many have not
 * @nr: how many there are
 * @member: the threads, where each is and what it works on
 */
struct crew {
	int (*work)(void *arg);
	bool *stop;
	bool off;
	struct completion begin;
	struct completion done;
	atomic_t busy;
	unsigned int nr;
	struct member {
		struct crew *crew;
		struct task_struct *task;
		unsigned int cpu;
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
	struct member *member;

	for (member = crew->member; member < crew->member + crew->nr;
	     member++) {
		member->crew = crew;
		member->arg = args;
		member->task = kthread_create_on_cpu(
			member_main, member, member->cpu, "blink_lab/%u");
		if (IS_ERR(member->task))
			return PTR_ERR(member->task);
		/* It may be gone before dismiss() asks what came of it. */
		get_task_struct(member->task);
		wake_up_process(member->task);
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

static int await(struct crew *crew)
{
	if (!crew->stop) {
		wait_for_completion(&crew->done);
		return 0;
	}
	if (!wait_for_completion_interruptible(&crew->done))
		return 0;
	WRITE_ONCE(*crew->stop, true);
	wait_for_completion(&crew->done);
	return -EINTR;
}

static int run(struct crew *crew, void *args, size_t size)
{
	int ret = hire(crew, args, size), error;

	crew->off = ret;
	complete_all(&crew->begin);
	if (!ret)
		ret = await(crew);
	error = dismiss(crew);
	return ret ?: error;
}

static struct crew *create(int (*work)(void *arg), unsigned int nr)
{
	struct crew *crew;

	crew = kzalloc(struct_size(crew, member, nr), GFP_KERNEL);
	if (!crew)
		return NULL;
	crew->nr = nr;
	crew->work = work;
	init_completion(&crew->begin);
	init_completion(&crew->done);
	atomic_set(&crew->busy, nr);
	return crew;
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
	struct crew *crew = create(work, num_online_cpus());
	unsigned int cpu, i = 0;
	int ret;

	if (!crew)
		return -ENOMEM;
	for_each_online_cpu(cpu)
		crew->member[i++].cpu = cpu;
	ret = run(crew, args, size);
	kfree(crew);
	return ret;
}

/* The first CPU of each NUMA node, the second of each, and so on. */
static void spread(struct crew *crew)
{
	unsigned int got = 0, rank, cpu;
	int nid;

	for (rank = 0; got < crew->nr; rank++) {
		for_each_node_state(nid, N_CPU) {
			cpu = cpumask_nth_and(rank, cpumask_of_node(nid),
					      cpu_online_mask);
			if (cpu < nr_cpu_ids && got < crew->nr)
				crew->member[got++].cpu = cpu;
		}
	}
}

/**
 * lab_crew_run_spread() - let some CPUs do some work, evenly on all NUMA nodes
 * @work: the work; returns 0 or an error
 * @args: an array of arguments for it
 * @size: the size of each
 * @nr: how many CPUs, at most as many as are online
 * @stop: the work is to end as soon as this is set
 *
 * Context: process, within cpus_read_lock(); sleeps. A signal ends it.
 * Return: 0, the first error of any of them, that of starting them, or -EINTR.
 */
int lab_crew_run_spread(int (*work)(void *arg), void *args, size_t size,
			unsigned int nr, bool *stop)
{
	struct crew *crew = create(work, nr);
	int ret;

	if (!crew)
		return -ENOMEM;
	crew->stop = stop;
	spread(crew);
	ret = run(crew, args, size);
	kfree(crew);
	return ret;
}
