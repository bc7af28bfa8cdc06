// SPDX-License-Identifier: GPL-2.0
/*
 * The xarray: readers under RCU, writers its spinlock. Keys as far apart as
 * random ones share next to none of its nodes, so that it needs four kilobytes
 * for each. It cannot search downwards.
 */
#include <linux/err.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/xarray.h>

#include "index.h"

static void *create(const struct blink_tree_params *params)
{
	struct xarray *array = kmalloc(sizeof(*array), LAB_GFP);

	if (!array)
		return ERR_PTR(-ENOMEM);
	xa_init(array);
	return array;
}

/* xa_destroy() would free all in one go, interrupts off. */
static void destroy(void *map)
{
	unsigned long index;
	void *entry;

	xa_for_each(map, index, entry) {
		xa_erase(map, index);
		cond_resched();
	}
	kfree(map);
}

static int insert(void *map, u64 key, u64 value)
{
	return xa_insert(map, key, xa_mk_value(value), LAB_GFP);
}

static int lookup(void *map, u64 key, u64 *value)
{
	void *found = xa_load(map, key);

	if (!found)
		return -ENOENT;
	*value = xa_to_value(found);
	return 0;
}

static int store(void *map, u64 key, u64 value)
{
	return xa_err(xa_store(map, key, xa_mk_value(value), LAB_GFP));
}

static int erase(void *map, u64 key)
{
	return xa_erase(map, key) ? 0 : -ENOENT;
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

const struct lab_index lab_index_xarray = {
	.most_keys = 100000,
	.create = create,
	.destroy = destroy,
	.insert = insert,
	.lookup = lookup,
	.store = store,
	.erase = erase,
	.scan = scan,
};
