/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trees with 128-bit keys (BLINK_TREE_KEY_U128), and trees with equal keys
 * (BLINK_TREE_KEY_MULTI).
 *
 * Each function does for 128-bit keys what the function of the same name without
 * "u128" does for 64-bit keys (blink_tree.h), in the same contexts and with the same
 * errors. blink_tree_create(), blink_tree_destroy() and the functions without a key
 * work with all trees. A function that takes keys of another kind than its tree has
 * returns -EOPNOTSUPP.
 *
 * A tree with equal keys is a set of pairs of a 64-bit key and a 64-bit value. Each pair
 * is a 128-bit key, blink_pair(), and its own value is 0. The functions with "u128" in
 * their names find, count, erase and iterate over pairs.
 */
#ifndef _LINUX_BLINK_TREE_U128_H
#define _LINUX_BLINK_TREE_U128_H

#include <linux/blink_tree.h>

#define BLINK_U128_MAX (~(u128)0)

/**
 * struct blink_tree_u128_entry - a key and its value
 * @key: the key
 * @value: the value
 */
struct blink_tree_u128_entry {
	u128 key;
	u64 value;
};

/**
 * struct blink_tree_u128_op - one operation and its result
 * @opcode: enum blink_tree_opcode
 * @flags: BLINK_TREE_COMMIT_EMPTY or BLINK_TREE_COMMIT_CLEAR in a commit, otherwise 0
 * @result: as that of struct blink_tree_ioc_op
 * @key: the key
 * @value: as that of struct blink_tree_ioc_op
 * @old: likewise
 */
struct blink_tree_u128_op {
	u16 opcode;
	u16 flags;
	s32 result;
	u128 key;
	u64 value;
	u64 old;
};

int blink_tree_u128_lookup(struct blink_tree *tree, u128 key, u64 *value);
int blink_tree_u128_floor(struct blink_tree *tree, u128 key,
			  struct blink_tree_u128_entry *entry);
int blink_tree_u128_ceiling(struct blink_tree *tree, u128 key,
			    struct blink_tree_u128_entry *entry);

int blink_tree_u128_insert(struct blink_tree *tree, u128 key, u64 value,
			   u64 *old, gfp_t gfp);
int blink_tree_u128_store(struct blink_tree *tree, u128 key, u64 value,
			  u64 *old, gfp_t gfp);
int blink_tree_u128_add(struct blink_tree *tree, u128 key, u64 number, u64 *old,
			gfp_t gfp);
int blink_tree_u128_add_saturate(struct blink_tree *tree, u128 key, s64 number,
				 u64 *old, gfp_t gfp);
int blink_tree_u128_replace(struct blink_tree *tree, u128 key, u64 value,
			    u64 *old);
int blink_tree_u128_cmpxchg(struct blink_tree *tree, u128 key, u64 *old,
			    u64 value);
int blink_tree_u128_erase(struct blink_tree *tree, u128 key, u64 *old);
int blink_tree_u128_cmperase(struct blink_tree *tree, u128 key, u64 *old);
int blink_tree_u128_pop_min(struct blink_tree *tree, u128 first,
			    struct blink_tree_u128_entry *entry);
int blink_tree_u128_pop_max(struct blink_tree *tree, u128 last,
			    struct blink_tree_u128_entry *entry);

void blink_tree_u128_op(struct blink_tree *tree, struct blink_tree_u128_op *op,
			gfp_t gfp);
int blink_tree_u128_load(struct blink_tree *tree,
			 const struct blink_tree_u128_entry *entries,
			 unsigned int nr, unsigned int fill, gfp_t gfp,
			 unsigned int *done);
void blink_tree_u128_batch(struct blink_tree *tree,
			   struct blink_tree_u128_op *ops, unsigned int nr,
			   gfp_t gfp);
int blink_tree_u128_commit(struct blink_tree *tree,
			   struct blink_tree_u128_op *ops, unsigned int nr,
			   unsigned int *failed, gfp_t gfp);

/**
 * struct blink_u128_scan - the part of a range of keys that is still to be scanned,
 *	counted or erased
 * @first: least key of this part
 * @last: greatest key of this part
 * @desc: scan from @last down to @first
 * @done: the scan has reached the end of the range
 */
struct blink_u128_scan {
	u128 first;
	u128 last;
	bool desc;
	bool done;
};

int blink_tree_u128_scan(struct blink_tree *tree, struct blink_u128_scan *scan,
			 struct blink_tree_u128_entry *entries,
			 unsigned int nr);
int blink_tree_u128_count_range(struct blink_tree *tree,
				struct blink_u128_scan *scan, unsigned int nr);
int blink_tree_u128_erase_range(struct blink_tree *tree,
				struct blink_u128_scan *scan,
				struct blink_tree_u128_entry *entries,
				unsigned int nr);

/* Entries that a cursor holds: enough for any leaf with 128-bit keys. */
#define BLINK_U128_CURSOR_ENTRIES 40

/**
 * struct blink_u128_cursor - an iteration over the entries of a range
 * @tree: the tree
 * @scan: the part of the range that was not copied yet
 * @next: position in @entries of the entry to return next
 * @count: entries in @entries
 * @entries: entries read ahead; the keys from one leaf are a snapshot of this leaf
 */
struct blink_u128_cursor {
	struct blink_tree *tree;
	struct blink_u128_scan scan;
	unsigned int next;
	unsigned int count;
	struct blink_tree_u128_entry entries[BLINK_U128_CURSOR_ENTRIES];
};

void blink_u128_cursor_init(struct blink_u128_cursor *cursor,
			    struct blink_tree *tree, u128 first, u128 last);
void blink_u128_cursor_init_desc(struct blink_u128_cursor *cursor,
				 struct blink_tree *tree, u128 first,
				 u128 last);
int blink_u128_cursor_next(struct blink_u128_cursor *cursor,
			   struct blink_tree_u128_entry *entry);

/**
 * struct blink_u128_finger - a position in a tree, for steps in an RCU read section
 * @tree: the tree
 * @key: the key of the entry where the finger is
 * @placed: the finger is at an entry; otherwise it is at both ends of the tree
 */
struct blink_u128_finger {
	struct blink_tree *tree;
	u128 key;
	bool placed;
	/* private: */
	unsigned int pos;
	struct blink_node *leaf;
	struct blink_node *parent;
	struct blink_index *idx;
	/* public: */
};

/**
 * blink_u128_finger_pause() - prepare a finger for the end of the RCU read section
 * @finger: the finger
 *
 * Context: any.
 */
static inline void blink_u128_finger_pause(struct blink_u128_finger *finger)
{
	finger->leaf = NULL;
	finger->parent = NULL;
}

/**
 * blink_u128_finger_init() - put a finger at both ends of a tree
 * @finger: the finger
 * @tree: the tree
 *
 * Context: any.
 */
static inline void blink_u128_finger_init(struct blink_u128_finger *finger,
					  struct blink_tree *tree)
{
	finger->tree = tree;
	finger->placed = false;
	finger->pos = 0;
	finger->idx = NULL;
	blink_u128_finger_pause(finger);
}

int blink_u128_finger_floor(struct blink_u128_finger *finger, u128 key,
			    struct blink_tree_u128_entry *entry);
int blink_u128_finger_ceiling(struct blink_u128_finger *finger, u128 key,
			      struct blink_tree_u128_entry *entry);
int blink_u128_finger_next(struct blink_u128_finger *finger,
			   struct blink_tree_u128_entry *entry);
int blink_u128_finger_prev(struct blink_u128_finger *finger,
			   struct blink_tree_u128_entry *entry);

/**
 * blink_tree_u128_get_or_insert() - return the value of a key, which is added if absent
 * @tree: the tree
 * @key: the key
 * @value: the value for a new key; set to the present value if the key is present
 * @gfp: how to allocate
 *
 * Context: as blink_tree_insert().
 * Return: 0 if the key was added; 1 if it was present; a negative errno as
 * blink_tree_insert().
 */
static inline int blink_tree_u128_get_or_insert(struct blink_tree *tree,
						u128 key, u64 *value, gfp_t gfp)
{
	u64 present;
	int ret = blink_tree_u128_insert(tree, key, *value, &present, gfp);

	if (ret != -EEXIST)
		return ret;
	*value = present;
	return 1;
}

/**
 * blink_pair() - a key and a value of a tree with equal keys, as a 128-bit key
 * @key: the key
 * @value: the value
 *
 * Return: the pair; pairs ascend by their keys, and then by their values.
 */
static inline u128 blink_pair(u64 key, u64 value)
{
	return (u128)key << 64 | value;
}

/**
 * blink_pair_key() - the key of a pair
 * @pair: the pair
 *
 * Return: the key.
 */
static inline u64 blink_pair_key(u128 pair)
{
	return pair >> 64;
}

/**
 * blink_pair_value() - the value of a pair
 * @pair: the pair
 *
 * Return: the value.
 */
static inline u64 blink_pair_value(u128 pair)
{
	return (u64)pair;
}

int blink_tree_multi_lookup(struct blink_tree *tree, u64 key, u64 *value);
int blink_tree_multi_insert(struct blink_tree *tree, u64 key, u64 value,
			    gfp_t gfp);
int blink_tree_multi_erase(struct blink_tree *tree, u64 key, u64 value);
int blink_tree_multi_erase_key(struct blink_tree *tree, u64 key,
			       unsigned int nr);
int blink_tree_multi_count(struct blink_tree *tree, u64 key, unsigned int nr);

#endif /* _LINUX_BLINK_TREE_U128_H */
