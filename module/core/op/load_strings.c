// SPDX-License-Identifier: GPL-2.0
/* Bulk load of strings: those of some entries are made before they are loaded. */
#include <linux/errno.h>
#include <linux/export.h>

#include "at_leaf.h"

#if BLINK_STRINGS
/* Strings that are made at a time. */
#define LOAD_CHUNK 16U

/* Make the strings of entries. Returns how many; if none, *@err tells why. */
static unsigned int make_strings(struct blink_tree *tree,
				 struct blink_tree_entry *made,
				 const struct blink_tree_entry *entries,
				 unsigned int nr, gfp_t gfp, int *err)
{
	unsigned int n;

	for (n = 0; n < nr; n++) {
		made[n] = entries[n];
		*err = blink_entry_make(tree, blink_entry_key(&entries[n]),
					entries[n].value, gfp, &made[n].value);
		if (*err)
			break;
	}
	return n;
}

/* As blink_load() for a few entries. */
static int load_chunk(struct blink_tree *tree,
		      const struct blink_tree_entry *entries, unsigned int nr,
		      unsigned int fill, gfp_t gfp, unsigned int *done)
{
	struct blink_tree_entry made[LOAD_CHUNK] = {};
	unsigned int n, i;
	int err = 0, ret;

	n = make_strings(tree, made, entries, nr, gfp, &err);
	ret = blink_load_entries(tree, made, n, fill, gfp, done);
	for (i = *done; i < n; i++)
		blink_entry_end(tree, made[i].value, -ECANCELED);
	return ret ?: err;
}

/**
 * blink_load() - add many entries
 * @tree: the tree
 * @entries: the entries
 * @nr: how many
 * @fill: as that of blink_tree_load()
 * @gfp: how to allocate
 * @done: set to the number of entries that were added, from the first on
 *
 * Context: as blink_tree_load(); @tree fits.
 * Return: likewise; -EINVAL also if a key is too long.
 */
int blink_load(struct blink_tree *tree, const struct blink_tree_entry *entries,
	       unsigned int nr, unsigned int fill, gfp_t gfp,
	       unsigned int *done)
{
	unsigned int some;
	int ret = 0;

	*done = 0;
	if (!fill || fill > 100)
		return -EINVAL;
	while (!ret && *done < nr) {
		ret = load_chunk(tree, entries + *done,
				 min(nr - *done, LOAD_CHUNK), fill, gfp, &some);
		*done += some;
	}
	return ret;
}
#endif
