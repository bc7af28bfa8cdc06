/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Durations, in an HdrHistogram that knows them to three digits: that of the
 * crate hdrhistogram, as Debian has none for C.
 */
#ifndef COMPARE_LATENCY_H
#define COMPARE_LATENCY_H

#include <linux/types.h>

struct latency;

/* Nanoseconds. */
struct tail {
	double p50;
	double p99;
	double p999;
	double max;
};

struct latency *latency_create(void);
void latency_destroy(struct latency *latency);

u64 latency_now(void);
void latency_add(struct latency *latency, u64 ns);
void latency_merge(struct latency *to, const struct latency *from);
struct tail latency_tail(const struct latency *latency);

/* What reading the clock twice takes, which is part of every duration. */
double latency_overhead(void);

#endif /* COMPARE_LATENCY_H */
