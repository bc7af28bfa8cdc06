/* SPDX-License-Identifier: GPL-2.0 */
/* The figures of several rounds, as one. */
#ifndef BENCH_SUMMARY_H
#define BENCH_SUMMARY_H

#include "../cli/median.h"

struct summary {
	double median;
	double least;
	double greatest;
};

/* Of @n figures, which are put in order. */
static inline struct summary summarise(double *v, unsigned int n)
{
	double middle = median(v, n);

	return (struct summary){ middle, v[0], v[n - 1] };
}

#endif /* BENCH_SUMMARY_H */
