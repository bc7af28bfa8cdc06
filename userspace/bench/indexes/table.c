// SPDX-License-Identifier: GPL-2.0
/* The figures, for people: a table for each number of keys and threads. */
#include <linux/kernel.h>

#include "facts.h"
#include "chase.h"
#include "plan.h"

static void print_facts(const struct results *r)
{
	const char *without = r->plan->rounds < SUMMARY_TRIM ?
				      "" :
				      ", without one round at each end";
	struct facts f;
	unsigned int i;

	facts_read(&f);
	printf("%s, %ld CPUs, caches %ld KiB, %ld KiB, %ld KiB\n", f.cpu,
	       f.cpus, f.l1d >> 10, f.l2 >> 10, f.l3 >> 10);
	printf("%s, huge pages: %s; compiler %s; load average %.2f\n", f.kernel,
	       f.huge_pages, __VERSION__, f.load);
	printf("clock: %.0f ns, which is part of all durations\n",
	       latency_overhead());
	printf("medians of %llu rounds, %llu operations a thread\n",
	       r->plan->rounds, r->plan->ops);
	printf("spread: the greatest round less the least%s\n\n", without);
	for (i = 0; i < WORK_NR; i++)
		if (r->plan->mask >> i & 1)
			printf("%-12s  %s\n", workload_name[i],
			       workload_text[i]);
	printf("\n");
	for (i = 0; i < r->plan->nr_index; i++)
		printf("%-19s  %s; %s\n", r->plan->index[i]->name,
		       version_of(r->plan->index[i]),
		       r->plan->index[i]->section);
}

static double mops(const struct results *r, unsigned int s, enum workload w)
{
	return summary_speed(r, s, w).median;
}

static double ratio(const struct results *r, unsigned int s, enum workload w)
{
	return summary_ratio(r, s, w).median;
}

static double late(const struct results *r, unsigned int s, enum workload w)
{
	return summary_tail(r, s, w, false).p999;
}

static double late_read(const struct results *r, unsigned int s,
			enum workload w)
{
	return summary_tail(r, s, w, true).p999;
}

static double spread(const struct results *r, unsigned int s, enum workload w)
{
	return 100 * summary_speed(r, s, w).spread;
}

static const struct {
	const char *title;
	double (*value)(const struct results *r, unsigned int s,
			enum workload w);
	int digits;
} parts[] = {
	{ "million operations/s", mops, 2 },
	{ "blink_tree, one by one, is so many times as fast", ratio, 2 },
	{ "spread of the rounds, in % of the median", spread, 0 },
	{ "p99.9 of a call, ns", late, 0 },
	{ "p99.9 of a call that changes nothing, ns", late_read, 0 },
};

static bool is_noisy(const struct results *r, unsigned int s, enum workload w)
{
	struct summary sum = summary_speed(r, s, w);

	return r->plan->mask >> w & 1 && summary_is_noisy(&sum);
}

/* The mark of a row, with the workloads that it is for. */
static void print_noise(const struct results *r, unsigned int s)
{
	const char *before = "  too noisy: ";
	unsigned int w;

	for (w = 0; w < WORK_NR; w++) {
		if (!is_noisy(r, s, w))
			continue;
		printf("%s%s", before, workload_name[w]);
		before = ", ";
	}
	printf("\n");
}

static void print_row(const struct results *r, unsigned int s, unsigned int p)
{
	const struct setting *set = &r->plan->setting[s];
	char name[64];
	unsigned int w;

	snprintf(name, sizeof(name), "%s", set->index->name);
	if (set->batch > 1)
		snprintf(name, sizeof(name), "%s x %u", set->index->name,
			 set->batch);
	printf("%-19s", name);
	for (w = 0; w < WORK_NR; w++) {
		double value = parts[p].value(r, s, w);

		if (!(r->plan->mask >> w & 1))
			continue;
		if (value)
			printf(" %12.*f", parts[p].digits, value);
		else
			printf(" %12s", "-");
	}
	printf(" %9.1f", summary_bytes_per_key(r, s));
	print_noise(r, s);
}

static void print_part(const struct results *r, unsigned int first,
		       unsigned int end, unsigned int p)
{
	unsigned int s, w;

	printf("\n%s\n%-19s", parts[p].title, "");
	for (w = 0; w < WORK_NR; w++)
		if (r->plan->mask >> w & 1)
			printf(" %12s", workload_name[w]);
	printf(" %9s\n", "bytes/key");
	for (s = first; s < end; s++)
		print_row(r, s, p);
}

/* The settings of as many keys and threads as the first of them. */
static void print_group(const struct results *r, unsigned int first,
			unsigned int end)
{
	const struct setting *set = &r->plan->setting[first];
	unsigned int i;

	printf("\n== %llu keys, %u thread%s\n", set->keys, set->threads,
	       set->threads > 1 ? "s" : "");
	printf("memory of %llu bytes: a line of it takes a thread",
	       set->keys * CHASE_BYTES_PER_KEY);
	for (i = 0; i < CHASES; i++)
		printf("%s %.1f ns in %u chain%s", i ? "," : "",
		       summary_chase(r, first, i).median, chase_chains[i],
		       chase_chains[i] > 1 ? "s" : "");
	printf("\n");
	for (i = 0; i < r->plan->nr_index; i++)
		if (r->plan->index[i]->ops->most_keys &&
		    set->keys > r->plan->index[i]->ops->most_keys)
			printf("without %s, which needs too much memory for so many\n",
			       r->plan->index[i]->name);
	if (first + 1 == end)
		return;
	for (i = 0; i < ARRAY_SIZE(parts); i++)
		print_part(r, first + 1, end, i);
}

/* Nothing if all figures are good. */
static void print_verdict(const struct results *r)
{
	unsigned int s, w, noisy = 0, all = 0;

	for (s = 0; s < r->plan->nr_settings; s++) {
		for (w = 0; w < WORK_NR; w++) {
			all += !!mops(r, s, w);
			noisy += is_noisy(r, s, w);
		}
	}
	if (noisy)
		printf("\ntoo noisy, run again: the spread of %u of %u figures is above %.0f %%\n",
		       noisy, all, 100 * SUMMARY_NOISY);
}

void table_print(const struct results *r)
{
	const struct plan *plan = r->plan;
	unsigned int first = 0, s;

	print_facts(r);
	for (s = 1; s <= plan->nr_settings; s++) {
		if (s < plan->nr_settings &&
		    plan->setting[s].index != &index_memory)
			continue;
		print_group(r, first, s);
		first = s;
	}
	print_verdict(r);
}
