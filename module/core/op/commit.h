/* SPDX-License-Identifier: GPL-2.0 */
/* A commit: its operations, and the leaves of their keys (commit.c and commit_*.c). */
#ifndef BLINK_CORE_COMMIT_H
#define BLINK_CORE_COMMIT_H

#include <linux/bits.h>
#include <linux/build_bug.h>

#include "../index/state.h"
#include "../node/node.h"
#include "at_leaf.h"

/* Tests have small leaves. */
#if BLINK_TREE_COMMIT_MAX < BLINK_LEAF_SLOTS
#define BLINK_COMMIT_MAX BLINK_TREE_COMMIT_MAX
#else
#define BLINK_COMMIT_MAX BLINK_LEAF_SLOTS
#endif
/* A leaf that was split often enough has room for so many new entries. */
#define BLINK_COMMIT_ADDS (BLINK_LEAF_SLOTS - 1)
/* The most leaves: one for each operation, or more of them if there are gaps. */
#define BLINK_COMMIT_LEAVES BLINK_TREE_COMMIT_MAX

/*
 * The effect of an operation. BLINK_COMMIT_FAILURE: its condition is not true.
 * BLINK_COMMIT_OCCUPIED: a gap that has to be empty is not. Those behind
 * BLINK_COMMIT_NOTHING change the entry of its key.
 */
enum blink_commit_change {
	BLINK_COMMIT_INVALID,
	BLINK_COMMIT_FAILURE,
	BLINK_COMMIT_OCCUPIED,
	BLINK_COMMIT_NOTHING,
	BLINK_COMMIT_ADD,
	BLINK_COMMIT_SET,
	BLINK_COMMIT_REMOVE,
};

/**
 * struct blink_commit_leaf - a leaf of a commit
 * @node: the leaf
 * @first: the first of its operations, in the order of the keys; in a leaf that is a part of
 *	a gap, and has none, the next one
 * @end: behind the last one
 * @adds: how many operations add a key
 * @seq: the sequence with which it was read, if it is not locked
 * @removes: how many entries are removed, if it is locked
 * @changes: one entry at least changes
 * @underfull: it lost entries, and is worth a merge
 */
struct blink_commit_leaf {
	struct blink_node *node;
	u8 first;
	u8 end;
	u8 adds;
	union {
		u32 seq;
		struct {
			u16 removes;
			bool changes;
			bool underfull;
		};
	};
};

/**
 * struct blink_commit - a commit
 * @state: the last descent
 * @op: the operations, in the caller's order, as all arrays but @leaf
 * @made: a bit for each operation that has a new entry
 * @present: a bit for each operation whose key is present
 * @empty: a bit for each place in @order whose gap has to be empty: the keys between that of
 *	this place and that of the next one
 * @clear: likewise, if the keys of the gap are removed
 * @cleared: likewise, if it had keys
 * @spares: spare leaves, linked to the right
 * @nr_spares: their number
 * @missing: how many more the last attempt needed
 * @nr: number of operations
 * @failed: the first operation whose condition is not true, or @nr
 * @nr_added: new leaves in @added
 * @nr_leaves: leaves in @leaf
 * @writes: some of the operations can change entries
 * @emptied: gaps had too many leaves, some of which have no entries any more
 * @added: leaves that were split off, and have no entries in the indexes
 * @leaf: the leaves, in the order of their keys
 * @order: the operations in the order of their keys
 * @pos: the position of each key in its leaf
 * @change: enum blink_commit_change of each operation
 * @value: the value of each key before the commit, 0 if it is absent
 * @entry: the string of each key that is added or was removed
 */
struct blink_commit {
	struct blink_state state;
	struct blink_tree_ioc_op *op;
	u32 made;
	u32 present;
	u32 empty;
	u32 clear;
	u32 cleared;
	struct blink_node *spares;
	unsigned int nr_spares;
	unsigned int missing;
	u8 nr;
	u8 failed;
	u8 nr_added;
	u8 nr_leaves;
	bool writes;
	bool emptied;
	struct blink_node *added[BLINK_COMMIT_MAX];
	struct blink_commit_leaf leaf[BLINK_COMMIT_LEAVES];
	u8 order[BLINK_COMMIT_MAX];
	u16 pos[BLINK_COMMIT_MAX];
	u8 change[BLINK_COMMIT_MAX];
	u64 value[BLINK_COMMIT_MAX];
	u64 entry[BLINK_STRINGS ? BLINK_COMMIT_MAX : 1];
};

static_assert(BLINK_COMMIT_MAX <= 32);

#define for_each_blink_commit_leaf(leaf, c) \
	for ((leaf) = (c)->leaf; (leaf) < (c)->leaf + (c)->nr_leaves; (leaf)++)

/* The operation at a place in the order of the keys. */
static inline struct blink_tree_ioc_op *
blink_commit_op(const struct blink_commit *c, unsigned int k)
{
	return &c->op[c->order[k]];
}

/* The value that an operation, which was decided on, gives its key. */
static inline u64 blink_commit_value(const struct blink_commit *c,
				     unsigned int i)
{
	return blink_value_after(c->op[i].opcode, c->value[i], c->op[i].value);
}

/* The entry that an operation adds. */
static inline u64 blink_commit_entry(const struct blink_commit *c,
				     unsigned int i)
{
	return BLINK_STRINGS ? c->entry[i] : blink_commit_value(c, i);
}

/* Where the string of an operation is; for no use if entries are numbers. */
static inline u64 *blink_commit_place(struct blink_commit *c, unsigned int i)
{
	return &c->entry[BLINK_STRINGS ? i : 0];
}

/* Whether the gap before the operation of a place has to be empty, or is cleared. */
static inline bool blink_commit_joined(const struct blink_commit *c,
				       unsigned int k)
{
	return k && (c->empty | c->clear) & BIT(k - 1);
}

void blink_commit_decide(struct blink_commit *c, unsigned int i, bool found,
			 u64 present);
void blink_commit_descend(struct blink_commit *c, struct blink_walk *walk,
			  struct blink_node **near);
int blink_commit_lock(struct blink_commit *c, struct blink_node **near);
void blink_commit_unlock(struct blink_commit *c);
int blink_commit_write(struct blink_commit *c);

#endif /* BLINK_CORE_COMMIT_H */
