// SPDX-License-Identifier: GPL-2.0
/* The NUMA nodes that hold each line; see count.h. */
#include "count.h"

/* The node gets the line, if it does not hold it. */
static void fetch(struct line *line, unsigned int node, struct refs *refs)
{
	__u8 me = 1U << node;

	if (line->held & me)
		return;
	if (line->changed || line->lost & me)
		refs->transfer++;
	line->held |= me;
	/* If another one had changed it, memory has it now. */
	line->changed = false;
}

/* A node reads a line. */
void directory_load(struct line *line, unsigned int node, struct refs *refs)
{
	fetch(line, node, refs);
}

/* A node changes a line. */
void directory_store(struct line *line, unsigned int node, struct refs *refs)
{
	__u8 me = 1U << node, others;

	fetch(line, node, refs);
	others = line->held & ~me;
	refs->invalidation += __builtin_popcount(others);
	line->lost |= others;
	line->held = me;
	line->changed = true;
}
