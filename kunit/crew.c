// SPDX-License-Identifier: GPL-2.0
/* Threads that work on a tree at the same time; see crew.h. */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/sched.h>
#include <linux/sched/task.h>

#include "crew.h"

/* Less than KUnit grants a test; hopelessly much for what leaders do. */
#define CREW_TIMEOUT (240 * HZ)

/**
 * crew_create() - a crew without members
 * @test: the test
 * @tree: the tree
 *
 * Return: the crew, freed with the test.
 */
struct crew *crew_create(struct kunit *test, struct blink_tree *tree)
{
	struct crew *crew;

	crew = kunit_kzalloc(test, sizeof(*crew), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, crew);
	crew->test = test;
	crew->tree = tree;
	fixture_seed(test, &crew->rnd);
	init_completion(&crew->all_ready);
	init_completion(&crew->begin);
	init_completion(&crew->done);
	return crew;
}

/**
 * crew_cpus() - how many members make all CPUs busy
 *
 * Return: the number of CPUs, but 2 at least and 8 at most.
 */
unsigned int crew_cpus(void)
{
	return clamp(num_online_cpus(), 2U, 8U);
}

static void hire(struct crew *crew, unsigned int nr, crew_work_t work,
		 void *arg, bool leader)
{
	struct crew_member *me;
	unsigned int id;

	KUNIT_ASSERT_LE(crew->test, crew->nr + nr, CREW_MAX);
	for (id = 0; id < nr; id++) {
		me = &crew->member[crew->nr++];
		me->crew = crew;
		me->work = work;
		me->leader = leader;
		me->id = id;
		me->nr = nr;
		me->arg = arg;
		prandom_seed_state(&me->rnd, fixture_random(&crew->rnd));
	}
	if (leader)
		atomic_add(nr, &crew->leading);
}

/**
 * crew_lead() - hire leaders
 * @crew: the crew
 * @nr: how many
 * @work: what they do; ends by itself, or when crew_goes_on() says no
 * @arg: for them
 */
void crew_lead(struct crew *crew, unsigned int nr, crew_work_t work, void *arg)
{
	hire(crew, nr, work, arg, true);
}

/**
 * crew_follow() - hire followers
 * @crew: the crew
 * @nr: how many
 * @work: what they do; goes on until crew_goes_on() says no
 * @arg: for them
 */
void crew_follow(struct crew *crew, unsigned int nr, crew_work_t work,
		 void *arg)
{
	hire(crew, nr, work, arg, false);
}

static int member_main(void *data)
{
	struct crew_member *me = data;
	struct crew *crew = me->crew;

	/* What a sanitizer finds here shall fail the test. */
	current->kunit_test = crew->test;
	if (atomic_inc_return(&crew->ready) == crew->nr)
		complete(&crew->all_ready);
	wait_for_completion(&crew->begin);
	me->work(me);
	if (me->leader && atomic_dec_and_test(&crew->leading))
		complete(&crew->done);
	current->kunit_test = NULL;
	return 0;
}

static int start(struct crew *crew)
{
	unsigned int i, cpu;

	for (i = 0; i < crew->nr; i++) {
		struct crew_member *me = &crew->member[i];

		cpu = cpumask_nth(i % num_online_cpus(), cpu_online_mask);
		me->task = kthread_create_on_cpu(member_main, me, cpu,
						 "blink_crew/%u");
		if (IS_ERR(me->task))
			return PTR_ERR(me->task);
		/* It may be gone before crew_run() comes to stop it. */
		get_task_struct(me->task);
	}
	for (i = 0; i < crew->nr; i++)
		wake_up_process(crew->member[i].task);
	return 0;
}

static void join(struct crew *crew)
{
	unsigned int i;

	WRITE_ONCE(crew->stop, true);
	for (i = 0; i < crew->nr; i++)
		if (!IS_ERR_OR_NULL(crew->member[i].task))
			kthread_stop_put(crew->member[i].task);
}

static void report(struct crew *crew)
{
	struct kunit *test = crew->test;
	unsigned long rounds = 0;
	unsigned int i;

	for (i = 0; i < crew->nr; i++) {
		struct crew_member *me = &crew->member[i];

		rounds += me->rounds;
		if (me->error[0])
			KUNIT_FAIL(test, "%s %u: %s",
				   me->leader ? "leader" : "follower", me->id,
				   me->error);
	}
	/* One in each round, at least. */
	if (crew->tree)
		kunit_info(test, "operations %lu\n", rounds);
	if (crew->failed)
		KUNIT_FAIL_AND_ABORT(test, "somebody found something wrong");
}

/**
 * crew_run() - let them work, and report
 * @crew: the crew, which cannot be used again
 *
 * Aborts the test if something was wrong.
 */
void crew_run(struct crew *crew)
{
	unsigned long left = 0;
	int ret = start(crew);

	if (!ret) {
		wait_for_completion(&crew->all_ready);
		complete_all(&crew->begin);
		left = wait_for_completion_timeout(&crew->done, CREW_TIMEOUT);
	}
	join(crew);
	KUNIT_ASSERT_EQ_MSG(crew->test, ret, 0, "no threads");
	report(crew);
	KUNIT_EXPECT_NE_MSG(crew->test, left, 0, "they came to no end");
}

/**
 * crew_goes_on() - whether a member shall do another round
 * @me: the member
 *
 * Everybody does at least one. Reschedules.
 *
 * Return: false if it shall end.
 */
bool crew_goes_on(struct crew_member *me)
{
	cond_resched();
	if (READ_ONCE(me->crew->failed))
		return false;
	return !me->rounds++ || !READ_ONCE(me->crew->stop);
}

/**
 * crew_fail() - note what is wrong, and stop everybody
 * @me: the member
 * @fmt: what, as for printf(); only the first counts
 */
void crew_fail(struct crew_member *me, const char *fmt, ...)
{
	va_list args;

	if (!me->error[0]) {
		va_start(args, fmt);
		vscnprintf(me->error, sizeof(me->error), fmt, args);
		va_end(args);
	}
	WRITE_ONCE(me->crew->failed, true);
	complete(&me->crew->done);
}
