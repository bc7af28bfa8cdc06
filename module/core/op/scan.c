// SPDX-License-Identifier: GPL-2.0
/*
 * Scans, and counting the entries of a range.
 *
 * A scan copies the entries that it wants from a leaf, and the bounds of the
 * leaf, in one read section. Then it searches for the key after the high key
 * (or for the low key, which the left neighbour covers); it never continues
 * from a position in a leaf. The search begins at the right neighbour, or at the
 * inner node above the last leaf. So its keys ascend (descend) strictly, whatever
 * splits and merges occur. A key that is present throughout is returned exactly
 * once, and a key that is absent throughout is not returned.
 *
 * Linearization points: the keys of one leaf are all keys that it had at one
 * moment, the last load of a key or bound in look_at(). Each value is the value
 * that its key had when look_copy() loaded it, because values are overwritten
 * without a write section.
 *
 * A count is a scan that copies nothing. It needs the header of a leaf only,
 * except where the range begins or ends within the leaf.
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/limits.h>

#include "../index/near.h"
#include "ahead.h"
#include "look.h"

static_assert(BLINK_LEAF_ROOM >= BLINK_LEAF_SLOTS);
static_assert(BLINK_COMPRESSED_ENTRIES >= BLINK_NARROW_SLOTS);

/* Room for all entries of any leaf of a tree. */
static unsigned int leaf_entries(const struct blink_tree *tree)
{
	return tree->flags & BLINK_TREE_COMPRESS ? BLINK_COMPRESSED_ENTRIES :
						   BLINK_LEAF_ROOM;
}

/* The most leaves read in one RCU read section. */
#define SCAN_BURST 16

/*
 * The leaf where the search for the next key begins. There are no links to the
 * left, so a descending scan goes through the inner node above. An ascending
 * scan follows the right link of the last leaf, except where another inner node
 * leads to the leaves that it will prefetch.
 */
static struct blink_node *next_leaf(struct blink_tree *tree,
				    const struct blink_scan *scan,
				    blink_key_t key, struct blink_walk *walk,
				    struct blink_ahead *ahead,
				    struct blink_node *right)
{
	const struct blink_node *parent = walk->parent;
	struct blink_node *leaf = NULL;

	if (scan->desc)
		leaf = blink_near_child(tree, walk->parent,
					blink_ahead_pos(ahead), key);
	else if (!parent || !blink_node_behind(parent, key))
		leaf = right;
	if (leaf)
		return leaf;
	blink_ahead_end(ahead);
	return blink_descend_near(tree, key, walk);
}

/*
 * Scan a few leaves within one RCU read section, behind the *@n entries that
 * are in the buffer. Without a buffer the entries are counted, and @nr is a
 * hint. Returns 0 to continue, 1 if the buffer is full, or an error.
 */
static int scan_burst(struct blink_tree *tree, struct blink_scan *scan,
		      struct blink_tree_entry *entries, unsigned int *n,
		      unsigned int nr)
{
	const bool whole = nr >= leaf_entries(tree);
	struct blink_ahead ahead = BLINK_AHEAD_INIT(!entries);
	struct look look = { .scan = scan, .part = !whole };
	struct blink_walk walk = {};
	struct blink_node *leaf;
	unsigned int burst;
	blink_key_t key;
	u32 seq;

	for (burst = 0; burst < SCAN_BURST && !scan->done; burst++) {
		look.entries = entries ? entries + *n : NULL;
		look.room = entries ? nr - *n : UINT_MAX;
		key = scan->desc ? scan->last : scan->first;
		leaf = next_leaf(tree, scan, key, &walk, &ahead, look.right);
		blink_ahead_next(&ahead, walk.parent, key, scan, look.room);
		leaf = blink_read_covering(tree, leaf, key, look_at, &look,
					   &seq);
		if (!leaf)
			return -EAGAIN;
		*n += look.taken;
		if (!look_advance(scan, &look))
			return 1;
		ahead.fill = max(look.count, 1U);
		/* Do not touch a leaf that will hardly fit. */
		if (entries && nr - *n < (whole ? ahead.fill : 1))
			return 1;
	}
	return 0;
}

static int scan_range(struct blink_tree *tree, struct blink_scan *scan,
		      struct blink_tree_entry *entries, unsigned int nr)
{
	unsigned int n = 0;
	int ret;

	if (!nr || !look_ready(scan, entries))
		return -EINVAL;
	if (!blink_tree_fits(tree))
		return -EOPNOTSUPP;
	if (blink_key_less(scan->last, scan->first))
		scan->done = true;
	do {
		rcu_read_lock();
		ret = scan_burst(tree, scan, entries, &n, nr);
		rcu_read_unlock();
	} while (!ret && !scan->done && n < nr);
	return ret < 0 && !n ? ret : (int)n;
}

/**
 * blink_tree_scan() - read entries of a range
 * @tree: the tree
 * @scan: the range; advanced past the entries that were read
 * @entries: a buffer for the entries
 * @nr: room in the buffer, at least one; with BLINK_CURSOR_ENTRIES or more the
 *	keys of each leaf are those of one moment, except in a tree with
 *	BLINK_TREE_COMPRESS, whose leaves have up to BLINK_COMPRESSED_ENTRIES
 *
 * It can return fewer than @nr entries before the end of the range; only
 * @scan->done means the end. It never sleeps nor reschedules; choose @nr for
 * the context.
 *
 * Context: as blink_tree_lookup(); @scan belongs to the caller.
 * Return: the number of entries that were read, 0 only if @scan->done; -EAGAIN, if
 * none were read, and -EOPNOTSUPP as blink_tree_lookup(); -EINVAL if @nr is 0.
 */
int blink_tree_scan(struct blink_tree *tree, struct blink_scan *scan,
		    struct blink_tree_entry *entries, unsigned int nr)
{
	return scan_range(tree, scan, entries, nr);
}
EXPORT_SYMBOL_GPL(blink_tree_scan);

/* The most entries of one count, so that the result is not negative. */
#define COUNT_MAX (INT_MAX / 2)

/**
 * blink_tree_count_range() - count entries of a range
 * @tree: the tree
 * @scan: the range; advanced past the entries that were counted
 * @nr: about how many entries to count, at least one
 *
 * It counts as blink_tree_scan() reads, but loads one cache line of a leaf that
 * is in the range as a whole. The count of each leaf is that of one moment. A
 * call can count fewer than @nr entries before the end of the range, and
 * exceeds @nr by at most 16 leaves; only @scan->done means the end. It never
 * sleeps nor reschedules; choose @nr for the context.
 *
 * Context: as blink_tree_lookup(); @scan belongs to the caller.
 * Return: the number of entries that were counted, 0 only if @scan->done;
 * -EAGAIN, if none were counted, and -EOPNOTSUPP as blink_tree_lookup(); -EINVAL
 * if @nr is 0.
 */
int blink_tree_count_range(struct blink_tree *tree, struct blink_scan *scan,
			   unsigned int nr)
{
	return scan_range(tree, scan, NULL, min_t(unsigned int, nr, COUNT_MAX));
}
EXPORT_SYMBOL_GPL(blink_tree_count_range);
