// SPDX-License-Identifier: GPL-2.0
/* top: prints the rates of all trees, again and again. */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "device.h"
#include "printer.h"
#include "sample.h"
#include "units.h"
#include "util.h"

/* Columns that are left for the key in the line of a leaf; an IPv6 address has 39. */
#define LOW_WIDTH 42

/* The rates of a tree between two samples, in events a second. */
struct rates {
	const char *tree;
	__u64 id;
	__u64 entries;
	__u64 bytes;
	double reads;
	double inserts;
	double updates;
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
	FIELD(FIELD_DIGITS, struct rates, reads),
	FIELD(FIELD_DIGITS, struct rates, inserts),
	FIELD(FIELD_DIGITS, struct rates, updates),
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

/* A leaf that writers wait for. The keys of the leaf are not less than @low. */
struct leaf {
	const char *tree;
	__u64 id;
	__u32 heat;
	__u32 keys;
	__u32 numa_node;
	struct key low;
	/* If it is more than @low has, @low is the begin of the bound. */
	__u32 low_length;
};

static const struct field leaf_fields[] = {
	FIELD(FIELD_TEXT, struct leaf, tree),
	FIELD(FIELD_U64, struct leaf, id),
	FIELD(FIELD_U32, struct leaf, heat),
	FIELD(FIELD_U32, struct leaf, keys),
	FIELD(FIELD_U32, struct leaf, numa_node),
	FIELD(FIELD_KEY, struct leaf, low),
	FIELD(FIELD_U32, struct leaf, low_length),
};

static const struct schema leaf_schema = {
	.name = "leaves",
	.layout = LAYOUT_TABLE,
	.fields = leaf_fields,
	.nr = ARRAY_SIZE(leaf_fields),
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
		.reads = (now->reads - old->reads) / seconds,
		.inserts = (now->inserts - old->inserts) / seconds,
		.updates = (now->updates - old->updates) / seconds,
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

static struct leaf leaf_of(const struct sampled *tree,
			   const struct blink_tree_hot_leaf *hot)
{
	size_t length = hot->low_length;
	struct leaf leaf = {
		.tree = tree->name,
		.id = tree->id,
		.heat = hot->heat,
		.keys = hot->keys,
		.numa_node = hot->nid,
		.low_length = hot->low_length,
	};

	if (length > sizeof(hot->low))
		length = sizeof(hot->low);
	key_set(&leaf.low, blinktree_stats_counters(tree->stats)->key, hot->low,
		length);
	return leaf;
}

static void print_leaves_json(const struct sample *now, struct printer *out)
{
	struct leaf leaf;
	size_t i, j;

	print_list_begin(out, &leaf_schema);
	for (i = 0; i < now->nr; i++) {
		for (j = 0; j < now->tree[i].nr_leaves; j++) {
			leaf = leaf_of(&now->tree[i], &now->tree[i].leaves[j]);
			print_record(out, &leaf_schema, &leaf);
		}
	}
	print_list_end(out);
}

static void print_memory_json(void *out, const struct memory *memory)
{
	print_record(out, &memory_schema, memory);
}

static void print_json(const struct sample *now, const struct sample *before,
		       const struct args *args, struct printer *out)
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
	if (args->numa)
		print_list_begin(out, &memory_schema);
	for (i = 0; args->numa && i < now->nr; i++)
		each_memory(&now->tree[i], print_memory_json, out);
	if (args->numa)
		print_list_end(out);
	if (args->leaves)
		print_leaves_json(now, out);
	print_object_end(out);
}

static void print_number(double number)
{
	char text[UNITS_MAX];

	printf(" %5s", units_text(text, number));
}

static void print_memory_text(void *arg, const struct memory *memory)
{
	char text[UNITS_MAX];

	(void)arg;
	printf("  NUMA node %-4u %6s bytes\n", memory->numa_node,
	       units_text(text, memory->bytes));
}

/* Print no more of a string than fits into the line. Other keys fit. */
static void print_leaf_text(struct leaf *leaf, const struct args *args)
{
	static const char more[] = "...";
	bool cut = leaf->low_length > leaf->low.length;
	char text[KEY_TEXT_MAX];

	while (strlen(key_text(text, &leaf->low, args->key_form, args->hex)) +
		       (cut ? strlen(more) : 0) >
	       LOW_WIDTH) {
		leaf->low.length--;
		cut = true;
	}
	printf("  heat %3u  keys %3u  NUMA %-4u  from %s%s\n", leaf->heat,
	       leaf->keys, leaf->numa_node, text, cut ? more : "");
}

static void print_leaves_text(const struct sampled *tree,
			      const struct args *args)
{
	struct leaf leaf;
	size_t i;

	for (i = 0; i < tree->nr_leaves; i++) {
		leaf = leaf_of(tree, &tree->leaves[i]);
		print_leaf_text(&leaf, args);
	}
}

/* 20 characters and ten columns of six: a terminal has 80. */
static void print_rates(const struct rates *rates)
{
	printf("%-20.20s", rates->tree);
	print_number(rates->entries);
	print_number(rates->bytes);
	print_number(rates->reads);
	print_number(rates->inserts);
	print_number(rates->updates);
	print_number(rates->erases);
	print_number(rates->splits);
	print_number(rates->merges);
	print_number(rates->lock_waits);
	print_number(rates->read_retries);
	printf("\n");
}

static void print_text(const struct sample *now, const struct sample *before,
		       const struct args *args)
{
	double seconds = now->seconds - before->seconds;
	struct rates rates;
	size_t i;

	/* Begin at the top of the screen, and clear what is below. */
	if (isatty(STDOUT_FILENO))
		printf("\033[H\033[J");
	printf("%-20s %5s %5s %5s %5s %5s %5s %5s %5s %5s %5s\n", "tree",
	       "keys", "bytes", "read", "ins", "upd", "erase", "split", "merge",
	       "wait", "retry");
	for (i = 0; i < now->nr; i++) {
		rates = rates_of(&now->tree[i],
				 sample_find(before, now->tree[i].id), seconds);
		print_rates(&rates);
		if (args->numa)
			each_memory(&now->tree[i], print_memory_text, NULL);
		print_leaves_text(&now->tree[i], args);
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
	err = sample_read(ctl, flags, args->leaves, &before);
	while (!err && (!args->limit || n++ < args->limit)) {
		sleep(args->interval);
		err = sample_read(ctl, flags, args->leaves, &now);
		if (err)
			break;
		if (args->json)
			print_json(&now, &before, args, out);
		else
			print_text(&now, &before, args);
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
