// SPDX-License-Identifier: GPL-2.0
/*
 * The maple tree of the kernel under a lock for readers or a writer, in place of its own: so
 * several keys can be read or changed at one instant.
 */
#include <linux/maple_tree.h>
#include <linux/slab.h>
#include <linux/xarray.h>

#include "peers.h"
#include "rwlock.h"

static struct {
	struct rwlock lock __aligned(64);
	struct maple_tree tree __aligned(64);
} maple;

static void *create(const struct lab_index_ops *ops,
		    const struct lab_params *params)
{
	mt_init_flags(&maple.tree, 0);
	return &maple;
}

static void destroy(void *map)
{
	mtree_destroy(&maple.tree);
}

static int insert(void *map, u64 key, u64 value)
{
	int ret;

	rwlock_write_lock(&maple.lock);
	ret = mtree_insert(&maple.tree, key, xa_mk_value(value), LAB_GFP);
	rwlock_write_unlock(&maple.lock);
	return ret;
}

static int store(void *map, u64 key, u64 value)
{
	int ret;

	rwlock_write_lock(&maple.lock);
	ret = mtree_store(&maple.tree, key, xa_mk_value(value), LAB_GFP);
	rwlock_write_unlock(&maple.lock);
	return ret;
}

static int erase(void *map, u64 key)
{
	void *found;

	rwlock_write_lock(&maple.lock);
	found = mtree_erase(&maple.tree, key);
	rwlock_write_unlock(&maple.lock);
	return found ? 0 : -ENOENT;
}

static int find(u64 key, u64 *value)
{
	void *found = mtree_load(&maple.tree, key);

	if (!found)
		return -ENOENT;
	*value = xa_to_value(found);
	return 0;
}

static int lookup(void *map, u64 key, u64 *value)
{
	int ret;

	rwlock_read_lock(&maple.lock);
	ret = find(key, value);
	rwlock_read_unlock(&maple.lock);
	return ret;
}

static int read_all(struct blink_tree_ioc_op *op, unsigned int nr)
{
	int ret = 0;

	rwlock_read_lock(&maple.lock);
	for (; nr && !ret; nr--, op++)
		ret = find(op->key, &op->value);
	rwlock_read_unlock(&maple.lock);
	return ret;
}

/* Keys that are present: nothing has to be undone. */
static int store_all(const struct blink_tree_ioc_op *op, unsigned int nr)
{
	int ret = 0;

	rwlock_write_lock(&maple.lock);
	for (; nr && !ret; nr--, op++)
		ret = mtree_store(&maple.tree, op->key, xa_mk_value(op->value),
				  LAB_GFP);
	rwlock_write_unlock(&maple.lock);
	return ret;
}

/* All operations are of one kind. */
static int commit(void *map, struct blink_tree_ioc_op *op, unsigned int nr)
{
	return op->opcode == BLINK_TREE_OP_LOOKUP ? read_all(op, nr) :
						    store_all(op, nr);
}

const struct lab_index_ops lab_maple_rwlock_ops = {
	.version = LAB_LINUX,
	.create = create,
	.destroy = destroy,
	.insert = insert,
	.lookup = lookup,
	.store = store,
	.erase = erase,
	.commit = commit,
};
