// SPDX-License-Identifier: GPL-2.0
/*
 * Trees of all kinds by wide keys (wide.h). Each function asks once for the kind of the
 * tree. For a tree with keys of 64 bits it converts an array in place: the narrow
 * elements occupy the begin of the wide ones. They become narrow from the first
 * to the last, and wide from the last to the first, so that no element overwrites
 * another one that is still to be converted.
 */
#include <linux/blink_tree_u128.h>
#include <linux/build_bug.h>
#include <linux/slab.h>

#include "../core/core.h"
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
 *
 * Context: as blink_tree_batch().
 */
void blink_wide_batch(struct blink_tree *tree, struct blink_tree_u128_op *ops,
		      unsigned int nr)
{
	if (!is_narrow(tree)) {
		blink_tree_u128_batch(tree, ops, nr, GFP_KERNEL_ACCOUNT);
		return;
	}
	blink_tree_batch(tree, narrow_ops(ops, nr), nr, GFP_KERNEL_ACCOUNT);
	widen_ops(ops, nr);
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
 * @done: set to the number of entries that were added, counted from the first
 *
 * Context: as blink_tree_load().
 * Return: as blink_tree_load().
 */
int blink_wide_load(struct blink_tree *tree,
		    struct blink_tree_u128_entry *entries, unsigned int nr,
		    unsigned int fill, unsigned int *done)
{
	if (!is_narrow(tree))
		return blink_tree_u128_load(tree, entries, nr, fill,
					    GFP_KERNEL_ACCOUNT, done);
	return blink_tree_load(tree, narrow_entries(entries, nr), nr, fill,
			       GFP_KERNEL_ACCOUNT, done);
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
