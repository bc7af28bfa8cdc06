/* SPDX-License-Identifier: GPL-2.0 */
/* Mending an index: posting the nodes without an entry. */
#ifndef BLINK_CORE_MEND_H
#define BLINK_CORE_MEND_H

#include "post.h"

int blink_mend(struct blink_state *state, struct blink_index *idx,
	       blink_key_t key);
void blink_mend_all(struct blink_tree *tree, blink_key_t key, gfp_t gfp);
void blink_mend_work(struct work_struct *work);
void blink_mend_end(struct blink_tree *tree, struct blink_mender *mender);

#endif /* BLINK_CORE_MEND_H */
