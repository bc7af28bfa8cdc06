// SPDX-License-Identifier: GPL-2.0
/* JudyL, a radix tree that adapts its nodes, under a lock. */
/* An error is a result, not the end of the program. */
#define JUDYERROR_NOTEST 1
#include <Judy.h>
#include <errno.h>
#include <stddef.h>

#include "peers.h"
#include "rwlock.h"

static struct {
	struct rwlock lock __aligned(64);
	void *array __aligned(64);
} judy;

static void *create(const struct lab_index_ops *ops,
		    const struct lab_params *params)
{
	judy.array = NULL;
	return &judy;
}

static void destroy(void *map)
{
	unsigned long freed;

	JLFA(freed, judy.array);
	(void)freed;
}

static int store(void *map, __u64 key, __u64 value)
{
	unsigned long *slot;

	rwlock_write_lock(&judy.lock);
	JLI(slot, judy.array, key);
	if (slot && slot != PJERR)
		*slot = value;
	rwlock_write_unlock(&judy.lock);
	return slot && slot != PJERR ? 0 : -ENOMEM;
}

static int lookup(void *map, __u64 key, __u64 *value)
{
	unsigned long *slot;

	rwlock_read_lock(&judy.lock);
	JLG(slot, judy.array, key);
	if (slot)
		*value = *slot;
	rwlock_read_unlock(&judy.lock);
	return slot ? 0 : -ENOENT;
}

static int erase(void *map, __u64 key)
{
	int ret;

	rwlock_write_lock(&judy.lock);
	JLD(ret, judy.array, key);
	rwlock_write_unlock(&judy.lock);
	return ret == 1 ? 0 : -ENOENT;
}

static unsigned int scan(void *map, __u64 key, struct blink_tree_entry *entry,
			 unsigned int nr)
{
	unsigned int got = 0;
	unsigned long at = key;
	unsigned long *slot;

	rwlock_read_lock(&judy.lock);
	JLF(slot, judy.array, at);
	while (slot) {
		entry[got].key = at;
		entry[got].value = *slot;
		if (++got == nr)
			break;
		JLN(slot, judy.array, at);
	}
	rwlock_read_unlock(&judy.lock);
	return got;
}

static int find_floor(void *map, __u64 key, struct blink_tree_entry *entry)
{
	unsigned long at = key;
	unsigned long *slot;

	rwlock_read_lock(&judy.lock);
	JLL(slot, judy.array, at);
	if (slot) {
		entry->key = at;
		entry->value = *slot;
	}
	rwlock_read_unlock(&judy.lock);
	return slot ? 0 : -ENOENT;
}

const struct lab_index_ops lab_judy_ops = {
	.version = JUDY_VERSION,
	.create = create,
	.destroy = destroy,
	.insert = store,
	.lookup = lookup,
	.store = store,
	.erase = erase,
	.scan = scan,
	.floor = find_floor,
};
