// SPDX-License-Identifier: GPL-2.0
/*
 * Our tree, by its plain calls and its batches: as the caller asks for it, or in one
 * of its modes.
 */
#include <linux/blink_tree.h>
#include <linux/gfp.h>
#include <linux/limits.h>
#include <linux/minmax.h>

#include "blink.h"

enum mode { ASKED_FOR, INNER, FULL, COHORT, COMPRESS };

void *lab_blink_create(const struct lab_index_ops *ops,
		       const struct lab_params *params)
{
	struct blink_tree_params tree = {};

	if (params->tree)
		tree = *params->tree;
	if (ops->variant == INNER)
		tree.replication = BLINK_TREE_REPLICATE_INNER;
	else if (ops->variant == FULL)
		tree.replication = BLINK_TREE_REPLICATE_FULL;
	else if (ops->variant == COHORT)
		tree.locking = BLINK_TREE_LOCKING_COHORT;
	else if (ops->variant == COMPRESS)
		tree.flags |= BLINK_TREE_COMPRESS;
	return blink_tree_create(&tree, LAB_GFP);
}

void lab_blink_destroy(void *data)
{
	blink_tree_destroy(data);
}

int lab_blink_insert(void *data, u64 key, u64 value)
{
	return blink_tree_insert(data, key, value, NULL, LAB_GFP);
}

int lab_blink_lookup(void *data, u64 key, u64 *value)
{
	return blink_tree_lookup(data, key, value);
}

int lab_blink_store(void *data, u64 key, u64 value)
{
	return min(blink_tree_store(data, key, value, NULL, LAB_GFP), 0);
}

int lab_blink_erase(void *data, u64 key)
{
	return blink_tree_erase(data, key, NULL);
}

/* One call returns the entries of one leaf or of a few. */
unsigned int lab_blink_scan(void *data, u64 key, struct blink_tree_entry *entry,
			    unsigned int nr)
{
	struct blink_scan range = { .first = key, .last = U64_MAX };
	unsigned int got = 0;
	int ret = 0;

	while (got < nr && !range.done && ret >= 0) {
		ret = blink_tree_scan(data, &range, entry + got, nr - got);
		got += max(ret, 0);
	}
	return got;
}

int lab_blink_floor(void *data, u64 key, struct blink_tree_entry *entry)
{
	return blink_tree_floor(data, key, entry);
}

static void batch(void *data, struct blink_tree_ioc_op *op, unsigned int nr)
{
	blink_tree_batch(data, op, nr, LAB_GFP);
}

static int commit(void *data, struct blink_tree_ioc_op *op, unsigned int nr)
{
	return blink_tree_commit(data, op, nr, NULL, LAB_GFP);
}

static int get_or_insert(void *data, u64 key, u64 *value)
{
	return blink_tree_get_or_insert(data, key, value, LAB_GFP);
}

static int pop_min(void *data, struct blink_tree_entry *entry)
{
	return blink_tree_pop_min(data, 0, entry);
}

static u64 count(void *data, u64 first, u64 last)
{
	struct blink_scan range = { .first = first, .last = last };
	u64 counted = 0;
	int ret = 0;

	while (!range.done && ret >= 0) {
		ret = blink_tree_count_range(data, &range, INT_MAX);
		counted += max(ret, 0);
	}
	return counted;
}

static u64 erase_range(void *data, u64 first, u64 last)
{
	struct blink_scan range = { .first = first, .last = last };
	u64 erased = 0;
	int ret = 0;

	while (!range.done && ret >= 0) {
		ret = blink_tree_erase_range(data, &range, NULL, INT_MAX);
		erased += max(ret, 0);
	}
	return erased;
}

int lab_blink_verify(void *data)
{
	struct blink_tree_ioc_verify report;

	return blink_tree_verify(data, &report);
}

u64 lab_blink_bytes(void *data)
{
	struct blink_tree_ioc_stats stats;

	blink_tree_stats(data, &stats);
	return stats.bytes;
}

#define OPS(mode)                               \
	{                                       \
		.variant = mode,                \
		LAB_BLINK_CALLS,                \
		.batch = batch,                 \
		.commit = commit,               \
		.get_or_insert = get_or_insert, \
		.pop_min = pop_min,             \
		.count = count,                 \
		.erase_range = erase_range,     \
	}

const struct lab_index_ops lab_blink_ops = OPS(ASKED_FOR);
const struct lab_index_ops lab_blink_inner_ops = OPS(INNER);
const struct lab_index_ops lab_blink_full_ops = OPS(FULL);
const struct lab_index_ops lab_blink_cohort_ops = OPS(COHORT);
const struct lab_index_ops lab_blink_compress_ops = OPS(COMPRESS);
