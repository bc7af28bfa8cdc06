// SPDX-License-Identifier: GPL-2.0
/*
 * Erasing a range: the entries of each leaf in one write section, under the
 * lock of this leaf.
 *
 * Linearization points: keys disappear at the end of a write section, in
 * blink_node_remove(), all keys of the section at once. A key of the range that
 * was not erased was absent at some moment under the lock of its leaf.
 *
 * The next leaf is the one that covers the key behind the high key, as for a
 * scan (scan.c). So the erase passes each key of the range once, whatever splits
 * and merges occur. Keys that are added behind it stay.
 */
#include <linux/blink_tree_value.h>
#include <linux/bug.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/limits.h>

#include "../index/merge.h"
#include "../node/entries.h"
#include "../node/locking.h"
#include "at_leaf.h"
#include "look.h"

/* The most leaves of one RCU read section. Each can be merged. */
#define ERASE_BURST 4

/**
 * struct handles - values of entries that are removed (blink_tree_value.h)
 * @nr: their number
 * @handle: their handles
 */
struct handles {
	unsigned int nr;
	u64 handle[BLINK_LEAF_ROOM];
};

static void handles_take(struct handles *handles, const struct blink_node *leaf,
			 unsigned int pos, unsigned int n)
{
	for (handles->nr = 0; handles->nr < n; handles->nr++)
		handles->handle[handles->nr] =
			blink_slot_value(leaf, pos + handles->nr);
}

static void handles_put(struct blink_tree *tree, struct handles *handles)
{
	while (handles->nr)
		blink_value_put(tree, handles->handle[--handles->nr]);
}

/**
 * blink_leaf_discard() - remove entries with their values in a write section
 * @tree: the tree
 * @leaf: the leaf
 * @pos: position of the first one
 * @n: how many
 *
 * A leaf with copies loses its last entries first: the copies still have all others at their
 * positions.
 *
 * Context: @leaf's lock held, between blink_write_begin() and blink_entries_end();
 * rcu_read_lock() held.
 */
void blink_leaf_discard(struct blink_tree *tree, struct blink_node *leaf,
			unsigned int pos, unsigned int n)
{
	struct handles handles;
	struct blink_gone gone;

	handles.nr = 0;
	if (tree->flags & BLINK_TREE_BYTE_VALUES)
		handles_take(&handles, leaf, pos, n);
	blink_gone_take(&gone, leaf, pos, n);
	blink_entries_remove(leaf, pos, n);
	if (unlikely(blink_node_copied(leaf)))
		blink_copies_unuse(leaf, pos, n);
	/* They are freed after a grace period, and no memory is allocated for that. */
	blink_gone_put(tree, &gone);
	handles_put(tree, &handles);
}

/* Remove the entries of a look from its leaf. */
static void erase_taken(struct blink_tree *tree, struct blink_node *leaf,
			const struct look *look)
{
	unsigned int pos =
		min(look_slot(look, 0), look_slot(look, look->taken - 1));
	struct handles handles;

	handles.nr = 0;
	if (tree->flags & BLINK_TREE_BYTE_VALUES)
		handles_take(&handles, leaf, pos, look->taken);
	blink_leaf_erase(tree, leaf, pos, look->taken);
	handles_put(tree, &handles);
}

/*
 * Take entries out of the leaf that covers the key at which the range goes on.
 * @leaf is where to begin, or NULL to begin with a descent.
 */
static void erase_from_leaf(struct blink_tree *tree, struct look *look,
			    struct blink_node *leaf)
{
	const struct blink_scan *scan = look->scan;
	blink_key_t key = scan->desc ? scan->last : scan->first;
	/* As in set_from() (update.c). */
	struct blink_walk walk = { .idx = blink_tree_index(tree) };
	unsigned long flags;

	flags = blink_writer_begin(tree);
	leaf = leaf ? blink_lock_covering(tree, &walk, leaf, key) :
		      blink_lock_leaf(tree, &walk, key);
	look_at(leaf, look);
	if (look->taken)
		erase_taken(tree, leaf, look);
	blink_node_unlock(tree, leaf);
	blink_writer_end(tree, flags);
	if (look->taken)
		blink_merge(tree, NULL, leaf);
}

/*
 * Erase in a few leaves within one RCU read section, behind the *@n entries that
 * were erased. False: @nr are reached.
 */
static bool erase_burst(struct blink_tree *tree, struct blink_scan *scan,
			struct blink_tree_entry *entries, unsigned int *n,
			unsigned int nr)
{
	struct blink_node *leaf = NULL;
	unsigned int burst;

	for (burst = 0; burst < ERASE_BURST && !scan->done; burst++) {
		struct look look = {
			.scan = scan,
			.entries = entries ? entries + *n : NULL,
			.room = nr - *n,
			.part = true,
		};

		erase_from_leaf(tree, &look, leaf);
		*n += look.taken;
		if (!look_advance(scan, &look))
			return false;
		leaf = scan->desc ? NULL : look.right;
	}
	return true;
}

/**
 * blink_tree_erase_range() - remove entries of a range
 * @tree: the tree
 * @scan: the range; advanced past the entries that were removed
 * @entries: a buffer for the entries that were removed; may be NULL
 * @nr: the most entries to remove, at least one
 *
 * The entries of a leaf disappear at one moment, but those of the range do not:
 * other operations can find a part of them removed. Keys that are added
 * meanwhile can remain. The leaves that become small are merged.
 *
 * It can remove fewer than @nr entries before the end of the range; only
 * @scan->done means the end. It never sleeps nor reschedules; choose @nr for
 * the context. A caller that removes much and may sleep calls
 * blink_tree_limbo_wait() between two calls.
 *
 * Context: as blink_tree_erase(); @scan belongs to the caller.
 * Return: the number of entries that were removed, 0 only if @scan->done;
 * -EINVAL if @nr is 0 or more than INT_MAX, or if @entries is not NULL and the
 * values of the tree are bytes, which the function frees; -EOPNOTSUPP if the tree has keys of
 * another kind; -EPERM in a context that must not modify this tree.
 */
int blink_tree_erase_range(struct blink_tree *tree, struct blink_scan *scan,
			   struct blink_tree_entry *entries, unsigned int nr)
{
	unsigned int n = 0;
	bool more = true;

	if (!nr || nr > INT_MAX || !look_ready(scan, entries))
		return -EINVAL;
	if (!blink_tree_fits(tree))
		return -EOPNOTSUPP;
	if (entries && tree->flags & BLINK_TREE_BYTE_VALUES)
		return -EINVAL;
	if (WARN_ON_ONCE(!blink_may_wait(tree)))
		return -EPERM;
	if (blink_key_less(scan->last, scan->first))
		scan->done = true;
	while (more && !scan->done && n < nr) {
		rcu_read_lock();
		more = erase_burst(tree, scan, entries, &n, nr);
		rcu_read_unlock();
	}
	return n;
}
EXPORT_SYMBOL_GPL(blink_tree_erase_range);
