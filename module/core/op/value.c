// SPDX-License-Identifier: GPL-2.0
/*
 * Operations on values that are bytes (blink_tree_value.h). For the rest of the core a
 * value is a number, its handle.
 *
 * A handle is the address of a value, so an equal handle could be that of another value,
 * after the first one was freed. Operations that compare look at the bytes themselves,
 * under the lock of the leaf: a value that has an entry is not freed. A commit that only
 * reads looks at them in the RCU read section in which it found the value.
 *
 * Linearization points: those of the operations on numbers.
 */
#include <linux/blink_tree_value.h>
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/export.h>

#include "at_leaf.h"

/* The operations that only read. */
#define READS                                                   \
	(BIT(BLINK_TREE_OP_LOOKUP) | BIT(BLINK_TREE_OP_FLOOR) | \
	 BIT(BLINK_TREE_OP_CEILING))
/* The operations that compare values, and those that take them for numbers. */
#define OTHERS                                                      \
	(BIT(BLINK_TREE_OP_CMPXCHG) | BIT(BLINK_TREE_OP_CMPERASE) | \
	 BIT(BLINK_TREE_OP_ADD) | BIT(BLINK_TREE_OP_ADD_SATURATE))

static bool op_is(const struct blink_tree_ioc_op *op, unsigned long opcodes)
{
	return op->opcode < BLINK_TREE_OP_NR && BIT(op->opcode) & opcodes;
}

/* Whether the tree has keys of this layout, and values that are bytes. */
static bool tree_fits(const struct blink_tree *tree)
{
	return blink_tree_fits(tree) && tree->flags & BLINK_TREE_BYTE_VALUES;
}

/**
 * blink_tree_value_op() - execute one operation that neither compares nor adds values
 * @tree: the tree
 * @op: the operation; its result is stored in it
 * @gfp: how to allocate, if a node has to be split
 *
 * INSERT, STORE, REPLACE and GET_OR_INSERT put the value of @op->value into the tree if
 * they return 0, or STORE 1. @op->old is a value that belongs to the caller if REPLACE,
 * ERASE, POP_MIN or POP_MAX return 0, or STORE 1. It is a value that is present, as
 * @op->value is after LOOKUP, FLOOR and CEILING, if INSERT returns -EEXIST or
 * GET_OR_INSERT 1.
 *
 * Context: that of the operation (blink_tree_lookup(), blink_tree_insert()).
 */
void blink_tree_value_op(struct blink_tree *tree, struct blink_tree_ioc_op *op,
			 gfp_t gfp)
{
	if (!tree_fits(tree))
		op->result = -EOPNOTSUPP;
	else if (op_is(op, OTHERS))
		op->result = -EINVAL;
	else
		blink_op(tree, op, gfp);
}
EXPORT_SYMBOL_GPL(blink_tree_value_op);

/**
 * blink_tree_value_batch() - execute operations that only read
 * @tree: the tree
 * @ops: the operations, each LOOKUP, FLOOR or CEILING; their results are stored in them
 * @nr: how many; if one is another operation, all have the result -EINVAL
 *
 * Context: as blink_tree_lookup(); an RCU read section of the caller, in which it can
 * follow the handles.
 */
void blink_tree_value_batch(struct blink_tree *tree,
			    struct blink_tree_ioc_op *ops, unsigned int nr)
{
	int err = tree_fits(tree) ? 0 : -EOPNOTSUPP;
	unsigned int i;

	for (i = 0; i < nr && !err; i++)
		err = op_is(&ops[i], READS) ? 0 : -EINVAL;
	if (!err) {
		blink_batch(tree, ops, nr, GFP_NOWAIT);
		return;
	}
	for (i = 0; i < nr; i++)
		ops[i].result = err;
}
EXPORT_SYMBOL_GPL(blink_tree_value_batch);

/**
 * blink_tree_value_commit() - execute operations at one instant, or none of them
 * @tree: the tree
 * @ops: as those of blink_tree_commit(), but no ADD and no ADD_SATURATE. @value is the
 *	handle of a new value. @old is the handle of an expected value, which no operation
 *	has put into a tree
 * @nr: how many
 * @failed: as that of blink_tree_commit()
 * @gfp: likewise
 *
 * If the function returns 0, the tree owns the new values of the operations that added or
 * overwrote one, and the caller owns the values that were removed or overwritten: @old of
 * ERASE, CMPERASE, REPLACE and CMPXCHG, and of a STORE with the result 1. The function puts
 * the values of gaps that are cleared (blink_value_put()). Other values that are returned
 * are present ones, which the caller can follow in an RCU read section that it began before
 * the call; @gfp must not allow sleeping then.
 *
 * Context: as blink_tree_commit().
 * Return: likewise.
 */
int blink_tree_value_commit(struct blink_tree *tree,
			    struct blink_tree_ioc_op *ops, unsigned int nr,
			    unsigned int *failed, gfp_t gfp)
{
	unsigned int place;

	if (!tree_fits(tree))
		return -EOPNOTSUPP;
	return blink_commit(tree, ops, nr, failed ?: &place, gfp);
}
EXPORT_SYMBOL_GPL(blink_tree_value_commit);

/**
 * blink_tree_value_cmpxchg() - replace a value if it is equal to the expected one
 * @tree: the tree
 * @key: the key
 * @expected: the bytes that the value must have
 * @length: how many
 * @value: the new value, which the tree owns if the function returns 0
 * @old: set to the old value, which belongs to the caller if the function returns 0;
 *	with -ESTALE to the present value, which the caller can follow in an RCU read
 *	section that it began before the call
 *
 * The bytes are compared under the lock of the leaf.
 *
 * Context: as blink_tree_replace().
 * Return: 0; -ESTALE if the value is not equal; otherwise as blink_tree_replace().
 */
int blink_tree_value_cmpxchg(struct blink_tree *tree, blink_key_t key,
			     const void *expected, u32 length, u64 value,
			     u64 *old)
{
	const struct blink_expected bytes = { .data = expected,
					      .length = length };

	if (!tree_fits(tree))
		return -EOPNOTSUPP;
	return blink_set(tree, key, &bytes, value, old, GFP_NOWAIT);
}
EXPORT_SYMBOL_GPL(blink_tree_value_cmpxchg);

/**
 * blink_tree_value_cmperase() - remove a key if its value is equal to the expected one
 * @tree: the tree
 * @key: the key
 * @expected: the bytes that the value must have
 * @length: how many
 * @old: as that of blink_tree_value_cmpxchg()
 *
 * Context: as blink_tree_erase().
 * Return: 0; -ESTALE if the value is not equal; otherwise as blink_tree_erase().
 */
int blink_tree_value_cmperase(struct blink_tree *tree, blink_key_t key,
			      const void *expected, u32 length, u64 *old)
{
	const struct blink_expected bytes = { .data = expected,
					      .length = length };

	if (!tree_fits(tree))
		return -EOPNOTSUPP;
	return blink_erase(tree, key, &bytes, old);
}
EXPORT_SYMBOL_GPL(blink_tree_value_cmperase);

/**
 * blink_tree_value_load() - add many entries
 * @tree: the tree
 * @entries: the entries, with the handles of their values
 * @nr: how many
 * @fill: as that of blink_tree_load()
 * @gfp: how to allocate
 * @done: set to the number of entries that were added, from the first on; the values of
 *	the others still belong to the caller
 *
 * Context: as blink_tree_load().
 * Return: likewise.
 */
int blink_tree_value_load(struct blink_tree *tree,
			  const struct blink_tree_entry *entries,
			  unsigned int nr, unsigned int fill, gfp_t gfp,
			  unsigned int *done)
{
	*done = 0;
	if (!tree_fits(tree))
		return -EOPNOTSUPP;
	return blink_load(tree, entries, nr, fill, gfp, done);
}
EXPORT_SYMBOL_GPL(blink_tree_value_load);
