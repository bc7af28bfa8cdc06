/* SPDX-License-Identifier: GPL-2.0 */
/* Merging leaves. */
#ifndef BLINK_CORE_MERGE_LEAF_H
#define BLINK_CORE_MERGE_LEAF_H

struct blink_node;
struct blink_tree;

void blink_merge_leaf(struct blink_tree *tree, struct blink_node *leaf);

#endif /* BLINK_CORE_MERGE_LEAF_H */
