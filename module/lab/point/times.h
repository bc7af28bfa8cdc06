/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: times
 *
 * A histogram of nanoseconds, in integers. Up to LAB_TIMES_PARTS each number has a
 * bucket of its own; from there on each power of two is divided into as many buckets,
 * so that a bucket is at most 1/16 as wide as the numbers in it are large.
 */
#ifndef BLINK_LAB_POINT_TIMES_H
#define BLINK_LAB_POINT_TIMES_H

#include <linux/types.h>

/* PARTS is 2^LOG. */
#define LAB_TIMES_LOG 4
#define LAB_TIMES_PARTS 16U
#define LAB_TIMES_BUCKETS ((65 - LAB_TIMES_LOG) * LAB_TIMES_PARTS)

/**
 * struct lab_times - a histogram
 * @count: how many times
 * @sum: of all
 * @least: the shortest, if there is one
 * @most: the longest
 * @bucket: how many there are in each
 */
struct lab_times {
	u64 count;
	u64 sum;
	u64 least;
	u64 most;
	u64 bucket[LAB_TIMES_BUCKETS];
};

u64 lab_times_low(unsigned int bucket);
void lab_times_add(struct lab_times *times, u64 ns);
void lab_times_merge(struct lab_times *times, const struct lab_times *other);

#endif /* BLINK_LAB_POINT_TIMES_H */
