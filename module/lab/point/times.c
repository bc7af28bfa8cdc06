// SPDX-License-Identifier: GPL-2.0
/* Histograms of times (times.h). */
#include <linux/bitops.h>
#include <linux/minmax.h>

#include "times.h"

static unsigned int bucket_of(u64 ns)
{
	unsigned int log;

	if (ns < LAB_TIMES_PARTS)
		return ns;
	log = fls64(ns) - 1;
	/* The first LOG bits after the leading one tell the part of the power. */
	return (log - LAB_TIMES_LOG) * LAB_TIMES_PARTS +
	       (ns >> (log - LAB_TIMES_LOG));
}

/* The shortest time of a bucket, in nanoseconds. */
u64 lab_times_low(unsigned int bucket)
{
	unsigned int power = bucket / LAB_TIMES_PARTS;
	u64 part = bucket % LAB_TIMES_PARTS;

	return power ? (LAB_TIMES_PARTS + part) << (power - 1) : part;
}

/* Add a time to a histogram, which is zeroed at first. */
void lab_times_add(struct lab_times *times, u64 ns)
{
	times->least = times->count ? min(times->least, ns) : ns;
	times->most = max(times->most, ns);
	times->count++;
	times->sum += ns;
	times->bucket[bucket_of(ns)]++;
}

/* Add all times of another histogram. */
void lab_times_merge(struct lab_times *times, const struct lab_times *other)
{
	unsigned int i;

	if (!other->count)
		return;
	times->least = times->count ? min(times->least, other->least) :
				      other->least;
	times->most = max(times->most, other->most);
	times->count += other->count;
	times->sum += other->sum;
	for (i = 0; i < LAB_TIMES_BUCKETS; i++)
		times->bucket[i] += other->bucket[i];
}
