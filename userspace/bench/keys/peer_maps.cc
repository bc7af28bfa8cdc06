// SPDX-License-Identifier: GPL-2.0
/* absl::btree_map and std::map, each under a lock. */
#include <absl/container/btree_map.h>
#include <array>
#include <cstring>
#include <map>
#include <string>
#include <string_view>

#include "indexes/rwlock.h"
#include "keys.h"

namespace
{
/* Searches compare with the bytes of the caller, without a copy. */
struct less_string {
	using is_transparent = void;

	bool operator()(std::string_view a, std::string_view b) const
	{
		return a < b;
	}
};

std::string_view view_of(const struct key *key)
{
	return { reinterpret_cast<const char *>(key->data), key->length };
}

u128 number_of(const struct key *key)
{
	u128 number;

	std::memcpy(&number, key->data, sizeof(number));
	return number;
}

/* One map for each kind; only that of the run has entries. */
template <template <typename...> class Map> struct locked {
	alignas(64) struct rwlock lock = {};
	alignas(64) enum kind kind;
	Map<u64, u64> narrow;
	Map<u128, u64> wide;
	Map<std::string, u64, less_string> bytes;
};

template <typename... T> using absl_map = absl::btree_map<T...>;
template <typename... T> using std_map = std::map<T...>;

template <template <typename...> class Map> void *create(enum kind kind)
{
	auto *m = new locked<Map>;

	m->kind = kind;
	return m;
}

template <template <typename...> class Map>
bool insert(void *index, const struct key *key, u64 value)
{
	auto *m = static_cast<locked<Map> *>(index);
	bool added;

	rwlock_write_lock(&m->lock);
	if (m->kind == KIND_U64)
		added = m->narrow.emplace(number_of(key), value).second;
	else if (m->kind == KIND_U128)
		added = m->wide.emplace(number_of(key), value).second;
	else
		added = m->bytes.emplace(view_of(key), value).second;
	rwlock_write_unlock(&m->lock);
	return added;
}

template <typename M, typename K>
bool find(const M &map, const K &key, u64 *value)
{
	auto it = map.find(key);

	if (it == map.end())
		return false;
	*value = it->second;
	return true;
}

template <template <typename...> class Map>
bool lookup(void *index, const struct key *key, u64 *value)
{
	auto *m = static_cast<locked<Map> *>(index);
	bool found;

	rwlock_read_lock(&m->lock);
	if (m->kind == KIND_U64)
		found = find(m->narrow, static_cast<u64>(number_of(key)),
			     value);
	else if (m->kind == KIND_U128)
		found = find(m->wide, number_of(key), value);
	else
		found = find(m->bytes, view_of(key), value);
	rwlock_read_unlock(&m->lock);
	return found;
}

/* The entries are copied, as those of every other index are. */
template <typename M, typename K>
unsigned int copy(const M &map, const K &key, unsigned int nr, u64 *sum)
{
	static thread_local std::array<typename M::key_type, SCAN> keys;
	unsigned int got = 0;

	for (auto it = map.lower_bound(key); got < nr && it != map.end();
	     ++it) {
		keys[got++] = it->first;
		*sum += it->second;
	}
	return got;
}

template <template <typename...> class Map>
unsigned int scan(void *index, const struct key *key, unsigned int nr, u64 *sum)
{
	auto *m = static_cast<locked<Map> *>(index);
	unsigned int got;

	rwlock_read_lock(&m->lock);
	if (m->kind == KIND_U64)
		got = copy(m->narrow, static_cast<u64>(number_of(key)), nr,
			   sum);
	else if (m->kind == KIND_U128)
		got = copy(m->wide, number_of(key), nr, sum);
	else
		got = copy(m->bytes, view_of(key), nr, sum);
	rwlock_read_unlock(&m->lock);
	return got;
}
} // namespace

#define OPS(text, map)                                                \
	{                                                             \
		.name = text, .kinds = NUMBERS | STRINGS,             \
		.create = create<map>, .insert = insert<map>,         \
		.lookup = lookup<map>, .scan = scan<map>,             \
	}

const struct index_ops index_absl = OPS("absl::btree_map", absl_map);
const struct index_ops index_map = OPS("std::map", std_map);
