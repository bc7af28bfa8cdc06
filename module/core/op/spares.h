/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: spare nodes
 *
 * No memory is allocated under a node lock. A writer that may add a leaf
 * allocates its *spares* before it takes the lock: a leaf, and an inner node in
 * case the entry of the leaf does not fit into the parent. At the end it frees
 * those that it did not use.
 */
#ifndef BLINK_CORE_SPARES_H
#define BLINK_CORE_SPARES_H

#include "../index/post.h"

/**
 * struct blink_spares - the spare nodes of a writer
 * @post: the descent, and the spare inner node
 * @leaf: the spare leaf, or NULL
 */
struct blink_spares {
	struct blink_post post;
	struct blink_node *leaf;
};

/* The same flags, without sleeping. */
static inline gfp_t blink_gfp_easy(gfp_t gfp)
{
	return (gfp & ~(__GFP_DIRECT_RECLAIM | __GFP_NOFAIL)) | __GFP_NOWARN;
}

void blink_spares_prepare(struct blink_spares *spares, blink_key_t key);
struct blink_node *blink_spares_take(struct blink_spares *spares);
void blink_spares_publish(struct blink_spares *spares, struct blink_node *leaf);
int blink_spares_post(struct blink_spares *spares);
void blink_spares_free(struct blink_spares *spares);

#endif /* BLINK_CORE_SPARES_H */
