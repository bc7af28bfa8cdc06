// SPDX-License-Identifier: GPL-2.0
/* Sums of a tree's per-CPU counters. */
#include <linux/compiler.h>
#include <linux/cpumask.h>
#include <linux/string.h>

#include "counters.h"

/**
 * blink_counters_sum() - add up the copies of all CPUs
 * @counters: the copies
 * @sum: set to the sums, which are exact while no operation counts
 *
 * Context: any.
 */
void blink_counters_sum(const struct blink_counters __percpu *counters,
			struct blink_counters *sum)
{
	const struct blink_counters *c;
	unsigned int i;
	int cpu;

	memset(sum, 0, sizeof(*sum));
	for_each_possible_cpu(cpu) {
		c = per_cpu_ptr(counters, cpu);
		for (i = 0; i < BLINK_STAT_NR; i++)
			sum->event[i] += READ_ONCE(c->event[i]);
		sum->bytes += READ_ONCE(c->bytes);
		sum->block_bytes += READ_ONCE(c->block_bytes);
	}
}
