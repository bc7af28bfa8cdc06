// SPDX-License-Identifier: GPL-2.0
/*
 * The xarray: readers under RCU, writers under its spinlock. Random keys share
 * hardly any of its nodes, so each takes four kilobytes. It cannot search downwards.
 */
#include <linux/errno.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/xarray.h>

#include "lab_index.h"

static void *create(const struct lab_index_ops *ops,
		    const struct lab_params *params)
{
	struct xarray *array = kmalloc(sizeof(*array), LAB_GFP);

	if (!array)
		return NULL;
	xa_init(array);
	return array;
}

/* xa_destroy() would free all entries with interrupts off. */
static void destroy(void *data)
{
	unsigned long index;
	void *entry;

	xa_for_each(data, index, entry) {
		xa_erase(data, index);
		cond_resched();
	}
	kfree(data);
}

static int insert(void *data, u64 key, u64 value)
{
	int ret = xa_insert(data, key, xa_mk_value(value), LAB_GFP);

	return ret == -EBUSY ? -EEXIST : ret;
}

static int lookup(void *data, u64 key, u64 *value)
{
	void *found = xa_load(data, key);

	if (!found)
		return -ENOENT;
	*value = xa_to_value(found);
	return 0;
}

static int store(void *data, u64 key, u64 value)
{
	return xa_err(xa_store(data, key, xa_mk_value(value), LAB_GFP));
}

static int erase(void *data, u64 key)
{
	return xa_erase(data, key) ? 0 : -ENOENT;
}

static unsigned int scan(void *data, u64 key, struct blink_tree_entry *entry,
			 unsigned int nr)
{
	XA_STATE(xas, data, key);
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

const struct lab_index_ops lab_xarray_ops = {
	.version = LAB_LINUX,
	.most_keys = 100000,
	.create = create,
	.destroy = destroy,
	.insert = insert,
	.lookup = lookup,
	.store = store,
	.erase = erase,
	.scan = scan,
};
