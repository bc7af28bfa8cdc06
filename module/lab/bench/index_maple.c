// SPDX-License-Identifier: GPL-2.0
/* The maple tree, by its plain calls: readers under RCU, writers its spinlock. */
#include <linux/err.h>
#include <linux/maple_tree.h>
#include <linux/slab.h>
#include <linux/xarray.h>

#include "index.h"

static void *create(const struct blink_tree_params *params)
{
	struct maple_tree *tree = kmalloc(sizeof(*tree), LAB_GFP);

	if (!tree)
		return ERR_PTR(-ENOMEM);
	mt_init_flags(tree, MT_FLAGS_USE_RCU);
	return tree;
}

/*
 * Not as a tree with readers under RCU, of which there is none any more: 6.12
 * takes the count of a node with one free slot for a child when it frees such a
 * tree later (mt_free_walk()).
 */
static void destroy(void *map)
{
	mt_clear_in_rcu(map);
	mtree_destroy(map);
	kfree(map);
}

static int insert(void *map, u64 key, u64 value)
{
	return mtree_insert(map, key, xa_mk_value(value), LAB_GFP);
}

static int lookup(void *map, u64 key, u64 *value)
{
	void *found = mtree_load(map, key);

	if (!found)
		return -ENOENT;
	*value = xa_to_value(found);
	return 0;
}

static int store(void *map, u64 key, u64 value)
{
	return mtree_store(map, key, xa_mk_value(value), LAB_GFP);
}

static int erase(void *map, u64 key)
{
	return mtree_erase(map, key) ? 0 : -ENOENT;
}

static unsigned int scan(void *map, u64 key, struct blink_tree_entry *entry,
			 unsigned int nr)
{
	MA_STATE(mas, map, key, key);
	unsigned int got;
	void *found;

	rcu_read_lock();
	for (got = 0; got < nr; got++) {
		found = mas_find(&mas, ULONG_MAX);
		if (!found)
			break;
		entry[got].key = mas.index;
		entry[got].value = xa_to_value(found);
	}
	rcu_read_unlock();
	return got;
}

static int find_floor(void *map, u64 key, struct blink_tree_entry *entry)
{
	MA_STATE(mas, map, key, key);
	void *found;

	rcu_read_lock();
	found = mas_find_rev(&mas, 0);
	rcu_read_unlock();
	if (!found)
		return -ENOENT;
	entry->key = mas.index;
	entry->value = xa_to_value(found);
	return 0;
}

const struct lab_index lab_index_maple = {
	.create = create,
	.destroy = destroy,
	.insert = insert,
	.lookup = lookup,
	.store = store,
	.erase = erase,
	.scan = scan,
	.floor = find_floor,
};
