/* SPDX-License-Identifier: GPL-2.0 */
/* The first and the last step in the life of a tree. */
#ifndef BLINK_CORE_PLANT_H
#define BLINK_CORE_PLANT_H

#include "../tree/tree.h"

int blink_tree_plant(struct blink_tree *tree, gfp_t gfp);
void blink_tree_fell(struct blink_tree *tree);

#endif /* BLINK_CORE_PLANT_H */
