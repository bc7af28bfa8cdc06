// SPDX-License-Identifier: GPL-2.0
/* Statistics of a tree: counts and counters. */
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "limbo.h"
#include "tree.h"

/* The offset of each counter in struct blink_tree_ioc_stats. */
#define BLINK_STAT_PLACE(name, text) \
	[BLINK_STAT_##name] = offsetof(struct blink_tree_ioc_stats, name),
static const size_t stat_place[] = { BLINK_STAT_LIST(BLINK_STAT_PLACE) };

static u64 sum_entries(const struct blink_counters *sum)
{
	u64 inserts = sum->event[BLINK_STAT_inserts];
	u64 erases = sum->event[BLINK_STAT_erases];

	/*
	 * The sum can include an erase without the insert that came before it.
	 */
	return inserts > erases ? inserts - erases : 0;
}

/**
 * blink_tree_count() - the number of keys in a tree
 * @tree: the tree
 *
 * Context: any.
 * Return: their number, exact while no operation modifies the tree.
 */
u64 blink_tree_count(struct blink_tree *tree)
{
	struct blink_counters sum;

	blink_counters_sum(tree->counters, &sum);
	return sum_entries(&sum);
}
EXPORT_SYMBOL_GPL(blink_tree_count);

/**
 * blink_tree_stats() - the counters of a tree
 * @tree: the tree
 * @stats: set to the counters, exact while no operation modifies the tree
 *
 * Context: any.
 */
void blink_tree_stats(struct blink_tree *tree,
		      struct blink_tree_ioc_stats *stats)
{
	struct blink_counters sum;
	unsigned int i;

	memset(stats, 0, sizeof(*stats));
	blink_counters_sum(tree->counters, &sum);
	for (i = 0; i < BLINK_STAT_NR; i++)
		*(u64 *)((char *)stats + stat_place[i]) = sum.event[i];
	stats->entries = sum_entries(&sum);
	stats->max_entries = READ_ONCE(tree->max_entries);
	stats->bytes = sum.bytes > 0 ? sum.bytes : 0;
	stats->limbo_bytes = blink_tree_limbo(tree);
	stats->indexes = tree->nr_indexes;
	stats->replication = tree->replication;
	stats->locking = tree->gates ? BLINK_TREE_LOCKING_COHORT :
				       BLINK_TREE_LOCKING_PLAIN;
	stats->placement = tree->placement;
	stats->max_bytes = READ_ONCE(tree->charge.max_bytes);
	if (tree->flags & BLINK_TREE_COMPRESS)
		stats->create_flags |= BLINK_TREE_CREATE_COMPRESS;
	if (tree->flags & BLINK_TREE_BYTE_VALUES)
		stats->create_flags |= BLINK_TREE_CREATE_BYTE_VALUES;
	stats->key = tree->key;
	stats->block_bytes = max(sum.block_bytes, 0LL);
}
EXPORT_SYMBOL_GPL(blink_tree_stats);
