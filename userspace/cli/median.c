// SPDX-License-Identifier: GPL-2.0
/* The median. */
#include <stdlib.h>

#include "median.h"

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double median(double *numbers, size_t nr)
{
	qsort(numbers, nr, sizeof(*numbers), compare);
	return (numbers[(nr - 1) / 2] + numbers[nr / 2]) / 2;
}
