/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: the indexes
 *
 * What the layer below tells the indexes, and all that it needs to know of
 * them: blink_index_add() when a node was split off, blink_index_drop() when
 * one is about to die, blink_index_complete() for what add() could not do under
 * the locks, and blink_index_trim() for what drop() left too empty.
 */
#ifndef BLINK_CORE_POST_H
#define BLINK_CORE_POST_H

#include <linux/bits.h>

#include "../tree/tree.h"
#include "walk.h"

/**
 * struct blink_post - what entering a node into the indexes takes
 * @tree: the tree
 * @walk: the descent; at the end whatever is left to complete in its own index
 *	is pending there
 * @added: a leaf was split off that other indexes may not know yet
 * @low: its low key; at the end that of what is left to complete
 * @spare: an inner node, or NULL; used up by a split
 * @spare_of: the index that it was allocated for
 * @gfp: how to allocate more once no lock is held; 0: not at all
 */
struct blink_post {
	struct blink_tree *tree;
	struct blink_walk walk;
	bool added;
	u64 low;
	struct blink_node *spare;
	struct blink_index *spare_of;
	gfp_t gfp;
};

bool blink_post_alloc(struct blink_post *post, struct blink_index *idx,
		      gfp_t gfp);
void blink_index_fetch(struct blink_tree *tree, const struct blink_index *but,
		       u64 key);
void blink_index_add(struct blink_post *post, struct blink_node *node);
int blink_index_complete(struct blink_post *post);
int blink_index_post(struct blink_post *post, struct blink_index *idx,
		     unsigned int level, u64 low);
int blink_index_enter(struct blink_post *post, struct blink_index *idx, u64 low,
		      struct blink_node *leaf);
int blink_index_mend(struct blink_post *post, struct blink_index *idx,
		     unsigned int level, u64 low);
bool blink_index_unpost(struct blink_tree *tree, struct blink_index *idx,
			struct blink_node *node);
unsigned long blink_index_drop(struct blink_tree *tree, struct blink_index *of,
			       struct blink_node *node);
void blink_index_trim(struct blink_tree *tree, unsigned long underfull,
		      unsigned int level, u64 low);
void blink_index_shrink(struct blink_tree *tree, struct blink_index *of);

/* apply.c */
int blink_apply(struct blink_post *post, struct blink_index *idx, bool wait);
int blink_apply_mend(struct blink_post *post, struct blink_index *idx,
		     unsigned int level, u64 low);
int blink_apply_after(struct blink_post *post);

/* mend.c */
int blink_mend(struct blink_post *post, struct blink_index *idx, u64 key);
void blink_mend_all(struct blink_tree *tree, u64 key, gfp_t gfp);

/* What &blink_node.unposted of a leaf is at its birth. */
static inline unsigned long blink_index_mask(const struct blink_tree *tree)
{
	return GENMASK(tree->nr_indexes - 1, 0);
}

#endif /* BLINK_CORE_POST_H */
