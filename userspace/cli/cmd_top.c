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

/* The counters whose rates are shown, in events a second, and the heads of their columns. */
#define RATE(name, title) \
	{ #name, title, offsetof(struct blink_tree_ioc_stats, name) }

static const struct counter rates[] = {
	RATE(reads, "read"),	  RATE(inserts, "ins"),
	RATE(updates, "upd"),	  RATE(erases, "erase"),
	RATE(splits, "split"),	  RATE(merges, "merge"),
	RATE(lock_waits, "wait"), RATE(read_retries, "retry"),
};

/* A tree that is new began with zeroes. */
static double rate_of(const struct sampled *tree, const struct sampled *before,
		      const struct counter *rate, double seconds)
{
	__u64 old = before ? counter_of(before->stats, rate) : 0;

	return (counter_of(tree->stats, rate) - old) / seconds;
}

/* NUMA nodes, up to the last one with memory of a tree. */
static __u32 numa_nodes(const struct sampled *tree)
{
	const struct blink_tree_level_stats *levels;
	__u32 end = 0;
	size_t nr, i;

	levels = blinktree_stats_levels(tree->stats, &nr);
	for (i = 0; i < nr; i++)
		end = levels[i].nid < end ? end : levels[i].nid + 1;
	return end;
}

/* The memory that the nodes of a tree take on a NUMA node. */
static __u64 bytes_on(const struct sampled *tree, __u32 numa_node)
{
	const struct blink_tree_level_stats *levels;
	__u64 bytes = 0;
	size_t nr, i;

	levels = blinktree_stats_levels(tree->stats, &nr);
	for (i = 0; i < nr; i++)
		bytes += levels[i].nid == numa_node ? levels[i].bytes : 0;
	return bytes;
}

/* The keys of a leaf are not less than this, which can be the begin of the bound. */
static struct key low_of(const struct sampled *tree,
			 const struct blink_tree_hot_leaf *leaf)
{
	size_t length = leaf->low_length;
	struct key low;

	if (length > sizeof(leaf->low))
		length = sizeof(leaf->low);
	key_set(&low, blinktree_stats_counters(tree->stats)->key, leaf->low,
		length);
	return low;
}

static void begin_row(struct printer *out, const struct sampled *tree)
{
	print_begin(out, PART_ROW, NULL);
	print_text(out, "tree", tree->name);
	print_u64(out, "id", tree->id);
}

static void print_rates(struct printer *out, const struct sampled *tree,
			const struct sampled *before, double seconds)
{
	const struct blink_tree_ioc_stats *now =
		blinktree_stats_counters(tree->stats);
	size_t i;

	begin_row(out, tree);
	print_u64(out, "entries", now->entries);
	print_u64(out, "bytes", now->bytes);
	for (i = 0; i < ARRAY_SIZE(rates); i++)
		print_real(out, rates[i].name,
			   rate_of(tree, before, &rates[i], seconds),
			   THREE_DIGITS);
	print_end(out);
}

static void print_memory(struct printer *out, const struct sampled *tree)
{
	__u32 node;

	for (node = 0; node < numa_nodes(tree); node++) {
		if (!bytes_on(tree, node))
			continue;
		begin_row(out, tree);
		print_u64(out, "numa_node", node);
		print_u64(out, "bytes", bytes_on(tree, node));
		print_end(out);
	}
}

static void print_leaves(struct printer *out, const struct sampled *tree)
{
	const struct blink_tree_hot_leaf *leaf = tree->leaves;
	struct key low;

	for (; leaf < tree->leaves + tree->nr_leaves; leaf++) {
		low = low_of(tree, leaf);
		begin_row(out, tree);
		print_u64(out, "heat", leaf->heat);
		print_u64(out, "keys", leaf->keys);
		print_u64(out, "numa_node", leaf->nid);
		print_key(out, "low", &low);
		print_u64(out, "low_length", leaf->low_length);
		print_end(out);
	}
}

static void print_sample(struct printer *out, const struct sample *now,
			 const struct sample *before, const struct args *args)
{
	double seconds = now->seconds - before->seconds;
	const struct sampled *tree, *end = now->tree + now->nr;

	print_begin(out, PART_OBJECT, NULL);
	print_u64(out, "time", time(NULL));
	print_real(out, "seconds", seconds, THREE_DIGITS);
	print_begin(out, PART_LIST, "trees");
	for (tree = now->tree; tree < end; tree++)
		print_rates(out, tree, sample_find(before, tree->id), seconds);
	print_end(out);
	if (args->numa) {
		print_begin(out, PART_LIST, "memory");
		for (tree = now->tree; tree < end; tree++)
			print_memory(out, tree);
		print_end(out);
	}
	if (args->leaves) {
		print_begin(out, PART_LIST, "leaves");
		for (tree = now->tree; tree < end; tree++)
			print_leaves(out, tree);
		print_end(out);
	}
	print_end(out);
}

static void show_number(double number)
{
	char text[UNITS_MAX];

	printf(" %5s", units_text(text, number));
}

static void show_memory(const struct sampled *tree)
{
	char text[UNITS_MAX];
	__u32 node;

	for (node = 0; node < numa_nodes(tree); node++)
		if (bytes_on(tree, node))
			printf("  NUMA node %-4u %6s bytes\n", node,
			       units_text(text, bytes_on(tree, node)));
}

/* Show no more of a string than fits into the line. Other keys fit. */
static void show_leaf(const struct sampled *tree,
		      const struct blink_tree_hot_leaf *leaf,
		      const struct args *args)
{
	static const char more[] = "...";
	struct key low = low_of(tree, leaf);
	bool cut = leaf->low_length > low.length;
	char text[KEY_TEXT_MAX];

	while (strlen(key_text(text, &low, args->key_form, args->hex)) +
		       (cut ? strlen(more) : 0) >
	       LOW_WIDTH) {
		low.length--;
		cut = true;
	}
	printf("  heat %3u  keys %3u  NUMA %-4u  from %s%s\n", leaf->heat,
	       leaf->keys, leaf->nid, text, cut ? more : "");
}

/* 20 characters and ten columns of six: a terminal has 80. */
static void show_tree(const struct sampled *tree, const struct sampled *before,
		      double seconds)
{
	const struct blink_tree_ioc_stats *now =
		blinktree_stats_counters(tree->stats);
	size_t i;

	printf("%-20.20s", tree->name);
	show_number(now->entries);
	show_number(now->bytes);
	for (i = 0; i < ARRAY_SIZE(rates); i++)
		show_number(rate_of(tree, before, &rates[i], seconds));
	printf("\n");
}

static void show_sample(const struct sample *now, const struct sample *before,
			const struct args *args)
{
	double seconds = now->seconds - before->seconds;
	const struct sampled *tree;
	size_t i;

	/* Begin at the top of the screen, and clear what is below. */
	if (isatty(STDOUT_FILENO))
		printf("\033[H\033[J");
	printf("%-20s %5s %5s", "tree", "keys", "bytes");
	for (i = 0; i < ARRAY_SIZE(rates); i++)
		printf(" %5s", rates[i].help);
	printf("\n");
	for (tree = now->tree; tree < now->tree + now->nr; tree++) {
		show_tree(tree, sample_find(before, tree->id), seconds);
		if (args->numa)
			show_memory(tree);
		for (i = 0; i < tree->nr_leaves; i++)
			show_leaf(tree, &tree->leaves[i], args);
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
			print_sample(out, &now, &before, args);
		else
			show_sample(&now, &before, args);
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
