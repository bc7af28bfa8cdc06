// SPDX-License-Identifier: GPL-2.0
/*
 * Scans and cursors.
 *
 * A scan copies the entries that it wants from a leaf, and the bounds of the
 * leaf, in one read section. Then it searches for the key after the high key
 * (or for the low key, which the left neighbour covers); it never continues
 * from a position in a node. So its keys ascend (descend) strictly, whatever
 * splits and merges occur. A key that is present throughout is returned exactly
 * once, and a key that is absent throughout is not returned.
 *
 * Linearization points: the keys of one leaf are all keys that it had at one
 * moment, the last load of a key or bound in look_at(). Each value is the value
 * that its key had when look_copy() loaded it, because values are overwritten
 * without a write section.
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/kernel.h>

#include "../index/walk.h"

static_assert(BLINK_CURSOR_ENTRIES >= BLINK_LEAF_SLOTS);

/* The most leaves read in one RCU read section. */
#define SCAN_BURST 16

/**
 * struct look - one look at a leaf
 * @scan: the range
 * @entries: the buffer for entries
 * @room: room in the buffer
 * @part: whether to copy a part of the entries if not all fit
 * @from: first slot to copy
 * @to: the slot behind the last one
 * @copied: number of entries that were copied
 * @low: the leaf's low key
 * @high: its high key
 * @leftmost: whether it has no low key
 * @right: its right neighbour
 */
struct look {
	const struct blink_scan *scan;
	struct blink_tree_entry *entries;
	unsigned int room;
	bool part;
	unsigned int from;
	unsigned int to;
	unsigned int copied;
	u64 low;
	u64 high;
	bool leftmost;
	struct blink_node *right;
};

static __always_inline void look_bounds(struct look *look,
					struct blink_node *leaf)
{
	unsigned int count = READ_ONCE(leaf->count);
	u64 last = look->scan->last;

	look->low = leaf->low;
	look->leftmost = blink_node_leftmost(leaf);
	look->high = READ_ONCE(leaf->high);
	look->right = rcu_dereference(leaf->right);
	look->from = blink_leaf_search(leaf, look->scan->first);
	look->to = count;
	if (last < look->high) {
		look->to = blink_leaf_search(leaf, last);
		if (look->to < count && blink_node_key(leaf, look->to) == last)
			look->to++;
	}
	/*
	 * While a writer moves entries, the two positions can be in any order.
	 */
	look->to = max(look->to, look->from);
}

/* Copy the entries if all of them fit, or as many as fit if @part. */
static __always_inline void look_copy(struct look *look,
				      struct blink_node *leaf)
{
	unsigned int i, pos;

	look->copied = look->to - look->from;
	if (look->copied > look->room)
		look->copied = look->part ? look->room : 0;
	for (i = 0; i < look->copied; i++) {
		pos = look->scan->desc ? look->to - 1 - i : look->from + i;
		look->entries[i].key = blink_node_key(leaf, pos);
		/* LP: scan, cursor (value) */
		look->entries[i].value = blink_leaf_value(leaf, pos);
	}
}

static __always_inline void look_at(struct blink_node *leaf, void *arg)
{
	/* LP: scan, cursor (keys of a leaf), the last load of these */
	look_bounds(arg, leaf);
	look_copy(arg, leaf);
}

/*
 * Advance the range past the entries of a valid look. True: the leaf is done.
 */
static bool look_advance(struct blink_scan *scan, const struct look *look)
{
	if (look->copied < look->to - look->from) {
		if (look->copied && scan->desc)
			scan->last = look->entries[look->copied - 1].key - 1;
		else if (look->copied)
			scan->first = look->entries[look->copied - 1].key + 1;
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

/*
 * Prefetch the leaves that a scan from a key will read and to which this parent
 * leads.
 */
static void prefetch_leaves(const struct blink_node *parent, u64 key,
			    unsigned int leaves)
{
	unsigned int pos = blink_inner_search(parent, key);
	unsigned int end = min(pos + leaves, (unsigned int)BLINK_INNER_SLOTS);
	const struct blink_node *leaf;

	for (; pos < end && pos < READ_ONCE(parent->count); pos++) {
		leaf = blink_inner_child(parent, pos);
		if (leaf)
			blink_node_prefetch(leaf, true, true);
	}
}

/*
 * As blink_descend_leaf(), for a scan that wants many entries: it prefetches
 * several leaves before the first one is read.
 */
static struct blink_node *descend_wide(struct blink_tree *tree, u64 key,
				       unsigned int entries)
{
	unsigned int leaves = min(1 + entries / (BLINK_LEAF_SLOTS / 2), 4U);
	struct blink_index *idx = blink_tree_index(tree);
	struct blink_node *node;
	unsigned int hops = 0;
	u64 route = key;

	node = blink_descend(tree, idx, key, 1, NULL);
	while (node && node->level) {
		if (node->level == 1)
			prefetch_leaves(node, route, leaves);
		node = blink_descend_step(tree, idx, node, &route, NULL, &hops,
					  true);
	}
	return node;
}

/*
 * Scan a few leaves within one RCU read section, behind the *@n entries that
 * are in the buffer. Returns 0 to continue, 1 if the buffer is full, or an
 * error.
 */
static int scan_burst(struct blink_tree *tree, struct blink_scan *scan,
		      struct blink_tree_entry *entries, unsigned int *n,
		      unsigned int nr)
{
	struct blink_node *leaf = NULL;
	unsigned int burst;
	u64 key;
	u32 seq;

	for (burst = 0; burst < SCAN_BURST && !scan->done; burst++) {
		struct look look = {
			.scan = scan,
			.entries = entries + *n,
			.room = nr - *n,
			.part = !*n,
		};

		key = scan->desc ? scan->last : scan->first;
		if (!leaf)
			leaf = descend_wide(tree, key, nr - *n);
		leaf = blink_read_covering(tree, leaf, key, look_at, &look,
					   &seq);
		if (!leaf)
			return -EAGAIN;
		*n += look.copied;
		if (!look_advance(scan, &look))
			return 1;
		leaf = scan->desc ? NULL : look.right;
	}
	return 0;
}

/**
 * blink_tree_scan() - read entries of a range
 * @tree: the tree
 * @scan: the range; advanced past the entries that were read
 * @entries: a buffer for the entries
 * @nr: room in the buffer, at least one; with BLINK_CURSOR_ENTRIES or more the
 *	keys of each leaf are those of one moment
 *
 * It can return fewer than @nr entries before the end of the range; only
 * @scan->done means the end. It never sleeps nor reschedules; choose @nr for
 * the context.
 *
 * Context: as blink_tree_lookup(); @scan belongs to the caller.
 * Return: the number of entries that were read, 0 only if @scan->done; -EAGAIN
 * as blink_tree_lookup(), if none were read; -EINVAL if @nr is 0.
 */
int blink_tree_scan(struct blink_tree *tree, struct blink_scan *scan,
		    struct blink_tree_entry *entries, unsigned int nr)
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
 * @last: greatest key to return, at which the iteration begins
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
 * blink_cursor_next() - return the next entry of an iteration
 * @cursor: the cursor
 * @entry: set to the entry
 *
 * The entry was in the tree when the call that filled the cursor copied its
 * leaf. It may have been changed or erased since then.
 *
 * Context: as blink_tree_lookup(); @cursor belongs to the caller.
 * Return: 1; 0 at the end; -EAGAIN as blink_tree_lookup().
 */
int blink_cursor_next(struct blink_cursor *cursor,
		      struct blink_tree_entry *entry)
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
