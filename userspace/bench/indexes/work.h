/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The workloads, and what is measured of them.
 *
 * A *setting* is an index with so many keys, so many threads, and so many
 * operations in a call. A *round* measures each setting once, in a process of
 * its own, so that all begin with untouched memory; a slow minute of the
 * machine hits all indexes of a round alike.
 */
#ifndef COMPARE_WORK_H
#define COMPARE_WORK_H

#include <linux/types.h>

#include "lab/schemes/lab_index.h"
#include "latency.h"

#define ROUNDS_MAX 99
#define SETTINGS_MAX 512
#define THREADS_MAX 32
#define CHASES 3

/* In the order in which they run: the last ones change the set of keys. */
enum workload {
	WORK_INSERT,
	WORK_LOOKUP,
	WORK_MISS,
	WORK_ZIPF,
	WORK_SCAN,
	WORK_FLOOR,
	WORK_MIX,
	WORK_TURNOVER,
	WORK_GROW,
	WORK_ERASE,
	WORK_NR
};

extern const char *const workload_name[WORK_NR];
extern const char *const workload_text[WORK_NR];

struct setting {
	const struct lab_scheme *index;
	u64 keys;
	unsigned int threads;
	unsigned int batch;
};

/**
 * struct sample - what one round measured in one setting
 * @mops: millions of operations a second of all threads together, or 0
 * @ran: share of that time that the threads had a CPU
 * @tail: how long calls took, of those that were timed
 * @reads: the same of those among them that changed nothing
 * @bytes_per_key: memory after the insertions
 * @chase_ns: for the memory itself, nanoseconds per line; see chase.h
 */
struct sample {
	double mops[WORK_NR];
	double ran[WORK_NR];
	struct tail tail[WORK_NR];
	struct tail reads[WORK_NR];
	double bytes_per_key;
	double chase_ns[CHASES];
};

/* Whether this workload can be measured in this setting. */
bool work_possible(const struct setting *setting, enum workload workload);

/**
 * work_measure() - one round of one setting
 * @setting: what to measure
 * @mask: a bit for each workload; the insertions are done in any case
 * @ops: operations of each thread, but insertions from empty
 * @sample: the result
 *
 * Return: false if an answer was wrong or memory did not suffice.
 */
bool work_measure(const struct setting *setting, unsigned int mask, u64 ops,
		  struct sample *sample);

#endif /* COMPARE_WORK_H */
