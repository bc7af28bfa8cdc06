/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: leaves with copies
 *
 * With BLINK_TREE_REPLICATE_FULL every index has leaves of its own. What is one leaf
 * is a ring of *members*, one for each index on its NUMA node, equal whenever
 * their sequences are even. One of them is the *primary*: its lock is the
 * leaf's, writers change it first and the others, the *copies*, after it.
 *
 * A writer makes the sequences of all copies odd before it changes the primary,
 * and even after it refreshed them. Readers use the member of their own index,
 * and the primary while that is odd. So an old value is found only before the
 * last sequence became odd and a new one only after that: whoever begins to
 * read after somebody has found a new value finds it too, on any NUMA node.
 *
 * The right link of a member leads to the right neighbour's member of the same
 * index.
 */
#ifndef BLINK_CORE_COPIES_H
#define BLINK_CORE_COPIES_H

#include <linux/types.h>

struct blink_node;

/**
 * struct blink_member - what stands behind the slots of a leaf with copies
 * @primary: the member that writers lock and change first
 * @next: the next member of the ring, of the index with the next number
 * @id: number of the index that it belongs to
 */
struct blink_member {
	struct blink_node *primary;
	struct blink_node *next;
	unsigned int id;
};

void blink_copies_init(struct blink_node *primary);
void blink_copies_fill(struct blink_node *primary);
void blink_copies_begin(struct blink_node *primary);
void blink_copies_end(struct blink_node *primary, unsigned int from);
void blink_copies_set_value(struct blink_node *primary, unsigned int i,
			    u64 value);
void blink_copies_set_right(struct blink_node *primary,
			    struct blink_node *right);

#endif /* BLINK_CORE_COPIES_H */
