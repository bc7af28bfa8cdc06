/* SPDX-License-Identifier: GPL-2.0 */
/*
 * NUMA nodes: as many as a program says; a thread is on the one that it says. Each
 * has a CPU, but for the last @shim_far, which have memory alone.
 */
#ifndef SHIM_LINUX_TOPOLOGY_H
#define SHIM_LINUX_TOPOLOGY_H

#include <linux/compiler.h>

#define MAX_NUMNODES 8
#define NUMA_NO_NODE (-1)

#define virt_to_page(addr) (addr)
#define page_to_nid(page) ((void)(page), 0)
/* Another NUMA node now and then, for a thread that does not stay on one. */
int shim_roam(void);
#define numa_node_id() (shim_self->stays ? shim_self->nid : shim_roam())
#define numa_mem_id() numa_node_id()
#define raw_smp_processor_id() (shim_self->slot)
#define cpu_to_node(cpu) ((int)(cpu))
#define for_each_present_cpu(cpu) \
	for ((cpu) = 0; (cpu) < (unsigned int)shim_nodes; (cpu)++)
#define nr_node_ids ((unsigned int)(shim_nodes + shim_far))
#define node_state(nid, state) \
	((nid) < shim_nodes + shim_far && (nid) != shim_bare)
/* As in a kernel without NUMA: it is asked for nodes without memory alone. */
#define numa_nearest_node(nid, state) NUMA_NO_NODE
#define node_distance(a, b) ((a) == (b) ? 10 : 20)
#define next_node_in(nid, mask) (((nid) + 1) % (int)nr_node_ids)

#define nodemask_t unsigned long

#define NODE_MASK_NONE 0UL
#define nodes_empty(mask) (!(mask))
#define node_set(nid, mask)                                         \
	(SHIM_CHECK((nid) >= 0, "a set of NUMA nodes has no such"), \
	 (mask) |= 1UL << (nid))
#define for_each_node_mask(nid, mask)                  \
	for ((nid) = 0; (nid) < MAX_NUMNODES; (nid)++) \
		if ((mask) >> (nid) & 1)

#endif /* SHIM_LINUX_TOPOLOGY_H */
