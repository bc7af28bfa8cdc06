/* SPDX-License-Identifier: GPL-2.0 */
/* Merging inner nodes, and trimming the indexes after a merge. */
#ifndef BLINK_CORE_MERGE_H
#define BLINK_CORE_MERGE_H

#include "../key/key.h"
#include "pair.h"

void blink_merge_trim(struct blink_tree *tree, unsigned long underfull,
		      unsigned int level, blink_bound_t low);
void blink_merge_settle(struct blink_pair *pair);

#endif /* BLINK_CORE_MERGE_H */
