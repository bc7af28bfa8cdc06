// SPDX-License-Identifier: GPL-2.0
/*
 * Threads, each bound to a CPU of its own. They begin together. A signal to the
 * caller, which waits for them, tells them to stop, if it gave them a flag for this.
 */
#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/nodemask.h>
#include <linux/processor.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "threads.h"

/**
 * struct threads - threads, and the work that they do
 * @work: the function that each thread calls
 * @stop: set to make them end early, or NULL
 * @off: set if a thread could not be started: the others return at once
 * @begin: completed when all of them have been started
 * @done: completed when all of them have returned
 * @busy: threads that have not returned yet
 * @nr: number of threads
 * @member: the threads, the CPU and the argument of each
 */
struct threads {
	int (*work)(void *arg);
	bool *stop;
	bool off;
	struct completion begin;
	struct completion done;
	atomic_t busy;
	unsigned int nr;
	struct member {
		struct threads *threads;
		struct task_struct *task;
		unsigned int cpu;
		void *arg;
	} member[] __counted_by(nr);
};

/* A CPU that relaxes gives its turn to another one of a guest whose CPUs take turns. */
void lab_turn_begin(void)
{
}

void lab_turn_end(void)
{
	cpu_relax();
}

int lab_count_events(bool on)
{
	return 0;
}

static int thread_main(void *data)
{
	struct member *me = data;
	struct threads *threads = me->threads;
	int ret = 0;

	wait_for_completion(&threads->begin);
	if (!threads->off)
		ret = threads->work(me->arg);
	if (atomic_dec_and_test(&threads->busy))
		complete(&threads->done);
	return ret;
}

/* Start a thread on each CPU; an error leaves the threads that are started so far. */
static int start_threads(struct threads *threads, void *args, size_t size)
{
	struct member *member;

	for (member = threads->member; member < threads->member + threads->nr;
	     member++) {
		member->threads = threads;
		member->arg = args;
		member->task = kthread_create_on_cpu(
			thread_main, member, member->cpu, "blink_lab/%u");
		if (IS_ERR(member->task))
			return PTR_ERR(member->task);
		/* It may be gone before end_threads() asks what came of it. */
		get_task_struct(member->task);
		wake_up_process(member->task);
		args += size;
	}
	return 0;
}

/* The first error of any of them. */
static int end_threads(struct threads *threads)
{
	int ret = 0, error;
	unsigned int i;

	for (i = 0; i < threads->nr; i++) {
		if (IS_ERR_OR_NULL(threads->member[i].task))
			continue;
		error = kthread_stop_put(threads->member[i].task);
		ret = ret ?: error;
	}
	return ret;
}

static int wait_for_threads(struct threads *threads)
{
	if (!threads->stop) {
		wait_for_completion(&threads->done);
		return 0;
	}
	if (!wait_for_completion_interruptible(&threads->done))
		return 0;
	WRITE_ONCE(*threads->stop, true);
	wait_for_completion(&threads->done);
	return -EINTR;
}

static int run_threads(struct threads *threads, void *args, size_t size)
{
	int ret = start_threads(threads, args, size), error;

	threads->off = ret;
	complete_all(&threads->begin);
	if (!ret)
		ret = wait_for_threads(threads);
	error = end_threads(threads);
	return ret ?: error;
}

static struct threads *create_threads(int (*work)(void *arg), unsigned int nr)
{
	struct threads *threads;

	threads = kzalloc(struct_size(threads, member, nr), GFP_KERNEL);
	if (!threads)
		return NULL;
	threads->nr = nr;
	threads->work = work;
	init_completion(&threads->begin);
	init_completion(&threads->done);
	atomic_set(&threads->busy, nr);
	return threads;
}

/* How many threads lab_threads_run_spread() can run. CPUs may come and go. */
unsigned int lab_threads_most(void)
{
	return num_online_cpus();
}

/*
 * Let every CPU do some work, within cpus_read_lock(). @args is an array of arguments
 * of @size, one for each online CPU in order.
 *
 * Returns 0, the first error of any of them, or that of starting them.
 */
int lab_threads_run(int (*work)(void *arg), void *args, size_t size)
{
	struct threads *threads = create_threads(work, num_online_cpus());
	unsigned int cpu, i = 0;
	int ret;

	if (!threads)
		return -ENOMEM;
	for_each_online_cpu(cpu)
		threads->member[i++].cpu = cpu;
	ret = run_threads(threads, args, size);
	kfree(threads);
	return ret;
}

/* The first CPU of each NUMA node, the second of each, and so on. */
static void spread_threads(struct threads *threads)
{
	unsigned int got = 0, rank, cpu;
	int nid;

	for (rank = 0; got < threads->nr; rank++) {
		for_each_node_state(nid, N_CPU) {
			cpu = cpumask_nth_and(rank, cpumask_of_node(nid),
					      cpu_online_mask);
			if (cpu < nr_cpu_ids && got < threads->nr)
				threads->member[got++].cpu = cpu;
		}
	}
}

static int run_spread(struct threads *threads, void *args, size_t size)
{
	if (threads->nr > num_online_cpus())
		return -ERANGE;
	spread_threads(threads);
	return run_threads(threads, args, size);
}

/*
 * Let @nr CPUs do some work, evenly on all NUMA nodes. @args is an array of arguments
 * of @size. The work is to end as soon as @stop is set. A signal ends it.
 *
 * Returns 0, the first error of any of them, that of starting them, -ERANGE if fewer
 * CPUs are online, or -EINTR.
 */
int lab_threads_run_spread(int (*work)(void *arg), void *args, size_t size,
			   unsigned int nr, bool *stop)
{
	struct threads *threads = create_threads(work, nr);
	int ret;

	if (!threads)
		return -ENOMEM;
	threads->stop = stop;
	cpus_read_lock();
	ret = run_spread(threads, args, size);
	cpus_read_unlock();
	kfree(threads);
	return ret;
}
