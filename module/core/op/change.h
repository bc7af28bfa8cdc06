/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records of changes for the watches of a tree (tree/watch.h).
 *
 * The functions of changes need rcu_read_lock() since before the change, and the lock of
 * the leaf. blink_change_end() needs neither.
 */
#ifndef BLINK_CORE_CHANGE_H
#define BLINK_CORE_CHANGE_H

#include "../node/form.h"
#include "../tree/tree.h"
#include "../tree/watch.h"

/* Whether a tree has watches. Those with keys or values of bytes have none. */
static __always_inline bool blink_watched(const struct blink_tree *tree)
{
	return !BLINK_STRINGS && unlikely(rcu_access_pointer(tree->watches));
}

static inline struct blink_tree_change blink_change(u32 op, blink_key_t key,
						    u64 value, u64 old)
{
	return (struct blink_tree_change){
		.op = op,
		.key = blink_key_head(key),
		.key_low = blink_key_tail(key),
		.last = blink_key_head(key),
		.last_low = blink_key_tail(key),
		.value = value,
		.old = old,
	};
}

/* The change that the keys from one to another are erased. */
static inline struct blink_tree_change blink_change_range(blink_key_t first,
							  blink_key_t last)
{
	struct blink_tree_change change =
		blink_change(BLINK_TREE_CHANGE_ERASE_RANGE, first, 0, 0);

	change.last = blink_key_head(last);
	change.last_low = blink_key_tail(last);
	return change;
}

static inline void blink_change_put(struct blink_tree *tree, u32 op,
				    blink_key_t key, u64 value, u64 old)
{
	struct blink_tree_change change = blink_change(op, key, value, old);

	blink_watch_put(tree, &change);
}

/* Whether the error of an operation means that there was no room. */
static inline bool blink_refused(int ret)
{
	return ret == -ENOSPC || ret == -EDQUOT || ret == -ENOMEM;
}

/* Tell of an operation that failed for lack of room. Returns its result. */
static __always_inline int blink_change_end(struct blink_tree *tree, int ret)
{
	if (unlikely(ret < 0) && blink_watched(tree) && blink_refused(ret))
		blink_watch_refuse(tree, ret);
	return ret;
}

/* The change that removing entries from a leaf will be. */
static inline struct blink_tree_change
blink_change_erase(const struct blink_node *leaf, unsigned int pos,
		   unsigned int n)
{
	unsigned int form = blink_leaf_form_locked(leaf);
	const blink_key_t first = blink_leaf_key(leaf, form, pos);

	if (n == 1)
		return blink_change(BLINK_TREE_CHANGE_ERASE, first, 0,
				    blink_leaf_value(leaf, form, pos));
	return blink_change_range(first,
				  blink_leaf_key(leaf, form, pos + n - 1));
}
#endif /* BLINK_CORE_CHANGE_H */
