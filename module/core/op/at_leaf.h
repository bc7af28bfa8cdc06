/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: operations from a leaf on
 *
 * These functions execute an operation after the descent for its key. A caller
 * that descends for several keys at a time (batch.c) ends each operation at the
 * leaf where its descent arrived. The leaf can be out of date, as after any
 * descent; right links lead on. All functions need rcu_read_lock() held since
 * the descent, and none sleeps.
 */
#ifndef BLINK_CORE_AT_LEAF_H
#define BLINK_CORE_AT_LEAF_H

#include <linux/blink_tree_value.h>
#include <linux/string.h>

#include "../index/walk.h"

/**
 * struct blink_expected - the value that a key must have, for an operation to change it
 * @value: the value, if values are numbers
 * @data: its bytes, if values are bytes
 * @length: how many
 */
struct blink_expected {
	u64 value;
	const void *data;
	u32 length;
};

/*
 * Whether a value is the one that is expected, if any is. Bytes, 4,096 at most, are compared
 * under the lock of the leaf, where no writer can replace them, or where RCU keeps a value
 * that was found in a valid section.
 */
static __always_inline bool
blink_is_expected(const struct blink_tree *tree,
		  const struct blink_expected *expected, u64 present)
{
	const struct blink_value *value = blink_value(present);

	if (likely(!expected))
		return true;
	if (likely(!(tree->flags & BLINK_TREE_BYTE_VALUES)))
		return present == expected->value;
	return value->length == expected->length &&
	       !memcmp(value->data, expected->data, value->length);
}

/*
 * The value that a key gets from an operation that adds or overwrites it. @present: its
 * value before, 0 if it is absent.
 */
static inline u64 blink_value_after(u16 opcode, u64 present, u64 operand)
{
	u64 sum = present + operand;

	if (opcode == BLINK_TREE_OP_ADD)
		return sum;
	if (opcode != BLINK_TREE_OP_ADD_SATURATE)
		return operand;
	if ((s64)operand < 0)
		return sum > present ? 0 : sum;
	return sum < present ? U64_MAX : sum;
}

/* lookup.c */
int blink_lookup_from(struct blink_tree *tree, struct blink_node *leaf,
		      blink_key_t key, u64 *value);

/**
 * struct blink_place - where a search can begin
 * @leaf: a leaf with low < key, possibly dead; NULL to begin with a descent
 * @walk: the last descent, or zeroes
 */
struct blink_place {
	struct blink_node *leaf;
	struct blink_walk walk;
};

/* nearest.c */
int blink_nearest_from(struct blink_tree *tree, struct blink_place *place,
		       blink_key_t key, bool below,
		       struct blink_tree_entry *entry);
int blink_pop(struct blink_tree *tree, blink_key_t key, bool below,
	      struct blink_tree_entry *entry);
int blink_pop_from(struct blink_tree *tree, struct blink_node *leaf,
		   blink_key_t key, bool below, struct blink_tree_entry *entry);

/* insert.c */
int blink_add(struct blink_tree *tree, u16 opcode, blink_key_t key, u64 operand,
	      u64 *old, gfp_t gfp);
int blink_add_from(struct blink_tree *tree, struct blink_node *leaf,
		   struct blink_walk *walk, struct blink_tree_ioc_op *op,
		   gfp_t gfp);

int blink_insert_entry(struct blink_tree *tree, blink_key_t key, u64 entry,
		       gfp_t gfp);
int blink_set_splitting(struct blink_tree *tree, blink_key_t key,
			const struct blink_expected *expected, u64 value,
			u64 *old, gfp_t gfp);

/* update.c */
int blink_set(struct blink_tree *tree, blink_key_t key,
	      const struct blink_expected *expected, u64 value, u64 *old,
	      gfp_t gfp);
int blink_erase(struct blink_tree *tree, blink_key_t key,
		const struct blink_expected *expected, u64 *old);
void blink_leaf_erase(struct blink_tree *tree, struct blink_node *leaf,
		      unsigned int pos, unsigned int n);
int blink_set_from(struct blink_tree *tree, struct blink_node *leaf,
		   blink_key_t key, const struct blink_expected *expected,
		   u64 value, u64 *old);
int blink_erase_from(struct blink_tree *tree, struct blink_node *leaf,
		     blink_key_t key, const struct blink_expected *expected,
		     u64 *old);

/* erase_range.c */
void blink_leaf_discard(struct blink_tree *tree, struct blink_node *leaf,
			unsigned int pos, unsigned int n);

/* load.c, load_strings.c */
int blink_load(struct blink_tree *tree, const struct blink_tree_entry *entries,
	       unsigned int nr, unsigned int fill, gfp_t gfp,
	       unsigned int *done);
int blink_load_entries(struct blink_tree *tree,
		       const struct blink_tree_entry *entries, unsigned int nr,
		       unsigned int fill, gfp_t gfp, unsigned int *done);

/* op.c */
void blink_op(struct blink_tree *tree, struct blink_tree_ioc_op *op, gfp_t gfp);
void blink_op_at(struct blink_tree *tree, struct blink_node *leaf,
		 struct blink_walk *walk, struct blink_tree_ioc_op *op,
		 gfp_t gfp);

/* commit.c */
int blink_commit(struct blink_tree *tree, struct blink_tree_ioc_op *ops,
		 unsigned int nr, unsigned int *failed, gfp_t gfp);

/* batch.c */
void blink_batch(struct blink_tree *tree, struct blink_tree_ioc_op *ops,
		 unsigned int nr, gfp_t gfp);

#endif /* BLINK_CORE_AT_LEAF_H */
