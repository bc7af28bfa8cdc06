/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: telling the indexes
 *
 * The indexes are told of leaves that are split off and of leaves that die.
 * Most trees tell all indexes at once: of a death, and of the new leaf in the
 * writer's own index, under the locks of the leaves; of the rest before the
 * operation returns. A tree with BLINK_TREE_POSTING_LAZY adds a record to its
 * queue instead (queue.h), and the indexes apply it later (apply.h).
 *
 * Only this file decides which of the two a tree does.
 */
#ifndef BLINK_CORE_TELL_H
#define BLINK_CORE_TELL_H

#include "pair.h"
#include "post.h"

unsigned long blink_tell_now(const struct blink_tree *tree);
void blink_tell_split(struct blink_post *post, struct blink_node *leaf);
int blink_tell_rest(struct blink_post *post);
bool blink_tell_death_begin(struct blink_tree *tree);
void blink_tell_death(struct blink_tree *tree, struct blink_node *leaf);
void blink_tell_death_end(struct blink_pair *pair);
int blink_tell_missing(struct blink_post *post, struct blink_index *idx,
		       unsigned int level, blink_bound_t low);
int blink_tell_catch_up(struct blink_post *post, struct blink_index *idx);
void blink_tell_all(struct blink_tree *tree, gfp_t gfp);
void blink_tell_down(struct blink_tree *tree, struct blink_index *idx,
		     bool down);
void blink_tell_end(struct blink_tree *tree);

#endif /* BLINK_CORE_TELL_H */
