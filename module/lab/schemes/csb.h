/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: the full CSB+-tree
 *
 * Authors: Sang K. Cha, Sangyong Hwang, Kihong Kim, Keunjoo Kwon. Paper: OLFIT (VLDB
 * 2001), sections 2.2, 5.5 and 6, after Rao and Ross, "Making B+-trees Cache Conscious in
 * Main Memory" (SIGMOD 2000).
 *
 * The children of a node lie side by side in one piece of memory, the *group*, so that
 * the node has one pointer for all of them and room for twice as many keys as a leaf of
 * the same size. A group is allocated in full: it has a *place* for as many nodes as its
 * parent has keys. A node that is split moves the nodes on its right in the group by one
 * place. If the group is full, then so is the parent; the parent is split before, and
 * half of the group moves to a new one.
 *
 * An inner node has the greatest key that each child covers, like the plain nodes. The
 * root is alone in a group. No group is allocated under a latch: an updater without a
 * spare group lets go of everything, allocates, and starts again; splits done before stay.
 *
 * A latch, or a latch with a version, belongs to a place and lies in front of it
 * (csb_front()): it stays where it is when nodes move. High keys move with the nodes. So
 * the holder of a place's latch owns all that is in the place.
 *
 * Left open by the paper: the erasure of keys. Nodes are not merged, as in the paper of
 * 2000: a leaf that becomes empty stays. So nodes only move to the right, and no group is
 * freed before the tree ends, except by VN and VT, which replace groups.
 */
#ifndef BLINK_LAB_CSB_H
#define BLINK_LAB_CSB_H

#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/lockdep.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#include "lab_index.h"
#include "plain.h"
#include "reading.h"

/* How threads are kept apart: the names are those of the paper, section 6. */
enum csb_control {
	CSB_NO,
	CSB_TL,
	CSB_LC,
	CSB_VN,
	CSB_VT,
	CSB_OL,
};

/**
 * struct csb_node - a node
 * @count: entries in use
 * @high: the greatest key that it covers; 0 in a place that has no node (CSB_OL)
 * @word: in a leaf the keys, then the values; in an inner node the bounds of children,
 *	and as the last word their group
 */
struct csb_node {
	u64 count;
	u64 high;
	u64 word[];
};

/**
 * struct csb_group - a group; its places follow
 * @level: of its nodes, 0 for leaves
 * @dead: it has left the tree (CSB_VN)
 * @ccinfo: latch and version of @link (CSB_OL)
 * @link: the next group of its level; while it is spare, another one
 * @tree: the tree of a group that waits to be freed
 * @rcu: then
 */
struct csb_group {
	unsigned int level;
	bool dead;
	u64 ccinfo;
	struct csb_group *link;
	struct csb_tree *tree;
	struct rcu_head rcu;
} ____cacheline_aligned;

/* The bytes in front of a place for CSB_LC. */
struct csb_latch {
	rwlock_t latch;
} __aligned(sizeof(u64));

/**
 * struct csb_tree - a tree
 * @control: how threads are kept apart
 * @slots: entries of a leaf
 * @front: bytes of the latch in front of each place
 * @stride: bytes of a place, with that
 * @root: the group of the root
 * @groups: where groups come from
 * @name: of @groups; no other tree has it
 * @levels: lockdep's part of the latches of each level (CSB_VN, CSB_OL)
 * @latch: of the tree, in a line that only its users want
 * @nr: how many groups are allocated, likewise
 * @waiting: how many of them wait for a grace period
 */
struct csb_tree {
	enum csb_control control;
	unsigned int slots;
	unsigned int front;
	unsigned int stride;
	struct csb_group __rcu *root;
	struct kmem_cache *groups;
	char name[24];
	struct lockdep_map levels[PLAIN_LEVELS];
	rwlock_t latch ____cacheline_aligned;
	atomic_long_t nr ____cacheline_aligned;
	atomic_long_t waiting;
};

/**
 * struct csb_stock - spare groups of an update
 * @first: the first of them
 * @nr: how many they are
 */
struct csb_stock {
	struct csb_group *first;
	unsigned int nr;
};

/* Enough for a root that is split. */
#define CSB_STOCK 2

/**
 * struct csb_leaf - a leaf that covers a key
 * @node: the leaf
 * @rest: how many nodes of its group follow
 * @low: the greatest key that nodes on the left cover, or PLAIN_KEY_MAX
 * @high: the greatest key that its group covers
 */
struct csb_leaf {
	struct csb_node *node;
	unsigned int rest;
	u64 low;
	u64 high;
};

void *csb_create(enum csb_control control, const struct lab_params *params);
void csb_destroy(void *data);
int csb_lookup(void *data, u64 key, u64 *value);
unsigned int csb_scan(void *data, u64 key, struct blink_tree_entry *entry,
		      unsigned int nr);
int csb_floor(void *data, u64 key, struct blink_tree_entry *entry);
int csb_verify(void *data);
u64 csb_bytes(void *data);

int csb_update(void *data, enum plain_op op, u64 key, u64 value);
int csb_load(void *data, u64 key, u64 value);
int csb_versions_update(void *data, enum plain_op op, u64 key, u64 value);

struct csb_group *csb_group_alloc(struct csb_tree *tree);
void csb_group_init(const struct csb_tree *tree, struct csb_group *group,
		    unsigned int level);
void csb_group_free(struct csb_tree *tree, struct csb_group *group);
void csb_group_retire(struct csb_tree *tree, struct csb_group *group);

struct csb_group *csb_stock_take(const struct csb_tree *tree,
				 struct csb_stock *stock, unsigned int level);
int csb_stock_fill(struct csb_tree *tree, struct csb_stock *stock,
		   unsigned int nr);
void csb_stock_end(struct csb_tree *tree, struct csb_stock *stock);

void csb_node_copy(const struct csb_tree *tree, struct csb_node *to,
		   const struct csb_node *from, unsigned int level);
void csb_split_child(const struct csb_tree *tree, struct csb_stock *stock,
		     struct csb_node *parent, unsigned int pos,
		     unsigned int level);
struct csb_group *csb_root_above(const struct csb_tree *tree,
				 struct csb_stock *stock,
				 struct csb_group *old);
struct csb_node *csb_make_room(const struct csb_tree *tree,
			       struct csb_stock *stock, struct csb_node *node,
			       unsigned int level, u64 key);
int csb_leaf_update(const struct csb_tree *tree, struct csb_node *leaf,
		    enum plain_op op, u64 key, u64 value);

/* As many children as keys: a word is for the group. */
static inline unsigned int csb_inner_slots(const struct csb_tree *tree)
{
	return 2 * tree->slots - 1;
}

/* The entries that half of a full inner node keeps. */
static inline unsigned int csb_inner_keep(const struct csb_tree *tree)
{
	return csb_inner_slots(tree) - csb_inner_slots(tree) / 2;
}

static inline size_t csb_group_bytes(const struct csb_tree *tree)
{
	return sizeof(struct csb_group) +
	       (size_t)csb_inner_slots(tree) * tree->stride;
}

static inline struct csb_node *csb_node_at(const struct csb_tree *tree,
					   struct csb_group *group,
					   unsigned int i)
{
	return (void *)(group + 1) + tree->front + (size_t)i * tree->stride;
}

/* The latch of the place that a node is in. */
static inline void *csb_front(const struct csb_tree *tree,
			      struct csb_node *node)
{
	return (void *)node - tree->front;
}

static inline struct csb_group *csb_group_of(const struct csb_tree *tree,
					     const struct csb_node *node)
{
	/* Pairs with smp_store_release() in csb_set_group(): the group is complete. */
	return (void *)(uintptr_t)smp_load_acquire(
		&node->word[csb_inner_slots(tree)]);
}

static inline void csb_set_group(const struct csb_tree *tree,
				 struct csb_node *node, struct csb_group *group)
{
	/* Pairs with smp_load_acquire() in csb_group_of(). */
	smp_store_release(&node->word[csb_inner_slots(tree)], (uintptr_t)group);
}

/* The root's group, where the latch of the tree or of the root keeps it what it is. */
static inline struct csb_group *csb_root(const struct csb_tree *tree)
{
	return rcu_dereference_protected(tree->root, true);
}

static inline bool csb_is_full(const struct csb_tree *tree,
			       const struct csb_node *node, unsigned int level)
{
	return node->count == (level ? csb_inner_slots(tree) : tree->slots);
}

/* A place has nodes of one level alone, so that any count that it had is in range. */
static inline unsigned int csb_search(const struct csb_node *node, u64 key)
{
	unsigned int low = 0, high = READ_ONCE(node->count), middle;

	while (low < high) {
		middle = (low + high) / 2;
		if (READ_ONCE(node->word[middle]) < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static inline bool csb_has_key(const struct csb_node *leaf, unsigned int pos,
			       u64 key)
{
	return pos < leaf->count && leaf->word[pos] == key;
}

/* The leaf of a key. No node changes meanwhile, but for the groups of inner ones. */
static inline struct csb_leaf csb_find_leaf(const struct csb_tree *tree,
					    u64 key)
{
	struct csb_group *group = rcu_dereference_check(tree->root, true);
	struct csb_leaf leaf = { csb_node_at(tree, group, 0), 0, PLAIN_KEY_MAX,
				 PLAIN_KEY_MAX };
	unsigned int level, pos;

	for (level = group->level; level; level--) {
		pos = csb_search(leaf.node, key);
		if (pos)
			leaf.low = leaf.node->word[pos - 1];
		leaf.high = leaf.node->high;
		leaf.rest = leaf.node->count - 1 - pos;
		leaf.node =
			csb_node_at(tree, csb_group_of(tree, leaf.node), pos);
	}
	return leaf;
}

/* The entries of a leaf, which may change meanwhile. */
static __always_inline void csb_read_entries(const struct csb_tree *tree,
					     const struct csb_node *leaf,
					     struct reading *r,
					     enum reading_wanted wanted)
{
	r->high = READ_ONCE(leaf->high);
	reading_entries(r, wanted, leaf->word, leaf->word + tree->slots,
			csb_search(leaf, r->key), READ_ONCE(leaf->count));
}

/* The operations of a scheme: those that read, and what its updates call. */
#define CSB_SCHEME(symbol, control, lookup_fn, scan_fn, floor_fn, update, ...) \
	static void *symbol##_create(const struct lab_index_ops *ops,          \
				     const struct lab_params *params)          \
	{                                                                      \
		return csb_create(control, params);                            \
	}                                                                      \
	static int symbol##_insert(void *data, u64 key, u64 value)             \
	{                                                                      \
		return update(data, PLAIN_INSERT, key, value);                 \
	}                                                                      \
	static int symbol##_store(void *data, u64 key, u64 value)              \
	{                                                                      \
		return update(data, PLAIN_STORE, key, value);                  \
	}                                                                      \
	static int symbol##_erase(void *data, u64 key)                         \
	{                                                                      \
		return update(data, PLAIN_ERASE, key, 0);                      \
	}                                                                      \
	const struct lab_index_ops lab_##symbol##_ops = {                      \
		.create = symbol##_create,                                     \
		.destroy = csb_destroy,                                        \
		.insert = symbol##_insert,                                     \
		.lookup = lookup_fn,                                           \
		.store = symbol##_store,                                       \
		.erase = symbol##_erase,                                       \
		.scan = scan_fn,                                               \
		.floor = floor_fn,                                             \
		.verify = csb_verify,                                          \
		.bytes = csb_bytes,                                            \
		__VA_ARGS__                                                    \
	}

#endif /* BLINK_LAB_CSB_H */
