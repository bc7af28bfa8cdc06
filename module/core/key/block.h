/* SPDX-License-Identifier: GPL-2.0 */
/* The begin of a block in limbo (../tree/block.h), which strings have in them. */
#ifndef BLINK_CORE_KEY_BLOCK_H
#define BLINK_CORE_KEY_BLOCK_H

#include <linux/types.h>

struct blink_tree;

/**
 * struct blink_block - the begin of a block in limbo
 * @rcu: for the callback that frees it
 * @tree: its tree
 */
struct blink_block {
	struct rcu_head rcu;
	struct blink_tree *tree;
};

#endif /* BLINK_CORE_KEY_BLOCK_H */
