// SPDX-License-Identifier: GPL-2.0
/* The settings of a plan, and their rounds: a process for each. */
#include <errno.h>
#include <linux/kernel.h>
#include <stdlib.h>

#include "chase.h"
#include "child.h"
#include "plan.h"

/* An index by itself for each size of batch that it has, and one by one. */
static bool add_index(struct plan *plan, struct setting setting)
{
	unsigned int i;

	for (i = 0; i < plan->nr_batch; i++) {
		setting.batch = plan->batch[i];
		if (setting.batch > 1 ? !setting.index->ops->batch :
					setting.index->promises & LAB_BATCHES)
			continue;
		if (plan->nr_settings == SETTINGS_MAX)
			return false;
		plan->setting[plan->nr_settings++] = setting;
	}
	return true;
}

static bool add_group(struct plan *plan, struct setting setting)
{
	unsigned int i;

	if (plan->nr_settings == SETTINGS_MAX)
		return false;
	setting.index = &index_memory;
	setting.batch = 1;
	plan->setting[plan->nr_settings++] = setting;
	for (i = 0; i < plan->nr_index; i++) {
		setting.index = plan->index[i];
		if (setting.index->ops->most_keys &&
		    setting.keys > setting.index->ops->most_keys)
			continue;
		if (setting.threads > 1 &&
		    !(setting.index->promises & LAB_CONCURRENT))
			continue;
		if (!add_index(plan, setting))
			return false;
	}
	return true;
}

bool plan_make(struct plan *plan)
{
	struct setting setting = {};
	unsigned int k, t;

	for (k = 0; k < plan->nr_keys; k++) {
		for (t = 0; t < plan->nr_threads; t++) {
			setting.keys = plan->keys[k];
			setting.threads = plan->threads[t];
			if (!add_group(plan, setting))
				return false;
		}
	}
	return true;
}

/* The memory itself is what is measured where no index is named. */
static bool measure_in_child(const struct plan *plan,
			     const struct setting *setting,
			     struct sample *sample)
{
	char keys[32], threads[32], batch[32], ops[32], mask[32];
	const bool memory = setting->index == &index_memory;
	const char *const words[] = {
		"blink_compare",
		"--child",
		mask,
		"--keys",
		keys,
		"--threads",
		threads,
		"--batch",
		batch,
		"--ops",
		ops,
		memory ? NULL : "--indexes",
		setting->index->name,
		NULL,
	};

	snprintf(keys, sizeof(keys), "%llu", setting->keys);
	snprintf(threads, sizeof(threads), "%u", setting->threads);
	snprintf(batch, sizeof(batch), "%u", setting->batch);
	snprintf(ops, sizeof(ops), "%llu", plan->ops);
	snprintf(mask, sizeof(mask), "%u", plan->mask);
	return child_run((char *const *)words, sample, sizeof(*sample));
}

/*
 * Seconds that what is left takes: as long as in the round before, or, in the
 * first one, as the keys and operations so far did.
 */
static double seconds_left(const struct plan *plan, const double *took,
			   unsigned int round, unsigned int done)
{
	double known = 0, size = 0, rest = 0;
	unsigned int i;

	for (i = 0; i < plan->nr_settings; i++) {
		double own = (double)(plan->setting[i].keys + plan->ops);

		if (round || i < done) {
			known += took[i];
			size += own;
		}
		if (!round && i >= done)
			rest += own;
	}
	if (!size)
		return 0;
	rest = known / size * (size + rest) *
	       (double)(plan->rounds - round - 1);
	for (i = done; i < plan->nr_settings; i++)
		rest += round ? took[i] :
				known / size *
					(double)(plan->setting[i].keys +
						 plan->ops);
	return rest;
}

static void show_progress(const struct plan *plan, unsigned int round,
			  unsigned int s, double left)
{
	const struct setting *set = &plan->setting[s];

	fprintf(stderr,
		"round %u of %llu, %u of %u: %llu keys, %u thread%s, %s",
		round + 1, plan->rounds, s + 1, plan->nr_settings, set->keys,
		set->threads, set->threads > 1 ? "s" : "", set->index->name);
	if (set->batch > 1)
		fprintf(stderr, " x %u", set->batch);
	if (left > 0)
		fprintf(stderr, "; %llu:%02llu minutes left", (u64)left / 60,
			(u64)left % 60);
	fprintf(stderr, "\n");
}

bool plan_run(const struct plan *plan, struct results *results)
{
	static double took[SETTINGS_MAX];
	unsigned int round, s;
	u64 begin;

	results->plan = plan;
	for (s = 0; s < plan->nr_settings; s++) {
		results->sample[s] =
			calloc(plan->rounds, sizeof(struct sample));
		if (!results->sample[s])
			return false;
	}
	for (round = 0; round < plan->rounds; round++) {
		for (s = 0; s < plan->nr_settings; s++) {
			show_progress(plan, round, s,
				      seconds_left(plan, took, round, s));
			begin = latency_now();
			if (!measure_in_child(plan, &plan->setting[s],
					      &results->sample[s][round]))
				return false;
			took[s] = (double)(latency_now() - begin) / 1e9;
		}
	}
	return true;
}
