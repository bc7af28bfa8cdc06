/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: the plain tree
 *
 * The schemes of the papers differ in how they keep threads apart, not in what a
 * B+-tree is. So all of them are built of the same nodes, and of the functions here,
 * which know nothing of concurrency: each changes one or two nodes that its caller
 * owns, by a lock or because no other thread knows them yet. A scheme adds the
 * *policy*: the latches of a thread on its way down, and when a change becomes visible.
 *
 * A node has *entries* in ascending order of their keys. In a leaf an entry is a key
 * and its value. In an inner node it is a child and its *bound*, the greatest key that
 * the child covers; the last bound is the node's own *high key*. The last node of a
 * level has the greatest key of all as its high key. A search takes the first entry
 * whose key is not less than the key, at every level.
 *
 * The *right link* leads to the next node of the level. Schemes without right links
 * leave it alone in inner nodes.
 *
 * Where a paper has a latch, a version or a counter on each node, the scheme says how
 * many bytes it needs (&plain_tree.head); they lie in front of the node
 * (plain_latch()), so that all schemes have the same fanout. The papers give schemes
 * without latches a slot more (OLFIT, table 1); that is left out here.
 *
 * Readers of some schemes look on: entries move one word at a time, by WRITE_ONCE().
 */
#ifndef BLINK_LAB_PLAIN_H
#define BLINK_LAB_PLAIN_H

#include <linux/atomic.h>
#include <linux/blink_tree.h>
#include <linux/cache.h>
#include <linux/compiler.h>
#include <linux/limits.h>
#include <linux/rcupdate.h>
#include <linux/types.h>

/* Keys are less: no key is the greatest bound. */
#define PLAIN_KEY_MAX U64_MAX

/* No level is beyond this, however small the nodes are. */
#define PLAIN_LEVELS 32

/* An update of one key, and what it does with a key that is there or absent. */
enum plain_op {
	PLAIN_INSERT,
	PLAIN_STORE,
	PLAIN_ERASE,
};

/**
 * struct plain_node - a leaf or an inner node
 * @count: entries in use
 * @level: 0 for a leaf; constant
 * @dead: it has left the tree
 * @high: its high key
 * @right: the next node of its level, or NULL
 * @policy: a word of the scheme
 * @tree: the tree of a dead node that waits to be freed
 * @rcu: then
 * @slot: the keys, then as many values or children
 */
struct plain_node {
	u16 count;
	u8 level;
	bool dead;
	u64 high;
	struct plain_node __rcu *right;
	u64 policy;
	struct plain_tree *tree;
	struct rcu_head rcu;
	u64 slot[];
};

/**
 * struct plain_tree - a tree
 * @root: its root
 * @nodes: where nodes come from; NULL: kvmalloc_node(), as no slab has such large ones
 * @name: the name of that, which no other tree has
 * @bytes: memory of a node, with @head
 * @slots: entries that a node has room for
 * @head: bytes of the scheme in front of each node
 * @latch_init: makes those bytes what they are at first, or NULL
 * @count: nodes that are allocated, in a line that searches do not read
 * @waiting: those of them that wait for a grace period
 */
struct plain_tree {
	struct plain_node __rcu *root;
	struct kmem_cache *nodes;
	char name[24];
	unsigned int bytes;
	unsigned int slots;
	unsigned int head;
	void (*latch_init)(void *latch);
	atomic_long_t count ____cacheline_aligned;
	atomic_long_t waiting;
};

int plain_tree_init(struct plain_tree *tree, unsigned int node_bytes,
		    unsigned int head, void (*latch_init)(void *latch));
int plain_tree_init_on(struct plain_tree *tree, unsigned int node_bytes,
		       unsigned int head, void (*latch_init)(void *latch),
		       int nid);
void plain_tree_end(struct plain_tree *tree);

struct plain_node *plain_node_alloc(struct plain_tree *tree, unsigned int level,
				    int nid);
void plain_node_free(struct plain_tree *tree, struct plain_node *node);
void plain_node_retire(struct plain_tree *tree, struct plain_node *node);

void plain_entry_insert(struct plain_tree *tree, struct plain_node *node,
			unsigned int pos, u64 key, u64 value);
void plain_entry_remove(struct plain_tree *tree, struct plain_node *node,
			unsigned int pos);
void plain_node_split(struct plain_tree *tree, struct plain_node *left,
		      struct plain_node *right);
void plain_node_absorb(struct plain_tree *tree, struct plain_node *left,
		       struct plain_node *right);
void plain_node_copy(struct plain_tree *tree, struct plain_node *to,
		     const struct plain_node *from);
void plain_child_split(struct plain_tree *tree, struct plain_node *parent,
		       unsigned int pos, struct plain_node *left,
		       struct plain_node *right);
void plain_root_init(struct plain_tree *tree, struct plain_node *root,
		     struct plain_node *left, struct plain_node *right);
void plain_child_merge(struct plain_tree *tree, struct plain_node *parent,
		       unsigned int pos, struct plain_node *left,
		       struct plain_node *right);
void plain_child_borrow(struct plain_tree *tree, struct plain_node *parent,
			unsigned int pos, struct plain_node *left,
			struct plain_node *right, bool to_left);
int plain_leaf_update(struct plain_tree *tree, struct plain_node *leaf,
		      enum plain_op op, u64 key, u64 value);
unsigned int plain_leaf_scan(const struct plain_tree *tree,
			     const struct plain_node *leaf, u64 key,
			     struct blink_tree_entry *entry, unsigned int nr);
bool plain_leaf_floor(const struct plain_tree *tree,
		      const struct plain_node *leaf, u64 key,
		      struct blink_tree_entry *entry);
int plain_tree_verify(struct plain_tree *tree, u64 *entries);

/* Operations of a scheme whose index begins with a struct plain_tree. */
void plain_destroy(void *data);
int plain_verify(void *data);
u64 plain_tree_bytes(void *data);

/* The bytes of a node with room for so many entries. */
static inline unsigned int plain_bytes(unsigned int slots)
{
	return sizeof(struct plain_node) + 2 * sizeof(u64) * slots;
}

/* The bytes that a scheme keeps in front of a node. */
static inline void *plain_latch(const struct plain_tree *tree,
				const struct plain_node *node)
{
	return (char *)node - tree->head;
}

static inline u64 plain_key(const struct plain_node *node, unsigned int i)
{
	return READ_ONCE(node->slot[i]);
}

static inline u64 plain_value(const struct plain_tree *tree,
			      const struct plain_node *node, unsigned int i)
{
	return READ_ONCE(node->slot[tree->slots + i]);
}

/* Overwrite a value, or a child: one store. */
static inline void plain_set_value(const struct plain_tree *tree,
				   struct plain_node *node, unsigned int i,
				   u64 value)
{
	/* Pairs with smp_load_acquire() in plain_child(). */
	smp_store_release(&node->slot[tree->slots + i], value);
}

/* A child that is found is complete. On x86 the acquire is a plain load. */
static inline struct plain_node *plain_child(const struct plain_tree *tree,
					     const struct plain_node *node,
					     unsigned int i)
{
	/* Pairs with smp_store_release() in plain_set_value(). */
	u64 child = smp_load_acquire(&node->slot[tree->slots + i]);

	return (struct plain_node *)(uintptr_t)child;
}

static inline bool plain_full(const struct plain_tree *tree,
			      const struct plain_node *node)
{
	return READ_ONCE(node->count) == tree->slots;
}

/*
 * The position of the first entry whose key is not less than a key; the number of
 * entries, at most &plain_tree.slots, if there is none. @node may change meanwhile,
 * then the answer is of no use but within the node.
 */
static inline unsigned int plain_search(const struct plain_tree *tree,
					const struct plain_node *node, u64 key)
{
	unsigned int low = 0, high = READ_ONCE(node->count), middle;

	if (unlikely(high > tree->slots))
		high = tree->slots;
	while (low < high) {
		middle = (low + high) / 2;
		if (plain_key(node, middle) < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Whether a leaf has a key where plain_search() says that it would be. */
static inline bool plain_found(const struct plain_node *leaf, unsigned int pos,
			       u64 key)
{
	return pos < READ_ONCE(leaf->count) && plain_key(leaf, pos) == key;
}

#endif /* BLINK_LAB_PLAIN_H */
