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

struct blink_node *blink_near_child(struct blink_tree *tree,
				    struct blink_node *parent, unsigned int pos,
				    blink_key_t key);
struct blink_node *blink_descend_near(struct blink_tree *tree, blink_key_t key,
				      struct blink_walk *walk);

#endif /* BLINK_CORE_NEAR_H */
