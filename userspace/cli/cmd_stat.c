// SPDX-License-Identifier: GPL-2.0
/* stat: show the size of a tree, its shape, its levels and its counters. */
#include <assert.h>
#include <math.h>
#include <stddef.h>

#include "command.h"
#include "device.h"
#include "printer.h"
#include "util.h"

struct shape {
	const char *tree;
	__u64 entries;
	__u64 max_entries;
	__u32 height;
	__u64 nodes;
	__u64 bytes;
	__u64 max_bytes;
	__u64 limbo_bytes;
	__u64 block_bytes;
	/* Used slots of all leaf slots; memory of all nodes per key. */
	double fill_percent;
	double bytes_per_key;
	__u64 indexes;
	const char *replication;
	const char *locking;
	const char *placement;
	const char *key;
	const char *value;
	const char *compress;
};

static const struct field shape_fields[] = {
	FIELD(FIELD_TEXT, struct shape, tree),
	FIELD(FIELD_U64, struct shape, entries),
	FIELD(FIELD_U64, struct shape, max_entries),
	FIELD(FIELD_U32, struct shape, height),
	FIELD(FIELD_U64, struct shape, nodes),
	FIELD(FIELD_U64, struct shape, bytes),
	FIELD(FIELD_U64, struct shape, max_bytes),
	FIELD(FIELD_U64, struct shape, limbo_bytes),
	FIELD(FIELD_U64, struct shape, block_bytes),
	FIELD(FIELD_REAL, struct shape, fill_percent),
	FIELD(FIELD_REAL, struct shape, bytes_per_key),
	FIELD(FIELD_U64, struct shape, indexes),
	FIELD(FIELD_TEXT, struct shape, replication),
	FIELD(FIELD_TEXT, struct shape, locking),
	FIELD(FIELD_TEXT, struct shape, placement),
	FIELD(FIELD_TEXT, struct shape, key),
	FIELD(FIELD_TEXT, struct shape, value),
	FIELD(FIELD_TEXT, struct shape, compress),
};

static const struct schema shape_schema = {
	.layout = LAYOUT_LINES,
	.fields = shape_fields,
	.nr = ARRAY_SIZE(shape_fields),
};

struct level {
	__u32 level;
	__u32 numa_node;
	__u64 nodes;
	__u64 bytes;
	__u64 used;
	__u64 slots;
	double fill_percent;
};

static const struct field level_fields[] = {
	FIELD(FIELD_U32, struct level, level),
	FIELD(FIELD_U32, struct level, numa_node),
	FIELD(FIELD_U64, struct level, nodes),
	FIELD(FIELD_U64, struct level, bytes),
	FIELD(FIELD_U64, struct level, used),
	FIELD(FIELD_U64, struct level, slots),
	FIELD(FIELD_REAL, struct level, fill_percent),
};

static const struct schema level_schema = {
	.name = "levels",
	.layout = LAYOUT_TABLE,
	.fields = level_fields,
	.nr = ARRAY_SIZE(level_fields),
};

/* All fields of struct blink_tree_ioc_stats that struct shape does not have. */
static const struct field counter_fields[] = {
	FIELD(FIELD_U64, struct blink_tree_ioc_stats, inserts),
	FIELD(FIELD_U64, struct blink_tree_ioc_stats, erases),
	FIELD(FIELD_U64, struct blink_tree_ioc_stats, splits),
	FIELD(FIELD_U64, struct blink_tree_ioc_stats, merges),
	FIELD(FIELD_U64, struct blink_tree_ioc_stats, root_grows),
	FIELD(FIELD_U64, struct blink_tree_ioc_stats, root_shrinks),
	FIELD(FIELD_U64, struct blink_tree_ioc_stats, read_retries),
	FIELD(FIELD_U64, struct blink_tree_ioc_stats, read_locks),
	FIELD(FIELD_U64, struct blink_tree_ioc_stats, right_hops),
	FIELD(FIELD_U64, struct blink_tree_ioc_stats, reroutes),
	FIELD(FIELD_U64, struct blink_tree_ioc_stats, posts_deferred),
	FIELD(FIELD_U64, struct blink_tree_ioc_stats, merges_deferred),
	FIELD(FIELD_U64, struct blink_tree_ioc_stats, gate_passes),
	FIELD(FIELD_U64, struct blink_tree_ioc_stats, gate_releases),
	FIELD(FIELD_U64, struct blink_tree_ioc_stats, gate_bounds),
	FIELD(FIELD_U64, struct blink_tree_ioc_stats, lock_waits),
	FIELD(FIELD_U64, struct blink_tree_ioc_stats, heat_splits),
	FIELD(FIELD_U64, struct blink_tree_ioc_stats, reads),
	FIELD(FIELD_U64, struct blink_tree_ioc_stats, updates),
};

/*
 * Counters of later versions: two follow @indexes; @max_bytes, @create_flags and
 * @block_bytes follow them, and then the others.
 */
#define LATER 4

static_assert(offsetof(struct blink_tree_ioc_stats, replication) ==
		      offsetof(struct blink_tree_ioc_stats, inserts) +
			      8 * (ARRAY_SIZE(counter_fields) - LATER),
	      "a counter is not shown");
static_assert(offsetof(struct blink_tree_ioc_stats, indexes) +
			      8 * (1 + LATER + 3) ==
		      sizeof(struct blink_tree_ioc_stats),
	      "a field at the end is not shown");

static const struct schema counter_schema = {
	.name = "counters",
	.layout = LAYOUT_LINES,
	.fields = counter_fields,
	.nr = ARRAY_SIZE(counter_fields),
};

static double ratio(double a, double b)
{
	return b ? a / b : NAN;
}

static void print_shape(struct printer *out, const char *name,
			const struct blinktree_stats *stats)
{
	const struct blink_tree_ioc_stats *counters =
		blinktree_stats_counters(stats);
	struct shape shape = {
		.tree = name,
		.entries = counters->entries,
		.max_entries = counters->max_entries,
		.height = blinktree_stats_height(stats),
		.bytes = counters->bytes,
		.max_bytes = counters->max_bytes,
		.limbo_bytes = counters->limbo_bytes,
		.block_bytes = counters->block_bytes,
		.bytes_per_key = ratio(counters->bytes, counters->entries),
		.indexes = counters->indexes,
		.replication =
			word_of(replication_words, counters->replication),
		.locking = word_of(locking_words, counters->locking),
		.placement = word_of(placement_words, counters->placement),
		.key = word_of(key_words, counters->key),
		.value = value_word(counters->create_flags),
		.compress = compress_word(counters->create_flags),
	};
	const struct blink_tree_level_stats *levels;
	__u64 used = 0, slots = 0;
	size_t nr, i;

	levels = blinktree_stats_levels(stats, &nr);
	for (i = 0; i < nr; i++) {
		shape.nodes += levels[i].nodes;
		if (!levels[i].level) {
			used += levels[i].used;
			slots += levels[i].slots;
		}
	}
	shape.fill_percent = ratio(100.0 * used, slots);
	print_record(out, &shape_schema, &shape);
}

static void print_levels(struct printer *out,
			 const struct blinktree_stats *stats)
{
	const struct blink_tree_level_stats *levels;
	size_t nr, i;

	levels = blinktree_stats_levels(stats, &nr);
	print_list_begin(out, &level_schema);
	for (i = 0; i < nr; i++) {
		struct level level = {
			.level = levels[i].level,
			.numa_node = levels[i].nid,
			.nodes = levels[i].nodes,
			.bytes = levels[i].bytes,
			.used = levels[i].used,
			.slots = levels[i].slots,
			.fill_percent =
				ratio(100.0 * levels[i].used, levels[i].slots),
		};

		print_record(out, &level_schema, &level);
	}
	print_list_end(out);
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
	print_object_begin(out);
	print_shape(out, args->words[0], stats);
	print_levels(out, stats);
	print_record(out, &counter_schema, blinktree_stats_counters(stats));
	print_object_end(out);
	blinktree_stats_free(stats);
	return STATUS_OK;
}
