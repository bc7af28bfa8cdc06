// SPDX-License-Identifier: GPL-2.0
/*
 * OL: optimistic, latch-free index traversal, on the B+-tree.
 *
 * Author: Sang K. Cha, Sangyong Hwang, Kihong Kim, Keunjoo Kwon.
 * Paper: Cache-Conscious Concurrency Control of Main-Memory Indexes on Shared-Memory
 * Multiprocessor Systems (OLFIT), VLDB 2001; sections 4 and 5.
 *
 * Each node has a word, *ccinfo* (ccinfo.h): a writer latches a node by it (update_node,
 * figure 4), and a reader checks by it that it read one state of the node (read_node).
 * Readers and writers go down without latches (traverse, figure 5); a key above the high
 * key is beyond the right link.
 *
 * Promises: unique keys; insert, lookup, store and erase are linearizable. For keys that
 * occur more than once see olfit_multi.c.
 *
 * Chosen where the paper leaves it open:
 *
 * - A writer has one latch at a time, but for a deletion: the improvement of Sagiv
 *   (Concurrent operations on B*-trees with overtaking, 1985). The paper has its links
 *   from Sagiv too. A writer splits a full node, gives up its latch, goes down to the
 *   parent, and inserts the node's new high key there: the entry that covers this key is
 *   divided. So it does not matter in what order the parent learns of several splits.
 * - The latches of a deletion are taken from left to right, then upwards.
 * - A leaf that becomes empty leaves the tree: its left neighbour covers its range from
 *   then on. The first child of each parent stays, and so do inner nodes. A leaf also
 *   stays if its parent does not know yet of a split.
 * - The garbage collector is RCU: a node that left the tree keeps its right link for a
 *   grace period, and an operation is in a read section while it goes down. A writer that
 *   latches a dead node starts again.
 * - A writer with a latch is not preempted, since readers would wait for it.
 * - All memory is allocated before a node is latched. An insertion that finds none before
 *   its first split fails; afterwards it waits.
 * - Nodes have 14 entries, as in table 1; ours are twice as wide.
 */
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/lockdep.h>
#include <linux/numa.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "olfit_ol.h"

#define ENTRIES 14

/* For lockdep: the subclass of a latched node's right neighbour. */
#define RIGHT 1

/**
 * struct spares - nodes for a split
 * @right: the right half
 * @root: a new root
 */
struct spares {
	struct plain_node *right;
	struct plain_node *root;
};

/* The bytes in front of a node: lockdep's part of its latch; the rest is ccinfo. */
struct front {
#ifdef CONFIG_DEBUG_LOCK_ALLOC
	struct lockdep_map dep_map;
#endif
};

static struct lock_class_key level_keys[PLAIN_LEVELS];

/* An argument that only lockdep evaluates. */
#define DEP_MAP(tree, node) \
	(&((struct front *)plain_latch(tree, node))->dep_map)

/* A new node gets its level, and the lockdep class of that. */
static void set_level(struct plain_tree *tree, struct plain_node *node,
		      unsigned int level)
{
	node->level = level;
	lockdep_init_map(DEP_MAP(tree, node), "olfit_latch", &level_keys[level],
			 0);
}

static void latch(struct plain_tree *tree, struct plain_node *node,
		  unsigned int subclass)
{
	preempt_disable();
	spin_acquire(DEP_MAP(tree, node), subclass, 0, _RET_IP_);
	ccinfo_latch(&node->policy);
}

static void unlatch(struct plain_tree *tree, struct plain_node *node)
{
	spin_release(DEP_MAP(tree, node), _RET_IP_);
	ccinfo_unlatch(&node->policy);
	preempt_enable();
}

/*
 * Latch the node of a level that covers a key. It cannot leave the tree then. The search
 * starts again at a dead node, whose range is that of the node before it now.
 */
static struct plain_node *latch_target(struct plain_tree *tree, u64 key,
				       unsigned int level)
{
	struct plain_node *node = NULL, *right;
	u64 low = 0;

	rcu_read_lock();
	for (;;) {
		if (!node)
			node = ol_traverse(tree, key, level, &low);
		latch(tree, node, 0);
		if (!node->dead && key <= node->high)
			break;
		right = node->dead ? NULL : rcu_dereference(node->right);
		unlatch(tree, node);
		node = right;
	}
	rcu_read_unlock();
	return node;
}

static bool is_ready(const struct spares *spares)
{
	return spares->right && spares->root;
}

static int reserve(struct plain_tree *tree, struct spares *spares)
{
	if (!spares->right)
		spares->right = plain_node_alloc(tree, 0, NUMA_NO_NODE);
	if (!spares->root)
		spares->root = plain_node_alloc(tree, 0, NUMA_NO_NODE);
	return is_ready(spares) ? 0 : -ENOMEM;
}

/* Split a latched node. No other thread gets to the right half before it is unlatched. */
static void split(struct plain_tree *tree, struct plain_node *node,
		  struct spares *spares)
{
	struct plain_node *right = spares->right;

	spares->right = NULL;
	set_level(tree, right, node->level);
	plain_node_split(tree, node, right);
}

/*
 * A root that was split, and is latched still, gets a parent. Its right half has to be
 * complete, as another thread may come to it through the parent at once. False if the
 * node is not the root: its parent is to be told.
 */
static bool grow(struct plain_tree *tree, struct plain_node *node,
		 struct spares *spares)
{
	struct plain_node *root = spares->root;

	if (node != rcu_access_pointer(tree->root))
		return false;
	spares->root = NULL;
	set_level(tree, root, node->level + 1);
	plain_root_init(tree, root, node,
			rcu_dereference_protected(node->right, true));
	/* Pairs with rcu_dereference() in ol_traverse(). */
	rcu_assign_pointer(tree->root, root);
	return true;
}

/* Divide the entry of a latched parent that covers a fence: @right is beyond it. */
static void insert_fence(struct plain_tree *tree, struct plain_node *parent,
			 u64 fence, struct plain_node *right)
{
	unsigned int pos = plain_search(tree, parent, fence);

	plain_entry_insert(tree, parent, pos, fence,
			   (uintptr_t)plain_child(tree, parent, pos));
	plain_set_value(tree, parent, pos + 1, (uintptr_t)right);
}

/* A latched node that was split: the half that covers a key. */
static struct plain_node *half_of(struct plain_node *node, u64 key)
{
	if (key <= node->high)
		return node;
	return rcu_dereference_protected(node->right, true);
}

/*
 * A node was split: tell its parent, which may be split too. Nothing is latched; it does
 * not matter what becomes of the nodes in the meantime.
 */
static void tell_parents(struct plain_tree *tree, unsigned int level, u64 fence,
			 struct plain_node *right, struct spares *spares)
{
	struct plain_node *parent;
	bool full, more = true;
	u64 next;

	while (more) {
		parent = latch_target(tree, fence, level);
		full = plain_full(tree, parent);
		if (full && !is_ready(spares)) {
			unlatch(tree, parent);
			if (reserve(tree, spares))
				schedule_timeout_uninterruptible(1);
			continue;
		}
		if (full)
			split(tree, parent, spares);
		insert_fence(tree, half_of(parent, fence), fence, right);
		more = full && !grow(tree, parent, spares);
		right = rcu_dereference_protected(parent->right, true);
		next = parent->high;
		unlatch(tree, parent);
		fence = next;
		level++;
	}
}

/* Insert a key or, without @refuse, overwrite its value. */
static int put(struct plain_tree *tree, u64 key, u64 value, bool refuse,
	       struct spares *spares)
{
	struct plain_node *leaf, *half, *right;
	unsigned int pos;
	bool full, more;
	u64 fence;

	for (;;) {
		leaf = latch_target(tree, key, 0);
		pos = plain_search(tree, leaf, key);
		if (plain_found(leaf, pos, key)) {
			if (!refuse)
				plain_set_value(tree, leaf, pos, value);
			unlatch(tree, leaf);
			return refuse ? -EEXIST : 0;
		}
		full = plain_full(tree, leaf);
		if (!full || is_ready(spares))
			break;
		unlatch(tree, leaf);
		if (reserve(tree, spares))
			return -ENOMEM;
	}
	if (full)
		split(tree, leaf, spares);
	half = half_of(leaf, key);
	plain_entry_insert(tree, half, plain_search(tree, half, key), key,
			   value);
	more = full && !grow(tree, leaf, spares);
	right = rcu_dereference_protected(leaf->right, true);
	fence = leaf->high;
	unlatch(tree, leaf);
	if (more)
		tell_parents(tree, 1, fence, right, spares);
	return 0;
}

/* The leaf before that of a key, if both have one parent, and the leaf. */
static struct plain_node *find_left(struct plain_tree *tree, u64 key,
				    struct plain_node **leaf)
{
	struct plain_node *parent, *left = NULL;
	unsigned int pos;
	u64 t, low = 0;

	if (!rcu_dereference(tree->root)->level)
		return NULL;
	parent = ol_traverse(tree, key, 1, &low);
	do {
		t = ol_read_begin(parent);
		pos = min(plain_search(tree, parent, key), tree->slots - 1);
		left = pos ? plain_child(tree, parent, pos - 1) : NULL;
		*leaf = plain_child(tree, parent, pos);
		/* A parent that was split meanwhile is as good as a first child. */
		if (key > READ_ONCE(parent->high))
			left = NULL;
	} while (!ol_read_valid(parent, t));
	return left;
}

/* Whether a latched parent leads to two latched leaves, one right after the other. */
static bool leads_to(const struct plain_tree *tree,
		     const struct plain_node *parent, unsigned int pos,
		     const struct plain_node *left,
		     const struct plain_node *leaf)
{
	return pos && plain_found(parent, pos, leaf->high) &&
	       plain_found(parent, pos - 1, left->high) &&
	       plain_child(tree, parent, pos - 1) == left &&
	       plain_child(tree, parent, pos) == leaf;
}

/* Remove the links to an empty leaf. Both leaves are latched, the left one first. */
static bool unlink_leaf(struct plain_tree *tree, struct plain_node *left,
			struct plain_node *leaf)
{
	struct plain_node *parent = latch_target(tree, leaf->high, 1);
	unsigned int pos = plain_search(tree, parent, leaf->high);
	bool good = leads_to(tree, parent, pos, left, leaf);

	if (good) {
		plain_node_absorb(tree, left, leaf);
		plain_set_value(tree, parent, pos, (uintptr_t)left);
		plain_entry_remove(tree, parent, pos - 1);
	}
	unlatch(tree, parent);
	return good;
}

/* The leaf of a key was empty: let it leave the tree, if it still is. */
static void remove_empty(struct plain_tree *tree, u64 key)
{
	struct plain_node *left, *leaf;
	bool removed = false;

	rcu_read_lock();
	left = find_left(tree, key, &leaf);
	if (left) {
		latch(tree, left, 0);
		if (!left->dead && rcu_access_pointer(left->right) == leaf) {
			latch(tree, leaf, RIGHT);
			removed = !leaf->count && unlink_leaf(tree, left, leaf);
			unlatch(tree, leaf);
		}
		unlatch(tree, left);
	}
	rcu_read_unlock();
	if (removed)
		plain_node_retire(tree, leaf);
}

void *olfit_ol_create(const struct lab_index_ops *ops,
		      const struct lab_params *params)
{
	struct plain_tree *tree = kzalloc(sizeof(*tree), LAB_GFP);
	int err;

	if (!tree)
		return NULL;
	err = plain_tree_init(tree,
			      params->node_bytes ?: plain_bytes(ops->variant),
			      sizeof(struct front), NULL);
	if (err) {
		kfree(tree);
		return ERR_PTR(err);
	}
	set_level(tree, rcu_dereference_protected(tree->root, true), 0);
	return tree;
}

static int put_one(struct plain_tree *tree, u64 key, u64 value, bool refuse)
{
	struct spares spares = {};
	int ret = put(tree, key, value, refuse, &spares);

	plain_node_free(tree, spares.right);
	plain_node_free(tree, spares.root);
	return ret;
}

int olfit_ol_insert(void *data, u64 key, u64 value)
{
	return put_one(data, key, value, true);
}

int olfit_ol_store(void *data, u64 key, u64 value)
{
	return put_one(data, key, value, false);
}

int olfit_ol_erase(void *data, u64 key)
{
	struct plain_tree *tree = data;
	struct plain_node *leaf = latch_target(tree, key, 0);
	unsigned int pos = plain_search(tree, leaf, key);
	bool found = plain_found(leaf, pos, key), empty;

	if (found)
		plain_entry_remove(tree, leaf, pos);
	empty = !leaf->count;
	unlatch(tree, leaf);
	if (!found)
		return -ENOENT;
	if (empty)
		remove_empty(tree, key);
	return 0;
}

READING_OPERATIONS(ol)

const struct lab_index_ops lab_olfit_ol_ops = {
	.variant = ENTRIES,
	OLFIT_OL_CALLS,
};
