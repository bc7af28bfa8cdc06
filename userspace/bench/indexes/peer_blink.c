// SPDX-License-Identifier: GPL-2.0
/* blink_tree: our core, of this very source. */
#include <linux/blink_tree.h>
#include <linux/err.h>
#include <linux/slab.h>

#include "core/core.h"
#include "index.h"
#include "version.h"

static void *create(u64 keys)
{
	static const struct blink_tree_params params = {
		.replication = BLINK_TREE_REPLICATE_NONE,
	};
	struct blink_tree *tree;

	if (blink_core_init())
		return NULL;
	tree = blink_tree_create(&params, GFP_KERNEL);
	return IS_ERR(tree) ? NULL : tree;
}

static void destroy(void *map)
{
	blink_tree_destroy(map);
	blink_core_exit();
}

static bool insert(void *map, u64 key, u64 value)
{
	return !blink_tree_insert(map, key, value, NULL, GFP_KERNEL);
}

static bool lookup(void *map, u64 key, u64 *value)
{
	return !blink_tree_lookup(map, key, value);
}

static bool store(void *map, u64 key, u64 value)
{
	return blink_tree_store(map, key, value, NULL, GFP_KERNEL) >= 0;
}

static bool erase(void *map, u64 key)
{
	return !blink_tree_erase(map, key, NULL);
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

static bool find_floor(void *map, struct blink_tree_entry *entry)
{
	return !blink_tree_floor(map, entry->key, entry);
}

static void batch(void *map, struct blink_tree_ioc_op *op, unsigned int nr)
{
	blink_tree_batch(map, op, nr, GFP_KERNEL);
}

static u64 bytes(void *map)
{
	struct blink_tree_ioc_stats stats;

	blink_tree_stats(map, &stats);
	return stats.bytes;
}

const struct index index_blink = {
	.name = "blink_tree",
	.version = BLINK_VERSION,
	.locking = "readers take no lock, writers one of the leaf",
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
