// SPDX-License-Identifier: GPL-2.0
/* absl::btree_map and std::map, each under a lock, with keys of each kind. */
#include <absl/container/btree_map.h>
#include <array>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>

#include "indexes/rwlock.h"
#include "keys.h"

namespace
{
template <typename Map> struct locked {
	alignas(64) struct rwlock lock = {};
	alignas(64) Map map;
};

template <typename Map> auto key_of(const struct key *key)
{
	if constexpr (std::is_same_v<typename Map::key_type, std::string>) {
		return std::string_view(
			reinterpret_cast<const char *>(key->data), key->length);
	} else {
		typename Map::key_type number;

		std::memcpy(&number, key->data, sizeof(number));
		return number;
	}
}

template <typename Map> void *create()
{
	return new locked<Map>;
}

template <typename Map>
bool insert(void *index, const struct key *key, u64 value)
{
	auto *m = static_cast<locked<Map> *>(index);

	rwlock_write_lock(&m->lock);
	bool added = m->map.emplace(key_of<Map>(key), value).second;
	rwlock_write_unlock(&m->lock);
	return added;
}

template <typename Map>
bool lookup(void *index, const struct key *key, u64 *value)
{
	auto *m = static_cast<locked<Map> *>(index);

	rwlock_read_lock(&m->lock);
	auto it = m->map.find(key_of<Map>(key));
	bool found = it != m->map.end();
	if (found)
		*value = it->second;
	rwlock_read_unlock(&m->lock);
	return found;
}

/* The entries are copied, as those of every other index are. */
template <typename Map>
unsigned int scan(void *index, const struct key *key, unsigned int nr, u64 *sum)
{
	static thread_local std::array<typename Map::key_type, SCAN> keys;
	auto *m = static_cast<locked<Map> *>(index);
	unsigned int got = 0;

	rwlock_read_lock(&m->lock);
	for (auto it = m->map.lower_bound(key_of<Map>(key));
	     got < nr && it != m->map.end(); ++it) {
		keys[got++] = it->first;
		*sum += it->second;
	}
	rwlock_read_unlock(&m->lock);
	return got;
}
} // namespace

#define OPS(text, ...)                         \
	{                                      \
		.name = text,                  \
		.create = create<__VA_ARGS__>, \
		.insert = insert<__VA_ARGS__>, \
		.lookup = lookup<__VA_ARGS__>, \
		.scan = scan<__VA_ARGS__>,     \
	}

/* Searches compare with the bytes of the caller, without a copy of them: std::less<>. */
#define MAPS(symbol, text, map)                                           \
	const struct index_ops symbol##_u64 = OPS(text, map<u64, u64>);   \
	const struct index_ops symbol##_u128 = OPS(text, map<u128, u64>); \
	const struct index_ops symbol##_bytes =                           \
		OPS(text, map<std::string, u64, std::less<> >)

MAPS(absl, "absl::btree_map", absl::btree_map);
MAPS(map, "std::map", std::map);
