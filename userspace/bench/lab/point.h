/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A *point* is one measurement, on a new index. The *order* of a point is the line of
 * text that module/lab/point takes, and the *answer* is the text that it returns; both
 * are the same in the kernel and natively. module/lab/point/point.h describes them.
 */
#ifndef BENCH_LAB_POINT_H
#define BENCH_LAB_POINT_H

#include "lab/point/times.h"
#include "lab/workloads.h"

/* More than the longest order needs. */
#define ORDER_MAX 256

/**
 * struct point - one measurement
 * @scheme: the scheme
 * @mix: the mix
 * @order: name of the order of the keys
 * @threads: how many; 0: one on each CPU
 * @batch: operations in a call
 * @node_bytes: size of a node; 0: that of the scheme
 * @keys: how many before the first operation
 * @warm_up: operations of each thread that are not measured
 * @ops: operations of each thread that are
 * @seed: for keys and choices
 * @timed: measure the time of each operation
 */
struct point {
	const char *scheme;
	const char *mix;
	const char *order;
	unsigned int threads;
	unsigned int batch;
	unsigned int node_bytes;
	u64 keys;
	u64 warm_up;
	u64 ops;
	u64 seed;
	bool timed;
};

/**
 * struct answer - the outcome of a point
 * @threads: how many there were
 * @ops: operations of all threads
 * @ns: from the begin of the first thread to the end of the last one
 * @wrong: wrong answers
 * @retries: of lookups; NaN: the scheme does not count them
 * @bytes: the memory of the index; NaN: unknown
 * @times: of each kind of operation, if the point is timed
 */
struct answer {
	unsigned int threads;
	u64 ops;
	u64 ns;
	u64 wrong;
	double retries;
	double bytes;
	struct lab_times times[LAB_OP_NR];
};

/* Write the order, a line without its newline. */
void point_order(const struct point *point, char text[ORDER_MAX]);

/* Read an answer; false if it is incomplete. */
bool answer_read(struct answer *answer, const char *text);

/* Read the buckets LOW:COUNT,LOW:COUNT,...; false if the text has another form. */
bool times_read(struct lab_times *times, const char *text);

/* The mean; 0 without operations, as the next two. */
double times_mean(const struct lab_times *times);

/* The standard deviation, by the least time of each bucket. */
double times_deviation(const struct lab_times *times);

/* The time that this share of the operations does not exceed, by the buckets. */
double times_percentile(const struct lab_times *times, double percent);

#endif /* BENCH_LAB_POINT_H */
