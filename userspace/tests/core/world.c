// SPDX-License-Identifier: GPL-2.0
/* This program as the world of the suites of kunit/: see kunit/world.h. */
#include <pthread.h>

#include "../../../kunit/inject.h"
#include "../../../kunit/threads.h"

#define CPUS 4

static struct threads *running;
static pthread_barrier_t all_ready;

int world_enter_suite(struct kunit_suite *suite)
{
	(void)suite;
	return 0;
}

void world_leave_suite(struct kunit_suite *suite)
{
	(void)suite;
}

int world_enter_test(struct kunit *test)
{
	(void)test;
	return 0;
}

struct blink_tree_params world_params(struct kunit *test)
{
	(void)test;
	return test_params;
}

/* Another one each time that a test asks. */
u64 world_seed(struct kunit *test)
{
	static const struct test *asked;
	static u64 times;

	(void)test;
	times = asked == test_current() ? times + 1 : 0;
	asked = test_current();
	return random_stream(test_seed(), times);
}

unsigned long world_work(unsigned long amount)
{
	return test_scale(amount);
}

unsigned int world_cpus(void)
{
	return CPUS;
}

static void run_thread(unsigned int id)
{
	pthread_barrier_wait(&all_ready);
	thread_run(&running->thread[id]);
}

bool world_run_threads(struct threads *threads)
{
	running = threads;
	pthread_barrier_init(&all_ready, NULL, threads->nr);
	run_threads(threads->nr, run_thread);
	pthread_barrier_destroy(&all_ready);
	return true;
}

/* inject.h: here an allocation fails because its thread said so. */

bool inject_possible(gfp_t gfp)
{
	(void)gfp;
	return true;
}

bool inject_armed(void)
{
	return true;
}

void inject_nth(unsigned int n)
{
	shim_self->fail_nth = n;
}

void inject_from(unsigned int n)
{
	shim_self->fail_nth = n;
	shim_self->fail_from = n;
}

bool inject_end(void)
{
	u64 left = shim_self->fail_nth;

	shim_self->fail_nth = 0;
	shim_self->fail_from = 0;
	return !left;
}
