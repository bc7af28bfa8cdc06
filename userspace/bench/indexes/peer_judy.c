// SPDX-License-Identifier: GPL-2.0
/* JudyL, a radix tree that adapts its nodes, under a lock. */
/* An error is a result, not the end of the program. */
#define JUDYERROR_NOTEST 1
#include <Judy.h>
#include <stddef.h>

#include "heap.h"
#include "index.h"
#include "rwlock.h"

static struct {
	struct rwlock lock;
	void *array;
} judy;

static unsigned long long heap_before;

static void *create(__u64 keys)
{
	heap_before = heap_bytes();
	judy.array = NULL;
	return &judy;
}

static void destroy(void *map)
{
	unsigned long freed;

	JLFA(freed, judy.array);
	(void)freed;
}

static bool store(void *map, __u64 key, __u64 value)
{
	unsigned long *slot;

	rwlock_write_lock(&judy.lock);
	JLI(slot, judy.array, key);
	if (slot && slot != PJERR)
		*slot = value;
	rwlock_write_unlock(&judy.lock);
	return slot && slot != PJERR;
}

static bool lookup(void *map, __u64 key, __u64 *value)
{
	unsigned long *slot;

	rwlock_read_lock(&judy.lock);
	JLG(slot, judy.array, key);
	if (slot)
		*value = *slot;
	rwlock_read_unlock(&judy.lock);
	return slot;
}

static bool erase(void *map, __u64 key)
{
	int ret;

	rwlock_write_lock(&judy.lock);
	JLD(ret, judy.array, key);
	rwlock_write_unlock(&judy.lock);
	return ret == 1;
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

static bool find_floor(void *map, struct blink_tree_entry *entry)
{
	unsigned long at = entry->key;
	unsigned long *slot;

	rwlock_read_lock(&judy.lock);
	JLL(slot, judy.array, at);
	if (slot) {
		entry->key = at;
		entry->value = *slot;
	}
	rwlock_read_unlock(&judy.lock);
	return slot;
}

static __u64 bytes(void *map)
{
	return heap_bytes() - heap_before;
}

const struct index index_judy = {
	.name = "JudyL",
	.version = JUDY_VERSION,
	.locking = "a lock for readers or a writer",
	.create = create,
	.destroy = destroy,
	.insert = store,
	.lookup = lookup,
	.store = store,
	.erase = erase,
	.scan = scan,
	.floor = find_floor,
	.bytes = bytes,
};
