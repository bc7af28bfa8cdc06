// SPDX-License-Identifier: GPL-2.0
/* What the rounds of a setting say together. */
#include <linux/kernel.h>

#include "plan.h"

/* Of the number that is @at bytes into the sample of each round. */
static struct summary of_field(const struct results *r, unsigned int setting,
			       size_t at)
{
	double v[ROUNDS_MAX];
	unsigned int i;

	for (i = 0; i < r->plan->rounds; i++)
		v[i] = *(const double *)((const char *)&r->sample[setting][i] +
					 at);
	return summarise(v, r->plan->rounds);
}

struct summary summary_speed(const struct results *r, unsigned int setting,
			     enum workload workload)
{
	return of_field(r, setting, offsetof(struct sample, mops[workload]));
}

struct summary summary_chase(const struct results *r, unsigned int setting,
			     unsigned int chase)
{
	return of_field(r, setting, offsetof(struct sample, chase_ns[chase]));
}

double summary_bytes_per_key(const struct results *r, unsigned int setting)
{
	return of_field(r, setting, offsetof(struct sample, bytes_per_key))
		.median;
}

struct tail summary_tail(const struct results *r, unsigned int setting,
			 enum workload workload, bool reads)
{
	size_t at = reads ? offsetof(struct sample, reads[workload]) :
			    offsetof(struct sample, tail[workload]);

	return (struct tail){
		.p50 = of_field(r, setting, at + offsetof(struct tail, p50))
			       .median,
		.p99 = of_field(r, setting, at + offsetof(struct tail, p99))
			       .median,
		.p999 = of_field(r, setting, at + offsetof(struct tail, p999))
				.median,
		.max = of_field(r, setting, at + offsetof(struct tail, max))
			       .median,
	};
}

/* Our index with the same keys and threads, one operation a call; or -1. */
static int find_ours(const struct plan *plan, unsigned int setting)
{
	const struct setting *set = &plan->setting[setting], *other;
	unsigned int i;

	for (i = 0; i < plan->nr_settings; i++) {
		other = &plan->setting[i];
		if (other->index->ops == &lab_blink_ops && other->batch == 1 &&
		    other->keys == set->keys && other->threads == set->threads)
			return i;
	}
	return -1;
}

struct summary summary_ratio(const struct results *r, unsigned int setting,
			     enum workload workload)
{
	int ours = find_ours(r->plan, setting);
	double v[ROUNDS_MAX];
	unsigned int i;

	for (i = 0; i < r->plan->rounds; i++) {
		double mops = r->sample[setting][i].mops[workload];

		if (ours < 0 || !mops)
			return (struct summary){};
		v[i] = r->sample[ours][i].mops[workload] / mops;
	}
	return summarise(v, r->plan->rounds);
}
