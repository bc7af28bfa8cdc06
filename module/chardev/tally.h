/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: counting operations
 *
 * The core counts keys that are added and removed. It counts no lookup and no new value
 * of a present key, so that its callers in the kernel and BPF programs pay nothing for
 * it. The ioctls that execute operations count those: a call, or a chunk of a long one,
 * adds up its results in a *tally* on its stack, and then adds the sums to the counters
 * of its CPU.
 */
#ifndef BLINK_CHARDEV_TALLY_H
#define BLINK_CHARDEV_TALLY_H

#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/types.h>

#include "../core/tree/tree.h"

/* The operations that only read. */
#define BLINK_READING_OPS                                       \
	(BIT(BLINK_TREE_OP_LOOKUP) | BIT(BLINK_TREE_OP_FLOOR) | \
	 BIT(BLINK_TREE_OP_CEILING))

/* The operations that can give a present key a new value. */
#define BLINK_UPDATING_OPS                                       \
	(BIT(BLINK_TREE_OP_STORE) | BIT(BLINK_TREE_OP_REPLACE) | \
	 BIT(BLINK_TREE_OP_CMPXCHG) | BIT(BLINK_TREE_OP_ADD) |   \
	 BIT(BLINK_TREE_OP_ADD_SATURATE))

/* Those of them that never add a key. Others say by the result 1 that it was present. */
#define BLINK_CHANGING_OPS \
	(BIT(BLINK_TREE_OP_REPLACE) | BIT(BLINK_TREE_OP_CMPXCHG))

/**
 * struct blink_tally - the counts of some operations
 * @reads: how many searched for a key
 * @updates: how many gave a present key a new value
 */
struct blink_tally {
	unsigned int reads;
	unsigned int updates;
};

/* Count an operation. Another error than ENOENT says that a search was not executed. */
static __always_inline void blink_tally_op(struct blink_tally *tally,
					   u16 opcode, s32 result)
{
	if (opcode >= BLINK_TREE_OP_NR)
		return;
	if (BIT(opcode) & BLINK_READING_OPS)
		tally->reads += !result || result == -ENOENT;
	else if (BIT(opcode) & BLINK_UPDATING_OPS)
		tally->updates += result == !(BIT(opcode) & BLINK_CHANGING_OPS);
}

/* Add the sums to the counters of a tree. */
static __always_inline void blink_tally_end(const struct blink_tally *tally,
					    struct blink_tree *tree)
{
	if (tally->reads)
		blink_stat_add(tree, reads, tally->reads);
	if (tally->updates)
		blink_stat_add(tree, updates, tally->updates);
}

#endif /* BLINK_CHARDEV_TALLY_H */
