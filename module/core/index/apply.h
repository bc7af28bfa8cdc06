/* SPDX-License-Identifier: GPL-2.0 */
/* Applying the records of the queue to the indexes of a lazy tree. */
#ifndef BLINK_CORE_APPLY_H
#define BLINK_CORE_APPLY_H

#include "post.h"

int blink_apply(struct blink_post *post, struct blink_index *idx, bool wait);
int blink_apply_mend(struct blink_post *post, struct blink_index *idx,
		     unsigned int level, blink_bound_t low);
int blink_apply_after(struct blink_post *post);
void blink_apply_all(struct blink_tree *tree, gfp_t gfp);
void blink_apply_end(struct blink_tree *tree);

#endif /* BLINK_CORE_APPLY_H */
