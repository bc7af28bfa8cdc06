/* SPDX-License-Identifier: GPL-2.0 */
/* NUMA nodes: as many as a program says; a thread is on the one that it says. */
#ifndef SHIM_LINUX_TOPOLOGY_H
#define SHIM_LINUX_TOPOLOGY_H

#include <linux/compiler.h>

#define MAX_NUMNODES 8
#define NUMA_NO_NODE (-1)

#define virt_to_page(addr) (addr)
#define page_to_nid(page) ((void)(page), 0)
/* Another one now and then, for who does not stay. */
int shim_roam(void);
#define numa_node_id() (shim_self->stays ? shim_self->nid : shim_roam())
#define numa_mem_id() numa_node_id()
#define nr_node_ids ((unsigned int)shim_nodes)
#define num_node_state(state) shim_nodes
#define node_state(nid, state) ((nid) < shim_nodes)
#define numa_nearest_node(nid, state) (nid)
#define node_distance(a, b) ((a) == (b) ? 10 : 20)
#define next_node_in(nid, mask) (((nid) + 1) % shim_nodes)
#define for_each_online_node(nid) for ((nid) = 0; (nid) < shim_nodes; (nid)++)
#define for_each_node_state(nid, state) for_each_online_node(nid)

#endif /* SHIM_LINUX_TOPOLOGY_H */
