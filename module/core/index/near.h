/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: near descents
 *
 * A search for a key close to the one before need not begin at the root: it begins at
 * the inner node of level 1 that its last descent went through. This is correct
 * wherever this node has low < key, as for any node where a descent comes by (I3).
 */
#ifndef BLINK_CORE_NEAR_H
#define BLINK_CORE_NEAR_H

#include "walk.h"

/*
 * Whether a search for a key can begin at a node. It can be dead, and the key can be
 * far to the right.
 */
static __always_inline bool blink_node_leads(const struct blink_node *node,
					     u64 key)
{
	return key > node->low || blink_node_leftmost(node);
}

struct blink_node *blink_near_child(struct blink_tree *tree,
				    struct blink_node *parent, unsigned int pos,
				    u64 key);
struct blink_node *blink_descend_near(struct blink_tree *tree, u64 key,
				      struct blink_walk *walk);

#endif /* BLINK_CORE_NEAR_H */
