/* SPDX-License-Identifier: GPL-2.0 */
/* Ways to the nodes of a tree at rest, for tests that look into them. */
#ifndef TESTS_NODES_H
#define TESTS_NODES_H

#include "core/node/node.h"
#include "core/tree/tree.h"

/* The first node of a level of an index. */
static inline struct blink_node *first_of(const struct blink_index *idx,
					  unsigned int level)
{
	struct blink_node *node = rcu_access_pointer(idx->root);

	while (node->level > level)
		node = blink_inner_child(node, 0);
	return node;
}

static inline struct blink_node *first_leaf(const struct blink_tree *tree)
{
	return blink_node_primary(first_of(tree->index, 0));
}

static inline struct blink_node *next_leaf(const struct blink_node *leaf)
{
	return blink_node_primary(rcu_access_pointer(leaf->right));
}

#endif /* TESTS_NODES_H */
