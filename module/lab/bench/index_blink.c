// SPDX-License-Identifier: GPL-2.0
/* Our tree, by its plain calls and its batches. */
#include <linux/err.h>
#include <linux/minmax.h>

#include "index.h"

static void *create(const struct blink_tree_params *params)
{
	return blink_tree_create(params, LAB_GFP);
}

static void destroy(void *map)
{
	blink_tree_destroy(map);
}

static int insert(void *map, u64 key, u64 value)
{
	return blink_tree_insert(map, key, value, NULL, LAB_GFP);
}

static int lookup(void *map, u64 key, u64 *value)
{
	return blink_tree_lookup(map, key, value);
}

static int store(void *map, u64 key, u64 value)
{
	return min(blink_tree_store(map, key, value, NULL, LAB_GFP), 0);
}

static int erase(void *map, u64 key)
{
	return blink_tree_erase(map, key, NULL);
}

/* One call returns what it finds in a leaf or a few. */
static unsigned int scan(void *map, u64 key, struct blink_tree_entry *entry,
			 unsigned int nr)
{
	struct blink_scan range = { .first = key, .last = U64_MAX };
	unsigned int got = 0;
	int ret = 0;

	while (got < nr && !range.done && ret >= 0) {
		ret = blink_tree_scan(map, &range, entry + got, nr - got);
		got += max(ret, 0);
	}
	return got;
}

static int find_floor(void *map, u64 key, struct blink_tree_entry *entry)
{
	return blink_tree_floor(map, key, entry);
}

static void batch(void *map, struct blink_tree_ioc_op *op, unsigned int nr)
{
	blink_tree_batch(map, op, nr, LAB_GFP);
}

static u64 bytes(void *map)
{
	struct blink_tree_ioc_stats stats;

	blink_tree_stats(map, &stats);
	return stats.bytes;
}

const struct lab_index lab_index_blink = {
	.create = create,
	.destroy = destroy,
	.insert = insert,
	.lookup = lookup,
	.store = store,
	.erase = erase,
	.scan = scan,
	.floor = find_floor,
	.batch = batch,
	.bytes = bytes,
};
