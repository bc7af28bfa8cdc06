// SPDX-License-Identifier: GPL-2.0
/* top: prints the rates of all trees, again and again. */
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "device.h"
#include "printer.h"
#include "sample.h"
#include "units.h"
#include "util.h"

/* The rates of a tree between two samples, in events a second. */
struct rates {
	const char *tree;
	__u64 id;
	__u64 entries;
	__u64 bytes;
	double inserts;
	double erases;
	double splits;
	double merges;
	double lock_waits;
	double read_retries;
};

static const struct field rate_fields[] = {
	FIELD(FIELD_TEXT, struct rates, tree),
	FIELD(FIELD_U64, struct rates, id),
	FIELD(FIELD_U64, struct rates, entries),
	FIELD(FIELD_U64, struct rates, bytes),
	FIELD(FIELD_DIGITS, struct rates, inserts),
	FIELD(FIELD_DIGITS, struct rates, erases),
	FIELD(FIELD_DIGITS, struct rates, splits),
	FIELD(FIELD_DIGITS, struct rates, merges),
	FIELD(FIELD_DIGITS, struct rates, lock_waits),
	FIELD(FIELD_DIGITS, struct rates, read_retries),
};

static const struct schema rate_schema = {
	.name = "trees",
	.layout = LAYOUT_TABLE,
	.fields = rate_fields,
	.nr = ARRAY_SIZE(rate_fields),
};

/* The memory that the nodes of a tree take on a NUMA node. */
struct memory {
	const char *tree;
	__u64 id;
	__u32 numa_node;
	__u64 bytes;
};

static const struct field memory_fields[] = {
	FIELD(FIELD_TEXT, struct memory, tree),
	FIELD(FIELD_U64, struct memory, id),
	FIELD(FIELD_U32, struct memory, numa_node),
	FIELD(FIELD_U64, struct memory, bytes),
};

static const struct schema memory_schema = {
	.name = "memory",
	.layout = LAYOUT_TABLE,
	.fields = memory_fields,
	.nr = ARRAY_SIZE(memory_fields),
};

/* When a sample was taken, and how long it was after the one before. */
struct moment {
	__u64 time;
	double seconds;
};

static const struct field moment_fields[] = {
	FIELD(FIELD_U64, struct moment, time),
	FIELD(FIELD_DIGITS, struct moment, seconds),
};

static const struct schema moment_schema = {
	.layout = LAYOUT_LINES,
	.fields = moment_fields,
	.nr = ARRAY_SIZE(moment_fields),
};

/* A tree that is new began with zeroes. */
static struct rates rates_of(const struct sampled *tree,
			     const struct sampled *before, double seconds)
{
	static const struct blink_tree_ioc_stats none;
	const struct blink_tree_ioc_stats *now, *old = &none;

	now = blinktree_stats_counters(tree->stats);
	if (before)
		old = blinktree_stats_counters(before->stats);
	return (struct rates){
		.tree = tree->name,
		.id = tree->id,
		.entries = now->entries,
		.bytes = now->bytes,
		.inserts = (now->inserts - old->inserts) / seconds,
		.erases = (now->erases - old->erases) / seconds,
		.splits = (now->splits - old->splits) / seconds,
		.merges = (now->merges - old->merges) / seconds,
		.lock_waits = (now->lock_waits - old->lock_waits) / seconds,
		.read_retries =
			(now->read_retries - old->read_retries) / seconds,
	};
}

/* Memory by NUMA node: the levels are in no order that this relies on. */
static void each_memory(const struct sampled *tree,
			void (*fn)(void *arg, const struct memory *memory),
			void *arg)
{
	const struct blink_tree_level_stats *levels;
	struct memory memory = { .tree = tree->name, .id = tree->id };
	__u32 most = 0;
	size_t nr, i;

	levels = blinktree_stats_levels(tree->stats, &nr);
	for (i = 0; i < nr; i++)
		most = levels[i].nid > most ? levels[i].nid : most;
	for (; nr && memory.numa_node <= most; memory.numa_node++) {
		memory.bytes = 0;
		for (i = 0; i < nr; i++)
			if (levels[i].nid == memory.numa_node)
				memory.bytes += levels[i].bytes;
		if (memory.bytes)
			fn(arg, &memory);
	}
}

static void print_memory_json(void *out, const struct memory *memory)
{
	print_record(out, &memory_schema, memory);
}

static void print_json(const struct sample *now, const struct sample *before,
		       bool numa, struct printer *out)
{
	const struct moment moment = {
		.time = time(NULL),
		.seconds = now->seconds - before->seconds,
	};
	struct rates rates;
	size_t i;

	print_object_begin(out);
	print_record(out, &moment_schema, &moment);
	print_list_begin(out, &rate_schema);
	for (i = 0; i < now->nr; i++) {
		rates = rates_of(&now->tree[i],
				 sample_find(before, now->tree[i].id),
				 moment.seconds);
		print_record(out, &rate_schema, &rates);
	}
	print_list_end(out);
	if (numa)
		print_list_begin(out, &memory_schema);
	for (i = 0; numa && i < now->nr; i++)
		each_memory(&now->tree[i], print_memory_json, out);
	if (numa)
		print_list_end(out);
	print_object_end(out);
}

static void print_number(double number)
{
	char text[UNITS_MAX];

	printf(" %7s", units_text(text, number));
}

static void print_memory_text(void *arg, const struct memory *memory)
{
	char text[UNITS_MAX];

	(void)arg;
	printf("  NUMA node %-4u %6s bytes\n", memory->numa_node,
	       units_text(text, memory->bytes));
}

/* 16 characters and eight columns of eight: a terminal has 80. */
static void print_rates(const struct rates *rates)
{
	printf("%-16.16s", rates->tree);
	print_number(rates->entries);
	print_number(rates->bytes);
	print_number(rates->inserts);
	print_number(rates->erases);
	print_number(rates->splits);
	print_number(rates->merges);
	print_number(rates->lock_waits);
	print_number(rates->read_retries);
	printf("\n");
}

static void print_text(const struct sample *now, const struct sample *before,
		       bool numa)
{
	double seconds = now->seconds - before->seconds;
	struct rates rates;
	size_t i;

	/* Begin at the top of the screen, and clear what is below. */
	if (isatty(STDOUT_FILENO))
		printf("\033[H\033[J");
	printf("%-16s %7s %7s %7s %7s %7s %7s %7s %7s\n", "tree", "keys",
	       "bytes", "ins/s", "erase/s", "split/s", "merge/s", "wait/s",
	       "retry/s");
	for (i = 0; i < now->nr; i++) {
		rates = rates_of(&now->tree[i],
				 sample_find(before, now->tree[i].id), seconds);
		print_rates(&rates);
		if (numa)
			each_memory(&now->tree[i], print_memory_text, NULL);
	}
}

enum status run_top(const struct args *args, struct printer *out)
{
	unsigned int flags = args->numa ? BLINKTREE_STATS_LEVELS : 0;
	struct blinktree_ctl *ctl = device_open(args);
	struct sample now, before;
	__u64 n = 0;
	int err;

	if (!ctl)
		return STATUS_SYSTEM;
	err = sample_read(ctl, flags, &before);
	while (!err && (!args->limit || n++ < args->limit)) {
		sleep(args->interval);
		err = sample_read(ctl, flags, &now);
		if (err)
			break;
		if (args->json)
			print_json(&now, &before, args->numa, out);
		else
			print_text(&now, &before, args->numa);
		sample_free(&before);
		before = now;
		/* The end of the program says why it cannot be written. */
		if (fflush(stdout))
			break;
	}
	sample_free(&before);
	blinktree_ctl_close(ctl);
	return err ? device_failed("top", -err) : STATUS_OK;
}
