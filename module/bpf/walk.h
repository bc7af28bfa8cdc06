/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The part of an iterator that does not depend on the keys (iter.c, iter_u128.c).
 *
 * An iterator is on the stack of a program, which cannot read it, and reads entries
 * ahead by scans. Between two calls it keeps the number of its handle and no address, so
 * that a handle may be closed meanwhile. It needs no memory, so its end has nothing to
 * free.
 */
#ifndef BLINK_BPF_WALK_H
#define BLINK_BPF_WALK_H

#include <linux/types.h>
#include <uapi/linux/blink_tree.h>

/**
 * struct blink_bpf_walk - the state of an iterator
 * @handle: the number of its handle
 * @error: why the iteration ended before the end of the range, or 0
 * @left: the most entries that it may still return
 * @next: position of the entry to return next, among those that were read ahead
 * @count: number of entries that were read ahead
 * @done: no entries are left behind them
 *
 * After the end of the iteration @done is set and @next is @count, so it does not go
 * on: the verifier expects that.
 */
struct blink_bpf_walk {
	u64 handle;
	s32 error;
	u32 left;
	u16 next;
	u16 count;
	bool done;
};

static inline void blink_bpf_walk_end(struct blink_bpf_walk *walk, int error)
{
	walk->error = error;
	walk->done = true;
	walk->next = 0;
	walk->count = 0;
}

/* Begin an iteration over a range, which is valid or not. Returns 0 or -EINVAL. */
static inline int blink_bpf_walk_begin(struct blink_bpf_walk *walk, u64 handle,
				       u32 flags, bool valid)
{
	walk->handle = handle;
	walk->left = BLINK_TREE_BPF_ITER_MAX;
	if (flags & ~BLINK_TREE_SCAN_DESC || !valid)
		blink_bpf_walk_end(walk, -EINVAL);
	return walk->error;
}

/* Take the result of a scan, the number of entries or an error. False: the end. */
static inline bool blink_bpf_walk_fill(struct blink_bpf_walk *walk, int ret)
{
	if (ret <= 0) {
		blink_bpf_walk_end(walk, ret);
		return false;
	}
	walk->next = 0;
	walk->count = ret;
	return true;
}

/* Whether the entry at @next may be returned. */
static inline bool blink_bpf_walk_admits(struct blink_bpf_walk *walk)
{
	if (walk->left) {
		walk->left--;
		return true;
	}
	blink_bpf_walk_end(walk, -E2BIG);
	return false;
}

#endif /* BLINK_BPF_WALK_H */
