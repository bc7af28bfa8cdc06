/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: telling the indexes
 *
 * The leaves are the truth; the indexes are told of leaves that are split off and of
 * leaves that die. Most trees tell all indexes at once: under the locks of the leaves
 * what has to be (a death, and the entry in the writer's own index), and before the
 * operation returns what has not. A tree with BLINK_TREE_POSTING_LAZY puts a record
 * into its queue instead (queue.h), and the indexes apply it later (apply.h).
 *
 * Which of the two a tree does is decided here, and nowhere above.
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
		       unsigned int level, u64 low);
int blink_tell_catch_up(struct blink_post *post, struct blink_index *idx);
void blink_tell_all(struct blink_tree *tree, gfp_t gfp);
void blink_tell_down(struct blink_tree *tree, struct blink_index *idx,
		     bool down);
void blink_tell_end(struct blink_tree *tree);

#endif /* BLINK_CORE_TELL_H */
