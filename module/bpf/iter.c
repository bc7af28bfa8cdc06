// SPDX-License-Identifier: GPL-2.0
/*
 * The iterator over entries with keys of 64 bits (walk.h).
 *
 * Linearization points: those of the scans (../core/op/scan.c).
 */
#ifdef BLINK_KFUNCS

#include <linux/btf.h>
#include <linux/build_bug.h>

#include "kfuncs.h"
#include "read.h"
#include "walk.h"

/* Entries read ahead. */
#define AHEAD 8

/**
 * struct iter - an iterator
 * @walk: its state
 * @scan: the part of the range that was not read yet
 * @entries: the entries read ahead
 */
struct iter {
	struct blink_bpf_walk walk;
	struct blink_scan scan;
	struct blink_tree_entry entries[AHEAD];
};

static_assert(sizeof(struct iter) == sizeof(struct bpf_iter_blink));
static_assert(__alignof__(struct iter) == __alignof__(struct bpf_iter_blink));
static_assert(sizeof(struct blink_tree_entry) == sizeof(blink_entry_words_t));

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
	ret = blink_tree_scan(tree, &iter->scan, iter->entries, AHEAD);
	blink_bpf_end(flags);
	iter->walk.done = iter->scan.done;
	return blink_bpf_walk_fill(&iter->walk, ret);
}

/**
 * bpf_iter_blink_new() - begin an iteration over the entries of a range
 * @it: the iterator
 * @handle: a handle that is open for reading
 * @first: least key of the range
 * @last: greatest key of the range
 * @flags: BLINK_TREE_SCAN_DESC to begin at @last, or 0
 *
 * After an error the iterator has no entries.
 *
 * Context: any.
 * Return: 0; -EINVAL if a flag is unknown, or @first is greater than @last.
 */
__bpf_kfunc int bpf_iter_blink_new(struct bpf_iter_blink *it, u64 handle,
				   u64 first, u64 last, u32 flags)
{
	struct iter *iter = (struct iter *)it;

	*iter = (struct iter){
		.scan = {
			.first = first,
			.last = last,
			.desc = flags & BLINK_TREE_SCAN_DESC,
		},
	};
	return blink_bpf_walk_begin(&iter->walk, handle, flags, first <= last);
}

/**
 * bpf_iter_blink_next() - return the next entry of an iteration
 * @it: the iterator
 *
 * The entry was in the tree when the iterator read it. It may have been changed or
 * erased since then. The keys of all entries ascend strictly, or descend with
 * BLINK_TREE_SCAN_DESC, and a key that is present throughout is returned exactly once.
 *
 * A program that cannot be interrupted may iterate. So that it ends, an iteration
 * returns at most BLINK_TREE_BPF_ITER_MAX entries.
 *
 * Context: any.
 * Return: the key and the value, until the next call; NULL at the end of the range, and
 * after an error, which bpf_blink_iter_error() returns.
 */
__bpf_kfunc blink_entry_words_t *bpf_iter_blink_next(struct bpf_iter_blink *it)
{
	struct iter *iter = (struct iter *)it;

	if (iter->walk.next == iter->walk.count && !refill(iter))
		return NULL;
	if (!blink_bpf_walk_admits(&iter->walk))
		return NULL;
	return (blink_entry_words_t *)&iter->entries[iter->walk.next++];
}

/**
 * bpf_iter_blink_destroy() - end an iteration
 * @it: the iterator
 *
 * Context: any.
 */
__bpf_kfunc void bpf_iter_blink_destroy(struct bpf_iter_blink *it)
{
}

/**
 * bpf_blink_iter_error() - why an iteration has ended
 * @it__iter: the iterator
 *
 * Context: any.
 * Return: 0 at the end of the range, and as long as the iteration goes on; -E2BIG after
 * BLINK_TREE_BPF_ITER_MAX entries if there are more; -EINVAL of bpf_iter_blink_new();
 * other errors as bpf_blink_lookup().
 */
__bpf_kfunc int bpf_blink_iter_error(struct bpf_iter_blink *it__iter)
{
	const struct iter *iter = (const struct iter *)it__iter;

	return iter->walk.error;
}

#endif /* BLINK_KFUNCS */
