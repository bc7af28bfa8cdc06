// SPDX-License-Identifier: GPL-2.0
/*
 * oneTBB's concurrent_map, a skip list without locks. It cannot erase while
 * others use it, nor go backwards.
 */
#include <functional>
#include <memory>
#include <cerrno>
#include <new>
#include <oneapi/tbb/concurrent_map.h>
#include <oneapi/tbb/version.h>

#include "peers.h"

namespace
{
/* Not TBB's own allocator, but that of all others. */
using tree =
	tbb::concurrent_map<__u64, __u64, std::less<__u64>,
			    std::allocator<std::pair<const __u64, __u64> > >;

void *create(const struct lab_index_ops *, const struct lab_params *)
{
	return new (std::nothrow) tree;
}

void destroy(void *map)
{
	delete static_cast<tree *>(map);
}

int insert(void *map, __u64 key, __u64 value)
{
	return static_cast<tree *>(map)->emplace(key, value).second ? 0 :
								      -EEXIST;
}

int lookup(void *map, __u64 key, __u64 *value)
{
	tree *t = static_cast<tree *>(map);
	auto it = t->find(key);

	if (it == t->end())
		return -ENOENT;
	*value = __atomic_load_n(&it->second, __ATOMIC_RELAXED);
	return 0;
}

int store(void *map, __u64 key, __u64 value)
{
	tree *t = static_cast<tree *>(map);
	auto it = t->find(key);

	if (it == t->end())
		return insert(map, key, value);
	__atomic_store_n(&it->second, value, __ATOMIC_RELAXED);
	return 0;
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
} // namespace

const struct lab_index_ops lab_tbb_ops = {
	.version = TBB_VERSION_STRING,
	.create = create,
	.destroy = destroy,
	.insert = insert,
	.lookup = lookup,
	.store = store,
	.scan = scan,
};
