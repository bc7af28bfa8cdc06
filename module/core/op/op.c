// SPDX-License-Identifier: GPL-2.0
/*
 * Executing operations that struct blink_tree_ioc_op describes: one at a time,
 * or after the descent. The linearization point is that of the function that
 * the opcode selects.
 */
#include <linux/errno.h>
#include <linux/export.h>

#include "at_leaf.h"
#include "found.h"

/* @leaf: the leaf where the descent ended, or NULL before the descent. */
static int op_nearest(struct blink_tree *tree, struct blink_node *leaf,
		      struct blink_tree_ioc_op *op)
{
	bool below = op->opcode == BLINK_TREE_OP_FLOOR;
	struct blink_place place = { .leaf = leaf };
	struct blink_tree_entry entry;
	int ret;

	blink_found_in(&entry, op);
	ret = blink_nearest_from(tree, &place, op->key, below, &entry);
	if (!ret) {
		blink_found_key(op, &entry);
		op->value = entry.value;
	}
	return ret;
}

static int op_pop(struct blink_tree *tree, struct blink_node *leaf,
		  struct blink_tree_ioc_op *op)
{
	bool below = op->opcode == BLINK_TREE_OP_POP_MAX;
	struct blink_tree_entry entry;
	int ret;

	blink_found_in(&entry, op);
	if (leaf)
		ret = blink_pop_from(tree, leaf, op->key, below, &entry);
	else
		ret = blink_pop(tree, op->key, below, &entry);
	if (!ret) {
		blink_found_key(op, &entry);
		op->old = entry.value;
	}
	return ret;
}

/* As op_dispatch(). */
static __always_inline int op_add(struct blink_tree *tree,
				  struct blink_node *leaf,
				  struct blink_walk *walk,
				  struct blink_tree_ioc_op *op, gfp_t gfp,
				  bool arrived)
{
	int ret;

	if (arrived)
		ret = blink_add_from(tree, leaf, walk, op, gfp);
	else
		ret = blink_add(tree, op->opcode, op->key, op->value, &op->old,
				gfp);
	if (ret == -EEXIST && op->opcode == BLINK_TREE_OP_GET_OR_INSERT)
		return 1;
	return ret;
}

/* As op_dispatch(). */
static __always_inline int op_set(struct blink_tree *tree,
				  struct blink_node *leaf,
				  const struct blink_expected *expected,
				  struct blink_tree_ioc_op *op, gfp_t gfp,
				  bool arrived)
{
	if (arrived)
		return blink_set_from(tree, leaf, op->key, expected, op->value,
				      &op->old);
	return blink_set(tree, op->key, expected, op->value, &op->old, gfp);
}

/* As op_dispatch(). */
static __always_inline int op_erase(struct blink_tree *tree,
				    struct blink_node *leaf,
				    const struct blink_expected *expected,
				    struct blink_tree_ioc_op *op, bool arrived)
{
	if (arrived)
		return blink_erase_from(tree, leaf, op->key, expected,
					&op->old);
	return blink_erase(tree, op->key, expected, &op->old);
}

/*
 * Call the function for an opcode. @arrived is constant: the descent for the
 * key has ended at @leaf.
 */
static __always_inline int op_dispatch(struct blink_tree *tree,
				       struct blink_node *leaf,
				       struct blink_walk *walk,
				       struct blink_tree_ioc_op *op, gfp_t gfp,
				       bool arrived)
{
	blink_key_t key = op->key;

	switch (op->opcode) {
	case BLINK_TREE_OP_LOOKUP:
		return arrived ?
			       blink_lookup_from(tree, leaf, key, &op->value) :
			       blink_tree_lookup(tree, key, &op->value);
	case BLINK_TREE_OP_INSERT:
	case BLINK_TREE_OP_GET_OR_INSERT:
	case BLINK_TREE_OP_STORE:
	case BLINK_TREE_OP_ADD:
	case BLINK_TREE_OP_ADD_SATURATE:
		return op_add(tree, leaf, walk, op, gfp, arrived);
	case BLINK_TREE_OP_REPLACE:
		return op_set(tree, leaf, NULL, op, gfp, arrived);
	case BLINK_TREE_OP_ERASE:
		return op_erase(tree, leaf, NULL, op, arrived);
	case BLINK_TREE_OP_CMPXCHG:
		return op_set(tree, leaf,
			      &(const struct blink_expected){ op->old }, op,
			      gfp, arrived);
	case BLINK_TREE_OP_CMPERASE:
		return op_erase(tree, leaf,
				&(const struct blink_expected){ op->old }, op,
				arrived);
	case BLINK_TREE_OP_FLOOR:
	case BLINK_TREE_OP_CEILING:
		return op_nearest(tree, leaf, op);
	case BLINK_TREE_OP_POP_MIN:
	case BLINK_TREE_OP_POP_MAX:
		return op_pop(tree, leaf, op);
	default:
		return -EINVAL;
	}
}

/**
 * blink_op() - execute one operation
 * @tree: the tree
 * @op: the operation; its result is stored in it
 * @gfp: how to allocate, if a node has to be split
 *
 * Context: that of the operation; @tree fits.
 */
void blink_op(struct blink_tree *tree, struct blink_tree_ioc_op *op, gfp_t gfp)
{
	if (op->flags)
		op->result = -EINVAL;
	else
		op->result = op_dispatch(tree, NULL, NULL, op, gfp, false);
}

/**
 * blink_tree_op() - execute one operation
 * @tree: the tree
 * @op: the operation; its result is stored in it
 * @gfp: how to allocate, if a node has to be split
 *
 * Context: that of the operation (blink_tree_lookup(), blink_tree_insert()).
 */
void blink_tree_op(struct blink_tree *tree, struct blink_tree_ioc_op *op,
		   gfp_t gfp)
{
	if (blink_tree_plain(tree))
		blink_op(tree, op, gfp);
	else
		op->result = -EOPNOTSUPP;
}
EXPORT_SYMBOL_GPL(blink_tree_op);

/**
 * blink_op_at() - execute an operation after the descent
 * @tree: the tree
 * @leaf: the leaf where the descent ended
 * @walk: the record of the descent
 * @op: the operation, valid; its result is stored in it
 * @gfp: how to allocate; the function does not sleep
 *
 * The result is -EAGAIN if the operation has to split the leaf and finds no memory;
 * then no entry has changed.
 *
 * Context: that of the operation, which may wait for a lock; never sleeps;
 * rcu_read_lock() held since the descent.
 */
void blink_op_at(struct blink_tree *tree, struct blink_node *leaf,
		 struct blink_walk *walk, struct blink_tree_ioc_op *op,
		 gfp_t gfp)
{
	op->result = op_dispatch(tree, leaf, walk, op, gfp, true);
}
