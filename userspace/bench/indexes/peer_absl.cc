// SPDX-License-Identifier: GPL-2.0
/* absl::btree_map, a B-tree of nodes of 256 bytes, under a lock. */
#include <absl/base/config.h>
#include <absl/container/btree_map.h>
#include <cerrno>
#include <new>

#include "peers.h"
#include "rwlock.h"

#define TEXT(x) #x
#define VALUE_TEXT(x) TEXT(x)

namespace
{
struct locked_map {
	alignas(64) struct rwlock lock = {};
	alignas(64) absl::btree_map<__u64, __u64> tree;
};

void *create(const struct lab_index_ops *, const struct lab_params *)
{
	return new (std::nothrow) locked_map;
}

void destroy(void *map)
{
	delete static_cast<locked_map *>(map);
}

int insert(void *map, __u64 key, __u64 value)
{
	auto *m = static_cast<locked_map *>(map);

	rwlock_write_lock(&m->lock);
	bool added = m->tree.emplace(key, value).second;
	rwlock_write_unlock(&m->lock);
	return added ? 0 : -EEXIST;
}

int lookup(void *map, __u64 key, __u64 *value)
{
	auto *m = static_cast<locked_map *>(map);

	rwlock_read_lock(&m->lock);
	auto it = m->tree.find(key);
	bool found = it != m->tree.end();
	if (found)
		*value = it->second;
	rwlock_read_unlock(&m->lock);
	return found ? 0 : -ENOENT;
}

int store(void *map, __u64 key, __u64 value)
{
	auto *m = static_cast<locked_map *>(map);

	rwlock_write_lock(&m->lock);
	m->tree.insert_or_assign(key, value);
	rwlock_write_unlock(&m->lock);
	return 0;
}

int erase(void *map, __u64 key)
{
	auto *m = static_cast<locked_map *>(map);

	rwlock_write_lock(&m->lock);
	bool erased = m->tree.erase(key);
	rwlock_write_unlock(&m->lock);
	return erased ? 0 : -ENOENT;
}

int pop_min(void *map, struct blink_tree_entry *entry)
{
	auto *m = static_cast<locked_map *>(map);

	rwlock_write_lock(&m->lock);
	auto it = m->tree.begin();
	bool found = it != m->tree.end();
	if (found) {
		*entry = { it->first, it->second };
		m->tree.erase(it);
	}
	rwlock_write_unlock(&m->lock);
	return found ? 0 : -ENOENT;
}

unsigned int scan(void *map, __u64 key, struct blink_tree_entry *entry,
		  unsigned int nr)
{
	auto *m = static_cast<locked_map *>(map);
	unsigned int got = 0;

	rwlock_read_lock(&m->lock);
	for (auto it = m->tree.lower_bound(key);
	     got < nr && it != m->tree.end(); ++it)
		entry[got++] = { it->first, it->second };
	rwlock_read_unlock(&m->lock);
	return got;
}

int find_floor(void *map, __u64 key, struct blink_tree_entry *entry)
{
	auto *m = static_cast<locked_map *>(map);

	rwlock_read_lock(&m->lock);
	auto it = m->tree.upper_bound(key);
	bool found = it != m->tree.begin();
	if (found) {
		--it;
		*entry = { it->first, it->second };
	}
	rwlock_read_unlock(&m->lock);
	return found ? 0 : -ENOENT;
}
} // namespace

const struct lab_index_ops lab_absl_ops = {
	.version = VALUE_TEXT(ABSL_LTS_RELEASE_VERSION) "." VALUE_TEXT(
		ABSL_LTS_RELEASE_PATCH_LEVEL),
	.create = create,
	.destroy = destroy,
	.insert = insert,
	.lookup = lookup,
	.store = store,
	.erase = erase,
	.scan = scan,
	.floor = find_floor,
	.pop_min = pop_min,
};
