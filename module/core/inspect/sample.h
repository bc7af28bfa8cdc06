/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A sample of searches, with the NUMA nodes of the tree nodes that they read.
 */
#ifndef BLINK_CORE_SAMPLE_H
#define BLINK_CORE_SAMPLE_H

#include "../tree/tree.h"

/**
 * struct blink_sample - the nodes that searches of one CPU read
 * @nid: NUMA node of the memory that is nearest to the CPU
 * @searches: number of searches
 * @inner_local: number of inner nodes that they read in memory of @nid
 * @inner_remote: number of inner nodes that they read in other memory
 * @leaf_local: number of searches that ended in a leaf in memory of @nid
 * @leaf_remote: number of searches that ended in a leaf in other memory
 */
struct blink_sample {
	int nid;
	u64 searches;
	u64 inner_local;
	u64 inner_remote;
	u64 leaf_local;
	u64 leaf_remote;
};

void blink_tree_sample(struct blink_tree *tree, struct blink_sample *sample);

#endif /* BLINK_CORE_SAMPLE_H */
