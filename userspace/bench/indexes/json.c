// SPDX-License-Identifier: GPL-2.0
/*
 * The figures, for programs: FILE.json is a list of records, one for each
 * workload of each setting, and FILE-machine.json is about the machine.
 */
#include <linux/kernel.h>
#include <stdlib.h>

#include "facts.h"
#include "chase.h"
#include "plan.h"

/* Only what cannot break a JSON string. */
static void put_text(FILE *file, const char *name, const char *text)
{
	fprintf(file, "\"%s\": \"", name);
	for (; *text; text++)
		if (*text >= ' ' && *text != '"' && *text != '\\')
			putc(*text, file);
	fprintf(file, "\", ");
}

static void put_record(FILE *file, const struct results *r, unsigned int s,
		       enum workload w)
{
	const struct setting *set = &r->plan->setting[s];
	struct summary sum = summary_speed(r, s, w);
	struct tail tail = summary_tail(r, s, w, false);
	struct tail reads = summary_tail(r, s, w, true);
	unsigned int i;

	fprintf(file, "  {");
	put_text(file, "index", set->index->name);
	put_text(file, "version", version_of(set->index));
	put_text(file, "workload", workload_name[w]);
	fprintf(file, "\"threads\": %u, \"keys\": %llu, \"batch\": %u, ",
		set->threads, set->keys, set->batch);
	fprintf(file,
		"\"mops_median\": %.4f, \"mops_min\": %.4f, \"mops_max\": %.4f, ",
		sum.median, sum.least, sum.greatest);
	fprintf(file, "\"spread\": %.4f, \"noisy\": %s, ", sum.spread,
		summary_is_noisy(&sum) ? "true" : "false");
	fprintf(file,
		"\"p50_ns\": %.0f, \"p99_ns\": %.0f, \"p999_ns\": %.0f, \"max_ns\": %.0f, ",
		tail.p50, tail.p99, tail.p999, tail.max);
	fprintf(file,
		"\"read_p50_ns\": %.0f, \"read_p99_ns\": %.0f, \"read_p999_ns\": %.0f, ",
		reads.p50, reads.p99, reads.p999);
	fprintf(file, "\"bytes_per_key\": %.2f, ", summary_bytes_per_key(r, s));
	fprintf(file, "\"ours_to_this\": %.4f, \"rounds\": [",
		summary_ratio(r, s, w).median);
	for (i = 0; i < r->plan->rounds; i++)
		fprintf(file, "%s%.4f", i ? ", " : "", r->sample[s][i].mops[w]);
	fprintf(file, "], \"ran\": [");
	for (i = 0; i < r->plan->rounds; i++)
		fprintf(file, "%s%.3f", i ? ", " : "", r->sample[s][i].ran[w]);
	fprintf(file, "]}");
}

static void put_records(FILE *file, const struct results *r)
{
	const char *before = "[\n";
	unsigned int s, w;

	for (s = 0; s < r->plan->nr_settings; s++) {
		if (r->plan->setting[s].index == &index_memory)
			continue;
		for (w = 0; w < WORK_NR; w++) {
			if (!(r->plan->mask >> w & 1) ||
			    !summary_speed(r, s, w).median)
				continue;
			fprintf(file, "%s", before);
			put_record(file, r, s, w);
			before = ",\n";
		}
	}
	fprintf(file, "\n]\n");
}

static void put_chase(FILE *file, const struct results *r, unsigned int s)
{
	const struct setting *set = &r->plan->setting[s];
	unsigned int i;

	for (i = 0; i < CHASES; i++) {
		struct summary sum = summary_chase(r, s, i);

		fprintf(file,
			"%s    {\"keys\": %llu, \"threads\": %u, \"bytes\": %llu, \"chains\": %u, ",
			s || i ? ",\n" : "", set->keys, set->threads,
			set->keys * CHASE_BYTES_PER_KEY, chase_chains[i]);
		fprintf(file,
			"\"ns_per_line_median\": %.2f, \"ns_per_line_min\": %.2f, \"ns_per_line_max\": %.2f}",
			sum.median, sum.least, sum.greatest);
	}
}

static void put_machine(FILE *file, const struct results *r)
{
	struct facts f;
	unsigned int s;

	facts_read(&f);
	fprintf(file, "{\n  ");
	put_text(file, "cpu", f.cpu);
	put_text(file, "kernel", f.kernel);
	put_text(file, "huge_pages", f.huge_pages);
	put_text(file, "compiler", __VERSION__);
	fprintf(file, "\n  \"load_average\": %.2f, \"cpus\": %ld, ", f.load,
		f.cpus);
	fprintf(file, "\"cache_bytes\": [%ld, %ld, %ld],\n", f.l1d, f.l2, f.l3);
	fprintf(file,
		"  \"clock_ns\": %.0f, \"rounds\": %llu, \"ops\": %llu,\n",
		latency_overhead(), r->plan->rounds, r->plan->ops);
	fprintf(file, "  \"memory\": [\n");
	for (s = 0; s < r->plan->nr_settings; s++)
		if (r->plan->setting[s].index == &index_memory)
			put_chase(file, r, s);
	fprintf(file, "\n  ]\n}\n");
}

static bool write_file(const struct results *r, const char *path,
		       void (*put)(FILE *file, const struct results *r))
{
	FILE *file = fopen(path, "w");
	bool good;

	if (!file)
		return false;
	put(file, r);
	good = !ferror(file);
	return !fclose(file) && good;
}

bool json_write(const struct results *r, const char *path)
{
	size_t stem = strlen(path);
	char *machine;
	bool good;

	if (stem > 5 && !strcmp(path + stem - 5, ".json"))
		stem -= 5;
	if (asprintf(&machine, "%.*s-machine.json", (int)stem, path) < 0)
		return false;
	good = write_file(r, path, put_records) &&
	       write_file(r, machine, put_machine);
	free(machine);
	return good;
}
