/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The native benchmark of the core.
 *
 * A *round* measures every *workload* once, in every *setting* (so many keys,
 * so many threads), in a process of its own, so that all rounds begin with the
 * same untouched memory. Rounds follow each other, so that a slow minute of the
 * machine hits all workloads alike; what is reported is the median of the
 * rounds with the least and the greatest.
 */
#ifndef BENCH_H
#define BENCH_H

#include <linux/blink_tree.h>
#include <linux/types.h>

#include "facts.h"

#define ROUNDS_MAX 99
#define SETTINGS_MAX 32
#define THREADS_MAX 32

enum workload {
	WORK_INSERT,
	WORK_LOOKUP,
	WORK_CHASE,
	WORK_BATCH,
	WORK_MIX,
	WORK_UPDATE,
	WORK_SCAN,
	WORK_SCAN_DESC,
	WORK_FINGER,
	WORK_COUNT,
	WORK_POP,
	WORK_ERASE,
	WORK_LOAD,
	WORK_RANGE,
	WORK_LOCK,
	WORK_NR
};

extern const char *const workload_name[WORK_NR];
extern const char *const workload_text[WORK_NR];

/**
 * struct mode - what the tree is like, and on how many NUMA nodes threads are
 * @name: its name
 * @nodes: NUMA nodes, in name only: all memory is where the system puts it
 * @params: how to create the tree
 * @watched: whether it has a watch
 * @text: what it is
 */
struct mode {
	const char *name;
	int nodes;
	struct blink_tree_params params;
	bool watched;
	const char *text;
};

/* The table ends with a mode without a name. */
extern const struct mode modes[];

struct setting {
	u64 keys;
	unsigned int threads;
	const struct mode *mode;
};

/**
 * struct sample - what one round measured in one setting
 * @mops: millions of operations a second, of all threads together
 * @ran: share of that time that the threads had a CPU: less than 1 on a machine
 *	with other things to do, of which @mops then is a measure too
 * @bytes_per_key: memory of the nodes, after the insertions
 * @height: levels then
 */
struct sample {
	double mops[WORK_NR];
	double ran[WORK_NR];
	double bytes_per_key;
	unsigned int height;
};

struct plan {
	struct setting setting[SETTINGS_MAX];
	unsigned int nr_settings;
	unsigned int nr_modes;
	unsigned int rounds;
	u64 ops;
};

struct results {
	const struct plan *plan;
	unsigned int rounds;
	struct sample sample[SETTINGS_MAX][ROUNDS_MAX];
};

/* Measure all workloads; false if an answer was wrong. */
bool work_measure(const struct setting *setting, u64 ops,
		  struct sample *sample);

void report_table(const struct results *results, const struct facts *facts);
/* False, with errno, if it cannot be written. */
bool report_json(const struct results *results, const struct facts *facts,
		 const char *path);

#endif /* BENCH_H */
