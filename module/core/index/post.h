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

#include "alloc.h"
#include "walk.h"

/**
 * struct blink_post - the posting of a node to the indexes
 * @tree: the tree
 * @walk: the descent; at the end, the node that is left to complete in its own
 *	index is pending there
 * @added: a leaf was split off, and other indexes may have no entry for it
 * @low: the low key of that leaf; at the end, that of the node which is left to
 *	complete
 * @spare: an inner node, or NULL; used up by a split
 * @spare_of: the index that it was allocated for
 * @gfp: how to allocate more spare nodes without a lock; 0: do not
 */
struct blink_post {
	struct blink_tree *tree;
	struct blink_walk walk;
	bool added;
	blink_bound_t low;
	struct blink_node *spare;
	struct blink_index *spare_of;
	gfp_t gfp;
};

/* Free what a posting that has ended still has. No node lock is held. */
static inline void blink_post_end(struct blink_post *post)
{
	if (unlikely(post->spare))
		blink_node_free(post->tree, post->spare, false);
	blink_bound_put(post->tree, post->walk.low);
	blink_bound_put(post->tree, post->low);
}

bool blink_post_alloc(struct blink_post *post, struct blink_index *idx,
		      gfp_t gfp);
struct blink_node *blink_parent_lock(struct blink_tree *tree,
				     struct blink_index *idx,
				     unsigned int level, blink_bound_t low,
				     struct blink_node *hint);
void blink_index_fetch(struct blink_tree *tree, unsigned long indexes,
		       unsigned int level, blink_key_t key);
void blink_post_split(struct blink_post *post, struct blink_node *leaf);
int blink_post_rest(struct blink_post *post);
int blink_index_complete(struct blink_post *post, struct blink_index *idx,
			 unsigned int level, blink_bound_t low);
unsigned long blink_index_drop(struct blink_tree *tree, unsigned long indexes,
			       struct blink_node *node);

/* All indexes of a tree, a bit for each. */
static inline unsigned long blink_index_all(const struct blink_tree *tree)
{
	return GENMASK(tree->nr_indexes - 1, 0);
}

#endif /* BLINK_CORE_POST_H */
