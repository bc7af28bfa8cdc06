// SPDX-License-Identifier: GPL-2.0
/*
 * NUMA nodes as a tree sees them. A *home* is a node with memory. Nodes without
 * memory, and those that come later than the tree, look for the nearest home
 * of those that the tree knows: nothing here fails.
 */
#include <linux/nodemask.h>
#include <linux/numa.h>
#include <linux/topology.h>

#include "topology.h"

/**
 * blink_topology_homes() - the NUMA nodes that have memory now
 * @nids: an array to fill
 * @max: its length
 *
 * Context: any.
 * Return: how many were filled.
 */
unsigned int blink_topology_homes(int *nids, unsigned int max)
{
	unsigned int nr = 0;
	int nid;

	for_each_node_state(nid, N_MEMORY) {
		if (nr == max)
			break;
		nids[nr++] = nid;
	}
	return nr;
}

/**
 * blink_topology_nearest() - the nearest home of a NUMA node
 * @nid: the node, online or not
 * @nids: the homes
 * @nr: how many, at least one
 *
 * Context: any.
 * Return: its position in @nids.
 */
unsigned int blink_topology_nearest(int nid, const int *nids, unsigned int nr)
{
	unsigned int best = 0, i;

	for (i = 1; i < nr; i++)
		if (node_distance(nid, nids[i]) <
		    node_distance(nid, nids[best]))
			best = i;
	return best;
}

/**
 * blink_topology_local() - the home of who runs here
 *
 * Nothing else knows it everywhere: where numa_mem_id() is the CPU's own node
 * although that has no memory, a slab cache asked for memory there takes what
 * any node has left over.
 *
 * Context: any; it may be another a moment later.
 * Return: a node that has memory.
 */
int blink_topology_local(void)
{
	int nid = numa_mem_id();

	if (likely(node_state(nid, N_MEMORY)))
		return nid;
	return numa_nearest_node(nid, N_MEMORY);
}

/**
 * blink_topology_next() - the NUMA node whose turn it is
 * @nid: the one before it, or NUMA_NO_NODE
 *
 * Context: any.
 * Return: a node that has memory.
 */
int blink_topology_next(int nid)
{
	return next_node_in(nid, node_states[N_MEMORY]);
}
