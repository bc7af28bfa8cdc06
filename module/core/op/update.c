// SPDX-License-Identifier: GPL-2.0
/*
 * Changing keys that are present: replace, compare-and-exchange, erase,
 * compare-and-erase. None of them allocates, except that a value which is too wide
 * for a narrow leaf can split it (insert.c).
 *
 * Linearization points: a value changes in blink_leaf_set_value(), and a key
 * disappears in blink_node_remove(). Failures take effect at any moment under
 * the lock of the leaf, such as the last load in find_locked(), set_locked()
 * and erase_locked().
 */
#include <linux/bug.h>
#include <linux/errno.h>
#include <linux/export.h>

#include "../index/merge.h"
#include "../node/entries.h"
#include "../node/locking.h"
#include "../tree/limit.h"
#include "at_leaf.h"
#include "change.h"

/* How to allocate for an update that never sleeps. */
#define SET_GFP (GFP_NOWAIT | __GFP_NOWARN)

/* The position of @key in a locked leaf, or -ENOENT. @whole: all keys have been fetched. */
static __always_inline int find_locked(struct blink_node *leaf, blink_key_t key,
				       bool whole)
{
	unsigned int form = blink_leaf_form_locked(leaf), pos;

	blink_assert_locked(&leaf->lock);
	pos = whole ? blink_leaf_search(leaf, form, key) :
		      blink_leaf_search_locked(leaf, form, key);
	/* LP: replace, cmpxchg, erase, cmperase (-ENOENT) */
	if (pos == leaf->count || !blink_leaf_has(leaf, form, pos, key))
		return -ENOENT;
	return pos;
}

/*
 * Overwrite a value; with @expected, only if the present value is equal to it.
 */
static __always_inline int set_locked(struct blink_tree *tree,
				      struct blink_node *leaf, blink_key_t key,
				      const struct blink_expected *expected,
				      u64 value, u64 *old, bool whole)
{
	u64 present;
	int pos;

	blink_assert_locked(&leaf->lock);
	pos = find_locked(leaf, key, whole);
	if (pos < 0)
		return pos;
	/* LP: cmpxchg (-ESTALE) */
	present = blink_leaf_value(leaf, blink_leaf_form_locked(leaf), pos);
	if (!blink_is_expected(tree, expected, present)) {
		*old = present;
		return -ESTALE;
	}
	if (unlikely(!blink_leaf_set_value(leaf, pos, value)))
		return -EAGAIN;
	if (blink_watched(tree))
		blink_change_put(tree, BLINK_TREE_CHANGE_UPDATE, key, value,
				 present);
	*old = present;
	return 0;
}

/* As blink_set_from(). */
static __always_inline int set_from(struct blink_tree *tree,
				    struct blink_node *leaf, blink_key_t key,
				    const struct blink_expected *expected,
				    u64 value, u64 *old, bool whole)
{
	/*
	 * Nodes that the walk records are not posted here, but many of them
	 * make it ask for a mend.
	 */
	struct blink_walk walk = { .idx = blink_tree_index(tree) };
	unsigned long flags;
	int ret;

	flags = blink_writer_begin(tree);
	leaf = blink_lock_covering(tree, &walk, leaf, key);
	ret = set_locked(tree, leaf, key, expected, value, old, whole);
	blink_node_unlock(tree, leaf);
	blink_writer_end(tree, flags);
	return ret;
}

/**
 * blink_set_from() - overwrite a value after the descent of a batch
 * @tree: the tree
 * @leaf: the leaf where the descent ended
 * @key: the key
 * @expected: the value that the key must have, or NULL
 * @value: its new value
 * @old: set to the value that it found
 *
 * Context: as blink_tree_replace(), rcu_read_lock() held since the descent.
 * Return: 0; -ESTALE if the value was not @expected; -ENOENT; -EAGAIN if the leaf is
 * narrow and has to be split, then nothing has changed.
 */
int blink_set_from(struct blink_tree *tree, struct blink_node *leaf,
		   blink_key_t key, const struct blink_expected *expected,
		   u64 value, u64 *old)
{
	return set_from(tree, leaf, key, expected, value, old, false);
}

/**
 * blink_set() - overwrite a value
 * @tree: the tree
 * @key: the key
 * @expected: the value that the key must have, or NULL
 * @value: its new value
 * @old: set to the value that it found
 * @gfp: how to allocate, if a narrow leaf has to be split
 *
 * Context: as blink_tree_replace(), or sleeps if @gfp allows it; @tree fits.
 * Return: 0; -ESTALE if the value was not @expected; otherwise as
 * blink_tree_replace().
 */
int blink_set(struct blink_tree *tree, blink_key_t key,
	      const struct blink_expected *expected, u64 value, u64 *old,
	      gfp_t gfp)
{
	struct blink_node *leaf;
	int ret;

	if (WARN_ON_ONCE(!blink_may_wait(tree)))
		return -EPERM;
	rcu_read_lock();
	leaf = blink_descend_leaf(tree, key, NULL);
	ret = set_from(tree, leaf, key, expected, value, old, true);
	rcu_read_unlock();
	if (unlikely(ret == -EAGAIN))
		return blink_set_splitting(tree, key, expected, value, old,
					   gfp);
	return ret;
}

/**
 * blink_tree_replace() - overwrite the value of a present key
 * @tree: the tree
 * @key: the key
 * @value: its new value
 * @old: set to the old value; may be NULL
 *
 * Context: process or softirq, with interrupts enabled; any but NMI if the tree
 * has BLINK_TREE_IRQSAFE. Never sleeps. On PREEMPT_RT: process, preemptible, if the
 * tree has BLINK_TREE_COMPRESS, because it can allocate memory.
 * Return: 0; -ENOENT if the key is absent; -EPERM in a context that must
 * not modify this tree; -EOPNOTSUPP if the tree has keys or values of another
 * kind; with BLINK_TREE_COMPRESS also -ENOMEM, -ENOSPC (max_bytes)
 * and -EDQUOT as blink_tree_insert(), if the value is too wide for its leaf. With
 * any error nothing has changed.
 */
int blink_tree_replace(struct blink_tree *tree, blink_key_t key, u64 value,
		       u64 *old)
{
	u64 present;
	int ret;

	if (!blink_tree_plain(tree))
		return -EOPNOTSUPP;
	ret = blink_set(tree, key, NULL, value, &present, SET_GFP);
	if (!ret && old)
		*old = present;
	return ret;
}
EXPORT_SYMBOL_GPL(blink_tree_replace);

/**
 * blink_tree_cmpxchg() - overwrite a value if it is the expected one
 * @tree: the tree
 * @key: the key
 * @old: the expected value; set to the present value if it is different
 * @value: the new value
 *
 * Context: as blink_tree_replace().
 * Return: 0; -ESTALE if the present value is not *@old; -ENOENT if the key is
 * not there; -EPERM, -EOPNOTSUPP, -ENOMEM, -ENOSPC and -EDQUOT as
 * blink_tree_replace().
 */
int blink_tree_cmpxchg(struct blink_tree *tree, blink_key_t key, u64 *old,
		       u64 value)
{
	const struct blink_expected expected = { .value = *old };

	if (!blink_tree_plain(tree))
		return -EOPNOTSUPP;
	return blink_set(tree, key, &expected, value, old, SET_GFP);
}
EXPORT_SYMBOL_GPL(blink_tree_cmpxchg);

/**
 * blink_leaf_erase() - remove entries from a locked leaf
 * @tree: the tree
 * @leaf: the leaf
 * @pos: position of the first one
 * @n: how many
 *
 * Context: @leaf's lock held.
 */
void blink_leaf_erase(struct blink_tree *tree, struct blink_node *leaf,
		      unsigned int pos, unsigned int n)
{
	const bool watched = blink_watched(tree);
	struct blink_tree_change change;
	struct blink_gone gone;

	blink_assert_locked(&leaf->lock);
	if (watched)
		change = blink_change_erase(leaf, pos, n);
	blink_gone_take(&gone, leaf, pos, n);
	blink_node_remove(leaf, pos, n);
	blink_gone_put(tree, &gone);
	if (watched)
		blink_watch_put(tree, &change);
	blink_stat_add(tree, erases, n);
	while (n--)
		blink_tree_unreserve(tree);
}

/* Remove a key; with @expected, only if its value is equal to it. */
static int erase_locked(struct blink_tree *tree, struct blink_node *leaf,
			blink_key_t key, const struct blink_expected *expected,
			u64 *old)
{
	u64 present;
	int pos;

	blink_assert_locked(&leaf->lock);
	pos = find_locked(leaf, key, true);
	if (pos < 0)
		return pos;
	/* LP: cmperase (-ESTALE) */
	present = blink_leaf_value(leaf, blink_leaf_form_locked(leaf), pos);
	*old = present;
	if (!blink_is_expected(tree, expected, present))
		return -ESTALE;
	blink_leaf_erase(tree, leaf, pos, 1);
	return 0;
}

/**
 * blink_erase_from() - remove a key after the descent
 * @tree: the tree
 * @leaf: the leaf where the descent ended
 * @key: the key
 * @expected: the value that the key must have, or NULL
 * @old: set to the value that it found
 *
 * Context: as blink_tree_erase(), rcu_read_lock() held since the descent.
 * Return: 0; -ESTALE if the value was not @expected; -ENOENT.
 */
int blink_erase_from(struct blink_tree *tree, struct blink_node *leaf,
		     blink_key_t key, const struct blink_expected *expected,
		     u64 *old)
{
	/* As in set_from(). */
	struct blink_walk walk = { .idx = blink_tree_index(tree) };
	unsigned long flags;
	bool underfull;
	int ret;

	flags = blink_writer_begin(tree);
	leaf = blink_lock_covering(tree, &walk, leaf, key);
	ret = erase_locked(tree, leaf, key, expected, old);
	underfull = !ret && blink_node_underfull(leaf);
	blink_node_unlock(tree, leaf);
	blink_writer_end(tree, flags);
	if (underfull)
		blink_merge(tree, NULL, leaf);
	return ret;
}

/**
 * blink_erase() - remove a key
 * @tree: the tree
 * @key: the key
 * @expected: the value that the key must have, or NULL
 * @old: set to the value that it found
 *
 * Context: as blink_tree_erase(); @tree fits.
 * Return: 0; -ESTALE if the value was not @expected; -ENOENT; -EPERM in a context
 * that must not modify this tree.
 */
int blink_erase(struct blink_tree *tree, blink_key_t key,
		const struct blink_expected *expected, u64 *old)
{
	struct blink_node *leaf;
	int ret;

	if (WARN_ON_ONCE(!blink_may_wait(tree)))
		return -EPERM;
	rcu_read_lock();
	leaf = blink_descend_leaf(tree, key, NULL);
	ret = blink_erase_from(tree, leaf, key, expected, old);
	rcu_read_unlock();
	return ret;
}

/**
 * blink_tree_erase() - remove a key
 * @tree: the tree
 * @key: the key
 * @old: set to the value of the key; may be NULL
 *
 * The leaf is merged with a neighbour if both fit in three quarters of a leaf.
 *
 * Context: process or softirq, with interrupts enabled; any but NMI if the tree
 * has BLINK_TREE_IRQSAFE. Never sleeps and never allocates.
 * Return: 0; -ENOENT if the key is absent; -EPERM and -EOPNOTSUPP as
 * blink_tree_insert().
 */
int blink_tree_erase(struct blink_tree *tree, blink_key_t key, u64 *old)
{
	u64 present;
	int ret;

	if (!blink_tree_plain(tree))
		return -EOPNOTSUPP;
	ret = blink_erase(tree, key, NULL, &present);
	if (!ret && old)
		*old = present;
	return ret;
}
EXPORT_SYMBOL_GPL(blink_tree_erase);

/**
 * blink_tree_cmperase() - remove a key if its value is the expected one
 * @tree: the tree
 * @key: the key
 * @old: the expected value; set to the present value if it is different
 *
 * Context: as blink_tree_erase().
 * Return: 0; -ESTALE if the present value is not *@old; -ENOENT if the key is
 * not there; -EPERM and -EOPNOTSUPP as blink_tree_insert().
 */
int blink_tree_cmperase(struct blink_tree *tree, blink_key_t key, u64 *old)
{
	const struct blink_expected expected = { .value = *old };

	if (!blink_tree_plain(tree))
		return -EOPNOTSUPP;
	return blink_erase(tree, key, &expected, old);
}
EXPORT_SYMBOL_GPL(blink_tree_cmperase);
