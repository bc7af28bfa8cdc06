// SPDX-License-Identifier: GPL-2.0
/*
 * Trees of all kinds by wide keys (wide.h). Each function asks once for the kind of the
 * tree. For a tree with keys of 64 bits it converts an array in place: the narrow
 * elements occupy the begin of the wide ones. They become narrow from the first
 * to the last, and wide from the last to the first, so that no element overwrites
 * another one that is still to be converted.
 */
#include <linux/blink_tree_value.h>
#include <linux/build_bug.h>
#include <linux/slab.h>

#include "../core/core.h"
#include "record.h"
#include "wide.h"

static_assert(sizeof(struct blink_tree_ioc_op) <=
	      sizeof(struct blink_tree_u128_op));
static_assert(sizeof(struct blink_tree_entry) <=
	      sizeof(struct blink_tree_u128_entry));

static bool is_narrow(const struct blink_tree *tree)
{
	return blink_tree_key_kind(tree) == BLINK_TREE_KEY_U64;
}

static struct blink_tree_ioc_op *narrow_ops(struct blink_tree_u128_op *wide,
					    unsigned int nr)
{
	struct blink_tree_ioc_op *ops = (void *)wide;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		const struct blink_tree_u128_op op = wide[i];

		ops[i] = (struct blink_tree_ioc_op){
			.opcode = op.opcode,
			.key = op.key,
			.value = op.value,
			.old = op.old,
		};
	}
	return ops;
}

static void widen_ops(struct blink_tree_u128_op *wide, unsigned int nr)
{
	const struct blink_tree_ioc_op *ops = (void *)wide;

	while (nr--) {
		const struct blink_tree_ioc_op op = ops[nr];

		wide[nr] = (struct blink_tree_u128_op){
			.opcode = op.opcode,
			.result = op.result,
			.key = op.key,
			.value = op.value,
			.old = op.old,
		};
	}
}

/**
 * blink_wide_batch() - execute operations
 * @tree: the tree
 * @ops: the operations; their results are stored in them
 * @nr: how many
 * @gfp: how to allocate
 *
 * Context: as blink_tree_batch().
 */
void blink_wide_batch(struct blink_tree *tree, struct blink_tree_u128_op *ops,
		      unsigned int nr, gfp_t gfp)
{
	if (!is_narrow(tree)) {
		blink_tree_u128_batch(tree, ops, nr, gfp);
		return;
	}
	blink_tree_batch(tree, narrow_ops(ops, nr), nr, gfp);
	widen_ops(ops, nr);
}

/**
 * blink_wide_lookup() - find the value of a key
 * @tree: the tree
 * @key: the key
 * @value: set to the value
 *
 * Context: as blink_tree_lookup().
 * Return: as blink_tree_lookup().
 */
int blink_wide_lookup(struct blink_tree *tree, u128 key, u64 *value)
{
	if (!is_narrow(tree))
		return blink_tree_u128_lookup(tree, key, value);
	return blink_tree_lookup(tree, key, value);
}

/**
 * blink_wide_value_op() - execute an operation on a value that is bytes
 * @tree: the tree
 * @op: the operation; its result is stored in it
 * @gfp: how to allocate
 *
 * Context: as blink_tree_value_op().
 */
void blink_wide_value_op(struct blink_tree *tree, struct blink_tree_u128_op *op,
			 gfp_t gfp)
{
	if (!is_narrow(tree)) {
		blink_tree_u128_value_op(tree, op, gfp);
		return;
	}
	blink_tree_value_op(tree, narrow_ops(op, 1), gfp);
	widen_ops(op, 1);
}

/**
 * blink_wide_value_batch() - execute operations that only read values that are bytes
 * @tree: the tree
 * @ops: the operations; their results are stored in them
 * @nr: how many
 *
 * Context: as blink_tree_value_batch().
 */
void blink_wide_value_batch(struct blink_tree *tree,
			    struct blink_tree_u128_op *ops, unsigned int nr)
{
	if (!is_narrow(tree)) {
		blink_tree_u128_value_batch(tree, ops, nr);
		return;
	}
	blink_tree_value_batch(tree, narrow_ops(ops, nr), nr);
	widen_ops(ops, nr);
}

/**
 * blink_wide_value_cmpxchg() - replace a value if it is equal to the expected one
 * @tree: the tree
 * @op: CMPXCHG; its result is stored in it
 * @expected: the expected value
 *
 * Context: as blink_tree_value_cmpxchg().
 */
void blink_wide_value_cmpxchg(struct blink_tree *tree,
			      struct blink_tree_u128_op *op,
			      const struct blink_field *expected)
{
	if (is_narrow(tree))
		op->result = blink_tree_value_cmpxchg(tree, op->key,
						      expected->data,
						      expected->length,
						      op->value, &op->old);
	else
		op->result = blink_tree_u128_value_cmpxchg(tree, op->key,
							   expected->data,
							   expected->length,
							   op->value, &op->old);
}

/**
 * blink_wide_value_cmperase() - remove a key if its value is equal to the expected one
 * @tree: the tree
 * @op: CMPERASE; its result is stored in it
 * @expected: the expected value
 *
 * Context: as blink_tree_value_cmperase().
 */
void blink_wide_value_cmperase(struct blink_tree *tree,
			       struct blink_tree_u128_op *op,
			       const struct blink_field *expected)
{
	if (is_narrow(tree))
		op->result =
			blink_tree_value_cmperase(tree, op->key, expected->data,
						  expected->length, &op->old);
	else
		op->result = blink_tree_u128_value_cmperase(tree, op->key,
							    expected->data,
							    expected->length,
							    &op->old);
}

static struct blink_tree_entry *
narrow_entries(struct blink_tree_u128_entry *wide, unsigned int nr)
{
	struct blink_tree_entry *entries = (void *)wide;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		const struct blink_tree_u128_entry entry = wide[i];

		entries[i] = (struct blink_tree_entry){
			.key = entry.key,
			.value = entry.value,
		};
	}
	return entries;
}

static void widen_entries(struct blink_tree_u128_entry *wide, int nr)
{
	const struct blink_tree_entry *entries = (void *)wide;

	while (--nr >= 0) {
		const struct blink_tree_entry entry = entries[nr];

		wide[nr] = (struct blink_tree_u128_entry){
			.key = entry.key,
			.value = entry.value,
		};
	}
}

/**
 * blink_wide_load() - add entries in ascending order
 * @tree: the tree
 * @entries: the entries; undefined afterwards
 * @nr: how many
 * @fill: percent of a leaf to fill
 * @gfp: how to allocate
 * @done: set to the number of entries that were added, counted from the first
 *
 * Context: as blink_tree_load().
 * Return: as blink_tree_load().
 */
int blink_wide_load(struct blink_tree *tree,
		    struct blink_tree_u128_entry *entries, unsigned int nr,
		    unsigned int fill, gfp_t gfp, unsigned int *done)
{
	if (!is_narrow(tree))
		return blink_tree_u128_load(tree, entries, nr, fill, gfp, done);
	return blink_tree_load(tree, narrow_entries(entries, nr), nr, fill, gfp,
			       done);
}

/**
 * blink_wide_value_load() - add entries with values that are bytes, in ascending order
 * @tree: the tree
 * @entries: the entries; undefined afterwards
 * @nr: how many
 * @fill: percent of a leaf to fill
 * @gfp: how to allocate
 * @done: set to the number of entries that were added, counted from the first
 *
 * Context: as blink_tree_value_load().
 * Return: as blink_tree_value_load().
 */
int blink_wide_value_load(struct blink_tree *tree,
			  struct blink_tree_u128_entry *entries,
			  unsigned int nr, unsigned int fill, gfp_t gfp,
			  unsigned int *done)
{
	if (!is_narrow(tree))
		return blink_tree_u128_value_load(tree, entries, nr, fill, gfp,
						  done);
	return blink_tree_value_load(tree, narrow_entries(entries, nr), nr,
				     fill, gfp, done);
}

static struct blink_scan narrow_scan(const struct blink_u128_scan *wide)
{
	return (struct blink_scan){
		.first = wide->first,
		.last = wide->last,
		.desc = wide->desc,
		.done = wide->done,
	};
}

static void widen_scan(struct blink_u128_scan *wide,
		       const struct blink_scan *scan)
{
	wide->first = scan->first;
	wide->last = scan->last;
	wide->done = scan->done;
}

/**
 * blink_wide_scan() - copy entries of a range
 * @tree: the tree
 * @scan: the range; advanced past the entries that were copied
 * @entries: a buffer for them
 * @nr: room in the buffer
 *
 * Context: as blink_tree_scan().
 * Return: as blink_tree_scan().
 */
int blink_wide_scan(struct blink_tree *tree, struct blink_u128_scan *scan,
		    struct blink_tree_u128_entry *entries, unsigned int nr)
{
	struct blink_scan narrow;
	int ret;

	if (!is_narrow(tree))
		return blink_tree_u128_scan(tree, scan, entries, nr);
	narrow = narrow_scan(scan);
	ret = blink_tree_scan(tree, &narrow, (void *)entries, nr);
	widen_entries(entries, ret);
	widen_scan(scan, &narrow);
	return ret;
}

/**
 * blink_wide_count_range() - count entries of a range
 * @tree: the tree
 * @scan: the range; advanced past the entries that were counted
 * @nr: about how many to count
 *
 * Context: as blink_tree_count_range().
 * Return: as blink_tree_count_range().
 */
int blink_wide_count_range(struct blink_tree *tree,
			   struct blink_u128_scan *scan, unsigned int nr)
{
	struct blink_scan narrow;
	int ret;

	if (!is_narrow(tree))
		return blink_tree_u128_count_range(tree, scan, nr);
	narrow = narrow_scan(scan);
	ret = blink_tree_count_range(tree, &narrow, nr);
	widen_scan(scan, &narrow);
	return ret;
}

/**
 * blink_wide_erase_range() - remove entries of a range
 * @tree: the tree
 * @scan: the range; advanced past the entries that were removed
 * @nr: the most entries to remove
 *
 * Context: as blink_tree_erase_range().
 * Return: as blink_tree_erase_range().
 */
int blink_wide_erase_range(struct blink_tree *tree,
			   struct blink_u128_scan *scan, unsigned int nr)
{
	struct blink_scan narrow;
	int ret;

	if (!is_narrow(tree))
		return blink_tree_u128_erase_range(tree, scan, NULL, nr);
	narrow = narrow_scan(scan);
	ret = blink_tree_erase_range(tree, &narrow, NULL, nr);
	widen_scan(scan, &narrow);
	return ret;
}
