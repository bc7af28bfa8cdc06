// SPDX-License-Identifier: GPL-2.0
/* stat: show the size of a tree, its shape, its levels and its counters. */
#include <math.h>

#include "command.h"
#include "device.h"
#include "printer.h"
#include "sample.h"

static double ratio(double a, double b)
{
	return b ? a / b : NAN;
}

static void print_shape(struct printer *out, const char *name,
			const struct blinktree_stats *stats)
{
	const struct blink_tree_ioc_stats *size =
		blinktree_stats_counters(stats);
	const struct blink_tree_level_stats *levels;
	__u64 used = 0, slots = 0, nodes = 0;
	size_t nr, i;

	levels = blinktree_stats_levels(stats, &nr);
	for (i = 0; i < nr; i++) {
		nodes += levels[i].nodes;
		if (!levels[i].level) {
			used += levels[i].used;
			slots += levels[i].slots;
		}
	}
	print_text(out, "tree", name);
	print_u64(out, "entries", size->entries);
	print_u64(out, "max_entries", size->max_entries);
	print_u64(out, "height", blinktree_stats_height(stats));
	print_u64(out, "nodes", nodes);
	print_u64(out, "bytes", size->bytes);
	print_u64(out, "max_bytes", size->max_bytes);
	print_u64(out, "limbo_bytes", size->limbo_bytes);
	print_u64(out, "block_bytes", size->block_bytes);
	/* Used slots of all leaf slots; memory of all nodes per key. */
	print_real(out, "fill_percent", ratio(100.0 * used, slots), 1);
	print_real(out, "bytes_per_key", ratio(size->bytes, size->entries), 1);
	print_u64(out, "indexes", size->indexes);
	print_tree_options(out, size->replication, size->locking,
			   size->placement, size->key, size->create_flags);
}

static void print_levels(struct printer *out,
			 const struct blinktree_stats *stats)
{
	const struct blink_tree_level_stats *levels;
	size_t nr, i;

	levels = blinktree_stats_levels(stats, &nr);
	print_begin(out, PART_TABLE, "levels");
	for (i = 0; i < nr; i++) {
		print_begin(out, PART_ROW, NULL);
		print_u64(out, "level", levels[i].level);
		print_u64(out, "numa_node", levels[i].nid);
		print_u64(out, "nodes", levels[i].nodes);
		print_u64(out, "bytes", levels[i].bytes);
		print_u64(out, "used", levels[i].used);
		print_u64(out, "slots", levels[i].slots);
		print_real(out, "fill_percent",
			   ratio(100.0 * levels[i].used, levels[i].slots), 1);
		print_end(out);
	}
	print_end(out);
}

static void print_counters(struct printer *out,
			   const struct blinktree_stats *stats)
{
	const struct counter *counter;

	print_begin(out, PART_OBJECT, "counters");
	for (counter = counters; counter->name; counter++)
		print_u64(out, counter->name, counter_of(stats, counter));
	print_end(out);
}

enum status run_stat(const struct args *args, struct printer *out)
{
	struct blinktree *tree;
	enum status status =
		device_open_tree(args, BLINK_TREE_OPEN_READ, &tree);
	struct blinktree_stats *stats;
	int err;

	if (status)
		return status;
	err = blinktree_stats_read(tree, BLINKTREE_STATS_LEVELS, &stats);
	blinktree_close(tree);
	if (err)
		return device_failed(args->words[0], -err);
	print_begin(out, PART_OBJECT, NULL);
	print_shape(out, args->words[0], stats);
	print_levels(out, stats);
	print_counters(out, stats);
	print_end(out);
	blinktree_stats_free(stats);
	return STATUS_OK;
}
