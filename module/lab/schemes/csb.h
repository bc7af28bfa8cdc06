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
 * the same size. A group is allocated in full: it has room for as many nodes as its
 * parent has keys. A node that is split moves the nodes on its right in the group by one
 * place. If the group is full, then so is the parent; the parent is split before, and
 * half of the group moves to a new one.
 *
 * An inner node has the greatest key that each child covers, like the plain nodes. The
 * root is alone in a group. An updater splits full nodes on its way down, and lets go of
 * the latch to allocate groups.
 *
 * Left open by the paper: the erasure of keys. Nodes are not merged, as in the paper of
 * 2000: a leaf that becomes empty stays.
 */
#ifndef BLINK_LAB_CSB_H
#define BLINK_LAB_CSB_H

#include <linux/atomic.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#include "lab_index.h"
#include "plain.h"

/**
 * struct csb_node - a node
 * @count: entries in use
 * @word: in a leaf the keys, then the values; in an inner node the bounds of children,
 *	and as the last word their group
 */
struct csb_node {
	u64 count;
	u64 word[];
};

/**
 * struct csb_tree - a tree
 * @latch: of the tree
 * @latched: whether operations take it
 * @root: the group of the root
 * @level: the level of the root, 0 for a leaf
 * @slots: entries of a leaf
 * @bytes: of a node
 * @groups: where groups come from
 * @nr: how many are allocated
 */
struct csb_tree {
	rwlock_t latch;
	bool latched;
	void *root;
	unsigned int level;
	unsigned int slots;
	unsigned int bytes;
	struct kmem_cache *groups;
	atomic_long_t nr;
};

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

void *csb_create(bool latched, const struct lab_params *params);
void csb_destroy(void *data);
int csb_insert(void *data, u64 key, u64 value);
int csb_lookup(void *data, u64 key, u64 *value);
int csb_store(void *data, u64 key, u64 value);
int csb_erase(void *data, u64 key);
unsigned int csb_scan(void *data, u64 key, struct blink_tree_entry *entry,
		      unsigned int nr);
int csb_floor(void *data, u64 key, struct blink_tree_entry *entry);
int csb_verify(void *data);
u64 csb_bytes(void *data);

/* As many children as keys: a word is for the group. */
static inline unsigned int csb_inner_slots(const struct csb_tree *tree)
{
	return 2 * tree->slots - 1;
}

static inline size_t csb_group_bytes(const struct csb_tree *tree)
{
	return (size_t)csb_inner_slots(tree) * tree->bytes;
}

static inline struct csb_node *csb_node_at(const struct csb_tree *tree,
					   void *group, unsigned int i)
{
	return group + (size_t)i * tree->bytes;
}

static inline void *csb_group_of(const struct csb_tree *tree,
				 const struct csb_node *node)
{
	return (void *)(uintptr_t)node->word[csb_inner_slots(tree)];
}

static inline void csb_set_group(const struct csb_tree *tree,
				 struct csb_node *node, void *group)
{
	node->word[csb_inner_slots(tree)] = (uintptr_t)group;
}

static inline bool csb_is_full(const struct csb_tree *tree,
			       const struct csb_node *node, unsigned int level)
{
	return node->count == (level ? csb_inner_slots(tree) : tree->slots);
}

static inline unsigned int csb_search(const struct csb_node *node, u64 key)
{
	unsigned int low = 0, high = node->count, middle;

	while (low < high) {
		middle = (low + high) / 2;
		if (node->word[middle] < key)
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

static inline void csb_lock_shared(struct csb_tree *tree)
{
	if (tree->latched)
		read_lock(&tree->latch);
}

static inline void csb_unlock_shared(struct csb_tree *tree)
{
	if (tree->latched)
		read_unlock(&tree->latch);
}

static inline void csb_lock_exclusive(struct csb_tree *tree)
{
	if (tree->latched)
		write_lock(&tree->latch);
}

static inline void csb_unlock_exclusive(struct csb_tree *tree)
{
	if (tree->latched)
		write_unlock(&tree->latch);
}

static inline void *csb_group_alloc(struct csb_tree *tree)
{
	void *group = kmem_cache_alloc(tree->groups, LAB_GFP);

	if (group)
		atomic_long_add(1, &tree->nr);
	return group;
}

static inline void csb_group_free(struct csb_tree *tree, void *group)
{
	atomic_long_sub(1, &tree->nr);
	kmem_cache_free(tree->groups, group);
}

/* The leaf of a key. */
static inline struct csb_leaf csb_find_leaf(const struct csb_tree *tree,
					    u64 key)
{
	struct csb_leaf leaf = { tree->root, 0, PLAIN_KEY_MAX, PLAIN_KEY_MAX };
	unsigned int level, pos;

	for (level = tree->level; level; level--) {
		pos = csb_search(leaf.node, key);
		if (pos)
			leaf.low = leaf.node->word[pos - 1];
		leaf.high = leaf.node->word[leaf.node->count - 1];
		leaf.rest = leaf.node->count - 1 - pos;
		leaf.node =
			csb_node_at(tree, csb_group_of(tree, leaf.node), pos);
	}
	return leaf;
}

/* The operations of a scheme; @latched: with a latch of the tree. */
#define CSB_SCHEME(symbol, latched)                          \
	static void *create(const struct lab_index_ops *ops, \
			    const struct lab_params *params) \
	{                                                    \
		return csb_create(latched, params);          \
	}                                                    \
	const struct lab_index_ops lab_##symbol##_ops = {    \
		.create = create,                            \
		.destroy = csb_destroy,                      \
		.insert = csb_insert,                        \
		.lookup = csb_lookup,                        \
		.store = csb_store,                          \
		.erase = csb_erase,                          \
		.scan = csb_scan,                            \
		.floor = csb_floor,                          \
		.verify = csb_verify,                        \
		.bytes = csb_bytes,                          \
	}

#endif /* BLINK_LAB_CSB_H */
