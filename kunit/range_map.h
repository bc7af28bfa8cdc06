/* SPDX-License-Identifier: GPL-2.0 */
/* Ranges of small numbers as ranges of keys of any size, for the tests of range_map*.c. */
#ifndef BLINK_KUNIT_RANGE_MAP_H
#define BLINK_KUNIT_RANGE_MAP_H

#include <linux/blink_range.h>

#include "fixture.h"

/* Room of each place. */
#define KEYS 64

/**
 * struct ranges - a tree, and the keys of a test in it
 * @tree: the tree
 * @wide: its keys have 128 bits
 * @base: the first key
 * @keys: how many there are
 */
struct ranges {
	struct blink_tree *tree;
	bool wide;
	u128 base;
	u64 keys;
};

static inline struct ranges ranges_of(struct kunit *test)
{
	struct ranges r = { .tree = fixture_tree(test), .keys = KEYS };
	const u32 key = fixture_stats(r.tree).key;

	if (key == BLINK_TREE_KEY_BYTES)
		kunit_skip(test, "keys are strings");
	r.wide = key == BLINK_TREE_KEY_U128;
	return r;
}

/* A range of small numbers, as one of the tree, and back. */
static inline struct blink_range narrow(const struct ranges *r,
					const struct blink_range *range)
{
	return (struct blink_range){ (u64)r->base + range->first,
				     (u64)r->base + range->last, range->value };
}

static inline struct blink_u128_range wide(const struct ranges *r,
					   const struct blink_range *range)
{
	return (struct blink_u128_range){ r->base + range->first,
					  r->base + range->last, range->value };
}

/* A hole can begin before the first key, and end behind the last one. */
static inline u64 clip(const struct ranges *r, u128 key, bool last)
{
	const u128 end = r->base + r->keys - 1;

	if (r->wide ? key > end : (u64)key > (u64)end)
		key = end;
	if (r->wide ? key < r->base : (u64)key < (u64)r->base)
		key = r->base;
	return key - r->base;
}

static inline int store(const struct ranges *r, u64 first, u64 last, u64 value)
{
	const struct blink_range range = { first, last, value };
	const struct blink_range key = narrow(r, &range);
	const struct blink_u128_range big = wide(r, &range);

	return r->wide ? blink_u128_range_store(r->tree, &big, GFP_KERNEL) :
			 blink_range_store(r->tree, &key, GFP_KERNEL);
}

static inline int insert(const struct ranges *r, u64 first, u64 last, u64 value)
{
	const struct blink_range range = { first, last, value };
	const struct blink_range key = narrow(r, &range);
	const struct blink_u128_range big = wide(r, &range);

	return r->wide ? blink_u128_range_insert(r->tree, &big, GFP_KERNEL) :
			 blink_range_insert(r->tree, &key, GFP_KERNEL);
}

/* Store as many parts as it takes. */
static inline int store_parts(const struct ranges *r, u64 first, u64 last,
			      u64 value, unsigned int *parts)
{
	const struct blink_range range = { first, last, value };
	struct blink_range key = narrow(r, &range);
	struct blink_u128_range big = wide(r, &range);
	int ret;

	for (*parts = 1;; ++*parts) {
		ret = r->wide ?
			      blink_u128_range_store_part(r->tree, &big,
							  GFP_KERNEL) :
			      blink_range_store_part(r->tree, &key, GFP_KERNEL);
		if (ret <= 0)
			return ret;
	}
}

typedef int (*find_t)(struct blink_tree *tree, u64 key,
		      struct blink_range *range);
typedef int (*find_wide_t)(struct blink_tree *tree, u128 key,
			   struct blink_u128_range *range);

static inline int find(const struct ranges *r, find_t find,
		       find_wide_t find_wide, u64 key,
		       struct blink_range *range)
{
	struct blink_u128_range big = {};
	struct blink_range small = {};
	int ret;

	if (!r->wide) {
		ret = find(r->tree, (u64)r->base + key, &small);
		big = (struct blink_u128_range){ small.first, small.last,
						 small.value };
	} else {
		ret = find_wide(r->tree, r->base + key, &big);
	}
	*range = (struct blink_range){ clip(r, big.first, false),
				       clip(r, big.last, true), big.value };
	return ret;
}

#define FIND(r, what, key, range) \
	find(r, blink_range_##what, blink_u128_range_##what, key, range)

static inline int gap(const struct ranges *r, u64 size, bool highest,
		      struct blink_range *range)
{
	struct blink_range key = narrow(r, range);
	struct blink_u128_range big = wide(r, range);
	int ret = r->wide ? blink_u128_range_gap(r->tree, size, highest, &big) :
			    blink_range_gap(r->tree, size, highest, &key);

	range->first = r->wide ? big.first - r->base : key.first - (u64)r->base;
	range->last = r->wide ? big.last - r->base : key.last - (u64)r->base;
	return ret;
}

static inline int alloc(const struct ranges *r, u64 size, bool highest,
			struct blink_range *range)
{
	struct blink_range key = narrow(r, range);
	struct blink_u128_range big = wide(r, range);
	int ret = r->wide ? blink_u128_range_alloc(r->tree, size, highest, &big,
						   GFP_KERNEL) :
			    blink_range_alloc(r->tree, size, highest, &key,
					      GFP_KERNEL);

	range->first = r->wide ? big.first - r->base : key.first - (u64)r->base;
	range->last = r->wide ? big.last - r->base : key.last - (u64)r->base;
	return ret;
}

static inline bool same(const struct blink_range *range, u64 first, u64 last,
			u64 value)
{
	return range->first == first && range->last == last &&
	       range->value == value;
}

#endif /* BLINK_KUNIT_RANGE_MAP_H */
