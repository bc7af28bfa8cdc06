// SPDX-License-Identifier: GPL-2.0
/*
 * oneTBB's concurrent_map, a skip list without locks. It cannot erase while
 * others use it, nor go backwards.
 */
#include <functional>
#include <memory>
#include <new>
#include <oneapi/tbb/concurrent_map.h>
#include <oneapi/tbb/version.h>

extern "C" {
#include "heap.h"
}
#include "index.h"

namespace
{
/* Not TBB's own allocator, but that of all others. */
using tree =
	tbb::concurrent_map<__u64, __u64, std::less<__u64>,
			    std::allocator<std::pair<const __u64, __u64> > >;

unsigned long long heap_before;

void *create(__u64)
{
	heap_before = heap_bytes();
	return new (std::nothrow) tree;
}

void destroy(void *map)
{
	delete static_cast<tree *>(map);
}

bool insert(void *map, __u64 key, __u64 value)
{
	return static_cast<tree *>(map)->emplace(key, value).second;
}

bool lookup(void *map, __u64 key, __u64 *value)
{
	tree *t = static_cast<tree *>(map);
	auto it = t->find(key);

	if (it == t->end())
		return false;
	*value = __atomic_load_n(&it->second, __ATOMIC_RELAXED);
	return true;
}

bool store(void *map, __u64 key, __u64 value)
{
	tree *t = static_cast<tree *>(map);
	auto it = t->find(key);

	if (it == t->end())
		return insert(map, key, value);
	__atomic_store_n(&it->second, value, __ATOMIC_RELAXED);
	return true;
}

unsigned int scan(void *map, __u64 key, struct blink_tree_entry *entry,
		  unsigned int nr)
{
	tree *t = static_cast<tree *>(map);
	unsigned int got = 0;

	for (auto it = t->lower_bound(key); got < nr && it != t->end(); ++it)
		entry[got++] = { it->first, it->second };
	return got;
}

__u64 bytes(void *)
{
	return heap_bytes() - heap_before;
}
} // namespace

const struct index index_tbb = {
	.name = "tbb::concurrent_map",
	.version = TBB_VERSION_STRING,
	.locking = "none",
	.most_keys = 0,
	.scans_down = false,
	.create = create,
	.destroy = destroy,
	.leave = nullptr,
	.insert = insert,
	.lookup = lookup,
	.store = store,
	.erase = nullptr,
	.scan = scan,
	.floor = nullptr,
	.batch = nullptr,
	.bytes = bytes,
};
