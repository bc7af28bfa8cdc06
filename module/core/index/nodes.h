/* SPDX-License-Identifier: GPL-2.0 */
/* The first and the last step in the life of a tree. */
#ifndef BLINK_CORE_NODES_H
#define BLINK_CORE_NODES_H

#include "../tree/tree.h"

int blink_tree_nodes_init(struct blink_tree *tree, gfp_t gfp);
void blink_tree_nodes_free(struct blink_tree *tree);

#endif /* BLINK_CORE_NODES_H */
