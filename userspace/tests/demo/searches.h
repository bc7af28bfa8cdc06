/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The file /sys/kernel/debug/blink_tree/searches: a sample of searches on each CPU, and
 * how many of the nodes that they read were in near memory.
 */
#ifndef BLINKTREE_MAIN_JOB_SEARCHES_H
#define BLINKTREE_MAIN_JOB_SEARCHES_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

/* Nodes that were read in the memory nearest to the CPU, and elsewhere. */
struct reads {
	__u64 local;
	__u64 remote;
};

/* A CPU: its NUMA node, and the nearest NUMA node with memory. */
struct searches {
	unsigned int cpu;
	unsigned int node;
	unsigned int memory;
	__u64 searches;
	struct reads inner;
	struct reads leaves;
};

/*
 * Let every online CPU search a tree. Returns the number of CPUs, and an array that the
 * caller frees. Returns 0 and sets errno if debugfs is not mounted.
 */
size_t searches_read(const char *tree, struct searches **cpus);

#endif /* BLINKTREE_MAIN_JOB_SEARCHES_H */
