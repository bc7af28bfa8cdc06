// SPDX-License-Identifier: GPL-2.0
/* metrics: the statistics of all trees in the text format of Prometheus. */
#include <stddef.h>
#include <stdio.h>

#include "command.h"
#include "device.h"
#include "sample.h"

#define GAUGE(name, member, help)                              \
	{                                                      \
		name,                                          \
		help,                                          \
		offsetof(struct blink_tree_ioc_stats, member), \
	}

static const struct counter gauges[] = {
	GAUGE("entries", entries, "Keys in the tree."),
	GAUGE("max_entries", max_entries, "Limit of the keys, 0 for none."),
	GAUGE("bytes", bytes, "Memory of all nodes, keys and values."),
	GAUGE("max_bytes", max_bytes, "Limit of the memory, 0 for none."),
	GAUGE("limbo_bytes", limbo_bytes,
	      "Memory that waits for a grace period."),
	GAUGE("block_bytes", block_bytes,
	      "Memory of keys and values that are bytes."),
	{},
};

static void print_head(const char *name, const char *end, const char *type,
		       const char *help)
{
	printf("# HELP blink_tree_%s%s %s\n# TYPE blink_tree_%s%s %s\n", name,
	       end, help, name, end, type);
}

/* A name has no characters that a label would have to escape. The labels are left open. */
static void print_series(const char *name, const char *end,
			 const struct sampled *tree)
{
	printf("blink_tree_%s%s{tree=\"%s\",id=\"%llu\"", name, end, tree->name,
	       tree->id);
}

static void print_metrics(const struct counter *counter, const char *end,
			  const char *type, const struct sample *sample)
{
	size_t i;

	for (; counter->name; counter++) {
		print_head(counter->name, end, type, counter->help);
		for (i = 0; i < sample->nr; i++) {
			print_series(counter->name, end, &sample->tree[i]);
			printf("} %llu\n",
			       counter_of(sample->tree[i].stats, counter));
		}
	}
}

static void print_levels(const struct sample *sample)
{
	const struct blink_tree_level_stats *levels;
	size_t nr, i, j;

	print_head("node_bytes", "", "gauge",
		   "Memory of the nodes of a level on a NUMA node.");
	for (i = 0; i < sample->nr; i++) {
		levels = blinktree_stats_levels(sample->tree[i].stats, &nr);
		for (j = 0; j < nr; j++) {
			print_series("node_bytes", "", &sample->tree[i]);
			printf(",level=\"%u\",numa_node=\"%u\"} %llu\n",
			       levels[j].level, levels[j].nid, levels[j].bytes);
		}
	}
}

enum status run_metrics(const struct args *args, struct printer *out)
{
	struct blinktree_ctl *ctl = device_open(args);
	struct sample sample;
	int err;

	(void)out;
	if (!ctl)
		return STATUS_SYSTEM;
	err = sample_read(ctl, BLINKTREE_STATS_LEVELS, 0, &sample);
	blinktree_ctl_close(ctl);
	if (err)
		return device_failed("metrics", -err);
	print_metrics(gauges, "", "gauge", &sample);
	print_metrics(counters, "_total", "counter", &sample);
	print_levels(&sample);
	sample_free(&sample);
	return STATUS_OK;
}
