// SPDX-License-Identifier: GPL-2.0
/* absl::btree_map, a B-tree of nodes of 256 bytes, under a lock. */
#include <absl/base/config.h>
#include <absl/container/btree_map.h>
#include <new>

extern "C" {
#include "heap.h"
}
#include "index.h"
#include "rwlock.h"

#define TEXT(x) #x
#define VALUE_TEXT(x) TEXT(x)

namespace
{
struct locked_map {
	struct rwlock lock = {};
	absl::btree_map<__u64, __u64> tree;
};

unsigned long long heap_before;

void *create(__u64)
{
	heap_before = heap_bytes();
	return new (std::nothrow) locked_map;
}

void destroy(void *map)
{
	delete static_cast<locked_map *>(map);
}

bool insert(void *map, __u64 key, __u64 value)
{
	locked_map *m = static_cast<locked_map *>(map);
	bool added;

	rwlock_write_lock(&m->lock);
	added = m->tree.emplace(key, value).second;
	rwlock_write_unlock(&m->lock);
	return added;
}

bool lookup(void *map, __u64 key, __u64 *value)
{
	locked_map *m = static_cast<locked_map *>(map);
	bool found;

	rwlock_read_lock(&m->lock);
	auto it = m->tree.find(key);
	found = it != m->tree.end();
	if (found)
		*value = it->second;
	rwlock_read_unlock(&m->lock);
	return found;
}

bool store(void *map, __u64 key, __u64 value)
{
	locked_map *m = static_cast<locked_map *>(map);

	rwlock_write_lock(&m->lock);
	m->tree.insert_or_assign(key, value);
	rwlock_write_unlock(&m->lock);
	return true;
}

bool erase(void *map, __u64 key)
{
	locked_map *m = static_cast<locked_map *>(map);
	bool erased;

	rwlock_write_lock(&m->lock);
	erased = m->tree.erase(key);
	rwlock_write_unlock(&m->lock);
	return erased;
}

unsigned int scan(void *map, __u64 key, struct blink_tree_entry *entry,
		  unsigned int nr)
{
	locked_map *m = static_cast<locked_map *>(map);
	unsigned int got = 0;

	rwlock_read_lock(&m->lock);
	for (auto it = m->tree.lower_bound(key);
	     got < nr && it != m->tree.end(); ++it)
		entry[got++] = { it->first, it->second };
	rwlock_read_unlock(&m->lock);
	return got;
}

bool find_floor(void *map, struct blink_tree_entry *entry)
{
	locked_map *m = static_cast<locked_map *>(map);
	bool found;

	rwlock_read_lock(&m->lock);
	auto it = m->tree.upper_bound(entry->key);
	found = it != m->tree.begin();
	if (found) {
		--it;
		*entry = { it->first, it->second };
	}
	rwlock_read_unlock(&m->lock);
	return found;
}

__u64 bytes(void *)
{
	return heap_bytes() - heap_before;
}
} // namespace

const struct index index_absl = {
	.name = "absl::btree_map",
	.version = VALUE_TEXT(ABSL_LTS_RELEASE_VERSION) "." VALUE_TEXT(
		ABSL_LTS_RELEASE_PATCH_LEVEL),
	.locking = "a lock for readers or a writer",
	.most_keys = 0,
	.scans_down = false,
	.create = create,
	.destroy = destroy,
	.leave = nullptr,
	.insert = insert,
	.lookup = lookup,
	.store = store,
	.erase = erase,
	.scan = scan,
	.floor = find_floor,
	.batch = nullptr,
	.bytes = bytes,
};
