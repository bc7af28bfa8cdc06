// SPDX-License-Identifier: GPL-2.0
/*
 * Storing ranges of keys that have one value each (range.c).
 *
 * To store a range changes up to two boundaries, at its first key and behind its last one, and
 * removes those between. The boundaries depend on three values: those of the keys before, at
 * the first key, and behind. They are read first; then a commit changes the
 * boundaries on the condition that all three are as they were, and its gaps have no other
 * boundary, or lose those that they have. So a range is stored at one moment, and neighbours
 * never have equal values, as long as no other operation changes the tree.
 *
 * Linearization points: that of the commit; if the range has the value already, that of the
 * lookup.
 *
 * Bound: an attempt fails if another writer changes a boundary beside the range between the
 * lookups and the commit, which is progress of this writer. There is no bound for one caller;
 * between two attempts it reschedules, and ends if it is killed, where it may sleep.
 */
#include <linux/blink_range.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "at_leaf.h"
#include "range.h"

/* Operations of the commit: before the range, at its first key, its last boundary, behind. */
#define STORE_OPS 4
/* Ranges and holes that an allocation looks at before it reschedules. */
#define SEARCHED_AT_ONCE 256

/**
 * struct store - storing a range
 * @tree: the tree
 * @range: the range
 * @insert: it has to be a hole
 * @nr: operations in @ops
 * @ops: the commit, in the order of the keys
 * @nr_before: operations in @before
 * @before: those of the attempt before
 */
struct store {
	struct blink_tree *tree;
	struct blink_range range;
	bool insert;
	unsigned int nr;
	struct blink_tree_ioc_op ops[STORE_OPS];
	unsigned int nr_before;
	struct blink_tree_ioc_op before[STORE_OPS];
};

static void store_add(struct store *store, u16 opcode, blink_key_t key,
		      u64 value, u64 old)
{
	store->ops[store->nr++] = (struct blink_tree_ioc_op){
		.opcode = opcode,
		.key = key,
		.value = value,
		.old = old,
	};
}

/* The gap behind the last operation has to be empty, or is cleared. */
static void store_gap(struct store *store, u16 flag)
{
	store->ops[store->nr - 1].flags = flag;
}

/*
 * Let a boundary have the value of the keys from there on; it is not @wanted if the keys before
 * have the same. @present: whether it is there, with the value @old.
 */
static void store_boundary(struct store *store, blink_key_t key, u64 value,
			   bool wanted, bool present, u64 old)
{
	u16 opcode;

	if (!present)
		opcode = wanted ? BLINK_TREE_OP_INSERT : BLINK_TREE_OP_ABSENT;
	else if (!wanted)
		opcode = BLINK_TREE_OP_CMPERASE;
	else
		opcode = value == old ? BLINK_TREE_OP_EXPECT :
					BLINK_TREE_OP_CMPXCHG;
	store_add(store, opcode, key, value, old);
}

/* The boundary at the first key, and the condition on that before. */
static int store_first(struct store *store, const struct blink_range_view *at)
{
	const blink_key_t first = store->range.first;
	bool present = at->has_before && blink_key_equal(at->before.key, first);
	struct blink_range_view before = *at;
	u64 value = 0;
	int ret = 0;

	if (!blink_key_least(first)) {
		if (present)
			ret = blink_range_view(store->tree, first - 1, &before);
		if (ret)
			return ret;
		value = blink_range_value(&before);
		store_add(store,
			  before.has_before ? BLINK_TREE_OP_EXPECT :
					      BLINK_TREE_OP_ABSENT,
			  blink_range_first(&before), 0, value);
		store_gap(store, BLINK_TREE_COMMIT_EMPTY);
	}
	store_boundary(store, first, store->range.value,
		       store->range.value != value, present,
		       blink_range_value(at));
	return 0;
}

/* The last boundary that the range loses, and that behind it. */
static int store_last(struct store *store, const struct blink_range_view *at)
{
	const blink_key_t first = store->range.first, last = store->range.last;
	const bool greatest = last == BLINK_KEY_GREATEST;
	const blink_key_t end = greatest ? last : last + 1;
	struct blink_range_view behind;
	bool present;
	u64 value;
	int ret;

	/* The range is the greatest key alone. */
	if (blink_key_equal(first, end))
		return 0;
	ret = blink_range_view(store->tree, end, &behind);
	if (ret)
		return ret;
	value = blink_range_value(&behind);
	present = behind.has_before && blink_key_equal(behind.before.key, end);
	if (!behind.has_before || !blink_key_less(first, behind.before.key)) {
		/* No boundary is between, so the values are those at the first key. */
		if (value != blink_range_value(at))
			return -ESTALE;
		store_gap(store, BLINK_TREE_COMMIT_EMPTY);
	} else {
		/* The hole had no boundary, and that of the greatest key is in the range. */
		if (store->insert && (greatest || !present))
			return -ESTALE;
		store_gap(store, store->insert ? BLINK_TREE_COMMIT_EMPTY :
						 BLINK_TREE_COMMIT_CLEAR);
		if (!present) {
			store_add(store, BLINK_TREE_OP_CMPERASE,
				  behind.before.key, 0, value);
			store_gap(store, BLINK_TREE_COMMIT_EMPTY);
		}
	}
	store_boundary(store, end, value,
		       !greatest && value != store->range.value, present,
		       value);
	return 0;
}

/* Whether the range has the value already, as it was read. */
static bool store_done(const struct store *store,
		       const struct blink_range_view *at)
{
	return blink_range_value(at) == store->range.value &&
	       blink_range_last(at) >= store->range.last;
}

/* Whether the range is a hole, as it was read. */
static bool store_free(const struct store *store,
		       const struct blink_range_view *at)
{
	return !blink_range_value(at) &&
	       blink_range_last(at) >= store->range.last;
}

/* Remember the commit. Returns whether it is that of the attempt before. */
static bool store_again(struct store *store)
{
	bool again = store->nr == store->nr_before;
	unsigned int i;

	for (i = 0; i < store->nr; i++) {
		const struct blink_tree_ioc_op *op = &store->ops[i];
		struct blink_tree_ioc_op *before = &store->before[i];

		again = again && op->opcode == before->opcode &&
			op->flags == before->flags && op->old == before->old &&
			blink_key_equal(op->key, before->key);
		*before = *op;
	}
	store->nr_before = store->nr;
	return again;
}

/*
 * -ESTALE or -ERESTART: something has changed meanwhile. Boundaries that others have stored in a
 * gap can be in too many leaves: so this error counts only if the boundaries are those of the
 * attempt before.
 */
static int store_once(struct store *store, gfp_t gfp)
{
	struct blink_range_view at;
	unsigned int failed;
	bool again;
	int ret;

	store->nr = 0;
	ret = blink_range_view(store->tree, store->range.first, &at);
	if (ret)
		return ret;
	if (store->insert && !store_free(store, &at))
		return -EEXIST;
	if (store_done(store, &at))
		return 0;
	ret = store_first(store, &at) ?: store_last(store, &at);
	if (ret)
		return ret;
	again = store_again(store);
	ret = blink_commit(store->tree, store->ops, store->nr, &failed, gfp);
	return ret == -E2BIG && !again ? -ESTALE : ret;
}

/*
 * Before another attempt, or another part of a search: nothing bounds how many there are, so that
 * a caller that may sleep lets other tasks run, and ends if it is killed and may fail.
 */
static int begin_anew(gfp_t gfp)
{
	if (!(gfp & __GFP_DIRECT_RECLAIM))
		return 0;
	cond_resched();
	if (fatal_signal_pending(current) && !(gfp & __GFP_NOFAIL))
		return -EINTR;
	return 0;
}

static int store_range(struct blink_tree *tree, const struct blink_range *range,
		       bool insert, gfp_t gfp)
{
	struct store store = { .tree = tree,
			       .range = *range,
			       .insert = insert };
	unsigned int tries = 0;
	int ret;

	if (range->first > range->last || (insert && !range->value))
		return -EINVAL;
	if (!blink_tree_plain(tree))
		return -EOPNOTSUPP;
	do {
		ret = store_once(&store, gfp);
		if (ret != -ESTALE && ret != -ERESTART)
			return ret;
		/* Too many leaves may be the truth: a second attempt tells. */
		ret = tries++ ? begin_anew(gfp) : 0;
	} while (!ret);
	return ret;
}

/**
 * blink_range_store() - give all keys of a range one value
 * @tree: the tree
 * @range: the range; the value 0 makes it a hole
 * @gfp: how to allocate
 *
 * All keys get the value at one moment, whatever they had before.
 *
 * Context: as blink_tree_insert().
 * Return: 0; -EINVAL if the last key is less than the first one; -EOPNOTSUPP if the tree has
 * keys or values of another kind; -E2BIG if the boundaries that the range loses are in too many
 * leaves for one commit, which blink_range_store_part() avoids; -EINTR if the task was killed
 * while other tasks changed the boundaries, and @gfp allows it to sleep and to fail; -ENOSPC,
 * -EDQUOT, -ENOMEM, -EAGAIN and -EPERM as blink_tree_insert().
 */
int blink_range_store(struct blink_tree *tree, const struct blink_range *range,
		      gfp_t gfp)
{
	return store_range(tree, range, false, gfp);
}
EXPORT_SYMBOL_GPL(blink_range_store);

/* Find the last key in front of boundary number @nr, if the range loses as many. */
static void part_end(struct blink_tree *tree, const struct blink_range *range,
		     unsigned int nr, blink_key_t *last)
{
	struct blink_scan scan = { .first = range->first, .last = range->last };
	struct blink_tree_entry entries[16];
	int ret = 0;

	while (!scan.done && nr) {
		ret = blink_tree_scan(tree, &scan, entries,
				      min_t(unsigned int, nr,
					    ARRAY_SIZE(entries)));
		if (ret < 0)
			return;
		nr -= ret;
	}
	if (!nr && ret && range->first < entries[ret - 1].key)
		*last = entries[ret - 1].key - 1;
}

/**
 * blink_range_store_part() - give the first keys of a range one value
 * @tree: the tree
 * @range: the range; set to the rest of it
 * @gfp: how to allocate
 *
 * As blink_range_store(), but if the range is too long for one commit, a part of it gets the
 * value at one moment. The caller can store the rest as the next part. The neighbours become
 * one range.
 *
 * Context: as blink_tree_insert().
 * Return: 1 if there is a rest; otherwise as blink_range_store(), and -E2BIG only if emptied
 * leaves are in the way.
 */
int blink_range_store_part(struct blink_tree *tree, struct blink_range *range,
			   gfp_t gfp)
{
	struct blink_range part = *range;
	unsigned int nr = 512;
	int ret;

	ret = store_range(tree, &part, false, gfp);
	for (; ret == -E2BIG && nr > 1; nr /= 2) {
		part_end(tree, range, nr, &part.last);
		ret = store_range(tree, &part, false, gfp);
	}
	if (ret || blink_key_equal(part.last, range->last))
		return ret;
	range->first = part.last + 1;
	return 1;
}
EXPORT_SYMBOL_GPL(blink_range_store_part);

/**
 * blink_range_insert() - give all keys of a hole one value
 * @tree: the tree
 * @range: the keys, and the value
 * @gfp: how to allocate
 *
 * Context: as blink_tree_insert().
 * Return: 0; -EEXIST if one of the keys is in a range, or a boundary is there that another
 * operation has stored in the hole; -EINVAL also if the value is 0;
 * otherwise as blink_range_store().
 */
int blink_range_insert(struct blink_tree *tree, const struct blink_range *range,
		       gfp_t gfp)
{
	return store_range(tree, range, true, gfp);
}
EXPORT_SYMBOL_GPL(blink_range_insert);

/**
 * blink_range_alloc() - find keys in a row that are in no range, and give them a value
 * @tree: the tree
 * @size: how many
 * @highest: search from the greatest key down, otherwise from the least one up
 * @range: in: the bounds of the search, and the value; out: the keys, if it succeeds
 * @gfp: how to allocate
 *
 * Context: as blink_tree_insert().
 * Return: 0; -EBUSY if there is no such gap; -EINVAL if @size or the value is 0, or if the
 * bounds have no key; -EINTR also if the task was killed during a search among many ranges;
 * otherwise as blink_range_store().
 */
int blink_range_alloc(struct blink_tree *tree, blink_key_t size, bool highest,
		      struct blink_range *range, gfp_t gfp)
{
	const struct blink_range_search bounds = {
		.range = *range,
		.size = size,
		.down = highest,
	};
	struct blink_range_search search = bounds;
	int ret;

	if (!range->value || blink_key_least(size))
		return -EINVAL;
	do {
		ret = blink_range_search(tree, &search, SEARCHED_AT_ONCE);
		if (!ret) {
			search.range.value = range->value;
			ret = blink_range_insert(tree, &search.range, gfp);
		}
		if (!ret)
			*range = search.range;
		if (ret == -EEXIST)
			search = bounds;
	} while ((ret > 0 || ret == -EEXIST) && !(ret = begin_anew(gfp)));
	return ret == -ENOENT ? -EBUSY : ret;
}
EXPORT_SYMBOL_GPL(blink_range_alloc);
