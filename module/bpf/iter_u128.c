// SPDX-License-Identifier: GPL-2.0
/*
 * The iterator over entries with keys of 128 bits (walk.h).
 *
 * Linearization points: those of the scans (../core/op/scan.c).
 */
#ifdef BLINK_KFUNCS

#include <linux/btf.h>
#include <linux/build_bug.h>

#include "kfuncs.h"
#include "read.h"
#include "u128.h"
#include "walk.h"

/* Entries read ahead. */
#define AHEAD 5

/**
 * struct iter - an iterator
 * @walk: its state
 * @first: least key of the part of the range that was not read yet
 * @last: its greatest key
 * @desc: the iteration descends
 * @entries: the entries read ahead
 */
struct iter {
	struct blink_bpf_walk walk;
	struct blink_u128 first;
	struct blink_u128 last;
	u64 desc;
	struct blink_u128_entry entries[AHEAD];
};

static_assert(sizeof(struct iter) == sizeof(struct bpf_iter_blink_u128));
static_assert(__alignof__(struct iter) ==
	      __alignof__(struct bpf_iter_blink_u128));
static_assert(sizeof(struct blink_u128_entry) ==
	      sizeof(blink_u128_entry_words_t));

/* Read entries, and go on behind them. Returns as blink_tree_u128_scan(). */
static int scan_ahead(struct iter *iter, struct blink_tree *tree)
{
	struct blink_tree_u128_entry entries[AHEAD];
	struct blink_u128_scan scan = {
		.first = blink_u128_join(&iter->first),
		.last = blink_u128_join(&iter->last),
		.desc = iter->desc,
	};
	int i, ret;

	ret = blink_tree_u128_scan(tree, &scan, entries, AHEAD);
	for (i = 0; i < ret; i++)
		iter->entries[i] = blink_u128_entry(&entries[i]);
	iter->first = blink_u128_halves(scan.first);
	iter->last = blink_u128_halves(scan.last);
	iter->walk.done = scan.done;
	return ret;
}

/* Read entries ahead. False: the iteration has ended. */
static bool refill(struct iter *iter)
{
	struct blink_tree *tree;
	unsigned long flags;
	int ret;

	if (iter->walk.done)
		return false;
	tree = blink_bpf_begin(iter->walk.handle, &flags);
	if (IS_ERR(tree))
		return blink_bpf_walk_fill(&iter->walk, PTR_ERR(tree));
	ret = scan_ahead(iter, tree);
	blink_bpf_end(flags);
	return blink_bpf_walk_fill(&iter->walk, ret);
}

/**
 * bpf_iter_blink_u128_new() - begin an iteration over the entries of a range
 * @it: the iterator
 * @handle: a handle that is open for reading
 * @first: least key of the range
 * @last: greatest key of the range
 * @flags: BLINK_TREE_SCAN_DESC to begin at @last, or 0
 *
 * After an error the iterator has no entries.
 *
 * Context: any.
 * Return: as bpf_iter_blink_new().
 */
__bpf_kfunc int bpf_iter_blink_u128_new(struct bpf_iter_blink_u128 *it,
					u64 handle,
					const struct blink_u128 *first,
					const struct blink_u128 *last,
					u32 flags)
{
	struct iter *iter = (struct iter *)it;

	*iter = (struct iter){
		.first = *first,
		.last = *last,
		.desc = flags & BLINK_TREE_SCAN_DESC,
	};
	/* The copies: other CPUs can overwrite the memory of a program. */
	return blink_bpf_walk_begin(&iter->walk, handle, flags,
				    blink_u128_join(&iter->first) <=
					    blink_u128_join(&iter->last));
}

/**
 * bpf_iter_blink_u128_next() - return the next entry of an iteration
 * @it: the iterator
 *
 * Context: any.
 * Return: the halves of the key and the value; otherwise as bpf_iter_blink_next().
 */
__bpf_kfunc blink_u128_entry_words_t *
bpf_iter_blink_u128_next(struct bpf_iter_blink_u128 *it)
{
	struct iter *iter = (struct iter *)it;

	if (iter->walk.next == iter->walk.count && !refill(iter))
		return NULL;
	if (!blink_bpf_walk_admits(&iter->walk))
		return NULL;
	return (blink_u128_entry_words_t *)&iter->entries[iter->walk.next++];
}

/**
 * bpf_iter_blink_u128_destroy() - end an iteration
 * @it: the iterator
 *
 * Context: any.
 */
__bpf_kfunc void bpf_iter_blink_u128_destroy(struct bpf_iter_blink_u128 *it)
{
}

/**
 * bpf_blink_u128_iter_error() - why an iteration has ended
 * @it__iter: the iterator
 *
 * Context: any.
 * Return: as bpf_blink_iter_error().
 */
__bpf_kfunc int bpf_blink_u128_iter_error(struct bpf_iter_blink_u128 *it__iter)
{
	const struct iter *iter = (const struct iter *)it__iter;

	return iter->walk.error;
}

#endif /* BLINK_KFUNCS */
