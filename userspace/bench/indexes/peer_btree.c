// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's B+-tree, lib/btree.c, under a lock.
 *
 * It goes through its keys downwards only, with a new search for each, and
 * holds no NULL, so that what is stored is the value and 1.
 */
#include <linux/btree.h>

#include "slab.h"
#include "index.h"
#include "rwlock.h"

static struct {
	struct rwlock lock;
	struct btree_head64 head;
} tree;

static void *create(u64 keys)
{
	if (standin_btree_module_init() || btree_init64(&tree.head))
		return NULL;
	return &tree;
}

/* Its own btree_destroy() expects a tree without keys. */
static void destroy(void *map)
{
	u64 key;

	while (btree_last64(&tree.head, &key))
		btree_remove64(&tree.head, key);
	btree_destroy64(&tree.head);
}

static bool insert(void *map, u64 key, u64 value)
{
	int ret;

	rwlock_write_lock(&tree.lock);
	ret = btree_insert64(&tree.head, key, (void *)(value + 1), GFP_ATOMIC);
	rwlock_write_unlock(&tree.lock);
	return !ret;
}

static bool lookup(void *map, u64 key, u64 *value)
{
	void *found;

	rwlock_read_lock(&tree.lock);
	found = btree_lookup64(&tree.head, key);
	rwlock_read_unlock(&tree.lock);
	*value = (u64)found - 1;
	return found;
}

static bool store(void *map, u64 key, u64 value)
{
	int ret;

	rwlock_write_lock(&tree.lock);
	ret = btree_update64(&tree.head, key, (void *)(value + 1));
	if (ret)
		ret = btree_insert64(&tree.head, key, (void *)(value + 1),
				     GFP_ATOMIC);
	rwlock_write_unlock(&tree.lock);
	return !ret;
}

static bool erase(void *map, u64 key)
{
	void *found;

	rwlock_write_lock(&tree.lock);
	found = btree_remove64(&tree.head, key);
	rwlock_write_unlock(&tree.lock);
	return found;
}

static unsigned int scan(void *map, u64 key, struct blink_tree_entry *entry,
			 unsigned int nr)
{
	unsigned int got = 0;
	void *found;

	/* It finds what is less than a key; there is none above KEY_MAX. */
	key++;
	rwlock_read_lock(&tree.lock);
	while (got < nr && (found = btree_get_prev64(&tree.head, &key))) {
		entry[got].key = key;
		entry[got++].value = (u64)found - 1;
	}
	rwlock_read_unlock(&tree.lock);
	return got;
}

static bool find_floor(void *map, struct blink_tree_entry *entry)
{
	return scan(map, entry->key, entry, 1);
}

static u64 bytes(void *map)
{
	return slab_live_bytes();
}

const struct index index_btree = {
	.name = "lib/btree",
	.version = LINUX_VERSION,
	.locking = "a lock for readers or a writer",
	.scans_down = true,
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
