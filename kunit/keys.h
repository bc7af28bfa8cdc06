/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The functions of <linux/blink_tree.h> for trees with keys of any size, so that the
 * same tests run on all of them. Tests have keys of 64 bits, and call the functions by
 * their usual names (keys_names.h).
 *
 * A tree with 128-bit keys gets each key *widened*. Widening keeps the order, and maps
 * the least and the greatest key to the least and the greatest one. The three lowest
 * bits of a key become the highest ones of the lower half: eight keys in a row have the
 * same upper half. A tree of strings gets strings of numbers (keys_text.h).
 */
#ifndef BLINK_KUNIT_KEYS_H
#define BLINK_KUNIT_KEYS_H

#include <linux/blink_tree.h>
#include <linux/blink_tree_u128.h>

/* The keys of trees that keys_create() creates; those of compressed trees have 64 bits. */
extern enum blink_tree_key keys_kind;

/**
 * struct keys_steps - the keys that a cursor of a tree of strings has still to find
 * @first: the least key
 * @last: the greatest key
 * @desc: from @last down
 * @done: nothing is left
 */
struct keys_steps {
	u64 first;
	u64 last;
	bool desc;
	bool done;
};

/**
 * struct keys_cursor - a cursor of a tree with keys of any size
 * @tree: the tree
 * @narrow: with keys of 64 bits
 * @wide: with keys of 128 bits
 * @steps: with strings
 */
struct keys_cursor {
	struct blink_tree *tree;
	union {
		struct blink_cursor narrow;
		struct blink_u128_cursor wide;
		struct keys_steps steps;
	};
};

/**
 * struct keys_finger - a finger of a tree with keys of any size
 * @tree: the tree
 * @key: the key of the entry where the finger is
 * @placed: the finger is at an entry
 * @narrow: with keys of 64 bits
 * @wide: with keys of 128 bits
 */
struct keys_finger {
	struct blink_tree *tree;
	u64 key;
	bool placed;
	union {
		struct blink_finger narrow;
		struct blink_u128_finger wide;
	};
};

static inline u128 keys_wide(u64 key)
{
	return ((u128)key << 64 | key) >> 3 | (u128)(key >> 61) << 125;
}

u64 keys_narrow(u128 wide);
struct blink_tree_u128_op keys_wide_op(const struct blink_tree_ioc_op *op);
void keys_wide_op_end(struct blink_tree_ioc_op *op,
		      const struct blink_tree_u128_op *wide);

struct blink_tree *keys_create(const struct blink_tree_params *params,
			       gfp_t gfp);

int keys_lookup(struct blink_tree *tree, u64 key, u64 *value);
int keys_floor(struct blink_tree *tree, u64 key,
	       struct blink_tree_entry *entry);
int keys_ceiling(struct blink_tree *tree, u64 key,
		 struct blink_tree_entry *entry);
int keys_insert(struct blink_tree *tree, u64 key, u64 value, u64 *old,
		gfp_t gfp);
int keys_store(struct blink_tree *tree, u64 key, u64 value, u64 *old,
	       gfp_t gfp);
int keys_add(struct blink_tree *tree, u64 key, u64 number, u64 *old, gfp_t gfp);
int keys_add_saturate(struct blink_tree *tree, u64 key, s64 number, u64 *old,
		      gfp_t gfp);
int keys_replace(struct blink_tree *tree, u64 key, u64 value, u64 *old);
int keys_cmpxchg(struct blink_tree *tree, u64 key, u64 *old, u64 value);
int keys_erase(struct blink_tree *tree, u64 key, u64 *old);
int keys_cmperase(struct blink_tree *tree, u64 key, u64 *old);
int keys_pop_min(struct blink_tree *tree, u64 first,
		 struct blink_tree_entry *entry);
int keys_pop_max(struct blink_tree *tree, u64 last,
		 struct blink_tree_entry *entry);
int keys_get_or_insert(struct blink_tree *tree, u64 key, u64 *value, gfp_t gfp);

void keys_op(struct blink_tree *tree, struct blink_tree_ioc_op *op, gfp_t gfp);
void keys_batch(struct blink_tree *tree, struct blink_tree_ioc_op *ops,
		unsigned int nr, gfp_t gfp);
int keys_commit(struct blink_tree *tree, struct blink_tree_ioc_op *ops,
		unsigned int nr, unsigned int *failed, gfp_t gfp);
int keys_load(struct blink_tree *tree, const struct blink_tree_entry *entries,
	      unsigned int nr, unsigned int fill, gfp_t gfp,
	      unsigned int *done);

int keys_scan(struct blink_tree *tree, struct blink_scan *scan,
	      struct blink_tree_entry *entries, unsigned int nr);
int keys_count_range(struct blink_tree *tree, struct blink_scan *scan,
		     unsigned int nr);
int keys_erase_range(struct blink_tree *tree, struct blink_scan *scan,
		     struct blink_tree_entry *entries, unsigned int nr);

void keys_cursor_init(struct keys_cursor *cursor, struct blink_tree *tree,
		      u64 first, u64 last);
void keys_cursor_init_desc(struct keys_cursor *cursor, struct blink_tree *tree,
			   u64 first, u64 last);
int keys_cursor_next(struct keys_cursor *cursor,
		     struct blink_tree_entry *entry);

void keys_finger_init(struct keys_finger *finger, struct blink_tree *tree);
void keys_finger_pause(struct keys_finger *finger);
int keys_finger_floor(struct keys_finger *finger, u64 key,
		      struct blink_tree_entry *entry);
int keys_finger_ceiling(struct keys_finger *finger, u64 key,
			struct blink_tree_entry *entry);
int keys_finger_next(struct keys_finger *finger,
		     struct blink_tree_entry *entry);
int keys_finger_prev(struct keys_finger *finger,
		     struct blink_tree_entry *entry);

#endif /* BLINK_KUNIT_KEYS_H */
