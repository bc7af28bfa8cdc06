/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The NUMA nodes on which trees have indexes, and the nearest of them to each
 * NUMA node.
 */
#ifndef BLINK_CORE_TOPOLOGY_H
#define BLINK_CORE_TOPOLOGY_H

#include <linux/types.h>

unsigned int blink_topology_homes(int *nids, unsigned int max);
unsigned int blink_topology_nearest(int nid, const int *nids, unsigned int nr);
int blink_topology_local(void);
int blink_topology_next(int nid);

#endif /* BLINK_CORE_TOPOLOGY_H */
