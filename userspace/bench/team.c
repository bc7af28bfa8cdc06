// SPDX-License-Identifier: GPL-2.0
/* Threads that begin together, and their times (team.h). */
#include <linux/kernel.h>
#include <linux/minmax.h>

#include "team.h"
#include "thread.h"

static const struct team *team;
static pthread_barrier_t start;

static void *member_main(void *arg)
{
	struct member *m = arg;

	thread_pin(m->id);
	shim_thread_register();
	shim_stay(m->id % shim_nodes);
	if (team->prepare)
		team->prepare(m);
	pthread_barrier_wait(&start);
	m->cpu = thread_seconds(CLOCK_THREAD_CPUTIME_ID);
	m->begin = thread_seconds(CLOCK_MONOTONIC);
	team->work(m);
	m->end = thread_seconds(CLOCK_MONOTONIC);
	m->cpu = thread_seconds(CLOCK_THREAD_CPUTIME_ID) - m->cpu;
	if (team->leave)
		team->leave(m);
	shim_thread_unregister();
	return NULL;
}

static struct member *member_at(const struct team *of, unsigned int i)
{
	return (struct member *)((char *)of->members + i * of->bytes);
}

bool is_among(const char *name, char *const *names)
{
	while (*names && strcmp(*names, name))
		names++;
	return *names;
}

struct score team_run(const struct team *of)
{
	double begin = 0, end = 0;
	struct score score = {};
	unsigned int i;

	team = of;
	for (i = 0; i < of->nr; i++)
		member_at(of, i)->id = i;
	if (!threads_run(of->nr, member_main, of->members, of->bytes, &start))
		shim_die(__FILE__, __LINE__, "no thread");
	for (i = 0; i < of->nr; i++) {
		const struct member *m = member_at(of, i);

		begin = i ? min(begin, m->begin) : m->begin;
		end = max(end, m->end);
		score.wall += m->end - m->begin;
		score.cpu += m->cpu;
		score.done += m->done;
		score.wrong += m->wrong;
	}
	score.seconds = end - begin;
	return score;
}

void score_print(const char *workload, const struct score *score)
{
	if (score->wrong)
		fprintf(stderr, "%s: %llu wrong answers\n", workload,
			score->wrong);
	printf("{\"workload\": \"%s\", \"mops\": %.4f, \"ran\": %.4f", workload,
	       (double)score->done / score->seconds / 1e6,
	       score->cpu / score->wall);
}
