/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: trees whose threads latch nodes on their way down
 *
 * The schemes without right links in inner nodes. They differ in what a thread
 * latches, which a *policy* says (struct coupling_policy). The policy is a constant
 * in each scheme's file, and all functions on the way of an operation are inlined
 * there, so the compiler removes what the policy leaves out.
 *
 * A thread holds at most the latches of a node and of its child, and of the child's
 * neighbour while entries move between the two (lock coupling). The *tree latch*
 * comes first. With latches on nodes it guards the pointer to the root and is the
 * latch of the root's parent. COUPLING_TREE keeps it for the whole operation instead.
 *
 * An updater splits or refills a node on its way down, when it arrives there, so that
 * an update below never has to come back ("preemptive", Patil, Dodeja and Jain,
 * section 3): INSERT and STORE leave no full node behind them, and ERASE no node with
 * the least number of entries. A node with the least number gets an entry of its
 * neighbour, or the two are merged if they fit in one. With @half that number is half
 * of what a node has room for, less one; otherwise it is 1, and nodes disappear when
 * they would become empty.
 *
 * With @optimistic an updater latches inner nodes as a reader does, and only the leaf
 * for itself. If the leaf is full (has one entry left, for ERASE), it starts again as
 * above.
 *
 * No memory is allocated under a latch. An updater that has to split without a spare
 * node lets go of everything, allocates, and starts again; splits done before stay.
 *
 * A scan descends once for each leaf, although the papers follow the links of leaves,
 * because an updater latches leaves in either order. Scans and floor() see each leaf
 * at one moment, but not all of them at the same.
 */
#ifndef BLINK_LAB_COUPLING_ENGINE_H
#define BLINK_LAB_COUPLING_ENGINE_H

#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/spinlock.h>

#include "lab_index.h"
#include "plain.h"
#include "spread_latch.h"

/**
 * enum coupling_latch - the objects that a thread latches
 * @COUPLING_NONE: nothing
 * @COUPLING_TREE: the tree
 * @COUPLING_NODE: nodes
 * @COUPLING_SPREAD: nodes, by latches with distributed counters
 */
enum coupling_latch {
	COUPLING_NONE,
	COUPLING_TREE,
	COUPLING_NODE,
	COUPLING_SPREAD,
};

/**
 * struct coupling_policy - in what the schemes differ
 * @latch: the objects that a thread latches
 * @slots: entries of a node, if the caller does not say
 * @optimistic: updaters first descend as readers do
 * @half: nodes stay half full
 */
struct coupling_policy {
	enum coupling_latch latch;
	unsigned int slots;
	bool optimistic;
	bool half;
};

/* The bytes in front of a node for COUPLING_NODE. */
struct coupling_node_latch {
	rwlock_t latch;
} __aligned(sizeof(u64));

/**
 * struct coupling_tree - a tree
 * @plain: its nodes
 * @latch: the tree latch
 * @spread: that of COUPLING_SPREAD
 */
struct coupling_tree {
	struct plain_tree plain;
	union {
		rwlock_t latch;
		struct spread_latch spread;
	};
};

static_assert(!offsetof(struct coupling_tree, plain));

/**
 * struct coupling_stock - nodes of an operation
 * @first: the first of them; their right links lead to the next
 *
 * Spare nodes, and those that have left the tree, which are freed in the end.
 */
struct coupling_stock {
	struct plain_node *first;
};

enum coupling_mode {
	COUPLING_SHARED,
	COUPLING_EXCLUSIVE,
};

void *coupling_create(const struct coupling_policy *how,
		      const struct lab_params *params);
int coupling_stock_fill(struct coupling_tree *tree,
			struct coupling_stock *stock);
void coupling_stock_end(struct coupling_tree *tree,
			struct coupling_stock *stock);
void coupling_stock_put(struct coupling_stock *stock, struct plain_node *node);
struct plain_node *coupling_stock_take(struct coupling_tree *tree,
				       const struct coupling_policy *how,
				       struct coupling_stock *stock,
				       unsigned int level);

static __always_inline void coupling_lock(const struct coupling_policy *how,
					  void *latch, enum coupling_mode mode,
					  unsigned int subclass)
{
	if (how->latch == COUPLING_SPREAD && mode == COUPLING_SHARED)
		spread_read_lock(latch);
	else if (how->latch == COUPLING_SPREAD)
		spread_write_lock(latch, subclass);
	else if (how->latch != COUPLING_NONE && mode == COUPLING_SHARED)
		read_lock((rwlock_t *)latch);
	else if (how->latch != COUPLING_NONE)
		write_lock_nested((rwlock_t *)latch, subclass);
}

/*
 * On PREEMPT_RT a reader may still touch a latch that it gave up when an updater has
 * it, and takes the node out of the tree. So that waits for a grace period there.
 */
static __always_inline void coupling_unlock(const struct coupling_policy *how,
					    void *latch,
					    enum coupling_mode mode)
{
	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		rcu_read_lock();
	if (how->latch == COUPLING_SPREAD && mode == COUPLING_SHARED)
		spread_read_unlock(latch);
	else if (how->latch == COUPLING_SPREAD)
		spread_write_unlock(latch);
	else if (how->latch != COUPLING_NONE && mode == COUPLING_SHARED)
		read_unlock((rwlock_t *)latch);
	else if (how->latch != COUPLING_NONE)
		write_unlock((rwlock_t *)latch);
	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		rcu_read_unlock();
}

static __always_inline bool coupling_on_nodes(const struct coupling_policy *how)
{
	return how->latch == COUPLING_NODE || how->latch == COUPLING_SPREAD;
}

/* @subclass is 1 for a child whose neighbour is latched. */
static __always_inline void
coupling_lock_node(struct coupling_tree *tree,
		   const struct coupling_policy *how, struct plain_node *node,
		   enum coupling_mode mode, unsigned int subclass)
{
	if (coupling_on_nodes(how))
		coupling_lock(how, plain_latch(&tree->plain, node), mode,
			      subclass);
}

static __always_inline void
coupling_unlock_node(struct coupling_tree *tree,
		     const struct coupling_policy *how, struct plain_node *node,
		     enum coupling_mode mode)
{
	if (coupling_on_nodes(how))
		coupling_unlock(how, plain_latch(&tree->plain, node), mode);
}

/* The tree latch, or a scheme's promise, keeps the root what it is. */
static __always_inline struct plain_node *
coupling_root(struct coupling_tree *tree)
{
	return rcu_dereference_protected(tree->plain.root, true);
}

/* The root is latched: unless it is the only latch, that of the tree is let go. */
static __always_inline void coupling_pass(struct coupling_tree *tree,
					  const struct coupling_policy *how,
					  enum coupling_mode mode)
{
	if (coupling_on_nodes(how))
		coupling_unlock(how, &tree->latch, mode);
}

static __always_inline void coupling_release(struct coupling_tree *tree,
					     const struct coupling_policy *how,
					     struct plain_node *node,
					     enum coupling_mode mode)
{
	if (coupling_on_nodes(how))
		coupling_unlock_node(tree, how, node, mode);
	else
		coupling_unlock(how, &tree->latch, mode);
}

/*
 * The leaf of a key, in the mode of @mode; inner nodes are latched as readers do.
 * @low is set to the greatest key that its left neighbour covers, and left alone if
 * there is none.
 */
static __always_inline struct plain_node *
coupling_descend(struct coupling_tree *tree, const struct coupling_policy *how,
		 u64 key, enum coupling_mode mode, u64 *low)
{
	struct plain_node *node, *child;
	unsigned int pos;

	coupling_lock(how, &tree->latch, COUPLING_SHARED, 0);
	node = coupling_root(tree);
	coupling_lock_node(tree, how, node,
			   node->level ? COUPLING_SHARED : mode, 0);
	coupling_pass(tree, how, COUPLING_SHARED);
	while (node->level) {
		pos = plain_search(&tree->plain, node, key);
		if (pos)
			*low = plain_key(node, pos - 1);
		child = plain_child(&tree->plain, node, pos);
		coupling_lock_node(tree, how, child,
				   child->level ? COUPLING_SHARED : mode, 0);
		coupling_unlock_node(tree, how, node, COUPLING_SHARED);
		node = child;
	}
	return node;
}

/*
 * Split a full child of a latched node that is not full, and go on with the half that
 * covers the key. A reader of the left half does not go right, but readers come down
 * to the right half as soon as the parent is let go: it is latched before.
 */
static __always_inline int coupling_split(struct coupling_tree *tree,
					  const struct coupling_policy *how,
					  struct coupling_stock *stock,
					  struct plain_node *parent,
					  struct plain_node **child, u64 key)
{
	unsigned int pos = plain_search(&tree->plain, parent, key);
	struct plain_node *left = *child, *right;

	right = coupling_stock_take(tree, how, stock, left->level);
	if (!right)
		return -EAGAIN;
	plain_node_split(&tree->plain, left, right);
	plain_child_split(&tree->plain, parent, pos, left, right);
	if (key <= left->high)
		return 0;
	coupling_lock_node(tree, how, right, COUPLING_EXCLUSIVE, 1);
	coupling_unlock_node(tree, how, left, COUPLING_EXCLUSIVE);
	*child = right;
	return 0;
}

/* Give a child that has too few entries one of its neighbour's, or all. */
static __always_inline void coupling_refill(struct coupling_tree *tree,
					    const struct coupling_policy *how,
					    struct coupling_stock *stock,
					    struct plain_node *parent,
					    struct plain_node **child, u64 key)
{
	unsigned int pos = plain_search(&tree->plain, parent, key);
	bool last = pos + 1 == parent->count;
	struct plain_node *next, *left, *right;

	next = plain_child(&tree->plain, parent, last ? pos - 1 : pos + 1);
	coupling_lock_node(tree, how, next, COUPLING_EXCLUSIVE, 1);
	left = last ? next : *child;
	right = last ? *child : next;
	if (left->count + right->count > tree->plain.slots) {
		plain_child_borrow(&tree->plain, parent, pos - last, left,
				   right, !last);
		coupling_unlock_node(tree, how, next, COUPLING_EXCLUSIVE);
		return;
	}
	plain_child_merge(&tree->plain, parent, pos - last, left, right);
	coupling_unlock_node(tree, how, right, COUPLING_EXCLUSIVE);
	coupling_stock_put(stock, right);
	*child = left;
}

/* The latched root gets a parent if it is full. */
static __always_inline int coupling_grow(struct coupling_tree *tree,
					 const struct coupling_policy *how,
					 struct coupling_stock *stock,
					 struct plain_node **root, u64 key)
{
	struct plain_node *top;
	int ret;

	if (!plain_full(&tree->plain, *root))
		return 0;
	top = coupling_stock_take(tree, how, stock, (*root)->level + 1);
	if (!top)
		return -EAGAIN;
	plain_entry_insert(&tree->plain, top, 0, (*root)->high,
			   (uintptr_t)*root);
	ret = coupling_split(tree, how, stock, top, root, key);
	if (ret)
		coupling_stock_put(stock, top);
	else
		rcu_assign_pointer(tree->plain.root, top);
	return ret;
}

/* The latched root makes place for its only child. */
static __always_inline void coupling_shrink(struct coupling_tree *tree,
					    const struct coupling_policy *how,
					    struct coupling_stock *stock,
					    struct plain_node **root)
{
	struct plain_node *old = *root;

	while (old->level && old->count == 1) {
		*root = plain_child(&tree->plain, old, 0);
		coupling_lock_node(tree, how, *root, COUPLING_EXCLUSIVE, 0);
		rcu_assign_pointer(tree->plain.root, *root);
		coupling_unlock_node(tree, how, old, COUPLING_EXCLUSIVE);
		coupling_stock_put(stock, old);
		old = *root;
	}
}

static __always_inline bool coupling_few(const struct coupling_tree *tree,
					 const struct coupling_policy *how,
					 const struct plain_node *node)
{
	return node->count <= (how->half ? tree->plain.slots / 2 - 1 : 1);
}

/*
 * The leaf of a key, latched for an update for which no node above it has to change.
 * On -EAGAIN in @ret it is the node where spare nodes ran out.
 */
static __always_inline struct plain_node *
coupling_prepare(struct coupling_tree *tree, const struct coupling_policy *how,
		 struct coupling_stock *stock, enum plain_op op, u64 key,
		 int *ret)
{
	struct plain_node *node, *child;

	*ret = 0;
	coupling_lock(how, &tree->latch, COUPLING_EXCLUSIVE, 0);
	node = coupling_root(tree);
	coupling_lock_node(tree, how, node, COUPLING_EXCLUSIVE, 0);
	if (op == PLAIN_ERASE)
		coupling_shrink(tree, how, stock, &node);
	else
		*ret = coupling_grow(tree, how, stock, &node, key);
	coupling_pass(tree, how, COUPLING_EXCLUSIVE);
	while (!*ret && node->level) {
		child = plain_child(&tree->plain, node,
				    plain_search(&tree->plain, node, key));
		coupling_lock_node(tree, how, child, COUPLING_EXCLUSIVE, 0);
		if (op == PLAIN_ERASE && coupling_few(tree, how, child))
			coupling_refill(tree, how, stock, node, &child, key);
		else if (op != PLAIN_ERASE && plain_full(&tree->plain, child))
			*ret = coupling_split(tree, how, stock, node, &child,
					      key);
		coupling_unlock_node(tree, how, node, COUPLING_EXCLUSIVE);
		node = child;
	}
	return node;
}

/* Update the leaf alone; -EAGAIN if it is full, or would become empty. */
static __always_inline int coupling_try(struct coupling_tree *tree,
					const struct coupling_policy *how,
					enum plain_op op, u64 key, u64 value)
{
	struct plain_node *leaf;
	int ret = -EAGAIN;
	u64 low;

	leaf = coupling_descend(tree, how, key, COUPLING_EXCLUSIVE, &low);
	if (op == PLAIN_ERASE ? leaf->count > 1 :
				!plain_full(&tree->plain, leaf))
		ret = plain_leaf_update(&tree->plain, leaf, op, key, value);
	coupling_release(tree, how, leaf, COUPLING_EXCLUSIVE);
	return ret;
}

static __always_inline int coupling_update(void *data,
					   const struct coupling_policy *how,
					   enum plain_op op, u64 key, u64 value)
{
	struct coupling_tree *tree = data;
	struct coupling_stock stock = {};
	struct plain_node *node;
	int ret = -EAGAIN;

	if (how->optimistic)
		ret = coupling_try(tree, how, op, key, value);
	if (ret != -EAGAIN)
		return ret;
	do {
		node = coupling_prepare(tree, how, &stock, op, key, &ret);
		if (!ret)
			ret = plain_leaf_update(&tree->plain, node, op, key,
						value);
		coupling_release(tree, how, node, COUPLING_EXCLUSIVE);
	} while (ret == -EAGAIN && !coupling_stock_fill(tree, &stock));
	coupling_stock_end(tree, &stock);
	return ret == -EAGAIN ? -ENOMEM : ret;
}

static __always_inline int coupling_lookup(void *data,
					   const struct coupling_policy *how,
					   u64 key, u64 *value)
{
	struct coupling_tree *tree = data;
	struct plain_node *leaf;
	unsigned int pos;
	bool found;
	u64 low;

	leaf = coupling_descend(tree, how, key, COUPLING_SHARED, &low);
	pos = plain_search(&tree->plain, leaf, key);
	found = plain_found(leaf, pos, key);
	if (found)
		*value = plain_value(&tree->plain, leaf, pos);
	coupling_release(tree, how, leaf, COUPLING_SHARED);
	return found ? 0 : -ENOENT;
}

static __always_inline unsigned int
coupling_scan(void *data, const struct coupling_policy *how, u64 key,
	      struct blink_tree_entry *entry, unsigned int nr)
{
	struct coupling_tree *tree = data;
	struct plain_node *leaf;
	unsigned int got = 0;
	u64 low, high;

	do {
		leaf = coupling_descend(tree, how, key, COUPLING_SHARED, &low);
		got += plain_leaf_scan(&tree->plain, leaf, key, entry + got,
				       nr - got);
		high = leaf->high;
		coupling_release(tree, how, leaf, COUPLING_SHARED);
		key = high + 1;
	} while (got < nr && high != PLAIN_KEY_MAX);
	return got;
}

/* In a leaf without such an entry the search goes on in the left neighbour. */
static __always_inline int coupling_floor(void *data,
					  const struct coupling_policy *how,
					  u64 key,
					  struct blink_tree_entry *entry)
{
	struct coupling_tree *tree = data;
	struct plain_node *leaf;
	bool found;
	u64 low;

	do {
		low = PLAIN_KEY_MAX;
		leaf = coupling_descend(tree, how, key, COUPLING_SHARED, &low);
		found = plain_leaf_floor(&tree->plain, leaf, key, entry);
		coupling_release(tree, how, leaf, COUPLING_SHARED);
		key = low;
	} while (!found && low != PLAIN_KEY_MAX);
	return found ? 0 : -ENOENT;
}

/* The operations of a scheme; @policy is a constant struct coupling_policy. */
#define COUPLING_SCHEME(symbol, policy)                                       \
	static void *create(const struct lab_index_ops *ops,                  \
			    const struct lab_params *params)                  \
	{                                                                     \
		return coupling_create(&(policy), params);                    \
	}                                                                     \
	static int insert(void *data, u64 key, u64 value)                     \
	{                                                                     \
		return coupling_update(data, &(policy), PLAIN_INSERT, key,    \
				       value);                                \
	}                                                                     \
	static int lookup(void *data, u64 key, u64 *value)                    \
	{                                                                     \
		return coupling_lookup(data, &(policy), key, value);          \
	}                                                                     \
	static int store(void *data, u64 key, u64 value)                      \
	{                                                                     \
		return coupling_update(data, &(policy), PLAIN_STORE, key,     \
				       value);                                \
	}                                                                     \
	static int erase(void *data, u64 key)                                 \
	{                                                                     \
		return coupling_update(data, &(policy), PLAIN_ERASE, key, 0); \
	}                                                                     \
	static unsigned int scan(void *data, u64 key,                         \
				 struct blink_tree_entry *entry,              \
				 unsigned int nr)                             \
	{                                                                     \
		return coupling_scan(data, &(policy), key, entry, nr);        \
	}                                                                     \
	static int floor_of(void *data, u64 key,                              \
			    struct blink_tree_entry *entry)                   \
	{                                                                     \
		return coupling_floor(data, &(policy), key, entry);           \
	}                                                                     \
	const struct lab_index_ops lab_##symbol##_ops = {                     \
		.create = create,                                             \
		.destroy = plain_destroy,                                     \
		.insert = insert,                                             \
		.lookup = lookup,                                             \
		.store = store,                                               \
		.erase = erase,                                               \
		.scan = scan,                                                 \
		.floor = floor_of,                                            \
		.verify = plain_verify,                                       \
		.bytes = plain_tree_bytes,                                    \
	}

#endif /* BLINK_LAB_COUPLING_ENGINE_H */
