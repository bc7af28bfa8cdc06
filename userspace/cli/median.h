/* SPDX-License-Identifier: GPL-2.0 */
/* What is in the middle. */
#ifndef BLINKTREE_CLI_MEDIAN_H
#define BLINKTREE_CLI_MEDIAN_H

#include <stddef.h>

/* Of numbers, which are put in order; of an even number of them, the mean of two. */
double median(double *numbers, size_t nr);

#endif /* BLINKTREE_CLI_MEDIAN_H */
