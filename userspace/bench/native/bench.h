/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The native benchmark of the core: a process measures one tree once (../team.h). The
 * first workload fills the tree, and the last ones empty it. Workloads with writers that
 * meet have a tree of their own, which they fill before.
 */
#ifndef BENCH_H
#define BENCH_H

#include <linux/blink_tree.h>
#include <linux/types.h>

#include "../../tests/common/random.h"
#include "team.h"

struct worker {
	struct member m;
	u64 random;
	u64 inserted;
	u64 erased;
	u32 *zipf;
};

/**
 * struct workload - something that each thread does
 * @name: its name
 * @text: the same in more words
 * @step: an operation, for as many of them as were asked for; or NULL
 * @whole: all operations
 * @share: so many steps count as one operation
 * @fill: make the keys of a tree of its own; NULL: it uses the common tree
 */
struct workload {
	const char *name;
	const char *text;
	void (*step)(struct worker *w);
	void (*whole)(struct worker *w);
	unsigned int share;
	void (*fill)(void);
};

/* Each table ends with a workload without a name. */
extern const struct workload workloads[];
extern const struct workload meeting_workloads[];

/* The tree that is measured, and the setting. */
extern struct blink_tree *tree;
extern u64 nr_keys;
extern u64 nr_ops;
extern unsigned int nr_threads;

/* Numbers below @limit at random, cheaply. */
static inline u64 next_below(struct worker *w, u64 limit)
{
	return ((__uint128_t)random_next(&w->random) * limit) >> 64;
}

/* The keys that insertions of a thread have not erased yet. */
void erase_guests(struct worker *w);

#endif /* BENCH_H */
