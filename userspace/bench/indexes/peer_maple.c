// SPDX-License-Identifier: GPL-2.0
/* The kernel's maple tree, by its plain API: readers under RCU. */
#include <linux/maple_tree.h>
#include <linux/xarray.h>

#include "slab.h"
#include "index.h"

static struct maple_tree tree;

static void *create(u64 keys)
{
	maple_tree_init();
	mt_init_flags(&tree, MT_FLAGS_USE_RCU);
	return &tree;
}

static void destroy(void *map)
{
	mtree_destroy(map);
	rcu_barrier();
}

static bool insert(void *map, u64 key, u64 value)
{
	return !mtree_insert(map, key, xa_mk_value(value), GFP_KERNEL);
}

static bool lookup(void *map, u64 key, u64 *value)
{
	void *entry = mtree_load(map, key);

	*value = xa_to_value(entry);
	return entry;
}

static bool store(void *map, u64 key, u64 value)
{
	return !mtree_store(map, key, xa_mk_value(value), GFP_KERNEL);
}

static bool erase(void *map, u64 key)
{
	return mtree_erase(map, key);
}

static unsigned int scan(void *map, u64 key, struct blink_tree_entry *entry,
			 unsigned int nr)
{
	MA_STATE(mas, map, key, key);
	unsigned int got = 0;
	void *found;

	rcu_read_lock();
	while (got < nr && (found = mas_find(&mas, ULONG_MAX)))
		entry[got++] = (struct blink_tree_entry){
			.key = mas.index,
			.value = xa_to_value(found),
		};
	rcu_read_unlock();
	return got;
}

static bool find_floor(void *map, struct blink_tree_entry *entry)
{
	MA_STATE(mas, map, entry->key, entry->key);
	void *found;

	rcu_read_lock();
	found = mas_find_rev(&mas, 0);
	entry->key = mas.index;
	entry->value = xa_to_value(found);
	rcu_read_unlock();
	return found;
}

static u64 bytes(void *map)
{
	rcu_barrier();
	return slab_live_bytes();
}

const struct index index_maple = {
	.name = "maple_tree",
	.version = LINUX_VERSION,
	.locking = "readers under RCU, writers take a spinlock",
	.create = create,
	.destroy = destroy,
	.insert = insert,
	.lookup = lookup,
	.store = store,
	.erase = erase,
	.scan = scan,
	.floor = find_floor,
	.bytes = bytes,
};
