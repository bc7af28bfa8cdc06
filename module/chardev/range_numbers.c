// SPDX-License-Identifier: GPL-2.0
/* Ranges of keys with one value each (range.c), for keys of one size. */
#include <linux/blink_range.h>

#include "kind.h"
#include "tree_file.h"

/* The most ranges and holes that a search looks at, before its task can do something else. */
#define RANGES_AT_ONCE 256

static blink_number get_number(u64 high, u64 low)
{
	if (sizeof(blink_number) == sizeof(u64))
		return high;
	return (blink_number)high << 32 << 32 | low;
}

static void put_number(blink_number number, u64 *high, u64 *low)
{
	const bool wide = sizeof(number) > sizeof(u64);

	*high = wide ? number >> 32 >> 32 : number;
	*low = wide ? number : 0;
}

static struct blink_range get_range(const struct blink_tree_ioc_range *arg)
{
	return (struct blink_range){
		.first = get_number(arg->first, arg->first_low),
		.last = get_number(arg->last, arg->last_low),
		.value = arg->value,
	};
}

static void put_range(struct blink_tree_ioc_range *arg,
		      const struct blink_range *range)
{
	put_number(range->first, &arg->first, &arg->first_low);
	put_number(range->last, &arg->last, &arg->last_low);
	arg->value = range->value;
}

/*
 * Search on among some ranges. @arg is set to the bounds of the rest, or to what was
 * found. Returns as blink_range_search().
 */
int blink_range_u64_search(struct blink_tree *tree,
			   struct blink_tree_ioc_range *arg)
{
	struct blink_range_search search = {
		.range = get_range(arg),
		.size = get_number(arg->size, arg->size_low),
		.down = arg->op == BLINK_TREE_RANGE_PREV ||
			arg->flags & BLINK_TREE_RANGE_HIGHEST,
	};
	const u64 value = arg->value;
	int ret = blink_range_search(tree, &search, RANGES_AT_ONCE);

	put_range(arg, &search.range);
	/* A gap has none: the call can have the value that it will get. */
	if (search.size)
		arg->value = value;
	return ret;
}

/*
 * Look up a range, store it or a part of it, or insert one. @arg is set to the range, or
 * to the rest of it. Returns 0; 1 if a part was stored; a negative errno.
 */
int blink_range_u64_execute(struct blink_tree *tree,
			    struct blink_tree_ioc_range *arg, gfp_t gfp)
{
	struct blink_range range = get_range(arg);
	int ret;

	if (arg->op == BLINK_TREE_RANGE_LOOKUP)
		ret = blink_range_lookup(tree, range.first, &range);
	else if (arg->op != BLINK_TREE_RANGE_STORE)
		ret = blink_range_insert(tree, &range, gfp);
	else if (arg->flags & BLINK_TREE_RANGE_PARTS)
		ret = blink_range_store_part(tree, &range, gfp);
	else
		ret = blink_range_store(tree, &range, gfp);
	put_range(arg, &range);
	return ret;
}
