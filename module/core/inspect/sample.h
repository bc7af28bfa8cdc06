/* SPDX-License-Identifier: GPL-2.0 */
/* Searches as a sample: in which NUMA node's memory the nodes lie. */
#ifndef BLINK_CORE_SAMPLE_H
#define BLINK_CORE_SAMPLE_H

#include "../tree/tree.h"

/**
 * struct blink_sample - what a CPU's searches of a tree read
 * @nid: NUMA node of the memory that is nearest to the CPU
 * @searches: how many there were
 * @inner_local: inner nodes that they read, in memory of that NUMA node
 * @inner_remote: inner nodes that they read, elsewhere
 * @leaf_local: leaves that they ended in, in memory of that NUMA node
 * @leaf_remote: leaves that they ended in, elsewhere
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
