// SPDX-License-Identifier: GPL-2.0
/* Histograms of times (times.h). */
#include <linux/types.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "times.h"

/* Double the room when the number of buckets reaches a power of two. */
static void make_room(struct times *times)
{
	size_t room = 2 * times->nr + !times->nr;

	if (times->nr & (times->nr - 1))
		return;
	times->bucket = realloc(times->bucket, room * sizeof(*times->bucket));
	if (!times->bucket) {
		perror("times");
		exit(3);
	}
}

static void add(struct times *times, u64 low, u64 count)
{
	struct bucket *bucket;
	size_t i = times->nr;

	while (i && times->bucket[i - 1].low >= low)
		i--;
	if (i < times->nr && times->bucket[i].low == low) {
		times->bucket[i].count += count;
		return;
	}
	make_room(times);
	bucket = times->bucket + i;
	memmove(bucket + 1, bucket, (times->nr - i) * sizeof(*bucket));
	*bucket = (struct bucket){ low, count };
	times->nr++;
}

bool times_read(struct times *times, const char *text)
{
	unsigned long long low, count;
	int length;

	while (sscanf(text, "%llu:%llu%n", &low, &count, &length) == 2) {
		add(times, low, count);
		text += length;
		if (*text != ',')
			return !*text || *text == '\n';
		text++;
	}
	return false;
}

void times_merge(struct times *times, const struct times *of)
{
	size_t i;

	if (!of->count)
		return;
	if (!times->count || of->least < times->least)
		times->least = of->least;
	if (of->most > times->most)
		times->most = of->most;
	times->count += of->count;
	times->sum += of->sum;
	for (i = 0; i < of->nr; i++)
		add(times, of->bucket[i].low, of->bucket[i].count);
}

void times_free(struct times *times)
{
	free(times->bucket);
	*times = (struct times){};
}

double times_mean(const struct times *times)
{
	return times->count ? (double)times->sum / (double)times->count : 0;
}

double times_deviation(const struct times *times)
{
	double n = 0, sum = 0, squares = 0, mean;
	size_t i;

	for (i = 0; i < times->nr; i++) {
		n += (double)times->bucket[i].count;
		sum += (double)times->bucket[i].count *
		       (double)times->bucket[i].low;
	}
	mean = n ? sum / n : 0;
	for (i = 0; i < times->nr; i++)
		squares += (double)times->bucket[i].count *
			   pow((double)times->bucket[i].low - mean, 2);
	return n ? sqrt(squares / n) : 0;
}

double times_percentile(const struct times *times, double percent)
{
	double rank = ceil(percent / 100 * (double)times->count), seen = 0;
	size_t i;

	for (i = 0; i < times->nr; i++) {
		seen += (double)times->bucket[i].count;
		if (seen >= rank)
			return fmax((double)times->bucket[i].low,
				    (double)times->least);
	}
	return (double)times->most;
}
