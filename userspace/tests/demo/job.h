/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The main job: many processes use a tree with the symbols of the kernel at the same
 * time, and check every answer. Each *step* is one function. It returns if all answers
 * were right. Otherwise it prints the wrong answer and ends the program.
 */
#ifndef BLINKTREE_MAIN_JOB_JOB_H
#define BLINKTREE_MAIN_JOB_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../lib/blinktree.h"
#include "../common/random.h"
#include "names.h"
#include "symbols.h"

/* The trees: the main one, two small ones for comparison, and the one by name. */
enum {
	JOB_MAIN,
	JOB_SMALL_COPIED,
	JOB_SMALL_PLAIN,
	JOB_NAMES,
	JOB_TREES,
};

struct job {
	const char *names[JOB_TREES];
	/* A tree with equal keys, for the addresses of all symbols. */
	const char *aliases;
	/* The tree that a step uses. */
	const char *tree_name;
	/* The handle of this process; each worker opens the tree again. */
	struct blinktree *tree;
	struct symbols symbols;
	struct names by_name;
	const char *module;
	unsigned int processes;
	unsigned int cpus;
	/* Operations of each process. */
	size_t lookups;
	size_t mixed_ops;
	__u64 seed;
};

/* The steps, in their order. */
void step_load(struct job *job);
void step_compare(struct job *job);
void step_aliases(const struct job *all, const char *name);
void step_names(const struct job *all);
void step_resolve(struct job *job);
void step_circles(const struct job *all);
void step_scan_noisy(struct job *job);
void step_erase_module(struct job *job);
void step_scan(struct job *job);
void step_batch(struct job *job);
void step_copies(const struct job *all, const char *name);
void step_contend(const struct job *all, unsigned int tree);
void step_mixed(struct job *job);
void step_numa(struct job *job);

/* Open the tree of a job, or fail(). */
struct blinktree *open_tree(const struct job *job);

/* Keys in the tree now. */
__u64 entries_of(struct blinktree *tree);

/* Print a message and end this process. */
[[gnu::format(printf, 1, 2), gnu::noreturn]] void fail(const char *format, ...);

/* The time in seconds; and print a line about a step that began at @start. */
double now(void);
[[gnu::format(printf, 3, 4)]] void report(const char *step, double start,
					  const char *format, ...);

/* Print a line below it. */
[[gnu::format(printf, 1, 2)]] void detail(const char *format, ...);

/* Memory that child processes share, all zero. */
void *shared_alloc(size_t size);
void shared_free(void *memory, size_t size);

/* A different seed for each process of each step. */
static inline __u64 random_seed(const struct job *job, unsigned int step,
				unsigned int worker)
{
	return random_stream(random_stream(job->seed, step), worker);
}

#endif /* BLINKTREE_MAIN_JOB_JOB_H */
