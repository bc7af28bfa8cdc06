/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A team of threads that execute a workload together, each one on a CPU of its own. A
 * program of a benchmark measures one setting once. It prints a line for each workload, a
 * JSON object, which userspace/bench/driver reads.
 */
#ifndef BENCH_TEAM_H
#define BENCH_TEAM_H

#include <linux/types.h>

/**
 * struct member - a thread of a team
 * @id: its number
 * @done: operations that it has executed
 * @wrong: how many answers of them were wrong
 * @begin: when it began, in seconds
 * @end: when it ended
 * @cpu: seconds for which it had a CPU meanwhile
 */
struct member {
	unsigned int id;
	u64 done;
	u64 wrong;
	double begin;
	double end;
	double cpu;
};

/**
 * struct team - the threads, and what each of them calls
 * @nr: how many there are
 * @members: as many structures, each of which begins with a &struct member
 * @bytes: the size of such a structure
 * @prepare: called before all begin at once, or NULL
 * @work: the workload
 * @leave: called after it, or NULL
 */
struct team {
	unsigned int nr;
	void *members;
	size_t bytes;
	void (*prepare)(void *member);
	void (*work)(void *member);
	void (*leave)(void *member);
};

/**
 * struct score - the work of a team
 * @done: operations of all threads
 * @wrong: wrong answers
 * @seconds: from the begin of the first thread to the end of the last one
 * @wall: the seconds of all threads together
 * @cpu: for how many of them they had a CPU
 */
struct score {
	u64 done;
	u64 wrong;
	double seconds;
	double wall;
	double cpu;
};

/* Whether a name is among others, until NULL. */
bool is_among(const char *name, char *const *names);

struct score team_run(const struct team *team);

/*
 * Begin the line of a workload: its name, millions of operations a second, and the share
 * of the time for which the threads had a CPU. The caller adds to the object and ends it.
 */
void score_print(const char *workload, const struct score *score);

#endif /* BENCH_TEAM_H */
