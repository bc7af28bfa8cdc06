/* SPDX-License-Identifier: GPL-2.0 */
/* What measures with threads or processes needs of each: a CPU, and the time. */
#ifndef BENCH_THREAD_H
#define BENCH_THREAD_H

#include <sched.h>
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

static inline double thread_seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

#endif /* BENCH_THREAD_H */
