// SPDX-License-Identifier: GPL-2.0
/*
 * What trees can be like. NUMA nodes are in name only, so that this shows what
 * copies cost, and nothing of what they are good for.
 */
#include "bench.h"

const struct mode modes[] = {
	{ .name = "none", .nodes = 2, .text = "one index" },
	{
		.name = "cohort",
		.nodes = 2,
		.params = { .locking = BLINK_TREE_LOCKING_COHORT },
		.text = "one index, cohort locks",
	},
	{
		.name = "compress",
		.nodes = 2,
		.params = { .flags = BLINK_TREE_COMPRESS },
		.text = "one index, compressed leaves",
	},
	{
		.name = "watched",
		.nodes = 2,
		.watched = true,
		.text = "one index, and a watch",
	},
	{
		.name = "inner2",
		.nodes = 2,
		.params = { .replication = BLINK_TREE_REPLICATE_INNER },
		.text = "2 indexes",
	},
	{
		.name = "inner4",
		.nodes = 4,
		.params = { .replication = BLINK_TREE_REPLICATE_INNER },
		.text = "4 indexes",
	},
	{
		.name = "full2",
		.nodes = 2,
		.params = { .replication = BLINK_TREE_REPLICATE_FULL },
		.text = "2 copies of everything",
	},
	{},
};
