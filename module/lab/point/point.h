/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: points
 *
 * A *point* is one measurement of one workload (../workloads.h) on a new index. The
 * *order* says which one; it is words "name=value" (text.c). The *answer* is text too.
 * Both are the same in the kernel and natively.
 *
 * The threads of a point, spread evenly over the NUMA nodes, do three things one after
 * the other, and begin each together: they load the window, each its own numbers (load.c);
 * they do the operations that warm up; and they do those that are
 * measured. They check each answer of the index.
 */
#ifndef BLINK_LAB_POINT_POINT_H
#define BLINK_LAB_POINT_POINT_H

#include "../schemes/lab_index.h"
#include "../workloads.h"
#include "times.h"

struct seq_file;

/*
 * No answer has more bytes, with up to 1024 threads: two numbers of each of these, and a line
 * of each kind of operation, with all buckets.
 */
#define LAB_POINT_ANSWER_MAX \
	(LAB_OP_NR * (LAB_TIMES_BUCKETS * 42 + 256) + 1024 * 42)

/**
 * struct lab_share - the part of a thread in a point
 * @ops: operations that it executed, of those that were measured
 * @ns: from its begin to its end
 */
struct lab_share {
	u64 ops;
	u64 ns;
};

/**
 * struct lab_point - a point and its outcome
 * @scheme: the scheme
 * @mix: the mix
 * @order: enum lab_order
 * @threads: how many; 0 for one on each CPU
 * @writers: so many of the threads do what changes the index, @ops of it at most, until the
 *	others, which do the rest, have ended; 0: all do both
 * @keys: the window
 * @ops: operations of each thread that are measured
 * @warm_up: operations of each thread before
 * @shared: both are of all threads together, and each thread takes the next ones
 * @batch: operations in a call, of a mix of reads, insertions and, if the scheme has
 *	LAB_BATCH_SCANS, scans
 * @node_bytes: bytes of a node, or 0 for the scheme's choice
 * @seed: another one makes other choices
 * @timed: measure the time of each operation
 * @replication: enum blink_tree_replication of our tree
 * @locking: enum blink_tree_locking of our tree
 * @turns: one thread at a time is in a call
 * @number: out: of the dump
 * @done: out: operations of all threads that were measured
 * @ns: out: from the begin of the first thread to the end of the last
 * @wrong: out: wrong answers, also to operations that were not measured
 * @retries: out: of the operations that were measured, if the scheme counts them
 * @bytes: out: memory of the index at the end, if the scheme knows
 * @entries: out: keys at the end
 * @each: out: of each thread; NULL if there is no outcome
 * @times: out: of each kind of operation; NULL if they were not measured
 */
struct lab_point {
	const struct lab_scheme *scheme;
	struct lab_mix mix;
	u32 order;
	u32 threads;
	u32 writers;
	u32 keys;
	u32 ops;
	u32 warm_up;
	u32 shared;
	u32 batch;
	u32 node_bytes;
	u32 seed;
	u32 timed;
	u32 replication;
	u32 locking;
	u32 turns;
	u32 number;
	u64 done;
	u64 ns;
	u64 wrong;
	u64 retries;
	u64 bytes;
	u64 entries;
	struct lab_share *each;
	struct lab_times *times;
};

/* point.c */
int lab_point(struct lab_point *point);
void lab_point_end(struct lab_point *point);

/* keys.c */
int lab_point_set_keys(const u64 *key, u64 nr);
const struct lab_keys *lab_point_keys(void);

/* text.c */
int lab_point_parse(char *text, struct lab_point *point);
void lab_point_show(struct seq_file *m, const struct lab_point *point);

#ifndef __KERNEL__
/*
 * userspace/bench/indexes/lab_point.c: measure a point in this process. Returns 0 or an
 * error of lab_point_parse() or lab_point(); -ENOSPC if the answer has more @bytes. After
 * 0 and -EIO there is an answer.
 */
int lab_point_order(const char *order, char *answer, size_t bytes);

/* The same file: lab_lists_show() into a buffer. Returns 0 or -ENOSPC. */
int lab_point_list(char *text, size_t bytes);
#endif

#endif /* BLINK_LAB_POINT_POINT_H */
