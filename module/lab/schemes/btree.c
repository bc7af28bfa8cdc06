// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's B+-tree under a reader-writer lock. It visits its keys in descending
 * order only, with a new search for each. It cannot store NULL, so that it stores the
 * value and 1.
 */
#include <linux/btree.h>
#include <linux/errno.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#include "lab_index.h"

struct tree {
	rwlock_t lock;
	struct btree_head64 head;
};

static void *create(const struct lab_index_ops *ops,
		    const struct lab_params *params)
{
	struct tree *tree = kmalloc(sizeof(*tree), LAB_GFP);

	if (!tree)
		return NULL;
	if (btree_init64(&tree->head)) {
		kfree(tree);
		return NULL;
	}
	rwlock_init(&tree->lock);
	return tree;
}

/* btree_destroy64() expects an empty tree. */
static void destroy(void *data)
{
	struct tree *tree = data;
	u64 key;

	while (btree_last64(&tree->head, &key)) {
		btree_remove64(&tree->head, key);
		cond_resched();
	}
	btree_destroy64(&tree->head);
	kfree(tree);
}

static void *entry_of(u64 value)
{
	return (void *)(unsigned long)(value + 1);
}

static u64 value_of(const void *entry)
{
	return (unsigned long)entry - 1;
}

static int insert(void *data, u64 key, u64 value)
{
	struct tree *tree = data;
	int ret = -EEXIST;

	write_lock(&tree->lock);
	if (!btree_lookup64(&tree->head, key))
		ret = btree_insert64(&tree->head, key, entry_of(value),
				     GFP_ATOMIC);
	write_unlock(&tree->lock);
	return ret;
}

static int lookup(void *data, u64 key, u64 *value)
{
	struct tree *tree = data;
	void *found;

	read_lock(&tree->lock);
	found = btree_lookup64(&tree->head, key);
	read_unlock(&tree->lock);
	if (!found)
		return -ENOENT;
	*value = value_of(found);
	return 0;
}

static int store(void *data, u64 key, u64 value)
{
	struct tree *tree = data;
	int ret;

	write_lock(&tree->lock);
	ret = btree_update64(&tree->head, key, entry_of(value));
	if (ret)
		ret = btree_insert64(&tree->head, key, entry_of(value),
				     GFP_ATOMIC);
	write_unlock(&tree->lock);
	return ret;
}

static int erase(void *data, u64 key)
{
	struct tree *tree = data;
	void *found;

	write_lock(&tree->lock);
	found = btree_remove64(&tree->head, key);
	write_unlock(&tree->lock);
	return found ? 0 : -ENOENT;
}

static unsigned int scan(void *data, u64 key, struct blink_tree_entry *entry,
			 unsigned int nr)
{
	struct tree *tree = data;
	unsigned int got = 0;
	void *found;

	/* It finds the key below a key; no key is above the greatest of 63 bits. */
	key++;
	read_lock(&tree->lock);
	while (got < nr && (found = btree_get_prev64(&tree->head, &key))) {
		entry[got].key = key;
		entry[got++].value = value_of(found);
	}
	read_unlock(&tree->lock);
	return got;
}

static int find_floor(void *data, u64 key, struct blink_tree_entry *entry)
{
	return scan(data, key, entry, 1) ? 0 : -ENOENT;
}

const struct lab_index_ops lab_btree_ops = {
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
