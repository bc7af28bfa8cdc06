/* SPDX-License-Identifier: GPL-2.0 */
/* The memory of nodes. */
#ifndef BLINK_CORE_ALLOC_H
#define BLINK_CORE_ALLOC_H

#include "../node/node.h"
#include "../tree/tree.h"

/* The memory of a node, including the copies of a leaf. */
static inline size_t blink_node_cost(const struct blink_tree *tree, bool leaf)
{
	if (leaf && tree->copied)
		return tree->nr_indexes * BLINK_MEMBER_BYTES;
	return blink_node_bytes(leaf);
}

int blink_node_caches_create(void);
void blink_node_caches_destroy(void);

int blink_leaf_nid(struct blink_tree *tree);
int blink_leaf_get(struct blink_tree *tree, struct blink_node **spare,
		   gfp_t gfp);
struct blink_node *blink_inner_alloc(struct blink_tree *tree, int nid,
				     gfp_t gfp);
void blink_node_free(struct blink_tree *tree, struct blink_node *node,
		     bool leaf);
void blink_level_free(struct blink_tree *tree, struct blink_node *node);

#endif /* BLINK_CORE_ALLOC_H */
