// SPDX-License-Identifier: GPL-2.0
/* metrics: the statistics of all trees in the text format of Prometheus. */
#include <stddef.h>
#include <stdio.h>

#include "command.h"
#include "device.h"
#include "sample.h"
#include "util.h"

struct metric {
	const char *name;
	const char *type;
	const char *help;
	size_t offset;
};

#define GAUGE(name_, member_, help_)                                \
	{ .name = "blink_tree_" name_,                              \
	  .type = "gauge",                                          \
	  .offset = offsetof(struct blink_tree_ioc_stats, member_), \
	  .help = help_ }

#define COUNTER(member_, help_)                                     \
	{ .name = "blink_tree_" #member_ "_total",                  \
	  .type = "counter",                                        \
	  .offset = offsetof(struct blink_tree_ioc_stats, member_), \
	  .help = help_ }

static const struct metric metrics[] = {
	GAUGE("entries", entries, "Keys in the tree."),
	GAUGE("max_entries", max_entries, "Limit of the keys, 0 for none."),
	GAUGE("bytes", bytes, "Memory of all nodes, keys and values."),
	GAUGE("max_bytes", max_bytes, "Limit of the memory, 0 for none."),
	GAUGE("limbo_bytes", limbo_bytes,
	      "Memory that waits for a grace period."),
	GAUGE("block_bytes", block_bytes,
	      "Memory of keys and values that are bytes."),
	COUNTER(inserts, "Keys added."),
	COUNTER(erases, "Keys removed."),
	COUNTER(splits, "Nodes split."),
	COUNTER(merges, "Nodes merged into their left neighbour."),
	COUNTER(root_grows, "Levels added to an index."),
	COUNTER(root_shrinks, "Levels removed from an index."),
	COUNTER(read_retries, "Nodes read again because of a writer."),
	COUNTER(read_locks, "Nodes read under their lock."),
	COUNTER(right_hops, "Right links followed, and dead nodes left."),
	COUNTER(reroutes, "Descents that began again from the root."),
	COUNTER(posts_deferred, "Index entries that had to wait."),
	COUNTER(merges_deferred, "Merges left undone."),
	COUNTER(lock_waits, "Waits of writers for their first lock."),
	COUNTER(gate_passes, "Leaf locks passed on at a gate."),
	COUNTER(gate_releases, "Leaf locks released at a gate."),
	COUNTER(gate_bounds, "Leaf locks passed as often as allowed."),
	COUNTER(heat_splits, "Leaves split because writers waited."),
	COUNTER(reads, "Keys searched for by ioctls."),
	COUNTER(updates, "Values replaced by ioctls."),
};

/* A name has no characters that a label would have to escape. The labels are left open. */
static void print_series(const char *name, const struct sampled *tree)
{
	printf("%s{tree=\"%s\",id=\"%llu\"", name, tree->name, tree->id);
}

static void print_head(const struct metric *metric)
{
	printf("# HELP %s %s\n# TYPE %s %s\n", metric->name, metric->help,
	       metric->name, metric->type);
}

static void print_metric(const struct metric *metric,
			 const struct sample *sample)
{
	const char *counters;
	size_t i;

	print_head(metric);
	for (i = 0; i < sample->nr; i++) {
		counters = (const char *)blinktree_stats_counters(
			sample->tree[i].stats);
		print_series(metric->name, &sample->tree[i]);
		printf("} %llu\n", *(const __u64 *)(counters + metric->offset));
	}
}

static void print_levels(const struct sample *sample)
{
	static const struct metric metric = {
		.name = "blink_tree_node_bytes",
		.type = "gauge",
		.help = "Memory of the nodes of a level on a NUMA node.",
	};
	const struct blink_tree_level_stats *levels;
	size_t nr, i, j;

	print_head(&metric);
	for (i = 0; i < sample->nr; i++) {
		levels = blinktree_stats_levels(sample->tree[i].stats, &nr);
		for (j = 0; j < nr; j++) {
			print_series(metric.name, &sample->tree[i]);
			printf(",level=\"%u\",numa_node=\"%u\"} %llu\n",
			       levels[j].level, levels[j].nid, levels[j].bytes);
		}
	}
}

enum status run_metrics(const struct args *args, struct printer *out)
{
	struct blinktree_ctl *ctl = device_open(args);
	struct sample sample;
	size_t i;
	int err;

	(void)out;
	if (!ctl)
		return STATUS_SYSTEM;
	err = sample_read(ctl, BLINKTREE_STATS_LEVELS, 0, &sample);
	blinktree_ctl_close(ctl);
	if (err)
		return device_failed("metrics", -err);
	for (i = 0; i < ARRAY_SIZE(metrics); i++)
		print_metric(&metrics[i], &sample);
	print_levels(&sample);
	sample_free(&sample);
	return STATUS_OK;
}
