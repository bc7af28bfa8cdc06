/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What /sys/kernel/debug/blink_tree/searches tells: a sample of searches from
 * each CPU, and how many of the nodes that they read were in near memory.
 */
#ifndef BLINKTREE_MAIN_JOB_SEARCHES_H
#define BLINKTREE_MAIN_JOB_SEARCHES_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

/* Nodes that were read: in the CPU's nearest memory, and elsewhere. */
struct reads {
	__u64 local;
	__u64 remote;
};

/* A CPU: the NUMA node that it is on, and the nearest one that has memory. */
struct searches {
	unsigned int cpu;
	unsigned int node;
	unsigned int memory;
	__u64 searches;
	struct reads inner;
	struct reads leaves;
};

/*
 * Let every online CPU search a tree. Returns how many CPUs there are, with an
 * array to free; 0, and errno, where debugfs is not to be had.
 */
size_t searches_read(const char *tree, struct searches **cpus);

#endif /* BLINKTREE_MAIN_JOB_SEARCHES_H */
