// SPDX-License-Identifier: GPL-2.0
/*
 * The NUMA nodes that matter to a tree. A *home* is a NUMA node that has memory
 * for the kernel and is the nearest such node of some CPU. An index on any
 * other node would be told of all events, and no CPU would search it. So a node
 * that has only memory (CXL, HBM) is no home, and neither is a node whose
 * memory is all movable. Any other node, also one that appears later than the
 * tree, is served by the nearest home that the tree knows. No function here
 * fails.
 */
#include <linux/cpumask.h>
#include <linux/nodemask.h>
#include <linux/numa.h>
#include <linux/topology.h>

#include "topology.h"

/*
 * The nearest NUMA node with memory for the kernel. In a kernel without NUMA
 * the only node has memory, and numa_nearest_node() has no answer.
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
 * CPUs that are offline count too, because they can come online later.
 *
 * Context: any.
 * Return: the number of elements that were filled, at least one.
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
 * blink_topology_local() - the home of the CPU on which the caller runs
 *
 * numa_mem_id() is not sufficient: on some configurations it is the CPU's own
 * node although this node has no memory, and a slab cache then takes memory
 * from any node.
 *
 * Context: any; the answer can be out of date at once.
 * Return: a node that has memory for the kernel.
 */
int blink_topology_local(void)
{
	return nearest_memory(numa_mem_id());
}

/**
 * blink_topology_next() - the next NUMA node in turn
 * @nid: the previous one, or NUMA_NO_NODE
 *
 * Nodes that have only memory are included: spreading leaves is for the room
 * and the bandwidth of all nodes.
 *
 * Context: any.
 * Return: a node that has memory for the kernel.
 */
int blink_topology_next(int nid)
{
	return next_node_in(nid, node_states[N_NORMAL_MEMORY]);
}
