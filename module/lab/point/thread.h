/* SPDX-License-Identifier: GPL-2.0 */
/* The threads of a point. */
#ifndef BLINK_LAB_POINT_THREAD_H
#define BLINK_LAB_POINT_THREAD_H

#include <linux/atomic.h>
#include <linux/cache.h>

#include "../zipf.h"
#include "point.h"

/**
 * struct point_run - shared by the threads of a point, which change the last three alone
 * @index: the index
 * @load: the workload
 * @zipf: for it
 * @loaders: how many of the threads load the keys
 * @batch: operations in a call
 * @batches: the operations are executed by the call for batches, even one alone
 * @numbers: all numbers of keys are less
 * @low: the least key that is never erased; set when the keys are loaded
 * @high: the greatest one
 * @descends: scans return descending keys
 * @timed: measure the time of each operation
 * @turns: one thread at a time is in a call
 * @stop: the threads are to end
 * @readers: threads that are no writers, and have not ended; if 0, writers end
 * @taken: the first ticket that no thread has taken yet, if the operations are shared
 */
struct point_run {
	struct lab_index index;
	struct lab_workload load;
	struct lab_zipf zipf;
	u32 loaders;
	u32 batch;
	bool batches;
	u64 numbers;
	u64 low;
	u64 high;
	bool descends;
	bool timed;
	bool turns;
	bool stop;
	atomic_t readers;
	atomic64_t taken ____cacheline_aligned;
};

/**
 * struct point_own - the memory of a thread, on its NUMA node
 * @run: the run
 * @stream: its operations
 * @timed: the times of its operations are measured now
 * @since: when the last call of the index began
 * @ns: how long the calls of this operation took
 * @done: operations that were measured
 * @wrong: wrong answers
 * @error: the error that ended it
 * @low: of the keys that it loaded and that are never erased, the least
 * @high: the greatest
 * @begin: when it began to measure, in nanoseconds
 * @end: when it ended
 * @op: the operations, of a batch all
 * @call: the batch
 * @entry: of a scan, of a batch those of each operation
 * @times: of each kind of operation, if they are measured
 */
struct point_own {
	const struct point_run *run;
	struct lab_stream stream;
	bool timed;
	u64 since;
	u64 ns;
	u64 done;
	u64 wrong;
	int error;
	u64 low;
	u64 high;
	u64 begin;
	u64 end;
	struct lab_op op[LAB_BATCH_MAX];
	struct blink_tree_ioc_op call[LAB_BATCH_MAX];
	struct blink_tree_entry entry[LAB_BATCH_MAX * LAB_MIX_SCAN_MAX];
	struct lab_times times[];
};

/**
 * struct point_thread - a thread
 * @run: the run
 * @id: its number
 * @own: its memory, from point_load() on; NULL if there was none
 */
struct point_thread {
	struct point_run *run;
	u32 id;
	struct point_own *own;
};

/* load.c */
u32 *point_load_order(const struct point_run *run, u32 id);

/* thread.c */
int point_load(void *arg);
int point_warm_up(void *arg);
int point_measure(void *arg);

#endif /* BLINK_LAB_POINT_THREAD_H */
