/* SPDX-License-Identifier: GPL-2.0 */
/* Functions that measurements with threads, or with processes, need. */
#ifndef BENCH_THREAD_H
#define BENCH_THREAD_H

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/* Stay on the @id-th CPU that this process may run on, counted round and round. */
static inline void thread_pin(unsigned int id)
{
	cpu_set_t allowed, one;
	int cpu;

	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		return;
	id %= CPU_COUNT(&allowed);
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &allowed) && !id--)
			break;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
}

static inline unsigned long long thread_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static inline double thread_seconds(clockid_t clock)
{
	return (double)thread_ns(clock) / 1e9;
}

/*
 * Let @nr threads run @work, each with an element of @workers of so many @bytes,
 * to their ends. @start is where they may wait for each other.
 */
static inline bool threads_run(unsigned int nr, void *(*work)(void *worker),
			       void *workers, size_t bytes,
			       pthread_barrier_t *start)
{
	pthread_t thread[nr];
	unsigned int i;

	pthread_barrier_init(start, NULL, nr);
	for (i = 0; i < nr; i++)
		if (pthread_create(&thread[i], NULL, work,
				   (char *)workers + i * bytes))
			return false;
	for (i = 0; i < nr; i++)
		pthread_join(thread[i], NULL);
	pthread_barrier_destroy(start);
	return true;
}

#endif /* BENCH_THREAD_H */
