// SPDX-License-Identifier: GPL-2.0
/* How long operations took. */
#include <linux/kernel.h>
#include <time.h>

#include "latency.h"

u64 latency_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

/* Below LATENCY_PARTS, the duration itself; then so many for each doubling. */
static unsigned int bucket(u64 ns)
{
	unsigned int shift = 0;

	if (ns >= LATENCY_PARTS)
		shift = 63 - __builtin_clzll(ns / LATENCY_PARTS);
	return min(shift * LATENCY_PARTS + (unsigned int)(ns >> shift),
		   LATENCY_BUCKETS - 1U);
}

/* The middle of the durations of a bucket. */
static double middle(unsigned int i)
{
	unsigned int shift = i < 2 * LATENCY_PARTS ? 0 : i / LATENCY_PARTS - 1;

	return ((double)(i - shift * LATENCY_PARTS) + 0.5) * (1ULL << shift);
}

void latency_add(struct latency *latency, u64 ns)
{
	latency->count[bucket(ns)]++;
	latency->max = max(latency->max, ns);
}

void latency_merge(struct latency *to, const struct latency *from)
{
	unsigned int i;

	for (i = 0; i < LATENCY_BUCKETS; i++)
		to->count[i] += from->count[i];
	to->max = max(to->max, from->max);
}

static double quantile(const struct latency *latency, double share)
{
	double most = latency->max;
	u64 total = 0, below = 0;
	unsigned int i;

	for (i = 0; i < LATENCY_BUCKETS; i++)
		total += latency->count[i];
	for (i = 0; i < LATENCY_BUCKETS; i++) {
		below += latency->count[i];
		if ((double)below > share * (double)total)
			return min(middle(i), most);
	}
	return most;
}

struct tail latency_tail(const struct latency *latency)
{
	return (struct tail){
		.p50 = quantile(latency, 0.5),
		.p99 = quantile(latency, 0.99),
		.p999 = quantile(latency, 0.999),
		.max = latency->max,
	};
}

double latency_overhead(void)
{
	struct latency latency = {};
	unsigned int i;
	u64 begin;

	for (i = 0; i < 100000; i++) {
		begin = latency_now();
		latency_add(&latency, latency_now() - begin);
	}
	return latency_tail(&latency).p50;
}
