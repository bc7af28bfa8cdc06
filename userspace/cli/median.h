/* SPDX-License-Identifier: GPL-2.0 */
/* The median. */
#ifndef BLINKTREE_CLI_MEDIAN_H
#define BLINKTREE_CLI_MEDIAN_H

#include <stddef.h>

/* The median of some numbers, which it sorts; the mean of two if @nr is even. */
double median(double *numbers, size_t nr);

#endif /* BLINKTREE_CLI_MEDIAN_H */
