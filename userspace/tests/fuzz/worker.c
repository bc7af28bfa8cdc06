// SPDX-License-Identifier: GPL-2.0
/* A worker: executes what was given, then what follows from it. */
#include <errno.h>
#include <grp.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "random.h"
#include "runner.h"
#include "shared.h"

#define NOBODY 65534
#define HINTS_MAX 2048
#define HINTS_EACH 256
#define FILES_MAX 64

/* Root has access to the private tree, so its worker uses another name. */
static const char *const private_names[WORKERS] = { "fuzz.b", "fuzz.private" };

/* Root has access to the private tree by its id as well, so its worker spares it. */
static struct names names_of(const struct plan *plan, unsigned int id)
{
	return (struct names){ private_names[id], id ? 0 : plan->private };
}

struct worker {
	struct shared *shared;
	struct worker_state *state;
	const struct plan *plan;
	struct runner runner;
	int log;
	__u64 random;
	/* Hints that it ever had, and those of them that it tried. */
	unsigned int learned;
	unsigned int tried;
	struct hint hints[HINTS_MAX];
	/* Of which program in the corpus. */
	unsigned int from[HINTS_MAX];
};

static int give_up(struct worker *worker, const char *what)
{
	snprintf(worker->state->complaint, sizeof(worker->state->complaint),
		 "%s: %s", what, strerror(errno));
	return 1;
}

static int become_nobody(void)
{
	if (setgroups(0, NULL) || setresgid(NOBODY, NOBODY, NOBODY) ||
	    setresuid(NOBODY, NOBODY, NOBODY))
		return -1;
	/* Or /proc/self is root's. */
	return prctl(PR_SET_DUMPABLE, 1);
}

static int limit_files(void)
{
	const struct rlimit files = { FILES_MAX, FILES_MAX };

	return setrlimit(RLIMIT_NOFILE, &files);
}

static void count(struct worker *worker)
{
	struct worker_state *state = worker->state;
	__u64 ioctls = 0, calls = 0;
	unsigned int i;

	for (i = 0; i < LANES; i++) {
		ioctls += worker->runner.lanes[i].ioctls;
		calls += worker->runner.lanes[i].calls;
	}
	state->ioctls = ioctls;
	state->calls = calls;
	__atomic_store_n(&state->executions, state->executions + 1,
			 __ATOMIC_RELEASE);
}

/* Whether anybody found anything wrong. */
static bool wrong(struct worker *worker)
{
	struct worker_state *state = worker->state;
	unsigned int i;

	for (i = 0; i < LANES; i++) {
		const char *complaint = worker->runner.lanes[i].complaint;

		if (!complaint)
			continue;
		snprintf(state->complaint, sizeof(state->complaint), "%s",
			 complaint);
		return true;
	}
	return watch_report(worker->log, state->complaint,
			    sizeof(state->complaint));
}

/*
 * See what the kernel compares the values of a program with. Most comparisons are
 * about none of them, and left out; the oldest are forgotten.
 */
static void learn(struct worker *worker, unsigned int at)
{
	const struct program *program = &worker->shared->corpus[at];
	struct hint fresh[HINTS_EACH];
	struct program copy;
	unsigned int nr, i;

	nr = runner_hints(&worker->runner, program, fresh, HINTS_EACH);
	for (i = 0; i < nr; i++) {
		unsigned int place = worker->learned % HINTS_MAX;

		copy = *program;
		if (!program_apply_hint(&copy, &fresh[i], &worker->random))
			continue;
		worker->hints[place] = fresh[i];
		worker->from[place] = at;
		worker->learned++;
	}
}

static void keep(struct worker *worker, const struct program *program)
{
	struct shared *shared = worker->shared;
	unsigned int at =
		__atomic_fetch_add(&shared->nr_corpus, 1, __ATOMIC_RELAXED);
	struct program *kept = &shared->corpus[at];

	if (at >= CORPUS_MAX)
		return;
	*kept = *program;
	if (program_is_parallel(program))
		return;
	/* Calls after the last one with a new edge are not needed. */
	kept->nr = worker->runner.lanes[0].last_fresh + 1;
	learn(worker, at);
}

/* Returns false if the kernel did something wrong. */
static bool execute(struct worker *worker, const struct program *program)
{
	struct worker_state *state = worker->state;
	unsigned int fresh;

	state->recent[state->executions % RECENT] = *program;
	fresh = runner_run(&worker->runner, program);
	if (fresh)
		keep(worker, program);
	if (wrong(worker))
		return false;
	count(worker);
	return true;
}

static const struct program *choose(struct worker *worker)
{
	struct shared *shared = worker->shared;
	unsigned int nr = __atomic_load_n(&shared->nr_corpus, __ATOMIC_RELAXED);
	const struct program *program;

	if (nr > CORPUS_MAX)
		nr = CORPUS_MAX;
	if (!nr)
		return NULL;
	/* The latest ones lead on more often. */
	if (nr > 32 && one_in(&worker->random, 3))
		program = &shared->corpus[nr - 1 -
					  random_below(&worker->random, 32)];
	else
		program = &shared->corpus[random_below(&worker->random, nr)];
	return program->nr ? program : NULL;
}

/* Each hint is tried by itself, where it comes from. False if none is left. */
static bool try_hint(struct worker *worker, struct program *program)
{
	unsigned int place;

	if (worker->tried == worker->learned)
		return false;
	if (worker->learned - worker->tried > HINTS_MAX)
		worker->tried = worker->learned - HINTS_MAX;
	place = worker->tried++ % HINTS_MAX;
	*program = worker->shared->corpus[worker->from[place]];
	return program_apply_hint(program, &worker->hints[place],
				  &worker->random);
}

static void make(struct worker *worker, struct program *program)
{
	const struct program *base = choose(worker);
	struct donors donors = {
		.other = choose(worker),
		.hints = worker->hints,
		.nr_hints = worker->learned < HINTS_MAX ? worker->learned :
							  HINTS_MAX,
	};

	if (one_in(&worker->random, 2) && try_hint(worker, program))
		return;
	if (!base || one_in(&worker->random, 12)) {
		program_generate(program, &worker->random);
		return;
	}
	*program = *base;
	program_mutate(program, &donors, &worker->random);
}

static int work(struct worker *worker)
{
	const struct plan *plan = worker->plan;
	struct program program;
	unsigned int i;

	for (i = 0; i < plan->nr_given; i++) {
		if (!execute(worker, &plan->given[i]))
			return 1;
		/* There is nothing to learn: all is as good as any. */
		if (plan->plain && plan->seconds && i < CORPUS_MAX)
			worker->shared->corpus[i] = plan->given[i];
	}
	if (plan->plain && plan->seconds)
		worker->shared->nr_corpus = plan->nr_given;
	while (plan->seconds &&
	       !__atomic_load_n(&worker->shared->stop, __ATOMIC_RELAXED)) {
		make(worker, &program);
		if (!execute(worker, &program))
			return 1;
	}
	return 0;
}

int worker_main(struct shared *shared, const struct plan *plan, unsigned int id)
{
	static struct worker worker;

	worker.shared = shared;
	worker.state = &shared->workers[id];
	worker.plan = plan;
	worker.random = random_stream(plan->seed, id);
	worker.log = watch_open();
	if (worker.log < 0)
		return give_up(&worker, "/dev/kmsg");
	if (runner_open(&worker.runner, plan->plain ? NULL : &shared->seen,
			names_of(plan, id)))
		return give_up(&worker, "kcov or memory");
	if (limit_files() || (id && become_nobody()))
		return give_up(&worker, "becoming nobody");
	if (runner_start(&worker.runner))
		return give_up(&worker, "the device");
	return work(&worker);
}
