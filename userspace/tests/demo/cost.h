/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The cost of this process, with its time in the kernel: CPU time on every machine, and
 * instructions on machines that count them.
 */
#ifndef BLINKTREE_MAIN_JOB_COST_H
#define BLINKTREE_MAIN_JOB_COST_H

#include <linux/types.h>

struct cost {
	__u64 nanoseconds;
	/* 0 if the machine does not count them, or has missed some. */
	__u64 instructions;
};

/* Begin to count. Returns a descriptor; -1 if instructions cannot be counted. */
int cost_open(void);
void cost_close(int fd);

/* The cost so far. */
struct cost cost_now(int fd);

/* Add the cost since @begin. */
void cost_add_since(struct cost *sum, const struct cost *begin, int fd);

#endif /* BLINKTREE_MAIN_JOB_COST_H */
