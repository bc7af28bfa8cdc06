// SPDX-License-Identifier: GPL-2.0
/*
 * The resizable hash table: readers under RCU, writers under the lock of a bucket. It
 * has no order, so it has neither scan nor floor.
 */
#include <linux/err.h>
#include <linux/rhashtable.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "lab_index.h"

struct table {
	struct rhashtable ht;
	struct kmem_cache *entries;
};

struct entry {
	struct rhash_head head;
	u64 key;
	u64 value;
	struct table *table;
	struct rcu_head rcu;
};

static const struct rhashtable_params params_of_table = {
	.key_len = sizeof_field(struct entry, key),
	.key_offset = offsetof(struct entry, key),
	.head_offset = offsetof(struct entry, head),
	.automatic_shrinking = true,
};

static int init(struct table *table)
{
	int ret;

	table->entries = kmem_cache_create("lab_rhashtable",
					   sizeof(struct entry), 0, 0, NULL);
	if (!table->entries)
		return -ENOMEM;
	ret = rhashtable_init(&table->ht, &params_of_table);
	if (ret)
		kmem_cache_destroy(table->entries);
	return ret;
}

static void *create(const struct lab_index_ops *ops,
		    const struct lab_params *params)
{
	struct table *table = kmalloc(sizeof(*table), LAB_GFP);
	int ret;

	if (!table)
		return NULL;
	ret = init(table);
	if (!ret)
		return table;
	kfree(table);
	return ERR_PTR(ret);
}

static void free_entry(void *entry, void *table)
{
	kmem_cache_free(((struct table *)table)->entries, entry);
}

static void free_entry_rcu(struct rcu_head *rcu)
{
	struct entry *entry = container_of(rcu, struct entry, rcu);

	free_entry(entry, entry->table);
}

static void destroy(void *data)
{
	struct table *table = data;

	rhashtable_free_and_destroy(&table->ht, free_entry, table);
	rcu_barrier();
	kmem_cache_destroy(table->entries);
	kfree(table);
}

/* The table is busy if insertions come faster than it grows. */
static int insert(void *data, u64 key, u64 value)
{
	struct table *table = data;
	struct entry *new = kmem_cache_alloc(table->entries, LAB_GFP);
	int ret;

	if (!new)
		return -ENOMEM;
	new->key = key;
	new->value = value;
	new->table = table;
	do {
		ret = rhashtable_lookup_insert_fast(&table->ht, &new->head,
						    params_of_table);
		cond_resched();
	} while (ret == -EBUSY);
	if (ret)
		kmem_cache_free(table->entries, new);
	return ret;
}

static int lookup(void *data, u64 key, u64 *value)
{
	struct table *table = data;
	struct entry *entry;

	rcu_read_lock();
	entry = rhashtable_lookup(&table->ht, &key, params_of_table);
	if (entry)
		*value = READ_ONCE(entry->value);
	rcu_read_unlock();
	return entry ? 0 : -ENOENT;
}

static int replace(void *data, u64 key, u64 value)
{
	struct table *table = data;
	struct entry *entry;

	rcu_read_lock();
	entry = rhashtable_lookup(&table->ht, &key, params_of_table);
	if (entry)
		WRITE_ONCE(entry->value, value);
	rcu_read_unlock();
	return entry ? 0 : -ENOENT;
}

/* Another thread may insert the key, or erase it, between the two attempts. */
static int store(void *data, u64 key, u64 value)
{
	int ret;

	do {
		ret = replace(data, key, value);
		if (ret == -ENOENT)
			ret = insert(data, key, value);
	} while (ret == -EEXIST);
	return ret;
}

static int erase(void *data, u64 key)
{
	struct table *table = data;
	struct entry *entry;
	int ret = -ENOENT;

	rcu_read_lock();
	entry = rhashtable_lookup(&table->ht, &key, params_of_table);
	if (entry)
		ret = rhashtable_remove_fast(&table->ht, &entry->head,
					     params_of_table);
	if (!ret)
		call_rcu(&entry->rcu, free_entry_rcu);
	rcu_read_unlock();
	return ret;
}

static u64 bytes(void *data)
{
	struct table *table = data;
	u64 sum = kmem_cache_size(table->entries) *
		  (u64)atomic_read(&table->ht.nelems);

	rcu_read_lock();
	sum += rht_dereference_rcu(table->ht.tbl, &table->ht)->size *
	       sizeof(struct rhash_lock_head *);
	rcu_read_unlock();
	return sum;
}

const struct lab_index_ops lab_rhashtable_ops = {
	.version = LAB_LINUX,
	.create = create,
	.destroy = destroy,
	.insert = insert,
	.lookup = lookup,
	.store = store,
	.erase = erase,
	.bytes = bytes,
};
