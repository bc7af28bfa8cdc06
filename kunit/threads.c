// SPDX-License-Identifier: GPL-2.0
/* Threads that work on a tree at the same time; see threads.h. */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/sched.h>
#include <linux/sched/task.h>

#include "threads.h"

/* Less than KUnit grants a test; hopelessly much for what leaders do. */
#define THREADS_TIMEOUT (240 * HZ)

/**
 * threads_create() - no threads yet
 * @test: the test
 * @tree: the tree
 *
 * Return: them, freed with the test.
 */
struct threads *threads_create(struct kunit *test, struct blink_tree *tree)
{
	struct threads *threads;

	threads = kunit_kzalloc(test, sizeof(*threads), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, threads);
	threads->test = test;
	threads->tree = tree;
	fixture_seed(test, &threads->rnd);
	init_completion(&threads->all_ready);
	init_completion(&threads->begin);
	init_completion(&threads->done);
	return threads;
}

/**
 * threads_cpus() - how many members make all CPUs busy
 *
 * Return: the number of CPUs, but 2 at least and 8 at most.
 */
unsigned int threads_cpus(void)
{
	return clamp(num_online_cpus(), 2U, 8U);
}

static void add(struct threads *threads, unsigned int nr, thread_work_t work,
		void *arg, bool leader)
{
	struct thread *me;
	unsigned int id;

	KUNIT_ASSERT_LE(threads->test, threads->nr + nr, THREADS_MAX);
	for (id = 0; id < nr; id++) {
		me = &threads->member[threads->nr++];
		me->threads = threads;
		me->work = work;
		me->leader = leader;
		me->id = id;
		me->nr = nr;
		me->arg = arg;
		prandom_seed_state(&me->rnd, fixture_random(&threads->rnd));
	}
	if (leader)
		atomic_add(nr, &threads->leading);
}

/**
 * threads_lead() - add leaders
 * @threads: the threads
 * @nr: how many
 * @work: what they do; ends by itself, or when thread_goes_on() says no
 * @arg: for them
 */
void threads_lead(struct threads *threads, unsigned int nr, thread_work_t work,
		  void *arg)
{
	add(threads, nr, work, arg, true);
}

/**
 * threads_follow() - add followers
 * @threads: the threads
 * @nr: how many
 * @work: what they do; goes on until thread_goes_on() says no
 * @arg: for them
 */
void threads_follow(struct threads *threads, unsigned int nr,
		    thread_work_t work, void *arg)
{
	add(threads, nr, work, arg, false);
}

static int member_main(void *data)
{
	struct thread *me = data;
	struct threads *threads = me->threads;

	/* What a sanitizer finds here shall fail the test. */
	current->kunit_test = threads->test;
	if (atomic_inc_return(&threads->ready) == threads->nr)
		complete(&threads->all_ready);
	wait_for_completion(&threads->begin);
	me->work(me);
	if (me->leader && atomic_dec_and_test(&threads->leading))
		complete(&threads->done);
	current->kunit_test = NULL;
	return 0;
}

static int start(struct threads *threads)
{
	unsigned int i, cpu;

	for (i = 0; i < threads->nr; i++) {
		struct thread *me = &threads->member[i];

		cpu = cpumask_nth(i % num_online_cpus(), cpu_online_mask);
		me->task = kthread_create_on_cpu(member_main, me, cpu,
						 "blink_thread/%u");
		if (IS_ERR(me->task))
			return PTR_ERR(me->task);
		/* It may be gone before threads_run() comes to stop it. */
		get_task_struct(me->task);
	}
	for (i = 0; i < threads->nr; i++)
		wake_up_process(threads->member[i].task);
	return 0;
}

static void join(struct threads *threads)
{
	unsigned int i;

	WRITE_ONCE(threads->stop, true);
	for (i = 0; i < threads->nr; i++)
		if (!IS_ERR_OR_NULL(threads->member[i].task))
			kthread_stop_put(threads->member[i].task);
}

static void report(struct threads *threads)
{
	struct kunit *test = threads->test;
	unsigned long rounds = 0;
	unsigned int i;

	for (i = 0; i < threads->nr; i++) {
		struct thread *me = &threads->member[i];

		rounds += me->rounds;
		if (me->error[0])
			KUNIT_FAIL(test, "%s %u: %s",
				   me->leader ? "leader" : "follower", me->id,
				   me->error);
	}
	/* One in each round, at least. */
	if (threads->tree)
		kunit_info(test, "operations %lu\n", rounds);
	if (threads->failed)
		KUNIT_FAIL_AND_ABORT(test, "somebody found something wrong");
}

/**
 * threads_run() - let them work, and report
 * @threads: the threads, which cannot be used again
 *
 * Aborts the test if something was wrong.
 */
void threads_run(struct threads *threads)
{
	unsigned long left = 0;
	int ret = start(threads);

	if (!ret) {
		wait_for_completion(&threads->all_ready);
		complete_all(&threads->begin);
		left = wait_for_completion_timeout(&threads->done,
						   THREADS_TIMEOUT);
	}
	join(threads);
	KUNIT_ASSERT_EQ_MSG(threads->test, ret, 0, "no threads");
	report(threads);
	KUNIT_EXPECT_NE_MSG(threads->test, left, 0, "they came to no end");
}

/**
 * thread_goes_on() - whether a thread shall do another round
 * @me: the thread
 *
 * Everybody does at least one. Reschedules.
 *
 * Return: false if it shall end.
 */
bool thread_goes_on(struct thread *me)
{
	cond_resched();
	if (READ_ONCE(me->threads->failed))
		return false;
	return !me->rounds++ || !READ_ONCE(me->threads->stop);
}

/**
 * thread_fail() - note what is wrong, and stop everybody
 * @me: the thread
 * @fmt: what, as for printf(); only the first counts
 */
void thread_fail(struct thread *me, const char *fmt, ...)
{
	va_list args;

	if (!me->error[0]) {
		va_start(args, fmt);
		vscnprintf(me->error, sizeof(me->error), fmt, args);
		va_end(args);
	}
	WRITE_ONCE(me->threads->failed, true);
	complete(&me->threads->done);
}
