// SPDX-License-Identifier: GPL-2.0
/*
 * Cursors: iterations over the entries of a range, which read ahead by scans.
 *
 * Linearization points: those of the scans (scan.c).
 */
#include <linux/blink_tree.h>
#include <linux/export.h>

#include "../key/key.h"

static void cursor_init(struct blink_cursor *cursor, struct blink_tree *tree,
			blink_key_t first, blink_key_t last, bool desc)
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
		       blink_key_t first, blink_key_t last)
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
			    struct blink_tree *tree, blink_key_t first,
			    blink_key_t last)
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
				      cursor->entries, BLINK_LEAF_ROOM);
		if (ret <= 0)
			return ret;
		cursor->count = ret;
	}
	*entry = cursor->entries[cursor->next++];
	return 1;
}
EXPORT_SYMBOL_GPL(blink_cursor_next);
