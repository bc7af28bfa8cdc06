// SPDX-License-Identifier: GPL-2.0
/* Operations described by struct blink_op, one and many. */
#include <linux/errno.h>
#include <linux/export.h>

#include "tree.h"

static int op_nearest(struct blink_tree *tree, struct blink_op *op, bool below)
{
	struct blink_entry entry;
	int ret;

	if (below)
		ret = blink_tree_floor(tree, op->key, &entry);
	else
		ret = blink_tree_ceiling(tree, op->key, &entry);
	if (!ret) {
		op->key = entry.key;
		op->value = entry.value;
	}
	return ret;
}

static int op_execute(struct blink_tree *tree, struct blink_op *op, gfp_t gfp)
{
	if (op->flags)
		return -EINVAL;
	switch (op->opcode) {
	case BLINK_OP_LOOKUP:
		return blink_tree_lookup(tree, op->key, &op->value);
	case BLINK_OP_INSERT:
		return blink_tree_insert(tree, op->key, op->value, &op->old,
					 gfp);
	case BLINK_OP_STORE:
		return blink_tree_store(tree, op->key, op->value, &op->old,
					gfp);
	case BLINK_OP_REPLACE:
		return blink_tree_replace(tree, op->key, op->value, &op->old);
	case BLINK_OP_ERASE:
		return blink_tree_erase(tree, op->key, &op->old);
	case BLINK_OP_CMPXCHG:
		return blink_tree_cmpxchg(tree, op->key, &op->old, op->value);
	case BLINK_OP_FLOOR:
		return op_nearest(tree, op, true);
	case BLINK_OP_CEILING:
		return op_nearest(tree, op, false);
	default:
		return -EINVAL;
	}
}

/**
 * blink_tree_op() - execute one operation
 * @tree: the tree
 * @op: what to do; its result is left in it
 * @gfp: how to allocate, if a node has to be split
 *
 * Context: that of the operation (blink_tree_lookup(), blink_tree_insert()).
 */
void blink_tree_op(struct blink_tree *tree, struct blink_op *op, gfp_t gfp)
{
	op->result = op_execute(tree, op, gfp);
}
EXPORT_SYMBOL_GPL(blink_tree_op);

/**
 * blink_tree_batch() - execute operations
 * @tree: the tree
 * @ops: what to do; each has its own result
 * @nr: how many
 * @gfp: how to allocate, if a node has to be split
 *
 * The batch is not atomic: each operation takes effect by itself. Those on the
 * same key do so in their order. It never reschedules between two of them, so
 * that @nr is to be chosen for the context.
 *
 * Context: that of the operations (blink_tree_lookup(), blink_tree_insert()).
 */
void blink_tree_batch(struct blink_tree *tree, struct blink_op *ops,
		      unsigned int nr, gfp_t gfp)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		blink_tree_op(tree, &ops[i], gfp);
}
EXPORT_SYMBOL_GPL(blink_tree_batch);
