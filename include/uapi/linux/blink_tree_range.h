/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * blink_tree: ranges of keys that have one value each, in a tree of kind BLINK_TREE_KEY_U64 or
 * BLINK_TREE_KEY_U128 whose values are numbers.
 *
 * The value of a range is not 0. Keys that are in no range are in *holes*. Neighbours with equal
 * values are one range. The tree has a *boundary* for each range: an entry gives the value of the
 * keys from its own up to the next entry, and 0 stands for a hole. All other operations find
 * these entries.
 */
#ifndef _UAPI_LINUX_BLINK_TREE_RANGE_H
#define _UAPI_LINUX_BLINK_TREE_RANGE_H

#include <linux/types.h>

/**
 * enum blink_tree_range_op - the operations on ranges
 * @BLINK_TREE_RANGE_LOOKUP: set @first, @last and @value to the range that has the key @first,
 *	or to the hole, with the value 0
 * @BLINK_TREE_RANGE_NEXT: likewise, the first range that ends at @first or behind it; ENOENT if
 *	there is none
 * @BLINK_TREE_RANGE_PREV: likewise, the last range that begins at @first or before it; ENOENT if
 *	there is none
 * @BLINK_TREE_RANGE_GAP: set @first and @last to @size keys in a row between @first and @last
 *	that are in no range: the lowest ones; EBUSY if there are none
 * @BLINK_TREE_RANGE_STORE: give all keys from @first to @last the value @value, at one moment;
 *	with 0 they are in a hole; E2BIG if they were in too many ranges for that
 * @BLINK_TREE_RANGE_INSERT: likewise, but fail with EEXIST if one of the keys is in a range
 * @BLINK_TREE_RANGE_ALLOC: GAP, and INSERT there
 * @BLINK_TREE_RANGE_NR: number of operations
 */
enum blink_tree_range_op {
	BLINK_TREE_RANGE_LOOKUP = 0,
	BLINK_TREE_RANGE_NEXT = 1,
	BLINK_TREE_RANGE_PREV = 2,
	BLINK_TREE_RANGE_GAP = 3,
	BLINK_TREE_RANGE_STORE = 4,
	BLINK_TREE_RANGE_INSERT = 5,
	BLINK_TREE_RANGE_ALLOC = 6,
	BLINK_TREE_RANGE_NR
};

/* GAP, ALLOC: the highest keys. */
#define BLINK_TREE_RANGE_HIGHEST (1u << 0)
/* STORE: in parts, if the keys are in too many ranges. */
#define BLINK_TREE_RANGE_PARTS (1u << 1)

/**
 * struct blink_tree_ioc_range - BLINK_TREE_IOC_RANGE, on a tree
 * @op: enum blink_tree_range_op
 * @flags: BLINK_TREE_RANGE_HIGHEST or BLINK_TREE_RANGE_PARTS, or zero
 * @first: the least key of the range; the upper half of a key of 128 bits
 * @first_low: the lower half of a key of 128 bits, otherwise zero
 * @last: the greatest key of the range, likewise; LOOKUP, NEXT and PREV only write it
 * @last_low: likewise
 * @size: GAP and ALLOC: how many keys, likewise; otherwise zero
 * @size_low: likewise
 * @value: the value; GAP leaves it as it is
 *
 * With PARTS a STORE takes effect in as many moments as it needs, from the first keys to the
 * last ones. Each part is as a STORE of its own. If the call ends with an error, parts can be
 * stored; @first is then the first key of the rest, unless the descriptor was opened for writing
 * only, which does not learn where ranges are. A call that the kernel restarts after a signal
 * goes on with the rest, so that @first stays there, or repeats the parts.
 *
 * LOOKUP, NEXT, PREV and GAP need a descriptor that was opened for reading, STORE needs one that
 * was opened for writing, and INSERT and ALLOC need both. The structure is as it was if the
 * call fails, except for PARTS. EFAULT: the answer could not be written; a STORE, an INSERT or an
 * ALLOC may have taken effect.
 *
 * NEXT, PREV, GAP and ALLOC look up one range after the other. They find a range or a gap that
 * was there at one moment. Beside writers they can pass over a range or a gap that appeared
 * behind them, and find none although there was one at each moment.
 *
 * Return: 0, or an error of the operation. EINVAL also for an unknown operation, if @last is less
 * than @first, if @size is 0, for an INSERT or ALLOC with the value 0, and if a field that must
 * be zero is not. EOPNOTSUPP if the tree has keys of another kind, or values of bytes. STORE,
 * INSERT and ALLOC add ENOSPC (the tree has reached its max_entries or max_bytes) and EDQUOT
 * (the trees of its creator have reached the limit of one user). EINTR also if a signal
 * arrived between two parts, where the call is restarted as others are, and for a fatal signal
 * during a search, or while others change the boundaries. EEXIST is also the answer to an INSERT
 * that meets an entry with the value 0 which another operation has stored in a hole.
 */
struct blink_tree_ioc_range {
	__u32 op;
	__u32 flags;
	__u64 first;
	__u64 first_low;
	__u64 last;
	__u64 last_low;
	__u64 size;
	__u64 size_low;
	__u64 value;
};

#endif /* _UAPI_LINUX_BLINK_TREE_RANGE_H */
