// SPDX-License-Identifier: GPL-2.0
/*
 * Which NUMA node CPUs and memory belong to. Nodes have equal shares of both,
 * in order.
 */
#include <errno.h>

#include "count.h"

struct cpu cpus[CPUS_MAX];
unsigned int nr_cpus;

static unsigned int nr_nodes;
static __u64 node_bytes;

/* 0; -EINVAL for a guest that cannot be counted. @bytes: of each NUMA node */
int topology_set(unsigned int nodes, unsigned int nr, __u64 bytes)
{
	unsigned int cpu;

	if (!nodes || nodes > NODES_MAX || !nr || nr > CPUS_MAX || !bytes)
		return -EINVAL;
	if (nr % nodes || bytes % BLINK_LINE_BYTES)
		return -EINVAL;
	nr_nodes = nodes;
	nr_cpus = nr;
	node_bytes = bytes;
	for (cpu = 0; cpu < nr; cpu++)
		cpus[cpu].node = cpu / (nr / nodes);
	return 0;
}

/*
 * The node of a physical address; -1 for memory that belongs to none, such as the
 * firmware's. QEMU 7.2 adds the place of the node's memory among all memory twice, so that
 * each node's comes after a gap of the same size.
 */
int topology_home(__u64 address)
{
	__u64 half = address / node_bytes;

	return half % 2 || half / 2 >= nr_nodes ? -1 : (int)(half / 2);
}
