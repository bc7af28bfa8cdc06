/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The workloads of an index with so many keys, so many threads, and so many operations in
 * a call. A process measures them once (../team.h).
 */
#ifndef COMPARE_WORK_H
#define COMPARE_WORK_H

#include <linux/types.h>

#include "lab/schemes/lab_index.h"

/**
 * struct setting - the measurement of one process
 * @index: the index
 * @keys: how many it has after the insertions
 * @threads: how many there are
 * @batch: operations in a call
 * @ops: operations of each thread in each workload but insert
 * @names: the workloads, until NULL
 */
struct setting {
	const struct lab_scheme *index;
	u64 keys;
	unsigned int threads;
	unsigned int batch;
	u64 ops;
	char *const *names;
};

/* Print the name and the text of each workload, as a JSON object. */
void work_print(void);

/*
 * Measure those workloads that are named and that the index has; the insertions are done in
 * any case. False if an answer was wrong or memory did not suffice.
 */
bool work_measure(const struct setting *setting);

/* The nanoseconds of reading the clock twice: they are part of every duration. */
double work_clock(void);

/* Memory as large as an index of 16-byte entries in nodes two thirds full. */
#define CHASE_BYTES_PER_KEY 24

/*
 * Measure the memory itself for so many keys (chase.c), and print a line for each number
 * of chains.
 */
bool chase_measure(u64 keys, unsigned int threads);

#endif /* COMPARE_WORK_H */
