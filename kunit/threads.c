// SPDX-License-Identifier: GPL-2.0
/* Threads that work on a tree at the same time; see threads.h. */
#include <linux/sched.h>

#include "threads.h"

/* No threads yet; freed with the test. */
struct threads *threads_create(struct kunit *test, struct blink_tree *tree)
{
	struct threads *threads;

	threads = fixture_alloc(test, 1, sizeof(*threads));
	threads->test = test;
	threads->tree = tree;
	fixture_seed(test, &threads->rnd);
	return threads;
}

static void add(struct threads *threads, unsigned int nr, thread_work_t work,
		void *arg, bool leader)
{
	struct thread *me;
	unsigned int id;

	KUNIT_ASSERT_LE(threads->test, threads->nr + nr, THREADS_MAX);
	for (id = 0; id < nr; id++) {
		me = &threads->thread[threads->nr++];
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

/* Add leaders, whose work ends by itself, or when thread_goes_on() says no. */
void threads_lead(struct threads *threads, unsigned int nr, thread_work_t work,
		  void *arg)
{
	add(threads, nr, work, arg, true);
}

/* Add followers, whose work goes on until thread_goes_on() says no. */
void threads_follow(struct threads *threads, unsigned int nr,
		    thread_work_t work, void *arg)
{
	add(threads, nr, work, arg, false);
}

/* Do a thread's work; for world_run_threads(). */
void thread_run(struct thread *me)
{
	me->work(me);
	if (me->leader && atomic_dec_and_test(&me->threads->leading))
		WRITE_ONCE(me->threads->stop, true);
}

static void report(struct threads *threads)
{
	struct kunit *test = threads->test;
	unsigned long rounds = 0;
	unsigned int i;

	for (i = 0; i < threads->nr; i++) {
		struct thread *me = &threads->thread[i];

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

/* Let them work, once, and report. Aborts the test if something was wrong. */
void threads_run(struct threads *threads)
{
	bool ended = world_run_threads(threads);

	report(threads);
	KUNIT_EXPECT_TRUE_MSG(threads->test, ended,
			      "no threads, or they came to no end");
}

/* Whether a thread that waits for another one waits in vain. Does not reschedule. */
bool thread_is_stopped(const struct thread *me)
{
	return READ_ONCE(me->threads->stop) || READ_ONCE(me->threads->failed);
}

/* Whether a thread shall do another round: each does at least one. Reschedules. */
bool thread_goes_on(struct thread *me)
{
	cond_resched();
	if (READ_ONCE(me->threads->failed))
		return false;
	return !me->rounds++ || !READ_ONCE(me->threads->stop);
}

/* Note a fault, of which the first counts, and stop all threads. */
void thread_fail(struct thread *me, const char *fmt, ...)
{
	va_list args;

	if (!me->error[0]) {
		va_start(args, fmt);
		vscnprintf(me->error, sizeof(me->error), fmt, args);
		va_end(args);
	}
	WRITE_ONCE(me->threads->failed, true);
}
