/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The laboratory: the debugfs files of blink_tree_lab.ko, which compares the tree with
 * other indexes in the kernel.
 */
#ifndef BLINKTREE_CLI_LAB_H
#define BLINKTREE_CLI_LAB_H

#include <stdbool.h>
#include <stdio.h>

#include "command.h"

#define LAB_DIRECTORY "/sys/kernel/debug/blink_tree_lab"

/* The answer to an order of a point; @bytes is 0 if the index does not tell. */
struct lab_answer {
	__u32 threads;
	__u64 ops;
	__u64 ns;
	__u64 wrong;
	__u64 bytes;
	__u64 entries;
};

/* Open a file that takes orders. Returns the descriptor; -1 after a message. */
int lab_open(const char *directory, const char *name);

/* Measure a point. Returns 0 or an errno; after EIO there is an answer too. */
int lab_measure(int fd, const char *order, struct lab_answer *answer);

/* Parse an answer; false if it is invalid. */
bool lab_read(const char *text, struct lab_answer *answer);

#endif /* BLINKTREE_CLI_LAB_H */
