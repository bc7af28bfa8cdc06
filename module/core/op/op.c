// SPDX-License-Identifier: GPL-2.0
/* Operations described by struct blink_tree_ioc_op, one at a time. */
#include <linux/errno.h>
#include <linux/export.h>

#include "at_leaf.h"

/* @leaf: where the descent ended, or NULL if it is still to be done. */
static int op_nearest(struct blink_tree *tree, struct blink_node *leaf,
		      struct blink_tree_ioc_op *op)
{
	bool below = op->opcode == BLINK_TREE_OP_FLOOR;
	struct blink_tree_entry entry;
	int ret;

	ret = blink_nearest_from(tree, leaf, op->key, below, &entry);
	if (!ret) {
		op->key = entry.key;
		op->value = entry.value;
	}
	return ret;
}

static int op_execute(struct blink_tree *tree, struct blink_tree_ioc_op *op,
		      gfp_t gfp)
{
	if (op->flags)
		return -EINVAL;
	switch (op->opcode) {
	case BLINK_TREE_OP_LOOKUP:
		return blink_tree_lookup(tree, op->key, &op->value);
	case BLINK_TREE_OP_INSERT:
		return blink_tree_insert(tree, op->key, op->value, &op->old,
					 gfp);
	case BLINK_TREE_OP_STORE:
		return blink_tree_store(tree, op->key, op->value, &op->old,
					gfp);
	case BLINK_TREE_OP_REPLACE:
		return blink_tree_replace(tree, op->key, op->value, &op->old);
	case BLINK_TREE_OP_ERASE:
		return blink_tree_erase(tree, op->key, &op->old);
	case BLINK_TREE_OP_CMPXCHG:
		return blink_tree_cmpxchg(tree, op->key, &op->old, op->value);
	case BLINK_TREE_OP_CMPERASE:
		return blink_tree_cmperase(tree, op->key, &op->old);
	case BLINK_TREE_OP_FLOOR:
	case BLINK_TREE_OP_CEILING:
		return op_nearest(tree, NULL, op);
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
void blink_tree_op(struct blink_tree *tree, struct blink_tree_ioc_op *op,
		   gfp_t gfp)
{
	op->result = op_execute(tree, op, gfp);
}
EXPORT_SYMBOL_GPL(blink_tree_op);

static int op_cmpxchg_at(struct blink_tree *tree, struct blink_node *leaf,
			 struct blink_tree_ioc_op *op)
{
	u64 expected = op->old;
	int ret;

	ret = blink_set_from(tree, leaf, op->key, &expected, op->value,
			     &op->old);
	return ret ?: op->old == expected ? 0 : -ESTALE;
}

static int op_cmperase_at(struct blink_tree *tree, struct blink_node *leaf,
			  struct blink_tree_ioc_op *op)
{
	u64 expected = op->old;

	return blink_erase_from(tree, leaf, op->key, &expected, &op->old);
}

static int op_replace_at(struct blink_tree *tree, struct blink_node *leaf,
			 struct blink_tree_ioc_op *op)
{
	return blink_set_from(tree, leaf, op->key, NULL, op->value, &op->old);
}

/**
 * blink_op_at() - execute an operation, the descent being done
 * @tree: the tree
 * @leaf: where that ended
 * @walk: what it left
 * @op: what to do, valid; its result is left in it
 * @gfp: how to allocate, as far as that does not mean to sleep
 *
 * Its result is -EAGAIN if it adds a key and finds no memory.
 *
 * Context: that of the operation, which may wait for a lock; never sleeps;
 * rcu_read_lock() held since the descent.
 */
void blink_op_at(struct blink_tree *tree, struct blink_node *leaf,
		 struct blink_walk *walk, struct blink_tree_ioc_op *op,
		 gfp_t gfp)
{
	switch (op->opcode) {
	case BLINK_TREE_OP_LOOKUP:
		op->result = blink_lookup_from(tree, leaf, op->key, &op->value);
		break;
	case BLINK_TREE_OP_INSERT:
	case BLINK_TREE_OP_STORE:
		op->result = blink_add_from(tree, leaf, walk, op, gfp);
		break;
	case BLINK_TREE_OP_REPLACE:
		op->result = op_replace_at(tree, leaf, op);
		break;
	case BLINK_TREE_OP_ERASE:
		op->result =
			blink_erase_from(tree, leaf, op->key, NULL, &op->old);
		break;
	case BLINK_TREE_OP_CMPXCHG:
		op->result = op_cmpxchg_at(tree, leaf, op);
		break;
	case BLINK_TREE_OP_CMPERASE:
		op->result = op_cmperase_at(tree, leaf, op);
		break;
	default:
		op->result = op_nearest(tree, leaf, op);
		break;
	}
}
