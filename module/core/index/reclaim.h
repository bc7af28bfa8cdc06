/* SPDX-License-Identifier: GPL-2.0 */
/* Freeing dead nodes. */
#ifndef BLINK_CORE_RECLAIM_H
#define BLINK_CORE_RECLAIM_H

struct blink_node;
struct blink_tree;

void blink_node_retire(struct blink_tree *tree, struct blink_node *node);

#endif /* BLINK_CORE_RECLAIM_H */
