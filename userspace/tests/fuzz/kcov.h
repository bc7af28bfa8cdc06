/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The coverage of the kernel, by kcov: which *blocks* of the module were executed
 * and which *edges* between them were taken, and what values were compared. Each
 * thread that makes calls has its own record of that; all processes of the fuzzer
 * share the coverage so far.
 */
#ifndef FUZZ_KCOV_H
#define FUZZ_KCOV_H

#include "program.h"

#define KCOV_EDGES 0x40000U
#define KCOV_BLOCKS 0x200000U

/**
 * struct seen - the coverage so far
 * @nr_edges: edges, of which different ones may count as one
 * @nr_blocks: blocks
 * @edges: whether seen, by a hash of where from and where to
 * @blocks: whether seen, by offset in the module
 */
struct seen {
	unsigned int nr_edges;
	unsigned int nr_blocks;
	__u8 edges[KCOV_EDGES];
	__u8 blocks[KCOV_BLOCKS];
};

/* A thread's record. */
struct kcov {
	int fd;
	__u64 *record;
};

/* Where the module is: as root. 0, or -1 if it is not to be found. */
int kcov_find_module(void);

/* As root, by the thread itself or before it exists. 0, or -1 and errno. */
int kcov_open(struct kcov *kcov);

/* By the thread itself: from now on record blocks, or comparisons. */
int kcov_record_blocks(struct kcov *kcov);
int kcov_record_comparisons(struct kcov *kcov);

/* Add what was recorded to @seen; returns how many edges are new. */
unsigned int kcov_take(struct kcov *kcov, struct seen *seen);

/* Take comparisons out of the record: at most @room; returns how many. */
unsigned int kcov_take_hints(struct kcov *kcov, struct hint *hints,
			     unsigned int room);

#endif /* FUZZ_KCOV_H */
