/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: leaves with copies
 *
 * With BLINK_TREE_REPLICATE_FULL every index has leaves of its own. A leaf is
 * then a ring of *members*, one for each index on its NUMA node. The members
 * are equal whenever their sequences are even. One of them is the *primary*:
 * its lock is the lock of the leaf. Writers change the primary first, and then
 * the other members, the *copies*.
 *
 * A writer makes the sequences of all copies odd before it changes the primary,
 * and even after it has refreshed them. A reader uses the member of its own
 * index, or the primary while that member is odd. So readers find an old value
 * only before the last copy became odd, and a new value only afterwards. A
 * reader that begins after another reader found a new value finds it too, on
 * any NUMA node.
 *
 * The right link of a member leads to the right neighbour's member of the same
 * index.
 */
#ifndef BLINK_CORE_COPIES_H
#define BLINK_CORE_COPIES_H

#include "node.h"

void blink_copies_init(struct blink_node *primary);
void blink_copies_fill(struct blink_node *primary);
void blink_copies_begin(struct blink_node *primary);
void blink_copies_end(struct blink_node *primary, unsigned int from);
void blink_copies_set_value(struct blink_node *primary, unsigned int i,
			    u64 value);
void blink_copies_set_right(struct blink_node *primary,
			    struct blink_node *right);
void blink_copies_unuse(struct blink_node *primary, unsigned int pos,
			unsigned int n);

#endif /* BLINK_CORE_COPIES_H */
