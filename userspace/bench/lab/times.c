// SPDX-License-Identifier: GPL-2.0
/* Histograms of times, as text and as figures (point.h). */
#include <linux/types.h>
#include <math.h>
#include <stdio.h>

#include "point.h"

static bool read_bucket(struct lab_times *times, u64 low, u64 count)
{
	unsigned int i = 0;

	while (i < LAB_TIMES_BUCKETS && lab_times_low(i) != low)
		i++;
	if (i < LAB_TIMES_BUCKETS)
		times->bucket[i] += count;
	return i < LAB_TIMES_BUCKETS;
}

bool times_read(struct lab_times *times, const char *text)
{
	unsigned long long low, count;
	int length;

	while (sscanf(text, "%llu:%llu%n", &low, &count, &length) == 2) {
		if (!read_bucket(times, low, count))
			return false;
		text += length;
		if (*text != ',')
			return !*text || *text == '\n';
		text++;
	}
	return false;
}

double times_mean(const struct lab_times *times)
{
	return times->count ? (double)times->sum / (double)times->count : 0;
}

double times_deviation(const struct lab_times *times)
{
	double sum = 0, squares = 0, n = (double)times->count;
	unsigned int i;

	for (i = 0; i < LAB_TIMES_BUCKETS; i++) {
		double low = (double)lab_times_low(i);

		sum += (double)times->bucket[i] * low;
		squares += (double)times->bucket[i] * low * low;
	}
	return n ? sqrt(fmax(squares / n - sum / n * sum / n, 0)) : 0;
}

double times_percentile(const struct lab_times *times, double percent)
{
	double rank = ceil(percent / 100 * (double)times->count), seen = 0;
	unsigned int i;

	for (i = 0; times->count && i < LAB_TIMES_BUCKETS; i++) {
		seen += (double)times->bucket[i];
		if (seen >= rank)
			return fmax((double)lab_times_low(i),
				    (double)times->least);
	}
	return (double)times->most;
}
