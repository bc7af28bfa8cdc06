// SPDX-License-Identifier: GPL-2.0
/*
 * The iterator of BPF programs over the entries of a range. It is on the stack of the
 * program, which cannot read it, and reads entries ahead by scans.
 *
 * Between two calls it keeps the number of its handle and no address, so that a handle
 * may be closed meanwhile. It needs no memory, so its end has nothing to free.
 *
 * Linearization points: those of the scans (../core/op/scan.c).
 */
#ifdef BLINK_KFUNCS

#include <linux/btf.h>
#include <linux/build_bug.h>

#include "kfuncs.h"
#include "read.h"

/* Entries read ahead. */
#define AHEAD 8

/**
 * struct iter - an iterator
 * @handle: the number of its handle
 * @scan: the part of the range that was not read yet
 * @error: why the iteration ended before the end of the range, or 0
 * @left: the most entries that it may still return
 * @next: position in @entries of the entry to return next
 * @count: entries in @entries
 * @entries: the entries read ahead
 *
 * After the end of the iteration @scan is done and @next is @count, so it does not go
 * on: the verifier expects that.
 */
struct iter {
	u64 handle;
	struct blink_scan scan;
	s32 error;
	u32 left;
	u32 next;
	u32 count;
	struct blink_tree_entry entries[AHEAD];
};

static_assert(sizeof(struct iter) == sizeof(struct bpf_iter_blink));
static_assert(__alignof__(struct iter) == __alignof__(struct bpf_iter_blink));

static void end(struct iter *iter, int error)
{
	iter->error = error;
	iter->scan.done = true;
	iter->next = 0;
	iter->count = 0;
}

/* Read entries ahead. False: the iteration has ended. */
static bool refill(struct iter *iter)
{
	struct blink_tree *tree;
	unsigned long flags;
	int ret;

	if (iter->scan.done)
		return false;
	tree = blink_bpf_begin(iter->handle, &flags);
	if (IS_ERR(tree)) {
		end(iter, PTR_ERR(tree));
		return false;
	}
	ret = blink_tree_scan(tree, &iter->scan, iter->entries, AHEAD);
	blink_bpf_end(flags);
	if (ret <= 0) {
		end(iter, ret);
		return false;
	}
	iter->next = 0;
	iter->count = ret;
	return true;
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
		.handle = handle,
		.scan = {
			.first = first,
			.last = last,
			.desc = flags & BLINK_TREE_SCAN_DESC,
		},
		.left = BLINK_TREE_BPF_ITER_MAX,
	};
	if (flags & ~BLINK_TREE_SCAN_DESC || first > last)
		end(iter, -EINVAL);
	return iter->error;
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
 * Return: the entry, until the next call; NULL at the end of the range, and after an
 * error, which bpf_blink_iter_error() returns.
 */
__bpf_kfunc struct blink_tree_entry *
bpf_iter_blink_next(struct bpf_iter_blink *it)
{
	struct iter *iter = (struct iter *)it;

	if (iter->next == iter->count && !refill(iter))
		return NULL;
	if (!iter->left) {
		end(iter, -E2BIG);
		return NULL;
	}
	iter->left--;
	return &iter->entries[iter->next++];
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

	return iter->error;
}

#endif /* BLINK_KFUNCS */
