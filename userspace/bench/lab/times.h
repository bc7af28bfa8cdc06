/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The times of many operations, as a histogram: a *bucket* has those from its least
 * nanoseconds on, up to the next bucket.
 */
#ifndef BENCH_LAB_TIMES_H
#define BENCH_LAB_TIMES_H

#include <linux/types.h>

struct bucket {
	u64 low;
	u64 count;
};

/**
 * struct times - the times of operations
 * @count: how many operations
 * @sum: of their nanoseconds
 * @least: the shortest
 * @most: the longest
 * @nr: how many buckets
 * @bucket: by ascending times
 */
struct times {
	u64 count;
	u64 sum;
	u64 least;
	u64 most;
	size_t nr;
	struct bucket *bucket;
};

/* Read LOW:COUNT,LOW:COUNT,...; false if the text has another form. */
bool times_read(struct times *times, const char *text);

/* Add all times of another one. */
void times_merge(struct times *times, const struct times *of);

void times_free(struct times *times);

/* The mean; 0 without operations, as the next two. */
double times_mean(const struct times *times);

/* The standard deviation, by the least time of each bucket. */
double times_deviation(const struct times *times);

/* The time that this share of the operations does not exceed, by the buckets. */
double times_percentile(const struct times *times, double percent);

#endif /* BENCH_LAB_TIMES_H */
