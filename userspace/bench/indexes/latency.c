// SPDX-License-Identifier: GPL-2.0
/* How long operations took. */
#include <time.h>

#include "crates.h"
#include "latency.h"

struct latency *latency_create(void)
{
	return histogram_create();
}

void latency_destroy(struct latency *latency)
{
	histogram_destroy(latency);
}

u64 latency_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

void latency_add(struct latency *latency, u64 ns)
{
	histogram_record(latency, ns);
}

void latency_merge(struct latency *to, const struct latency *from)
{
	histogram_merge(to, from);
}

struct tail latency_tail(const struct latency *latency)
{
	return (struct tail){
		.p50 = histogram_quantile(latency, 0.5),
		.p99 = histogram_quantile(latency, 0.99),
		.p999 = histogram_quantile(latency, 0.999),
		.max = histogram_quantile(latency, 1),
	};
}

double latency_overhead(void)
{
	struct latency *latency = latency_create();
	unsigned int i;
	double median;
	u64 begin;

	for (i = 0; i < 100000; i++) {
		begin = latency_now();
		latency_add(latency, latency_now() - begin);
	}
	median = latency_tail(latency).p50;
	latency_destroy(latency);
	return median;
}
