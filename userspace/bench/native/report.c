// SPDX-License-Identifier: GPL-2.0
/* The figures, for people and for programs. */
#include <linux/compiler.h>
#include <stdio.h>

#include "bench.h"
#include "core/node/node.h"
#include "summary.h"

static struct summary speed(const struct results *r, unsigned int setting,
			    unsigned int workload)
{
	double v[ROUNDS_MAX];
	unsigned int i;

	for (i = 0; i < r->rounds; i++)
		v[i] = r->sample[setting][i].mops[workload];
	return summarise(v, r->rounds);
}

/*
 * How the speed compares with that of the first mode in the same round, which
 * was measured a little earlier.
 */
static struct summary ratio(const struct results *r, unsigned int setting,
			    unsigned int workload)
{
	unsigned int first = setting - setting % r->plan->nr_modes, i;
	double v[ROUNDS_MAX];

	for (i = 0; i < r->rounds; i++)
		v[i] = r->sample[setting][i].mops[workload] /
		       r->sample[first][i].mops[workload];
	return summarise(v, r->rounds);
}

static struct summary ran(const struct results *r, unsigned int setting,
			  unsigned int workload)
{
	double v[ROUNDS_MAX];
	unsigned int i;

	for (i = 0; i < r->rounds; i++)
		v[i] = r->sample[setting][i].ran[workload];
	return summarise(v, r->rounds);
}

static void table_facts(const struct results *r, const struct facts *f)
{
	printf("%s, %ld CPUs, caches %ld KiB, %ld KiB, %ld KiB\n", f->cpu,
	       f->cpus, f->l1d >> 10, f->l2 >> 10, f->l3 >> 10);
	printf("%s, huge pages: %s; compiler %s\n", f->kernel, f->huge_pages,
	       __VERSION__);
	printf("load average before: %.2f\n", f->load);
	printf("leaf %zu bytes, %d slots; inner node %zu bytes, %d slots\n",
	       BLINK_LEAF_BYTES, BLINK_LEAF_SLOTS, BLINK_INNER_BYTES,
	       BLINK_INNER_SLOTS);
	printf("million operations/s: median (least-greatest) of %u rounds;\n"
	       "share of the time that the threads had a CPU; with several\n"
	       "modes, median of the ratios to the first one, round by round\n",
	       r->rounds);
}

void report_table(const struct results *r, const struct facts *facts)
{
	unsigned int s, w;

	table_facts(r, facts);
	for (s = 0; s < r->plan->nr_settings; s++) {
		const struct setting *set = &r->plan->setting[s];

		printf("\n%llu random keys, %u thread%s, %s: %.2f bytes per key, height %u\n",
		       set->keys, set->threads, set->threads > 1 ? "s" : "",
		       set->mode->text, r->sample[s][0].bytes_per_key,
		       r->sample[s][0].height);
		for (w = 0; w < WORK_NR; w++) {
			struct summary sum = speed(r, s, w);

			printf("  %-8s %8.2f (%.2f-%.2f) %3.0f %%",
			       workload_name[w], sum.median, sum.least,
			       sum.greatest, 100 * ran(r, s, w).median);
			if (r->plan->nr_modes > 1)
				printf("  x %.3f", ratio(r, s, w).median);
			printf("  %s\n", workload_text[w]);
		}
	}
}

/* Only what cannot break a JSON string. */
static void json_text(FILE *file, const char *name, const char *text)
{
	fprintf(file, "    \"%s\": \"", name);
	for (; *text; text++)
		if (*text >= ' ' && *text != '"' && *text != '\\')
			putc(*text, file);
	fprintf(file, "\",\n");
}

static void json_facts(FILE *file, const struct facts *f)
{
	fprintf(file, "  \"machine\": {\n");
	json_text(file, "cpu", f->cpu);
	json_text(file, "kernel", f->kernel);
	json_text(file, "huge_pages", f->huge_pages);
	json_text(file, "compiler", __VERSION__);
	fprintf(file, "    \"load_average\": %.2f,\n", f->load);
	fprintf(file, "    \"cpus\": %ld,\n", f->cpus);
	fprintf(file, "    \"cache_bytes\": [%ld, %ld, %ld]\n  },\n", f->l1d,
		f->l2, f->l3);
	fprintf(file,
		"  \"nodes\": {\"leaf_bytes\": %zu, \"leaf_slots\": %d, \"inner_bytes\": %zu, \"inner_slots\": %d},\n",
		BLINK_LEAF_BYTES, BLINK_LEAF_SLOTS, BLINK_INNER_BYTES,
		BLINK_INNER_SLOTS);
}

static void json_result(FILE *file, const struct results *r, unsigned int s,
			unsigned int w)
{
	struct summary sum = speed(r, s, w);
	unsigned int i;

	fprintf(file,
		"    {\"workload\": \"%s\", \"keys\": %llu, \"threads\": %u, \"mode\": \"%s\", \"ratio\": %.4f, \"median\": %.4f, \"min\": %.4f, \"max\": %.4f, \"ran\": %.4f, \"rounds\": [",
		workload_name[w], r->plan->setting[s].keys,
		r->plan->setting[s].threads, r->plan->setting[s].mode->name,
		ratio(r, s, w).median, sum.median, sum.least, sum.greatest,
		ran(r, s, w).median);
	for (i = 0; i < r->rounds; i++)
		fprintf(file, "%s%.4f", i ? ", " : "", r->sample[s][i].mops[w]);
	fprintf(file, "]}");
}

bool report_json(const struct results *r, const struct facts *facts,
		 const char *path)
{
	FILE *file = fopen(path, "w");
	unsigned int s, w;
	bool good;

	if (!file)
		return false;
	fprintf(file, "{\n  \"unit\": \"million operations per second\",\n");
	json_facts(file, facts);
	fprintf(file, "  \"bytes_per_key\": [");
	for (s = 0; s < r->plan->nr_settings; s++)
		fprintf(file,
			"%s{\"keys\": %llu, \"threads\": %u, \"mode\": \"%s\", \"bytes\": %.2f}",
			s ? ", " : "", r->plan->setting[s].keys,
			r->plan->setting[s].threads,
			r->plan->setting[s].mode->name,
			r->sample[s][0].bytes_per_key);
	fprintf(file, "],\n  \"results\": [");
	for (s = 0; s < r->plan->nr_settings; s++) {
		for (w = 0; w < WORK_NR; w++) {
			fprintf(file, s || w ? ",\n" : "\n");
			json_result(file, r, s, w);
		}
	}
	fprintf(file, "\n  ]\n}\n");
	good = !ferror(file);
	return !fclose(file) && good;
}
