/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A histogram of durations: each power of two is divided into so many equal
 * buckets that a duration is known to 1/32 of it.
 */
#ifndef COMPARE_LATENCY_H
#define COMPARE_LATENCY_H

#include <linux/types.h>

#define LATENCY_PARTS 32
#define LATENCY_BUCKETS (40 * LATENCY_PARTS)

struct latency {
	u32 count[LATENCY_BUCKETS];
	u64 max;
};

/* Nanoseconds; of @max it is exact. */
struct tail {
	double p50;
	double p99;
	double p999;
	double max;
};

u64 latency_now(void);
void latency_add(struct latency *latency, u64 ns);
void latency_merge(struct latency *to, const struct latency *from);
struct tail latency_tail(const struct latency *latency);

/* What reading the clock twice takes, which is part of every duration. */
double latency_overhead(void);

#endif /* COMPARE_LATENCY_H */
