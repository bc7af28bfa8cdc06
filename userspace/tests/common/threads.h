/* SPDX-License-Identifier: GPL-2.0 */
/* Threads of a program that contains the core; included by one source of it. */
#ifndef TESTS_THREADS_H
#define TESTS_THREADS_H

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include "random.h"
#include "shim.h"

#ifdef SHIM_POINTS
#define set_point_hook(hook) \
	__atomic_store_n(&shim_hooks.point, hook, __ATOMIC_RELAXED)

/*
 * Where the build has points, threads give way at random ones, now and then for a long
 * time, so that an event with a chance of one in a million on two CPUs happens often.
 */
static void give_way(void)
{
	static __thread unsigned int points;
	u64 dice;

	if (points--)
		return;
	dice = random_next(&shim_self->random);
	points = dice % 512;
	if (dice >> 58)
		sched_yield();
	else
		usleep(dice >> 32 & 63);
}
#else
#define set_point_hook(...) ((void)0)
#endif

struct thread_of_program {
	pthread_t pthread;
	unsigned int id;
	void (*fn)(unsigned int id);
};

static void *thread_of_program_main(void *arg)
{
	struct thread_of_program *thread = arg;

	shim_thread_register();
	thread->fn(thread->id);
	shim_thread_unregister();
	return NULL;
}

/* Run @fn(0) to @fn(@nr - 1), each in a thread of its own. */
static void threads_of_program(unsigned int nr, void (*fn)(unsigned int id))
{
	struct thread_of_program thread[SHIM_THREADS];
	unsigned int i;

	set_point_hook(give_way);
	for (i = 0; i < nr; i++) {
		thread[i].id = i;
		thread[i].fn = fn;
		if (pthread_create(&thread[i].pthread, NULL,
				   thread_of_program_main, &thread[i]))
			shim_die(__FILE__, __LINE__, "no thread");
	}
	for (i = 0; i < nr; i++)
		pthread_join(thread[i].pthread, NULL);
	set_point_hook(NULL);
}

#endif /* TESTS_THREADS_H */
