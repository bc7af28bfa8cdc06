/* SPDX-License-Identifier: GPL-2.0 */
/* Merging underfull nodes, and trimming the indexes after a merge. */
#ifndef BLINK_CORE_MERGE_H
#define BLINK_CORE_MERGE_H

#include "../key/key.h"
#include "../tree/tree.h"

void blink_merge_trim(struct blink_tree *tree, unsigned long underfull,
		      unsigned int level, blink_bound_t low);
void blink_merge(struct blink_tree *tree, struct blink_index *idx,
		 struct blink_node *node);

#endif /* BLINK_CORE_MERGE_H */
