/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What this process costs the CPU, in the kernel too: instructions where the
 * machine counts them, CPU time everywhere.
 */
#ifndef BLINKTREE_MAIN_JOB_COST_H
#define BLINKTREE_MAIN_JOB_COST_H

#include <linux/types.h>

struct cost {
	__u64 nanoseconds;
	/* 0 where they are not counted, or not all of them. */
	__u64 instructions;
};

/* Begin to count; returns a descriptor, or -1 where instructions are not. */
int cost_open(void);
void cost_close(int fd);

/* The cost so far. */
struct cost cost_now(int fd);

/* Add what was spent since then. */
void cost_add_since(struct cost *sum, const struct cost *begin, int fd);

#endif /* BLINKTREE_MAIN_JOB_COST_H */
