/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: posting
 *
 * To *post* a node is to add an entry for it to the level above, in one index.
 * A writer that splits a node posts the new one in the index that it searched,
 * under the locks of the two (blink_post_split()). It *completes* the rest without
 * these locks, one level and one index at a time (blink_post_rest()). A writer that
 * merges two nodes removes the entries of the one that dies (blink_index_drop()).
 */
#ifndef BLINK_CORE_POST_H
#define BLINK_CORE_POST_H

#include <linux/bits.h>

#include "state.h"

struct blink_node *blink_parent_lock(struct blink_tree *tree,
				     struct blink_index *idx,
				     unsigned int level, blink_bound_t low,
				     struct blink_node *hint);
void blink_index_fetch(struct blink_tree *tree, unsigned long indexes,
		       unsigned int level, blink_key_t key);
void blink_post_split(struct blink_state *state, struct blink_node *leaf);
int blink_post_rest(struct blink_state *state);
int blink_index_complete(struct blink_state *state, struct blink_index *idx,
			 unsigned int level, blink_bound_t low);
unsigned long blink_index_drop(struct blink_tree *tree, unsigned long indexes,
			       struct blink_node *node);

/* All indexes of a tree, a bit for each. */
static inline unsigned long blink_index_all(const struct blink_tree *tree)
{
	return GENMASK(tree->nr_indexes - 1, 0);
}

#endif /* BLINK_CORE_POST_H */
