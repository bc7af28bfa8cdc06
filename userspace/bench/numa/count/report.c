// SPDX-License-Identifier: GPL-2.0
/*
 * Writing the counters out: an object of JSON in each line, for each CPU and
 * class and for each class and kind of memory. Pairs are [local, remote].
 */
#include <string.h>

#include "count.h"

/* Kinds of memory: the one that it was told to be, or the lock of a node, or neither. */
enum { KIND_LOCK = BLINK_TAG_NR, KIND_REST, KIND_NR };

static const char *const class_name[BLINK_CLASS_NR] = {
	[BLINK_CLASS_NONE] = "outside",	 [BLINK_CLASS_LOOKUP] = "lookup",
	[BLINK_CLASS_INSERT] = "insert", [BLINK_CLASS_ERASE] = "erase",
	[BLINK_CLASS_PROBE] = "probe",	 [BLINK_CLASS_LOCK] = "lock",
	[BLINK_CLASS_CALL] = "call",
};

/* Wider than struct refs: of all lines together. */
struct sum {
	__u64 load[2];
	__u64 store[2];
	__u64 transfer;
	__u64 invalidation;
	__u64 written;
	__u64 shared;
	__u64 fetched;
	__u64 asked;
	__u64 used;
	__u64 rare;
};

/* A line is *rare* if at most one in so many operations fetches it. */
#define RARE 16

static struct sum sums[BLINK_CLASS_NR][KIND_NR];

/* Operations of all CPUs, by class. */
static __u64 ops[BLINK_CLASS_NR];

static void add(struct sum *sum, const struct refs *refs)
{
	int far;

	for (far = 0; far < 2; far++) {
		sum->load[far] += refs->load[far];
		sum->store[far] += refs->store[far];
	}
	sum->transfer += refs->transfer;
	sum->invalidation += refs->invalidation;
	sum->written += refs->written;
	sum->fetched += refs->fetched;
	sum->asked += refs->asked;
	sum->used += refs->used;
}

/* Fetches of a line, if it is rare. */
static __u64 rare(const struct refs *refs, unsigned int op)
{
	return refs->fetched * RARE <= ops[op] ? refs->fetched : 0;
}

static void add_line(struct line *line)
{
	unsigned int kind = line->told ? line->tag : KIND_REST;
	unsigned int lock = line->told && line->head ? KIND_LOCK : kind;
	bool shared = line->users & (line->users - 1);
	unsigned int op;

	for (op = 0; op < BLINK_CLASS_NR; op++) {
		add(&sums[op][kind], &line->refs[op][0]);
		sums[op][kind].rare += rare(&line->refs[op][0], op);
		if (shared)
			sums[op][kind].shared += line->refs[op][0].written;
		add(&sums[op][lock], &line->refs[op][1]);
	}
}

static void print_kind(FILE *file, unsigned int kind)
{
	if (kind == KIND_LOCK)
		fputs("\"lock\"", file);
	else if (kind == KIND_REST)
		fputs("\"rest\"", file);
	else if (kind == BLINK_TAG_PROBE)
		fputs("\"probe\"", file);
	else if (kind == BLINK_TAG_TREE)
		fputs("\"tree\"", file);
	else
		fprintf(file, "\"level %u\"", kind);
}

static void print_sum(FILE *file, const struct sum *sum)
{
	fprintf(file, "\"loads\": [%llu, %llu], \"stores\": [%llu, %llu], ",
		sum->load[0], sum->load[1], sum->store[0], sum->store[1]);
	fprintf(file, "\"transfers\": %llu, \"invalidations\": %llu, ",
		sum->transfer, sum->invalidation);
	fprintf(file, "\"written\": %llu, \"shared\": %llu, ", sum->written,
		sum->shared);
	fprintf(file, "\"fetched\": %llu, \"asked\": %llu, \"used\": %llu, ",
		sum->fetched, sum->asked, sum->used);
	fprintf(file, "\"rare\": %llu}\n", sum->rare);
}

static void print_cpu(FILE *file, unsigned int number, unsigned int index,
		      unsigned int op)
{
	const struct cpu *cpu = &cpus[index];
	struct sum sum = {};

	add(&sum, &cpu->refs[op]);
	fprintf(file, "{\"dump\": %u, \"cpu\": %u, \"node\": %u, ", number,
		index, cpu->node);
	fprintf(file, "\"class\": \"%s\", \"ops\": %llu, \"insns\": %llu, ",
		class_name[op], cpu->ops[op], cpu->insns[op]);
	print_sum(file, &sum);
}

static void print_memory(FILE *file, unsigned int number, unsigned int op,
			 unsigned int kind)
{
	static const struct sum none;

	if (!memcmp(&sums[op][kind], &none, sizeof(none)))
		return;
	fprintf(file, "{\"dump\": %u, \"class\": \"%s\", \"kind\": ", number,
		class_name[op]);
	print_kind(file, kind);
	fputs(", ", file);
	print_sum(file, &sums[op][kind]);
}

void report(FILE *file, unsigned int number)
{
	unsigned int cpu, op, kind;

	memset(sums, 0, sizeof(sums));
	memset(ops, 0, sizeof(ops));
	for (cpu = 0; cpu < nr_cpus; cpu++)
		for (op = 0; op < BLINK_CLASS_NR; op++)
			ops[op] += cpus[cpu].ops[op];
	lines_each(add_line);
	for (op = 0; op < BLINK_CLASS_NR; op++) {
		for (cpu = 0; cpu < nr_cpus; cpu++)
			if (cpus[cpu].ops[op])
				print_cpu(file, number, cpu, op);
		for (kind = 0; kind < KIND_NR; kind++)
			print_memory(file, number, op, kind);
	}
	fflush(file);
}
