/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The laboratory: the files of blink_tree_lab.ko, by which the kernel compares
 * the tree with other indexes. A *round* is one index and all workloads.
 */
#ifndef BLINKTREE_CLI_LAB_H
#define BLINKTREE_CLI_LAB_H

#include <stdbool.h>
#include <stdio.h>

#include "command.h"

#define LAB_DIRECTORY "/sys/kernel/debug/blink_tree_lab"
#define LAB_WORKS_MAX 16

/* What one workload came to; it was not done if there are no operations. */
struct lab_score {
	__u64 ops;
	__u64 ns;
	__u64 wrong;
};

/* What one round came to; scores are in the order of workload_words. */
struct lab_round {
	__u32 threads;
	__u64 entries;
	__u64 bytes;
	struct lab_score score[LAB_WORKS_MAX];
};

/* The file that rounds are written to, or -1 after the user was told why. */
int lab_open(const char *directory);

/* Do a round; 0, or what the kernel says (errno). Some of it is known anyhow. */
int lab_run(int fd, const char *what, struct lab_round *round);

/* What the kernel prints of a round; false if that cannot be. */
bool lab_read(FILE *file, struct lab_round *round);

#endif /* BLINKTREE_CLI_LAB_H */
