// SPDX-License-Identifier: GPL-2.0
/*
 * module/lab/threads.h for pthreads; a signal ends the process. More threads than CPUs
 * take turns.
 */
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/minmax.h>
#include <linux/topology.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "lab/marks.h"
#include "lab/threads.h"
#include "lab_threads.h"
#include "thread.h"

/* Schemes may start as many threads of their own. */
#define THREADS_MAX (SHIM_THREADS / 2U)

/* @id: for thread_pin() */
struct cpu {
	unsigned int id;
	int nid;
};

struct thread {
	int (*work)(void *arg);
	void *arg;
	struct cpu cpu;
	int ret;
};

unsigned int lab_threads_fail_one_in;
unsigned int lab_threads_said_cpus;
unsigned int lab_threads_said_nodes;
int lab_threads_control;
int lab_threads_ack;

static pthread_barrier_t start;

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

void lab_turn_begin(void)
{
	blink_mark(BLINK_MARK_WAIT);
	pthread_mutex_lock(&turn);
	blink_mark(BLINK_MARK_WAIT | 1);
}

void lab_turn_end(void)
{
	blink_mark(BLINK_MARK_WAIT);
	pthread_mutex_unlock(&turn);
	blink_mark(BLINK_MARK_WAIT | 1);
}

/* Versions of perf write the NUL behind "ack" too, in the same call. */
int lab_count_events(bool on)
{
	const char *order = on ? "enable\n" : "disable\n";
	const ssize_t bytes = strlen(order);
	char answer[8];

	if (!lab_threads_control)
		return 0;
	if (write(lab_threads_control, order, bytes) != bytes ||
	    read(lab_threads_ack, answer, sizeof(answer)) < 4 ||
	    memcmp(answer, "ack\n", 4))
		return -EPROTO;
	return 0;
}

static bool node_has_cpu(int nid, unsigned int cpu)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/devices/system/node/node%d/cpu%u",
		 nid, cpu);
	return !access(path, F_OK);
}

/* The first one, if the system does not tell. */
static int node_of(unsigned int cpu)
{
	int nid = MAX_NUMNODES - 1;

	while (nid > 0 && !node_has_cpu(nid, cpu))
		nid--;
	return nid;
}

static unsigned int list_cpus(struct cpu *cpus)
{
	unsigned int cpu, nr = 0;

	if (lab_threads_said_cpus) {
		for (; nr < min(lab_threads_said_cpus, SHIM_CPUS_END); nr++)
			cpus[nr] = (struct cpu){
				.id = nr,
				.nid = nr % lab_threads_said_nodes,
			};
		return nr;
	}
	for_each_online_cpu(cpu) {
		cpus[nr].id = nr;
		cpus[nr++].nid = node_of(cpu);
	}
	return nr;
}

int lab_threads_nodes(void)
{
	struct cpu cpus[SHIM_CPUS_END];
	unsigned int nr = list_cpus(cpus);
	int most = 0;

	while (nr--)
		most = max(most, cpus[nr].nid);
	return most + 1;
}

unsigned int lab_threads_most(void)
{
	struct cpu cpus[SHIM_CPUS_END];

	return min(list_cpus(cpus), THREADS_MAX);
}

/* Of the CPUs of a NUMA node the one with so many before it, or NULL. */
static const struct cpu *nth_cpu(const struct cpu *cpus, unsigned int nr,
				 int nid, unsigned int rank)
{
	const struct cpu *cpu;

	for (cpu = cpus; cpu < cpus + nr; cpu++) {
		if (cpu->nid == nid && !rank--)
			return cpu;
	}
	return NULL;
}

/* The first CPU of each NUMA node, the second of each, and so on. */
static void spread_threads(struct thread *thread, unsigned int nr)
{
	struct cpu cpus[SHIM_CPUS_END];
	unsigned int nr_cpus = list_cpus(cpus), got = 0, rank;
	const struct cpu *cpu;
	int nid;

	for (rank = 0; got < nr; rank = (rank + 1) % nr_cpus) {
		for (nid = 0; nid < MAX_NUMNODES; nid++) {
			cpu = nth_cpu(cpus, nr_cpus, nid, rank);
			if (cpu && got < nr)
				thread[got++].cpu = *cpu;
		}
	}
}

static void *thread_main(void *arg)
{
	struct thread *me = arg;

	thread_pin(me->cpu.id);
	shim_thread_register();
	/* A program that did not ask for the NUMA nodes has but one. */
	shim_stay(me->cpu.nid % shim_nodes);
	shim_self->fail_one_in = lab_threads_fail_one_in;
	pthread_barrier_wait(&start);
	me->ret = me->work(me->arg);
	shim_self->fail_one_in = 0;
	shim_thread_unregister();
	return NULL;
}

int lab_threads_run_spread(int (*work)(void *arg), void *args, size_t size,
			   unsigned int nr, bool *stop)
{
	struct thread thread[THREADS_MAX];
	unsigned int i;
	int ret = 0;

	if (nr > THREADS_MAX)
		return -ERANGE;
	for (i = 0; i < nr; i++)
		thread[i] = (struct thread){
			.work = work,
			.arg = (char *)args + i * size,
		};
	spread_threads(thread, nr);
	if (!threads_run(nr, thread_main, thread, sizeof(*thread), &start))
		return -EAGAIN;
	for (i = 0; i < nr; i++)
		ret = ret ?: thread[i].ret;
	return ret;
}
