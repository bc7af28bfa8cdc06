// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's xarray. Keys as far apart as random ones share next to none of
 * its nodes, so that it needs kilobytes for each. It cannot search downwards.
 */
#include <linux/xarray.h>

#include "slab.h"
#include "index.h"

static struct xarray array;

/* These two are in lib/radix-tree.c, which the kernel's xarray shares them with. */
struct kmem_cache *radix_tree_node_cachep;

void radix_tree_node_rcu_free(struct rcu_head *head)
{
	struct xa_node *node = container_of(head, struct xa_node, rcu_head);

	memset(node->slots, 0, sizeof(node->slots));
	memset(node->marks, 0, sizeof(node->marks));
	kmem_cache_free(radix_tree_node_cachep, node);
}

static void *create(u64 keys)
{
	radix_tree_node_cachep = kmem_cache_create(
		"radix_tree_node", sizeof(struct xa_node), 0, 0, NULL);
	if (!radix_tree_node_cachep)
		return NULL;
	xa_init(&array);
	return &array;
}

static void destroy(void *map)
{
	xa_destroy(map);
	rcu_barrier();
	kmem_cache_destroy(radix_tree_node_cachep);
}

static bool insert(void *map, u64 key, u64 value)
{
	return !xa_insert(map, key, xa_mk_value(value), GFP_KERNEL);
}

static bool lookup(void *map, u64 key, u64 *value)
{
	void *entry = xa_load(map, key);

	*value = xa_to_value(entry);
	return entry;
}

static bool store(void *map, u64 key, u64 value)
{
	return !xa_is_err(xa_store(map, key, xa_mk_value(value), GFP_KERNEL));
}

static bool erase(void *map, u64 key)
{
	return xa_erase(map, key);
}

static unsigned int scan(void *map, u64 key, struct blink_tree_entry *entry,
			 unsigned int nr)
{
	XA_STATE(xas, map, key);
	unsigned int got = 0;
	void *found;

	rcu_read_lock();
	xas_for_each(&xas, found, ULONG_MAX) {
		if (xas_retry(&xas, found))
			continue;
		entry[got].key = xas.xa_index;
		entry[got].value = xa_to_value(found);
		if (++got == nr)
			break;
	}
	rcu_read_unlock();
	return got;
}

static u64 bytes(void *map)
{
	rcu_barrier();
	return slab_live_bytes();
}

const struct index index_xarray = {
	.name = "xarray",
	.version = LINUX_VERSION,
	.locking = "readers under RCU, writers take a spinlock",
	.most_keys = 1000000,
	.create = create,
	.destroy = destroy,
	.insert = insert,
	.lookup = lookup,
	.store = store,
	.erase = erase,
	.scan = scan,
	.bytes = bytes,
};
