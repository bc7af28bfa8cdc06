/* SPDX-License-Identifier: GPL-2.0 */
/* The root of an index. */
#ifndef BLINK_CORE_ROOT_H
#define BLINK_CORE_ROOT_H

#include "../tree/tree.h"

unsigned int blink_index_height(struct blink_index *idx);
int blink_root_grow(struct blink_tree *tree, struct blink_index *idx,
		    struct blink_node *child, struct blink_node **spare);
void blink_root_shrink(struct blink_tree *tree, struct blink_index *of);

#endif /* BLINK_CORE_ROOT_H */
