/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: merging two neighbours
 *
 * When two neighbours are merged, the right one dies and the left one absorbs
 * it (I4). So low keys never change, and a pointer that is out of date leads
 * too far to the left, never too far to the right. The leftmost node of a level
 * never dies. The two nodes can have different parents.
 *
 * Hysteresis: two nodes are merged only if they fit in three quarters of a
 * node, so that the next insert does not split them again.
 */
#ifndef BLINK_CORE_MERGE_H
#define BLINK_CORE_MERGE_H

#include "../key/key.h"
#include "../tree/tree.h"

void blink_merge_trim(struct blink_tree *tree, unsigned long underfull,
		      unsigned int level, blink_bound_t low);
void blink_merge(struct blink_tree *tree, struct blink_index *idx,
		 struct blink_node *node);

#endif /* BLINK_CORE_MERGE_H */
