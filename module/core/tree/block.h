/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: blocks
 *
 * A *block* is memory of a tree that is no node: a string, or a value of bytes. It is
 * charged and counted as a node is, with the memory that the allocator takes for it. A
 * block that entries had is freed after a grace period; until then it is in limbo.
 */
#ifndef BLINK_CORE_BLOCK_H
#define BLINK_CORE_BLOCK_H

#include "../key/block.h"

/* The largest block: a value of a page, and what is before it. */
#define BLINK_BLOCK_MAX 4160

int blink_block_caches_create(void);
void blink_block_caches_destroy(void);
void *blink_block_alloc(struct blink_tree *tree, long bytes, gfp_t gfp);
void blink_block_free(struct blink_tree *tree, void *memory, long bytes);
void blink_block_retire(struct blink_tree *tree, struct blink_block *block,
			long bytes, void (*end)(struct rcu_head *rcu));
void blink_block_end(struct blink_tree *tree, void *memory, long bytes);

#endif /* BLINK_CORE_BLOCK_H */
