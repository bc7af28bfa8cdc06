/* SPDX-License-Identifier: GPL-2.0 */
/* The addresses of a tree and its nodes, for the project's own modules. */
#ifndef BLINK_CORE_VISIT_H
#define BLINK_CORE_VISIT_H

#include <linux/types.h>

struct blink_tree;

typedef void (*blink_visit_t)(void *data, const void *node, size_t bytes,
			      unsigned int level);

int blink_tree_visit(struct blink_tree *tree, blink_visit_t visit, void *data);
void blink_tree_visit_head(struct blink_tree *tree, blink_visit_t visit,
			   void *data);

#endif /* BLINK_CORE_VISIT_H */
