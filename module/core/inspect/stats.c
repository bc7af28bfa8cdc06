// SPDX-License-Identifier: GPL-2.0
/* Statistics of a tree: counts, counters, and the nodes of each level. */
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../index/alloc.h"
#include "../index/root.h"
#include "../tree/limbo.h"
#include "level_walk.h"

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
 * blink_tree_height() - the number of levels of a tree
 * @tree: the tree
 *
 * Context: any in which rcu_read_lock() is allowed.
 * Return: the height of the highest index; 1 for a single leaf.
 */
unsigned int blink_tree_height(struct blink_tree *tree)
{
	struct blink_index *idx;
	unsigned int height = 0;

	for_each_blink_index(idx, tree)
		height = max(height, blink_index_height(idx));
	return height;
}
EXPORT_SYMBOL_GPL(blink_tree_height);

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
	stats->posting = tree->queue ? BLINK_TREE_POSTING_LAZY :
				       BLINK_TREE_POSTING_SYNC;
	stats->locking = tree->gates ? BLINK_TREE_LOCKING_COHORT :
				       BLINK_TREE_LOCKING_PLAIN;
	stats->placement = tree->placement;
	stats->max_bytes = READ_ONCE(tree->charge.max_bytes);
	if (tree->flags & BLINK_TREE_COMPRESS)
		stats->create_flags = BLINK_TREE_CREATE_COMPRESS;
}
EXPORT_SYMBOL_GPL(blink_tree_stats);

static struct blink_tree_level_stats *
find_level_row(struct blink_tree_level_stats *rows, unsigned int nr,
	       unsigned int level, u32 nid)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (rows[i].level == level && rows[i].nid == nid)
			return &rows[i];
	return NULL;
}

struct level_report {
	struct blink_tree_level_stats *rows;
	unsigned int nr;
	unsigned int count;
};

static int report_node(struct blink_level_walk *walk, void *data)
{
	const struct blink_snapshot *snap = &walk->snap;
	struct level_report *report = data;
	u32 nid = page_to_nid(virt_to_page(snap->node));
	struct blink_tree_level_stats *row;

	row = find_level_row(report->rows, report->count, snap->level, nid);
	if (!row) {
		if (report->count == report->nr)
			return 0;
		row = &report->rows[report->count++];
		memset(row, 0, sizeof(*row));
		row->level = snap->level;
		row->nid = nid;
	}
	row->nodes++;
	row->bytes += blink_node_copied(snap->node) ?
			      BLINK_MEMBER_BYTES :
			      blink_node_bytes(!snap->level);
	row->used += snap->count;
	row->slots += snap->slots;
	return 0;
}

/**
 * blink_tree_levels() - the nodes of each level, by NUMA node
 * @tree: the tree
 * @levels: an array to fill, from the level of the root down
 * @nr: its length; one element for each level and NUMA node is sufficient
 *
 * It walks over the whole tree, unless a fatal signal arrives. A level and NUMA
 * node that does not fit into @levels is left out.
 *
 * Context: process; sleeps.
 * Return: the number of elements that were filled; 0 if memory ran out.
 */
unsigned int blink_tree_levels(struct blink_tree *tree,
			       struct blink_tree_level_stats *levels,
			       unsigned int nr)
{
	struct level_report report = { .rows = levels, .nr = nr };
	struct blink_level_walk *walk;
	struct blink_index *idx;
	unsigned int level;

	walk = kmalloc(sizeof(*walk), GFP_KERNEL_ACCOUNT);
	if (!walk)
		return 0;
	walk->tree = tree;
	for (level = blink_tree_height(tree); level--;)
		for_each_blink_index(idx, tree)
			if (level || tree->copied || idx == tree->index)
				blink_level_visit(walk, idx, level, report_node,
						  &report);
	kfree(walk);
	return report.count;
}
EXPORT_SYMBOL_GPL(blink_tree_levels);
