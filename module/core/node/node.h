/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: the node
 *
 * A node holds the keys of a range (low, high]: *low* is exclusive and never
 * changes once the node is published (I2), *high*, the *high key*, is
 * inclusive and shrinks when the node is split and grows when it absorbs its
 * right neighbour. The *right link* leads to the node whose low key is this
 * one's high key (I1). The first node of a level has no low key
 * (BLINK_NODE_LEFTMOST), the last one has the greatest key as its high key and
 * no right link.
 *
 * A *leaf* (level 0) maps keys to values. An *inner node* of level n maps
 * *separators*, the low keys of nodes of level n - 1, to those nodes, its
 * children. Its first separator is its own low key; that slot is *empty* (no
 * child) after the child died, until another node with the same low key is
 * entered there.
 *
 * The *sequence* is odd while a writer moves the node's content, which it does
 * only under the lock (I6); a *read section* is valid if the sequence was even
 * and the same before and after (OLFIT's latch-free traversal, except that the
 * version is apart from the lock, so that a reader passes a writer that holds
 * the lock and is not moving anything).
 *
 * A node that was absorbed is *dead*, for ever (I5): its right link leads to
 * the node that absorbed it, or, for a root given up, to its only child.
 */
#ifndef BLINK_CORE_NODE_H
#define BLINK_CORE_NODE_H

#include <linux/atomic.h>
#include <linux/build_bug.h>
#include <linux/cache.h>
#include <linux/compiler.h>
#include <linux/limits.h>
#include <linux/rcupdate.h>
#include <linux/types.h>

#include "../../lock/node_lock.h"
#include "copies.h"

struct blink_tree_entry;
struct blink_tree;

/*
 * With the header they fill 1 KiB of a leaf and 2 KiB of an inner node: chosen by
 * measurement.
 */
#ifndef BLINK_LEAF_SLOTS
#define BLINK_LEAF_SLOTS 60
#endif
#ifndef BLINK_INNER_SLOTS
#define BLINK_INNER_SLOTS 124
#endif

/*
 * A slot that is not in use has this key, so that a search need not know how
 * many are: it is less than no key. It is a key like any other otherwise.
 */
#define BLINK_KEY_UNUSED U64_MAX

#define BLINK_NODE_DEAD 0x1
#define BLINK_NODE_LEFTMOST 0x2
#define BLINK_NODE_COPIED 0x4

/**
 * struct blink_node - a leaf or an inner node
 * @lock: excludes writers
 * @seq: odd while the content is being moved
 * @count: slots in use; at least one in an inner node
 * @level: 0 for a leaf; constant
 * @flags: BLINK_NODE_*
 * @gated: @lock was taken through a gate; its holder's
 * @heat: how often writers meet here (contention.h)
 * @low: exclusive lower bound; constant; of no meaning with LEFTMOST
 * @high: inclusive upper bound
 * @right: the next node of the level
 * @unposted: indexes that have no entry for this node yet, a bit for each;
 *	it may not be absorbed without a look at them
 * @tree: once dead and out of every index, what it is accounted to
 * @purges: once dead, indexes that have not let go of it yet, if that is lazy
 * @rcu: then, its way to be freed
 * @slot: the keys, then as many values or children
 *
 * All but the constant fields change under @lock and inside a write section,
 * @heat, @unposted and values that are overwritten without one. Children are kept as
 * integers: the sequence validates them, not RCU alone.
 */
struct blink_node {
	struct blink_lock lock;
	u32 seq;
	u16 count;
	u8 level;
	u8 flags;
	bool gated;
	u8 heat;
	u64 low;
	u64 high;
	struct blink_node __rcu *right;
	union {
		unsigned long unposted;
		struct blink_tree *tree;
	};
	union {
		struct rcu_head rcu;
		atomic_t purges;
	};
	u64 slot[];
} ____cacheline_aligned;

static_assert(sizeof(struct blink_lock) != 4 ||
	      offsetof(struct blink_node, slot) == 64);
static_assert(BLINK_LEAF_SLOTS >= 4 && BLINK_INNER_SLOTS >= 4);
static_assert(BLINK_LEAF_SLOTS <= 256 && BLINK_INNER_SLOTS <= 256);

#define BLINK_LEAF_BYTES \
	(sizeof(struct blink_node) + 2 * sizeof(u64) * BLINK_LEAF_SLOTS)
#define BLINK_INNER_BYTES \
	(sizeof(struct blink_node) + 2 * sizeof(u64) * BLINK_INNER_SLOTS)

/* A member of a leaf with copies takes a line more. */
#define BLINK_MEMBER_BYTES (BLINK_LEAF_BYTES + L1_CACHE_BYTES)

/* To be added nowhere. */
#define BLINK_POS_NONE UINT_MAX

void blink_node_init(struct blink_tree *tree, struct blink_node *node,
		     unsigned int level);
void blink_inner_set_level(struct blink_tree *tree, struct blink_node *node,
			   unsigned int level);

void blink_node_insert(struct blink_node *node, unsigned int pos, u64 key,
		       u64 value);
void blink_node_remove(struct blink_node *node, unsigned int pos);
void blink_node_split(struct blink_tree *tree, struct blink_node *left,
		      struct blink_node *right, unsigned int pos, u64 key,
		      u64 value);
void blink_leaf_append(struct blink_node *leaf,
		       const struct blink_tree_entry *entries, unsigned int n);
void blink_leaf_extend(struct blink_tree *tree, struct blink_node *left,
		       struct blink_node *right,
		       const struct blink_tree_entry *entries, unsigned int n);
void blink_node_absorb(struct blink_node *left, struct blink_node *right);

static __always_inline unsigned int
blink_node_slots(const struct blink_node *node)
{
	return node->level ? BLINK_INNER_SLOTS : BLINK_LEAF_SLOTS;
}

static inline size_t blink_node_bytes(bool leaf)
{
	return leaf ? BLINK_LEAF_BYTES : BLINK_INNER_BYTES;
}

static inline bool blink_node_full(const struct blink_node *node)
{
	return READ_ONCE(node->count) == blink_node_slots(node);
}

static inline bool blink_node_dead(const struct blink_node *node)
{
	return READ_ONCE(node->flags) & BLINK_NODE_DEAD;
}

/* Constant: may be asked at any time. */
static __always_inline bool blink_node_copied(const struct blink_node *node)
{
	return READ_ONCE(node->flags) & BLINK_NODE_COPIED;
}

/* Constant: may be asked at any time. */
static inline bool blink_node_leftmost(const struct blink_node *node)
{
	return READ_ONCE(node->flags) & BLINK_NODE_LEFTMOST;
}

static __always_inline u64 blink_node_key(const struct blink_node *node,
					  unsigned int i)
{
	return READ_ONCE(node->slot[i]);
}

/* Whether a node is the only one of its level: a hint, unless it is locked. */
static inline bool blink_node_only(const struct blink_node *node)
{
	return blink_node_leftmost(node) && READ_ONCE(node->high) == U64_MAX;
}

/* Two nodes are merged only if they hold no more than this together. */
static inline unsigned int blink_node_merge_limit(const struct blink_node *node)
{
	return blink_node_slots(node) * 3 / 4;
}

/**
 * blink_node_underfull() - whether a node is worth an attempt to merge it
 * @node: the node
 *
 * Of two nodes that may merge one has at most half of the limit.
 *
 * Context: @node's lock held, or the answer is a hint.
 * Return: whether it is.
 */
static inline bool blink_node_underfull(const struct blink_node *node)
{
	return READ_ONCE(node->count) <= blink_node_merge_limit(node) / 2;
}

/* Whether a key must be looked for right of a node, or where that went. */
static __always_inline bool blink_node_beyond(const struct blink_node *node,
					      u64 key)
{
	return blink_node_dead(node) || key > READ_ONCE(node->high);
}

/* Slots that are not in use any more, or not yet. */
static inline void blink_keys_unuse(struct blink_node *node, unsigned int from,
				    unsigned int to)
{
	unsigned int i;

	for (i = from; i < to; i++)
		WRITE_ONCE(node->slot[i], BLINK_KEY_UNUSED);
}

/* Where the values or children begin. */
static __always_inline u64 *blink_node_values(struct blink_node *node)
{
	return node->slot + blink_node_slots(node);
}

static __always_inline u64 blink_leaf_value(const struct blink_node *leaf,
					    unsigned int i)
{
	return READ_ONCE(leaf->slot[BLINK_LEAF_SLOTS + i]);
}

/* Of a leaf with copies only. */
static inline struct blink_member *blink_member(struct blink_node *leaf)
{
	return (struct blink_member *)((char *)leaf + BLINK_LEAF_BYTES);
}

/* The node itself, or the primary of the leaf that it is a member of. */
static __always_inline struct blink_node *
blink_node_primary(struct blink_node *node)
{
	if (unlikely(node && blink_node_copied(node)))
		return blink_member(node)->primary;
	return node;
}

/* What leads to a node in the index of this number: the node or a member. */
static inline struct blink_node *blink_leaf_member(struct blink_node *node,
						   unsigned int id)
{
	if (likely(!node || !blink_node_copied(node)))
		return node;
	while (blink_member(node)->id != id)
		node = blink_member(node)->next;
	return node;
}

static __always_inline struct blink_node *
blink_inner_child(const struct blink_node *inner, unsigned int i)
{
	u64 child = READ_ONCE(inner->slot[BLINK_INNER_SLOTS + i]);

	return (struct blink_node *)(uintptr_t)child;
}

/* The least key of a node with this low key: what to descend for to find it. */
static inline u64 blink_key_after(u64 low)
{
	return low + 1;
}

#endif /* BLINK_CORE_NODE_H */
