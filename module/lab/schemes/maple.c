// SPDX-License-Identifier: GPL-2.0
/* The maple tree, by its plain calls: readers under RCU, writers under its spinlock. */
#include <linux/maple_tree.h>
#include <linux/slab.h>
#include <linux/xarray.h>

#include "../keys.h"
#include "lab_index.h"

/*
 * An entry behind all keys of the laboratory, which keeps the tree from being empty. If
 * a writer empties the tree, mas_find() and mas_find_rev() of Linux 6.12 follow NULL in
 * place of a node; if one begins it, mas_find_rev() may return the root as an entry.
 */
#define GUARD ULONG_MAX

static_assert(LAB_KEY_MAX < GUARD);

static void *create(const struct lab_index_ops *ops,
		    const struct lab_params *params)
{
	struct maple_tree *tree = kmalloc(sizeof(*tree), LAB_GFP);

	if (!tree)
		return NULL;
	mt_init_flags(tree, MT_FLAGS_USE_RCU);
	if (mtree_insert(tree, GUARD, xa_mk_value(0), LAB_GFP)) {
		kfree(tree);
		return NULL;
	}
	return tree;
}

/*
 * There are no readers any more, so free the nodes at once: Linux 6.12 takes the
 * count of a node with one free slot for a child if it frees the tree after a grace
 * period (mt_free_walk()).
 */
static void destroy(void *data)
{
	mt_clear_in_rcu(data);
	mtree_destroy(data);
	kfree(data);
}

static int insert(void *data, u64 key, u64 value)
{
	return mtree_insert(data, key, xa_mk_value(value), LAB_GFP);
}

static int lookup(void *data, u64 key, u64 *value)
{
	void *found = mtree_load(data, key);

	if (!found)
		return -ENOENT;
	*value = xa_to_value(found);
	return 0;
}

static int store(void *data, u64 key, u64 value)
{
	return mtree_store(data, key, xa_mk_value(value), LAB_GFP);
}

static int erase(void *data, u64 key)
{
	return mtree_erase(data, key) ? 0 : -ENOENT;
}

static unsigned int scan(void *data, u64 key, struct blink_tree_entry *entry,
			 unsigned int nr)
{
	MA_STATE(mas, data, key, key);
	unsigned int got;
	void *found;

	rcu_read_lock();
	for (got = 0; got < nr; got++) {
		found = mas_find(&mas, GUARD - 1);
		if (!found)
			break;
		entry[got].key = mas.index;
		entry[got].value = xa_to_value(found);
	}
	rcu_read_unlock();
	return got;
}

static int find_floor(void *data, u64 key, struct blink_tree_entry *entry)
{
	MA_STATE(mas, data, key, key);
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

const struct lab_index_ops lab_maple_ops = {
	.version = LAB_LINUX,
	.create = create,
	.destroy = destroy,
	.insert = insert,
	.lookup = lookup,
	.store = store,
	.erase = erase,
	.scan = scan,
	.floor = find_floor,
};
