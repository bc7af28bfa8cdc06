// SPDX-License-Identifier: GPL-2.0
/*
 * Trees with equal keys: a set of pairs of a key and a value. Each pair is a key of
 * 128 bits, so that the pairs of a key are the range from its least to its greatest
 * pair (pairs_of()).
 */
#include <linux/blink_tree_u128.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/limits.h>
#include <linux/minmax.h>

#include "tree/tree.h"

static struct blink_u128_scan pairs_of(u64 key)
{
	return (struct blink_u128_scan){
		.first = blink_pair(key, 0),
		.last = blink_pair(key, U64_MAX),
	};
}

static bool is_multi(const struct blink_tree *tree)
{
	return tree->key == BLINK_TREE_KEY_MULTI;
}

/**
 * blink_tree_multi_lookup() - find the least value of a key
 * @tree: the tree, of kind BLINK_TREE_KEY_MULTI
 * @key: the key
 * @value: set to the value
 *
 * Context: as blink_tree_lookup().
 * Return: 0; -ENOENT if the key has no value; -EOPNOTSUPP if the tree is of another
 * kind; -EAGAIN as blink_tree_lookup().
 */
int blink_tree_multi_lookup(struct blink_tree *tree, u64 key, u64 *value)
{
	struct blink_tree_u128_entry entry;
	int ret;

	if (!is_multi(tree))
		return -EOPNOTSUPP;
	ret = blink_tree_u128_ceiling(tree, blink_pair(key, 0), &entry);
	if (ret)
		return ret;
	if (blink_pair_key(entry.key) != key)
		return -ENOENT;
	*value = blink_pair_value(entry.key);
	return 0;
}
EXPORT_SYMBOL_GPL(blink_tree_multi_lookup);

/**
 * blink_tree_multi_insert() - add a pair
 * @tree: the tree, of kind BLINK_TREE_KEY_MULTI
 * @key: the key
 * @value: the value, which may be one of several values of the key
 * @gfp: how to allocate
 *
 * Context: as blink_tree_insert().
 * Return: 0; -EEXIST if the tree contains the pair; -EOPNOTSUPP if the tree is of
 * another kind; another negative errno as blink_tree_insert().
 */
int blink_tree_multi_insert(struct blink_tree *tree, u64 key, u64 value,
			    gfp_t gfp)
{
	if (!is_multi(tree))
		return -EOPNOTSUPP;
	return blink_tree_u128_insert(tree, blink_pair(key, value), 0, NULL,
				      gfp);
}
EXPORT_SYMBOL_GPL(blink_tree_multi_insert);

/**
 * blink_tree_multi_erase() - remove a pair
 * @tree: the tree, of kind BLINK_TREE_KEY_MULTI
 * @key: the key
 * @value: the value
 *
 * Context: as blink_tree_erase().
 * Return: 0; -ENOENT if the tree does not contain the pair; -EOPNOTSUPP if the tree is
 * of another kind; another negative errno as blink_tree_erase().
 */
int blink_tree_multi_erase(struct blink_tree *tree, u64 key, u64 value)
{
	if (!is_multi(tree))
		return -EOPNOTSUPP;
	return blink_tree_u128_erase(tree, blink_pair(key, value), NULL);
}
EXPORT_SYMBOL_GPL(blink_tree_multi_erase);

/**
 * blink_tree_multi_erase_key() - remove the pairs of a key
 * @tree: the tree, of kind BLINK_TREE_KEY_MULTI
 * @key: the key
 * @nr: the most pairs to remove, at least one; INT_MAX counts for more
 *
 * A key can have any number of values. A caller that may sleep removes them in steps,
 * reschedules between two steps, and calls blink_tree_limbo_wait(). Pairs that are
 * added meanwhile can remain.
 *
 * Context: as blink_tree_erase_range(); choose @nr for the context.
 * Return: the number of pairs that were removed, less than @nr if it was the last
 * step; -EOPNOTSUPP if the tree is of another kind; -EINVAL or -EPERM as
 * blink_tree_erase_range().
 */
int blink_tree_multi_erase_key(struct blink_tree *tree, u64 key,
			       unsigned int nr)
{
	struct blink_u128_scan scan = pairs_of(key);
	unsigned int sum = 0;
	int n;

	if (!is_multi(tree))
		return -EOPNOTSUPP;
	nr = min_t(unsigned int, nr, INT_MAX);
	do {
		n = blink_tree_u128_erase_range(tree, &scan, NULL, nr - sum);
		if (n < 0)
			return n;
		sum += n;
	} while (!scan.done && sum < nr);
	return sum;
}
EXPORT_SYMBOL_GPL(blink_tree_multi_erase_key);

/**
 * blink_tree_multi_count() - count the values of a key
 * @tree: the tree, of kind BLINK_TREE_KEY_MULTI
 * @key: the key
 * @nr: count at least so many values, if the key has them; at least one
 *
 * Context: as blink_tree_count_range(); choose @nr for the context.
 * Return: the number of values, if it is less than @nr, otherwise a number from @nr to
 * that of all values, at most INT_MAX; -EOPNOTSUPP if the tree is of another kind;
 * -EINVAL if @nr is 0; -EAGAIN as blink_tree_lookup().
 */
int blink_tree_multi_count(struct blink_tree *tree, u64 key, unsigned int nr)
{
	struct blink_u128_scan scan = pairs_of(key);
	unsigned int sum = 0;
	int n;

	if (!is_multi(tree))
		return -EOPNOTSUPP;
	/* One more count, of INT_MAX at most, does not wrap the sum. */
	nr = min_t(unsigned int, nr, INT_MAX);
	do {
		n = blink_tree_u128_count_range(tree, &scan, nr - sum);
		if (n < 0)
			return n;
		sum += n;
	} while (!scan.done && sum < nr);
	return min_t(unsigned int, sum, INT_MAX);
}
EXPORT_SYMBOL_GPL(blink_tree_multi_count);
