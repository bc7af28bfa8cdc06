/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: the node
 *
 * A node covers the keys of a range (low, high]. The *low key* is exclusive,
 * and never changes once the node is published (I2). The *high key* is
 * inclusive: a split of the node lowers it, and the node raises it when it
 * absorbs its right neighbour. The *right link* leads to the node whose low key
 * is this node's high key (I1). The first node of a level has no low key
 * (BLINK_NODE_LEFTMOST). The last node has the greatest key as its high key,
 * and no right link.
 *
 * A *leaf* (level 0) maps keys to values. An *inner node* of level n maps
 * *separators*, the low keys of nodes of level n - 1, to these nodes, its
 * *children*. Its first separator is its own low key. When the first child
 * dies, this slot becomes *empty*, until another node with the same low key is
 * entered there.
 *
 * The *sequence* is odd while a writer moves the entries of the node, which it
 * does only under the lock (I6). A *read section* is valid if the sequence was
 * even and did not change. This is the latch-free traversal of OLFIT, except
 * that the sequence and the lock are two words: a reader can read a node whose
 * lock is held, while its entries are not being moved.
 *
 * A node that was absorbed is *dead* and stays dead (I5). Its right link leads
 * to the node that absorbed it. The right link of a root that was given up
 * leads to its only child.
 */
/*
 * DOC: the life of a node
 *
 * A node is in one of these states. A bit of @unposted is set while the index
 * of that bit has no entry for the node.
 *
 * * *spare*: one writer, mender or rebuild has it; no other CPU can reach it.
 * * *new*: a spare leaf, locked, which its writer is about to link.
 * * *unposted*: live; the right link of its left neighbour leads to it, and at
 *   least one index has no entry for it.
 * * *posted*: live; every index has an entry for it, or it is a root.
 * * *absorbed*: its left neighbour covers its keys, too; both are locked.
 * * *dead*: BLINK_NODE_DEAD is set; no index leads to it.
 * * *retired*: it is in limbo until a grace period has passed.
 * * *freed*.
 *
 * Each line is a transition: the function, and the locks that are held. A live
 * node is an unposted or a posted one::
 *
 *	spare -> new            blink_state_take_leaf(): left neighbour, itself
 *	new -> unposted         blink_node_split(), blink_leaf_extend(): the same
 *	spare -> unposted       blink_node_split() of an inner node: left neighbour
 *	spare -> posted         blink_root_grow(): the old root
 *	                        blink_tree_create_for(), first leaf: none
 *	unposted -> posted      index_post(): itself, its parent; for each index
 *	posted -> unposted      pass_next_leaf() of a rebuild: itself
 *	live -> absorbed        blink_node_absorb(): left neighbour, itself
 *	absorbed -> dead        merge_nodes(): the same; before this step
 *	                        blink_index_drop() removes the entries, for each
 *	                        index under the lock of the parent, too
 *	posted -> dead, a root  shrink_once(): its only child, itself
 *	dead -> retired         blink_merge(), shrink_once(): none
 *	retired -> freed        node_rcu(): none
 *	spare -> freed          blink_node_free(): none
 *	live -> freed           blink_tree_destroy(), blink_tree_rebuild(): none
 *
 * Documentation/design/lifetime.rst lists the references to a node, and when
 * each of them ends.
 */
#ifndef BLINK_CORE_NODE_H
#define BLINK_CORE_NODE_H

#include <linux/align.h>
#include <linux/atomic.h>
#include <linux/build_bug.h>
#include <linux/cache.h>
#include <linux/compiler.h>
#include <linux/rcupdate.h>
#include <linux/types.h>

#include "../../lock/node_lock.h"
#include "../key/key.h"

struct blink_tree_entry;
struct blink_tree;

/*
 * The slot of no entry. It is not less than that of any key, so a search can look at
 * all slots without reading @count. It is also the slot of a valid key.
 */
#define BLINK_SLOT_UNUSED (~(blink_slot_t)0)

#define BLINK_NODE_DEAD 0x1
#define BLINK_NODE_LEFTMOST 0x2
#define BLINK_NODE_COPIED 0x4
#define BLINK_NODE_NARROW 0x8
#define BLINK_NODE_STRICT 0x10

/* Number of signposts (signs.h). */
#define BLINK_SIGNS 7

/**
 * struct blink_signs - the signposts of a node (signs.h)
 * @word: four in each word, in 16 bits each; the last place is not used
 * @shift: how many low bits they lack
 */
struct blink_signs {
	u64 word[2];
	u8 shift;
};

/**
 * struct blink_node - a leaf or an inner node
 * @lock: excludes writers
 * @seq: odd while a writer moves entries
 * @count: slots in use; at least one in an inner node
 * @level: 0 for a leaf; constant
 * @flags: BLINK_NODE_*
 * @gated: @lock was taken through a gate; accessed by its holder only
 * @heat: how often writers wait for @lock (contention.h)
 * @shift: of the signposts (signs.h)
 * @form: how wide the keys and values of a narrow leaf are (narrow.h); 0 in all
 *	other nodes
 * @low: exclusive lower bound; constant; meaningless with BLINK_NODE_LEFTMOST
 * @high: inclusive upper bound
 * @right: the next node of the level
 * @unposted: indexes that have no entry for this node, a bit for each
 * @tree: after the node was retired, the tree to which it is accounted
 * @sign: the signposts (signs.h) while @form is 0, until the node is dead
 * @base: is added to the values of a narrow leaf while @form is not 0, until the
 *	leaf is dead
 * @rcu: after the node was retired, for the callback that frees it
 * @slot: the keys; behind them are the values or children, a u64 for each key
 *
 * Until the node dies, fields that are not constant change under @lock. They
 * change inside a write section, except @heat, @gated, @unposted, and values that
 * are overwritten.
 * Children are stored as integers: the sequence validates them, and RCU keeps
 * the nodes that they lead to.
 */
struct blink_node {
	struct blink_lock lock;
	u32 seq;
	u16 count;
	u8 level;
	u8 flags;
	bool gated;
	u8 heat;
	u8 shift;
	u8 form;
	blink_bound_t low;
	blink_bound_t high;
	struct blink_node __rcu *right;
	union {
		unsigned long unposted;
		struct blink_tree *tree;
	};
	union {
		u64 sign[2];
		u64 base;
		struct rcu_head rcu;
	};
	blink_slot_t slot[];
} ____cacheline_aligned;

static_assert(sizeof(struct blink_lock) != 4 ||
	      offsetof(struct blink_node, slot) ==
		      48 + 2 * sizeof(blink_bound_t));
static_assert(BLINK_LEAF_SLOTS >= 4 && BLINK_INNER_SLOTS >= 4);
static_assert(BLINK_LEAF_SLOTS <= 256 && BLINK_INNER_SLOTS <= 256);
/* Buffers for the slots of any node have the size of an inner node. */
static_assert(BLINK_LEAF_SLOTS <= BLINK_INNER_SLOTS);

/* The memory of a node with so many slots: whole cache lines. */
#define BLINK_NODE_BYTES(slots)                                       \
	ALIGN(offsetof(struct blink_node, slot) +                     \
		      (slots) * (sizeof(blink_slot_t) + sizeof(u64)), \
	      L1_CACHE_BYTES)
#define BLINK_LEAF_BYTES BLINK_NODE_BYTES(BLINK_LEAF_SLOTS)
#define BLINK_INNER_BYTES BLINK_NODE_BYTES(BLINK_INNER_SLOTS)

/* A member of a leaf with copies takes one more cache line. */
#define BLINK_MEMBER_BYTES (BLINK_LEAF_BYTES + L1_CACHE_BYTES)

/* A position for no entry. */
#define BLINK_POS_NONE UINT_MAX

static __always_inline unsigned int
blink_node_slots(const struct blink_node *node)
{
	return node->level ? BLINK_INNER_SLOTS : BLINK_LEAF_SLOTS;
}

static inline size_t blink_node_bytes(bool leaf)
{
	return leaf ? BLINK_LEAF_BYTES : BLINK_INNER_BYTES;
}

/* Whether an inner node is full; a hint without its lock. */
static inline bool blink_inner_full(const struct blink_node *inner)
{
	return READ_ONCE(inner->count) == BLINK_INNER_SLOTS;
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

/* Whether a value that is overwritten in a leaf changes the sequence (op/commit.c). */
static __always_inline bool blink_leaf_strict(const struct blink_node *leaf)
{
	return READ_ONCE(leaf->flags) & BLINK_NODE_STRICT;
}

/* Constant: may be asked at any time. */
static inline bool blink_node_leftmost(const struct blink_node *node)
{
	return READ_ONCE(node->flags) & BLINK_NODE_LEFTMOST;
}

/* Constant: may be asked at any time. */
static __always_inline bool blink_node_narrow(const struct blink_node *node)
{
	return BLINK_NARROW && READ_ONCE(node->flags) & BLINK_NODE_NARROW;
}

/* The high key; a hint without the lock, and outside of a read section. */
static __always_inline blink_bound_t
blink_node_high(const struct blink_node *node)
{
	return blink_bound_load(&node->high);
}

/* Whether a key is behind the high key; a hint as well. */
static __always_inline bool blink_node_behind(const struct blink_node *node,
					      blink_key_t key)
{
	return blink_bound_less(blink_node_high(node), key);
}

/*
 * Whether a search for a key can begin at a node. It can be dead, and the key can be
 * far to the right.
 */
static __always_inline bool blink_node_leads(const struct blink_node *node,
					     blink_key_t key)
{
	return blink_bound_less(node->low, key) || blink_node_leftmost(node);
}

/* Whether a node is the only one of its level; a hint without its lock. */
static inline bool blink_node_only(const struct blink_node *node)
{
	return blink_node_leftmost(node) &&
	       blink_bound_equal(blink_node_high(node), BLINK_BOUND_LAST);
}

/* The most entries that two nodes may have together to be merged. */
static inline unsigned int blink_node_merge_limit(const struct blink_node *node)
{
	return blink_node_slots(node) * 3 / 4;
}

/**
 * blink_node_underfull() - whether it is worth trying to merge a node
 * @node: the node
 *
 * Of two nodes that may be merged, at least one has at most half of the limit.
 *
 * Context: @node's lock held; without it the answer is a hint.
 * Return: true if it is.
 */
static inline bool blink_node_underfull(const struct blink_node *node)
{
	return READ_ONCE(node->count) <= blink_node_merge_limit(node) / 2;
}

/* Whether a search for a key must follow the right link of a node. */
static __always_inline bool blink_node_beyond(const struct blink_node *node,
					      blink_key_t key)
{
	return unlikely(blink_node_dead(node)) || blink_node_behind(node, key);
}

/* Mark slots as not in use. */
static inline void blink_keys_unuse(struct blink_node *node, unsigned int from,
				    unsigned int to)
{
	unsigned int i;

	for (i = from; i < to; i++)
		blink_slot_store(&node->slot[i], BLINK_SLOT_UNUSED);
}

/* The values of a leaf, or the children of an inner node; @leaf is constant. */
static __always_inline u64 *blink_values(const struct blink_node *node,
					 bool leaf)
{
	return (u64 *)(node->slot +
		       (leaf ? BLINK_LEAF_SLOTS : BLINK_INNER_SLOTS));
}

/* The same of any node. */
static __always_inline u64 *blink_node_values(const struct blink_node *node)
{
	return (u64 *)(node->slot + blink_node_slots(node));
}

/**
 * struct blink_member - the end of a member of a leaf with copies (copies.h), behind its slots
 * @primary: the member whose lock writers take, and which they change first
 * @next: the next member of the ring; its index has the next number
 * @id: number of its index
 */
struct blink_member {
	struct blink_node *primary;
	struct blink_node *next;
	unsigned int id;
};

/* The member structure of a leaf with copies. */
static inline struct blink_member *blink_member(struct blink_node *leaf)
{
	return (struct blink_member *)((char *)leaf + BLINK_LEAF_BYTES);
}

/* The node itself, or the primary if it is a member of a leaf with copies. */
static __always_inline struct blink_node *
blink_node_primary(struct blink_node *node)
{
	if (node && unlikely(blink_node_copied(node)))
		return blink_member(node)->primary;
	return node;
}

/*
 * The node itself, or the member of the index with this number if it has
 * copies.
 */
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
	u64 child = READ_ONCE(blink_values(inner, false)[i]);

	return (struct blink_node *)(uintptr_t)child;
}

#endif /* BLINK_CORE_NODE_H */
