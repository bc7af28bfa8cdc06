/* SPDX-License-Identifier: GPL-2.0 */
/* Functions for trees of one layout, behind those of the same name in ../any.c. */
#ifndef BLINK_CORE_INSPECT_H
#define BLINK_CORE_INSPECT_H

#include <linux/blink_tree.h>

#include "sample.h"
#include "visit.h"

unsigned int blink_height(struct blink_tree *tree);
unsigned int blink_levels(struct blink_tree *tree,
			  struct blink_tree_level_stats *levels,
			  unsigned int nr);
int blink_hot_leaves(struct blink_tree *tree,
		     struct blink_tree_hot_leaf *leaves, unsigned int nr);
int blink_verify(struct blink_tree *tree, struct blink_tree_ioc_verify *report);
void blink_sample_searches(struct blink_tree *tree,
			   struct blink_sample *sample);
int blink_visit(struct blink_tree *tree, blink_visit_t visit, void *data);

#endif /* BLINK_CORE_INSPECT_H */
