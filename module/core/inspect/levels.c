// SPDX-License-Identifier: GPL-2.0
/* The levels of a tree, and the nodes of each of them. */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../index/root.h"
#include "inspect.h"
#include "level_walk.h"

/* As blink_tree_height(). */
unsigned int blink_height(struct blink_tree *tree)
{
	struct blink_index *idx;
	unsigned int height = 0;

	for_each_blink_index(idx, tree)
		height = max(height, blink_index_height(idx));
	return height;
}

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

/* As blink_tree_levels(). */
unsigned int blink_levels(struct blink_tree *tree,
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
	for (level = blink_height(tree); level--;)
		for_each_blink_index(idx, tree)
			if (level || tree->copied || idx == tree->index)
				blink_level_visit(walk, idx, level, report_node,
						  &report);
	kfree(walk);
	return report.count;
}
