/* SPDX-License-Identifier: GPL-2.0 */
/* The figures of several rounds, as one. */
#ifndef BENCH_SUMMARY_H
#define BENCH_SUMMARY_H

#include <stdbool.h>

#include "../cli/median.h"

/* A figure whose rounds differ by a greater share of the median is noisy. */
#define SUMMARY_NOISY 0.15
/* The median of so many rounds hardly depends on the slowest and the fastest one. */
#define SUMMARY_TRIM 5

/**
 * struct summary - what several rounds say together
 * @median: the median
 * @least: of all rounds
 * @greatest: of all rounds
 * @spread: how much the rounds differ, as a share of the median: the greatest less the
 *	least, without one round at each end if there are five or more
 */
struct summary {
	double median;
	double least;
	double greatest;
	double spread;
};

/* Of @n figures, which are put in order. */
static inline struct summary summarise(double *v, unsigned int n)
{
	double middle = median(v, n);
	unsigned int trim = n >= SUMMARY_TRIM;
	double range = v[n - 1 - trim] - v[trim];

	return (struct summary){ middle, v[0], v[n - 1],
				 middle ? range / middle : 0 };
}

static inline bool summary_is_noisy(const struct summary *summary)
{
	return summary->spread > SUMMARY_NOISY;
}

#endif /* BENCH_SUMMARY_H */
