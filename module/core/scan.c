// SPDX-License-Identifier: GPL-2.0
/*
 * Scans and cursors.
 *
 * A scan copies what it wants of one leaf, and the leaf's bounds, in one read
 * section, and goes on for the key behind the high key (or for the low key,
 * which its left neighbour covers), never from a place in a node. So its keys
 * ascend (descend) strictly whatever happens to the nodes; a key that is there
 * throughout is returned exactly once; one that is not there never; and what
 * comes from one leaf was there at one moment, the leaf's linearization point.
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/kernel.h>

#include "walk.h"

static_assert(BLINK_CURSOR_ENTRIES >= BLINK_LEAF_SLOTS);

/* Leaves of one RCU read section. */
#define SCAN_BURST 16

/* One look at a leaf: [@from, @to) of its slots are wanted. */
struct look {
	unsigned int from;
	unsigned int to;
	u64 low;
	u64 high;
	bool leftmost;
	struct blink_node *right;
	unsigned int copied;
};

static void look_bounds(const struct blink_scan *scan, struct blink_node *leaf,
			struct look *look)
{
	unsigned int count = READ_ONCE(leaf->count);

	look->low = leaf->low;
	look->leftmost = blink_node_leftmost(leaf);
	look->high = READ_ONCE(leaf->high);
	look->right = rcu_dereference(leaf->right);
	look->from = blink_leaf_search(leaf, count, scan->first);
	look->to = count;
	if (scan->last < look->high) {
		look->to = blink_leaf_search(leaf, count, scan->last);
		if (look->to < count &&
		    blink_node_key(leaf, look->to) == scan->last)
			look->to++;
	}
}

/*
 * Copy what is wanted, if it fits, or as much as fits if nothing was copied
 * before: a buffer that can hold a leaf gets each leaf whole.
 */
static void look_copy(const struct blink_scan *scan, struct blink_node *leaf,
		      struct look *look, struct blink_entry *entries,
		      unsigned int done, unsigned int nr)
{
	unsigned int room = nr - done, i, pos;

	/* Nothing is known of a node whose entries are being moved. */
	look->copied = look->to > look->from ? look->to - look->from : 0;
	if (look->copied > room)
		look->copied = done ? 0 : room;
	for (i = 0; i < look->copied; i++) {
		pos = scan->desc ? look->to - 1 - i : look->from + i;
		entries[done + i].key = blink_node_key(leaf, pos);
		entries[done + i].value = blink_leaf_value(leaf, pos);
	}
}

/* Move the range on behind what a valid look gave. True: the leaf is done. */
static bool look_advance(struct blink_scan *scan, const struct look *look,
			 const struct blink_entry *last)
{
	unsigned int wanted = look->to > look->from ? look->to - look->from : 0;

	if (look->copied < wanted) {
		if (!look->copied)
			return false;
		if (scan->desc)
			scan->last = last->key - 1;
		else
			scan->first = last->key + 1;
		return false;
	}
	if (scan->desc) {
		scan->done = look->leftmost || look->low < scan->first;
		if (!scan->done)
			scan->last = look->low;
	} else {
		scan->done = look->high >= scan->last;
		if (!scan->done)
			scan->first = look->high + 1;
	}
	return true;
}

/* The leaf to begin with for @key; NULL if it cannot be known here. */
static struct blink_node *first_leaf(struct blink_tree *tree, u64 key)
{
	return blink_descend(tree, blink_tree_index(tree), key, 0, NULL);
}

/*
 * Read the leaf that covers @key, from @leaf on. Returns false if it cannot be
 * read here.
 */
static bool look_at(struct blink_tree *tree, const struct blink_scan *scan,
		    struct blink_node *leaf, struct look *look,
		    struct blink_entry *entries, unsigned int done,
		    unsigned int nr)
{
	u64 key = scan->desc ? scan->last : scan->first;
	struct blink_node *next;

	for (;; leaf = next) {
		struct blink_read read = {};

		do {
			next = NULL;
			if (!blink_read_begin(tree, leaf, &read))
				return false;
			if (unlikely(blink_node_beyond(leaf, key))) {
				next = rcu_dereference(leaf->right);
			} else {
				look_bounds(scan, leaf, look);
				look_copy(scan, leaf, look, entries, done, nr);
			}
		} while (unlikely(blink_read_retry(tree, leaf, &read)));
		if (likely(!next))
			return true;
		blink_walk_hop(tree, NULL, next);
	}
}

/* Scan a few leaves within one RCU read section; *@n entries are there. */
static int scan_burst(struct blink_tree *tree, struct blink_scan *scan,
		      struct blink_entry *entries, unsigned int *n,
		      unsigned int nr)
{
	struct blink_node *leaf = NULL;
	struct look look = {};
	unsigned int burst;

	for (burst = 0; burst < SCAN_BURST && !scan->done; burst++) {
		if (!leaf)
			leaf = first_leaf(tree, scan->desc ? scan->last :
							     scan->first);
		if (!leaf || !look_at(tree, scan, leaf, &look, entries, *n, nr))
			return -EAGAIN;
		*n += look.copied;
		if (!look_advance(scan, &look, *n ? &entries[*n - 1] : NULL))
			return 1;
		leaf = scan->desc ? NULL : look.right;
	}
	return 0;
}

/**
 * blink_tree_scan() - read entries of a range
 * @tree: the tree
 * @scan: the range; moved on behind what was read
 * @entries: where to put them
 * @nr: room there, at least one; with BLINK_CURSOR_ENTRIES or more each leaf
 *	is read at one moment
 *
 * Fewer than @nr entries do not mean the end: @scan->done does.
 *
 * Context: as blink_tree_lookup(); @scan belongs to the caller.
 * Return: how many entries were read; 0 only if @scan->done; -EAGAIN as
 * blink_tree_lookup(), if none were; -EINVAL if @nr is 0.
 */
int blink_tree_scan(struct blink_tree *tree, struct blink_scan *scan,
		    struct blink_entry *entries, unsigned int nr)
{
	unsigned int n = 0;
	int ret;

	if (!nr)
		return -EINVAL;
	if (scan->first > scan->last)
		scan->done = true;
	do {
		rcu_read_lock();
		ret = scan_burst(tree, scan, entries, &n, nr);
		rcu_read_unlock();
	} while (!ret && !scan->done && n < nr);
	return ret < 0 && !n ? ret : (int)n;
}
EXPORT_SYMBOL_GPL(blink_tree_scan);

static void cursor_init(struct blink_cursor *cursor, struct blink_tree *tree,
			u64 first, u64 last, bool desc)
{
	cursor->tree = tree;
	cursor->scan.first = first;
	cursor->scan.last = last;
	cursor->scan.desc = desc;
	cursor->scan.done = false;
	cursor->next = 0;
	cursor->count = 0;
}

/**
 * blink_cursor_init() - begin an ascending iteration
 * @cursor: the cursor
 * @tree: the tree
 * @first: least key to return
 * @last: greatest key to return
 *
 * Context: any.
 */
void blink_cursor_init(struct blink_cursor *cursor, struct blink_tree *tree,
		       u64 first, u64 last)
{
	cursor_init(cursor, tree, first, last, false);
}
EXPORT_SYMBOL_GPL(blink_cursor_init);

/**
 * blink_cursor_init_desc() - begin a descending iteration
 * @cursor: the cursor
 * @tree: the tree
 * @first: least key to return
 * @last: greatest key to return, where it begins
 *
 * Context: any.
 */
void blink_cursor_init_desc(struct blink_cursor *cursor,
			    struct blink_tree *tree, u64 first, u64 last)
{
	cursor_init(cursor, tree, first, last, true);
}
EXPORT_SYMBOL_GPL(blink_cursor_init_desc);

/**
 * blink_cursor_next() - the next entry of an iteration
 * @cursor: the cursor
 * @entry: set to it
 *
 * An entry was in the tree at some moment since the call that filled the
 * cursor's copy of its leaf; it may have been changed or erased since.
 *
 * Context: as blink_tree_lookup(); @cursor belongs to the caller.
 * Return: 1; 0 at the end; -EAGAIN as blink_tree_lookup().
 */
int blink_cursor_next(struct blink_cursor *cursor, struct blink_entry *entry)
{
	int ret;

	if (cursor->next == cursor->count) {
		cursor->next = 0;
		cursor->count = 0;
		if (cursor->scan.done)
			return 0;
		ret = blink_tree_scan(cursor->tree, &cursor->scan,
				      cursor->entries, BLINK_CURSOR_ENTRIES);
		if (ret <= 0)
			return ret;
		cursor->count = ret;
	}
	*entry = cursor->entries[cursor->next++];
	return 1;
}
EXPORT_SYMBOL_GPL(blink_cursor_next);
