/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: Malbrain's B-link tree, and what McKenzie makes of it
 *
 * Author: Karl Malbrain (the tree), Marlon McKenzie (the rest).
 * Paper: Creating a Concurrent In-Memory B-Tree Optimized for NUMA Systems, thesis,
 * University of Waterloo, 2015; the tree in section 3.2, the rest in 3.3.
 *
 * This is a template: its functions take a constant &struct malbrain_policy, and are
 * expanded in the file of each scheme (malbrain_index.h). Splits and merges are rare:
 * each file has one copy of their functions, which reads the policy.
 *
 * *The tree.* A thread goes down with Read of one node at a time: it takes AccessIntent
 * of the next node, gives up Read of this one, takes Read of the next one, or Write if
 * that is its target, and gives up AccessIntent. A node that was split meanwhile leads
 * to its right neighbour. The writer of a full node takes Write and ParentModification
 * of it, moves half of the entries to a new right neighbour, gives up Write, and inserts
 * the *fence* (the new high key) into the parent as it would insert a key into a leaf.
 * The writer of a node that it emptied takes Write of the right neighbour, moves all
 * entries of that here, marks it dead, and lets its right link lead back. With
 * ParentModification of both it makes the parent's entry of the dead node lead here, and
 * removes the entry that led here. Then no pointer leads to the dead node: with
 * NodeDelete and Write of it, it is free.
 *
 * *Granular locking* (3.3.4): nodes below a level have no latches of their own. A thread
 * takes those of the *granted* node above, in its final mode, and no others from there
 * on.
 *
 * *Lock-free reads* (3.3.5): each node has a version, which is odd while a writer changes
 * the node. A reader takes no latch. It reads the version of a node until that is even,
 * searches the node, and reads the version again: it searches the node once more if the
 * version has changed. Writers latch as ever.
 *
 * *Replication* (3.3.3): malbrain_index.h.
 *
 * Promises: unique keys; insert, lookup, store and erase are linearizable.
 *
 * Chosen where the thesis leaves it open:
 *
 * - The root moves, and has no page number of its own. A root that was split is still the
 *   first node of its level, and is never freed, so that a thread may begin there. A root
 *   with one child stays.
 * - Malbrain inserts both fences of a split node, the second one over what is there: here
 *   one Write of the parent does both. Where the greatest key of an inner node goes, he
 *   inserts the new fence above and deletes the old one: here it is overwritten.
 * - He takes Write of a new right neighbour too. Here no other thread can reach it before
 *   the node that was split is given up.
 * - The last node of a level has no right neighbour, and may be empty.
 * - With granular locking, the granted node is split before it has to be: when it is full
 *   and a node below is. Nodes below merge if both have the same granted node.
 * - The thesis reads the value after loadPageLockFreeRead has returned the place of it in
 *   the leaf, and goes down from the root again if the version has changed by then
 *   (algorithm 6). Here the value is part of what the search of the leaf reads, so a
 *   reader never goes down again.
 * - The thesis has no erase with granular locking or lock-free reads. Here, a dead node
 *   waits for a grace period, and a lock-free reader is in a read section.
 * - An insertion allocates before it changes anything, and fails if it cannot. Only if the
 *   tree grew by two levels in the meantime does it wait for memory.
 */
#ifndef BLINK_LAB_SCHEMES_MALBRAIN_H
#define BLINK_LAB_SCHEMES_MALBRAIN_H

#include <linux/errno.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "latch.h"
#include "plain.h"

/* The root alone has latches: no level is beyond it. */
#define MALBRAIN_ROOT PLAIN_LEVELS

/**
 * enum malbrain_copies - the trees of each NUMA node
 * @MALBRAIN_ONE: no copy; all use one tree
 * @MALBRAIN_LOCAL: a tree of its own, which its threads alone change
 * @MALBRAIN_ALL: a copy of the tree; a change is made in all copies
 */
enum malbrain_copies {
	MALBRAIN_ONE,
	MALBRAIN_LOCAL,
	MALBRAIN_ALL,
};

/**
 * struct malbrain_policy - the differences between the schemes
 * @latch: the kind of latches
 * @lockfree: lookups use versions
 * @grant: the lowest level with latches of its own (0: all levels have them)
 * @copies: the trees of each NUMA node
 */
struct malbrain_policy {
	enum latch_kind latch;
	bool lockfree;
	unsigned int grant;
	enum malbrain_copies copies;
};

/**
 * struct malbrain_tree - a tree
 * @plain: its nodes
 * @copy: its number among the copies
 * @nid: the NUMA node that it is on, or NUMA_NO_NODE
 * @retries: how often lock-free reads repeated the search of a node
 */
struct malbrain_tree {
	struct plain_tree plain;
	unsigned int copy;
	int nid;
	atomic_long_t retries;
};

/**
 * struct malbrain_op - an operation on a tree
 * @tree: the tree
 * @part: of latches, for the NUMA node that the operation began on
 * @granted: the latched node that protects all nodes below it, or NULL
 * @spare: nodes for a split, linked by @policy
 */
struct malbrain_op {
	struct malbrain_tree *tree;
	unsigned int part;
	struct plain_node *granted;
	struct plain_node *spare;
};

static __always_inline void malbrain_latch(const struct malbrain_policy *p,
					   struct malbrain_op *op,
					   struct plain_node *node,
					   enum latch_mode mode)
{
	latch_lock(p->latch, plain_latch(&op->tree->plain, node), mode,
		   op->part);
}

/*
 * A thread may still touch a lock that it gave up when the next one has it, which may
 * free the node: so that waits for a grace period.
 */
static __always_inline void malbrain_unlatch(const struct malbrain_policy *p,
					     struct malbrain_op *op,
					     struct plain_node *node,
					     enum latch_mode mode)
{
	rcu_read_lock();
	latch_unlock(p->latch, plain_latch(&op->tree->plain, node), mode,
		     op->part);
	rcu_read_unlock();
}

/* Whether a node is protected by the latches of one above, or would be. */
static __always_inline bool malbrain_is_granted(const struct malbrain_policy *p,
						const struct plain_node *node)
{
	return p->grant && node->level <= p->grant;
}

/* Give up a node that malbrain_load() returned, unless the granted one protects it. */
static __always_inline void malbrain_unlock(const struct malbrain_policy *p,
					    struct malbrain_op *op,
					    struct plain_node *node,
					    enum latch_mode mode)
{
	if (!malbrain_is_granted(p, node))
		malbrain_unlatch(p, op, node, mode);
}

/* Give up the granted node. */
static __always_inline void malbrain_release(const struct malbrain_policy *p,
					     struct malbrain_op *op,
					     enum latch_mode mode)
{
	if (!p->grant || !op->granted)
		return;
	malbrain_unlatch(p, op, op->granted, mode);
	op->granted = NULL;
}

/*
 * A version is odd from begin to end. A preempted writer would keep readers waiting.
 * A dead node keeps its last version until it is freed, after a grace period.
 */
static __always_inline void
malbrain_change_begin(const struct malbrain_policy *p, struct plain_node *node)
{
	if (!p->lockfree)
		return;
	preempt_disable();
	WRITE_ONCE(node->policy, node->policy + 1);
	/* Pairs with malbrain_changed(): a reader of what follows sees this. */
	smp_wmb();
}

static __always_inline void malbrain_change_end(const struct malbrain_policy *p,
						struct plain_node *node)
{
	if (!p->lockfree)
		return;
	/* Pairs with the load of the version in malbrain_read_lockfree(). */
	smp_store_release(&node->policy, node->policy + 1);
	preempt_enable();
}

static __always_inline bool malbrain_changed(const struct plain_node *node,
					     u64 version)
{
	/* Pairs with malbrain_change_begin(). */
	smp_rmb();
	return version & 1 || READ_ONCE(node->policy) != version;
}

static __always_inline struct plain_node *
malbrain_root(struct malbrain_tree *tree)
{
	struct plain_node *root;

	/* It is not freed before the tree is. */
	rcu_read_lock();
	root = rcu_dereference(tree->plain.root);
	rcu_read_unlock();
	return root;
}

/* Whether a node covers a key. */
static __always_inline bool malbrain_covers(const struct plain_node *node,
					    u64 key)
{
	return !READ_ONCE(node->dead) && key <= READ_ONCE(node->high);
}

static __always_inline struct plain_node *
malbrain_right(const struct plain_node *node)
{
	/* Its latches, or the granted ones, protect it. */
	return rcu_dereference_protected(node->right, true);
}

/* The child that covers a key; @low: set to the bound before it, if there is one. */
static __always_inline struct plain_node *
malbrain_down(struct malbrain_op *op, const struct plain_node *node, u64 key,
	      u64 *low)
{
	unsigned int pos = plain_search(&op->tree->plain, node, key);

	if (low && pos)
		*low = plain_key(node, pos - 1);
	return plain_child(&op->tree->plain, node, pos);
}

/* Below the granted node no latch is taken, and no node is split or dead. */
static __always_inline struct plain_node *
malbrain_below(struct malbrain_op *op, u64 key, unsigned int level, u64 *low)
{
	struct plain_node *node = op->granted;

	while (node->level > level)
		node = malbrain_down(op, node, key, low);
	return node;
}

/*
 * Latch a node, in place of the one that leads to it. With a granted level, the root
 * may be below; then it must still be the root.
 */
static __always_inline bool
malbrain_couple(const struct malbrain_policy *p, struct malbrain_op *op,
		struct plain_node *from, enum latch_mode held,
		struct plain_node *to, enum latch_mode mode)
{
	malbrain_latch(p, op, to, LATCH_ACCESS);
	if (from)
		malbrain_unlatch(p, op, from, held);
	malbrain_latch(p, op, to, mode);
	malbrain_unlatch(p, op, to, LATCH_ACCESS);
	if (!p->grant || to->level >= p->grant || to == malbrain_root(op->tree))
		return true;
	malbrain_unlatch(p, op, to, mode);
	return false;
}

/*
 * Latch the node of a level that covers a key, with LATCH_READ or LATCH_WRITE. This
 * is loadPage of the thesis, in algorithms 1, 3 and 4. If the granted node is
 * latched, it goes on from there. @low, if not NULL, is set to the greatest bound on
 * the way that is less than the key.
 */
static __always_inline struct plain_node *
malbrain_load(const struct malbrain_policy *p, struct malbrain_op *op, u64 key,
	      unsigned int level, enum latch_mode mode, u64 *low)
{
	struct plain_node *node = NULL, *next = malbrain_root(op->tree);
	enum latch_mode held = LATCH_READ, wanted;
	bool grant = p->grant && level <= p->grant;

	if (grant && op->granted)
		return malbrain_below(op, key, level, low);
	for (;;) {
		wanted = LATCH_READ;
		if (next->level == level ||
		    (grant && malbrain_is_granted(p, next)))
			wanted = mode;
		if (!malbrain_couple(p, op, node, held, next, wanted)) {
			next = malbrain_root(op->tree);
			continue;
		}
		node = next;
		held = wanted;
		if (malbrain_covers(node, key)) {
			if (node->level == level ||
			    (grant && malbrain_is_granted(p, node)))
				break;
			next = malbrain_down(op, node, key, low);
		} else {
			if (low && !node->dead)
				*low = node->high;
			next = malbrain_right(node);
		}
	}
	if (!grant)
		return node;
	op->granted = node;
	return malbrain_below(op, key, level, low);
}

#endif /* BLINK_LAB_SCHEMES_MALBRAIN_H */
