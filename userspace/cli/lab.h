/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The laboratory: the debugfs files of blink_tree_lab.ko, which compares the tree with
 * other indexes in the kernel. In a *round* one index runs all workloads.
 */
#ifndef BLINKTREE_CLI_LAB_H
#define BLINKTREE_CLI_LAB_H

#include <stdbool.h>
#include <stdio.h>

#include "command.h"

#define LAB_DIRECTORY "/sys/kernel/debug/blink_tree_lab"
#define LAB_WORKS_MAX 16

/* The result of one workload; @ops is 0 if it did not run. */
struct lab_score {
	__u64 ops;
	__u64 ns;
	__u64 wrong;
};

/* The result of one round. The scores are in the order of workload_words. */
struct lab_round {
	__u32 threads;
	__u64 entries;
	__u64 bytes;
	struct lab_score score[LAB_WORKS_MAX];
};

/* Open a file that takes orders. Returns the descriptor; -1 after a message. */
int lab_open(const char *directory, const char *name);

/* Run a round. Returns 0 or an errno; @round can then be filled in part. */
int lab_run(int fd, const char *what, struct lab_round *round);

/* Parse the result of a round; false if it is invalid. */
bool lab_read(FILE *file, struct lab_round *round);

#endif /* BLINKTREE_CLI_LAB_H */
