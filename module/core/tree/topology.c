// SPDX-License-Identifier: GPL-2.0
/*
 * NUMA nodes as a tree sees them. A *home* has memory that the kernel can use for
 * itself, and is the nearest such node of some CPU: an index anywhere else would
 * be told of all that happens, and searched by no CPU. So a node of memory alone
 * (CXL, HBM) is none, nor is one of which all memory is movable. Every other
 * node, and one that comes later than the tree, has the nearest home of those that
 * the tree knows: nothing here fails.
 */
#include <linux/cpumask.h>
#include <linux/nodemask.h>
#include <linux/numa.h>
#include <linux/topology.h>

#include "topology.h"

/*
 * The nearest node with memory for the kernel. A kernel without NUMA has one node,
 * and no answer to what is near to it.
 */
static int nearest_memory(int nid)
{
	if (likely(node_state(nid, N_NORMAL_MEMORY)))
		return nid;
	return numa_nearest_node(nid, N_NORMAL_MEMORY);
}

/**
 * blink_topology_homes() - the NUMA nodes that are homes now
 * @nids: an array to fill
 * @max: its length, at least one
 *
 * CPUs that are offline count: they may come back, and find their tree near.
 *
 * Context: any.
 * Return: how many were filled, at least one.
 */
unsigned int blink_topology_homes(int *nids, unsigned int max)
{
	nodemask_t homes = NODE_MASK_NONE;
	unsigned int nr = 0, cpu;
	int nid;

	for_each_present_cpu(cpu) {
		nid = cpu_to_node(cpu);
		if (nid != NUMA_NO_NODE)
			node_set(nearest_memory(nid), homes);
	}
	if (nodes_empty(homes))
		node_set(blink_topology_local(), homes);
	for_each_node_mask(nid, homes) {
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
 * Return: a node that has memory for the kernel.
 */
int blink_topology_local(void)
{
	return nearest_memory(numa_mem_id());
}

/**
 * blink_topology_next() - the NUMA node whose turn it is
 * @nid: the one before it, or NUMA_NO_NODE
 *
 * Nodes of memory alone have their turn too: whoever spreads leaves wants the
 * room and the bandwidth of them all.
 *
 * Context: any.
 * Return: a node that has memory for the kernel.
 */
int blink_topology_next(int nid)
{
	return next_node_in(nid, node_states[N_NORMAL_MEMORY]);
}
