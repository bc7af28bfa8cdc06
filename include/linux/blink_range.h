/* SPDX-License-Identifier: GPL-2.0 */
/*
 * blink_tree: ranges of keys, each with one value, in a tree with keys of 64 or 128 bits and
 * values that are numbers. Documentation/design/ranges.rst describes them.
 *
 * The value of a range is not 0. Keys that are in no range are in *holes*. Neighbours with
 * equal values are one range. A range is stored as a whole at one moment, by a commit.
 */
#ifndef _LINUX_BLINK_RANGE_H
#define _LINUX_BLINK_RANGE_H

#include <linux/blink_tree_u128.h>

/**
 * struct blink_range - a range, or a hole
 * @first: its least key
 * @last: its greatest key
 * @value: its value, 0 for a hole
 */
struct blink_range {
	u64 first;
	u64 last;
	u64 value;
};

/**
 * struct blink_u128_range - a range of keys of 128 bits, or a hole
 * @first: its least key
 * @last: its greatest key
 * @value: its value, 0 for a hole
 */
struct blink_u128_range {
	u128 first;
	u128 last;
	u64 value;
};

/**
 * struct blink_range_search - a search for a range, or for keys that are in no range
 * @range: the bounds of what is left to be searched; in the end what was found
 * @size: search for so many keys in a row that are in no range; 0: for a range
 * @down: from the last key down, otherwise from the first one up
 */
struct blink_range_search {
	struct blink_range range;
	u64 size;
	bool down;
};

/**
 * struct blink_u128_range_search - the same for keys of 128 bits
 * @range: the bounds of what is left to be searched; in the end what was found
 * @size: search for so many keys in a row that are in no range; 0: for a range
 * @down: from the last key down, otherwise from the first one up
 */
struct blink_u128_range_search {
	struct blink_u128_range range;
	u128 size;
	bool down;
};

int blink_range_lookup(struct blink_tree *tree, u64 key,
		       struct blink_range *range);
int blink_range_next(struct blink_tree *tree, u64 key,
		     struct blink_range *range);
int blink_range_prev(struct blink_tree *tree, u64 key,
		     struct blink_range *range);
int blink_range_search(struct blink_tree *tree,
		       struct blink_range_search *search, unsigned int nr);
int blink_range_gap(struct blink_tree *tree, u64 size, bool highest,
		    struct blink_range *range);
int blink_range_store(struct blink_tree *tree, const struct blink_range *range,
		      gfp_t gfp);
int blink_range_store_part(struct blink_tree *tree, struct blink_range *range,
			   gfp_t gfp);
int blink_range_insert(struct blink_tree *tree, const struct blink_range *range,
		       gfp_t gfp);
int blink_range_alloc(struct blink_tree *tree, u64 size, bool highest,
		      struct blink_range *range, gfp_t gfp);

int blink_u128_range_lookup(struct blink_tree *tree, u128 key,
			    struct blink_u128_range *range);
int blink_u128_range_next(struct blink_tree *tree, u128 key,
			  struct blink_u128_range *range);
int blink_u128_range_prev(struct blink_tree *tree, u128 key,
			  struct blink_u128_range *range);
int blink_u128_range_search(struct blink_tree *tree,
			    struct blink_u128_range_search *search,
			    unsigned int nr);
int blink_u128_range_gap(struct blink_tree *tree, u128 size, bool highest,
			 struct blink_u128_range *range);
int blink_u128_range_store(struct blink_tree *tree,
			   const struct blink_u128_range *range, gfp_t gfp);
int blink_u128_range_store_part(struct blink_tree *tree,
				struct blink_u128_range *range, gfp_t gfp);
int blink_u128_range_insert(struct blink_tree *tree,
			    const struct blink_u128_range *range, gfp_t gfp);
int blink_u128_range_alloc(struct blink_tree *tree, u128 size, bool highest,
			   struct blink_u128_range *range, gfp_t gfp);

#endif /* _LINUX_BLINK_RANGE_H */
