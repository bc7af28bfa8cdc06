/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The workloads of the benchmark. The keys in the index are at any time the
 * images of a *window* of numbers, which moves up as new keys are inserted and
 * the oldest erased. Of the numbers of new keys, and of old ones, each thread
 * has its own: those that leave the same remainder when divided by the number of
 * threads.
 */
#ifndef BLINK_LAB_BENCH_WORK_H
#define BLINK_LAB_BENCH_WORK_H

#include <linux/cache.h>

#include "../lab.h"
#include "../zipf.h"

/* Keys of the ranges that are counted or erased, about. */
#define WORK_RANGE_KEYS 1000

/**
 * struct work - a workload that is being done; threads change @stop alone
 * @index: the index
 * @kind: enum lab_work
 * @descends: scans return descending keys
 * @threads: how many threads do it
 * @batch: operations in a call
 * @ops: operations of each thread
 * @lowest: the least number in the window
 * @window: how many there are
 * @zipf: for LAB_WORK_ZIPF
 * @stop: it is to end
 */
struct work {
	struct lab_index index;
	u32 kind;
	bool descends;
	u32 threads;
	u32 batch;
	u64 ops;
	u64 lowest;
	u64 window;
	const struct lab_zipf *zipf;
	bool stop;
};

/**
 * struct work_thread - a thread of a workload
 * @work: the workload
 * @id: its number
 * @random: its choices
 * @done: operations done
 * @wrong: answers that were wrong
 * @inserted: new keys
 * @erased: old keys
 * @error: the error that ended it
 * @begin: when it began, in nanoseconds
 * @end: when it ended
 * @op: of the batch
 * @number: the right value for each of them
 * @entry: of the scan
 */
struct work_thread {
	struct work *work;
	u32 id;
	u64 random;
	u64 done;
	u64 wrong;
	u64 inserted;
	u64 erased;
	int error;
	u64 begin;
	u64 end;
	struct blink_tree_ioc_op op[LAB_BATCH_MAX];
	u64 number[LAB_BATCH_MAX];
	struct blink_tree_entry entry[LAB_SCAN_MAX];
} ____cacheline_aligned;

bool work_possible(const struct lab_bench *bench, unsigned int kind);
int work_main(void *arg);

#endif /* BLINK_LAB_BENCH_WORK_H */
