/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Malbrain's B-link tree (malbrain.h): splits and merges. An operation has one function
 * that splits, and one that merges; each goes up from level to level, without recursion.
 */
#ifndef BLINK_LAB_SCHEMES_MALBRAIN_CHANGE_H
#define BLINK_LAB_SCHEMES_MALBRAIN_CHANGE_H

#include "malbrain.h"

/* A new node from the spare ones, with a level and its latches. */
static __always_inline struct plain_node *
malbrain_take(const struct malbrain_policy *p, struct malbrain_op *op,
	      unsigned int level)
{
	struct plain_node *node = op->spare;

	op->spare = (struct plain_node *)(uintptr_t)node->policy;
	node->policy = 0;
	node->level = level;
	latch_init(p->latch, plain_latch(&op->tree->plain, node), level,
		   op->tree->copy);
	return node;
}

static unsigned int malbrain_spares(const struct malbrain_op *op)
{
	const struct plain_node *node;
	unsigned int nr = 0;

	for (node = op->spare; node;
	     node = (struct plain_node *)(uintptr_t)node->policy)
		nr++;
	return nr;
}

/* Allocate spare nodes until there are so many. */
static int malbrain_reserve(struct malbrain_op *op, unsigned int nr)
{
	struct malbrain_tree *tree = op->tree;
	struct plain_node *node;
	unsigned int have;

	for (have = malbrain_spares(op); have < nr; have++) {
		node = plain_node_alloc(&tree->plain, 0, tree->nid);
		if (!node)
			return -ENOMEM;
		node->policy = (uintptr_t)op->spare;
		op->spare = node;
	}
	return 0;
}

/* Free those that were not needed. */
static void malbrain_op_end(struct malbrain_op *op)
{
	struct plain_node *node;

	while ((node = op->spare)) {
		op->spare = (struct plain_node *)(uintptr_t)node->policy;
		plain_node_free(&op->tree->plain, node);
	}
}

/**
 * struct malbrain_post - a split that the parent does not know yet
 * @left: the node
 * @right: the one that was split off it; both have ParentModification
 * @fence: high key of @left then; another thread may lower it again
 */
struct malbrain_post {
	struct plain_node *left;
	struct plain_node *right;
	u64 fence;
};

/* Make a new root of the two halves of the old one, which is latched. */
static void malbrain_grow(const struct malbrain_policy *p,
			  struct malbrain_op *op, struct plain_node *left,
			  struct plain_node *right)
{
	struct plain_node *root = malbrain_take(p, op, left->level + 1);

	plain_root_init(&op->tree->plain, root, left, right);
	/* Pairs with rcu_dereference() in malbrain_root(). */
	rcu_assign_pointer(op->tree->plain.root, root);
}

/*
 * splitPage: split a node that has Write, and give it up. Below the granted node,
 * that goes on to protect all. The operation has two spare nodes.
 *
 * Returns whether the parent is to be told; the root has none.
 */
static bool malbrain_split(const struct malbrain_policy *p,
			   struct malbrain_op *op, struct plain_node *node,
			   struct malbrain_post *post)
{
	bool below = p->grant && op->granted && op->granted != node;
	bool is_root = node == malbrain_root(op->tree);
	struct plain_node *right = malbrain_take(p, op, node->level);

	if (!below && !is_root)
		malbrain_latch(p, op, right, LATCH_PARENT);
	malbrain_change_begin(p, node);
	plain_node_split(&op->tree->plain, node, right);
	malbrain_change_end(p, node);
	*post = (struct malbrain_post){ node, right, node->high };
	if (below)
		return true;
	if (is_root)
		malbrain_grow(p, op, node, right);
	else
		malbrain_latch(p, op, node, LATCH_PARENT_LEFT);
	malbrain_unlatch(p, op, node, LATCH_WRITE);
	op->granted = NULL;
	return !is_root;
}

/* Insert the fence into a parent that has Write, and lead from the old one to @right. */
static void malbrain_insert_fence(const struct malbrain_policy *p,
				  struct malbrain_op *op,
				  struct plain_node *parent,
				  const struct malbrain_post *post)
{
	struct plain_tree *plain = &op->tree->plain;
	unsigned int pos = plain_search(plain, parent, post->fence);

	WARN_ON_ONCE(plain_child(plain, parent, pos) != post->left);
	malbrain_change_begin(p, parent);
	plain_entry_insert(plain, parent, pos, post->fence,
			   (uintptr_t)post->left);
	plain_set_value(plain, parent, pos + 1, (uintptr_t)post->right);
	malbrain_change_end(p, parent);
	malbrain_unlock(p, op, parent, LATCH_WRITE);
	if (malbrain_is_granted(p, parent))
		return;
	malbrain_unlatch(p, op, post->left, LATCH_PARENT_LEFT);
	malbrain_unlatch(p, op, post->right, LATCH_PARENT);
}

/*
 * Split a full node, and tell the parents: one that is full is split first, and its
 * parents are told before it gets the fence. Each level has one post at most.
 */
static void malbrain_split_all(const struct malbrain_policy *p,
			       struct malbrain_op *op, struct plain_node *node)
{
	struct malbrain_post post[PLAIN_LEVELS];
	struct plain_node *parent;
	unsigned int nr;

	for (nr = malbrain_split(p, op, node, post); nr;) {
		parent = malbrain_load(p, op, post[nr - 1].fence,
				       post[nr - 1].left->level + 1,
				       LATCH_WRITE, NULL);
		if (!plain_full(&op->tree->plain, parent)) {
			malbrain_insert_fence(p, op, parent, &post[--nr]);
		} else if (malbrain_spares(op) >= 2) {
			nr += malbrain_split(p, op, parent, &post[nr]);
		} else {
			malbrain_unlock(p, op, parent, LATCH_WRITE);
			while (malbrain_reserve(op, 2))
				schedule_timeout_uninterruptible(1);
		}
	}
}

/*
 * Latch the leaf that covers a key with Write, or return -ENOMEM without. @room:
 * split the leaf if it has neither the key nor room for it.
 */
static __always_inline int malbrain_find(const struct malbrain_policy *p,
					 struct malbrain_op *op, u64 key,
					 bool room, struct plain_node **leaf)
{
	struct plain_tree *plain = &op->tree->plain;
	struct plain_node *node;
	unsigned int need;

	for (;;) {
		node = malbrain_load(p, op, key, 0, LATCH_WRITE, NULL);
		*leaf = node;
		if (!room || !plain_full(plain, node) ||
		    plain_found(node, plain_search(plain, node, key), key))
			return 0;
		/* One for each level, for a new root, and for a level more. */
		need = malbrain_root(op->tree)->level + 3;
		if (malbrain_spares(op) < need) {
			malbrain_unlock(p, op, node, LATCH_WRITE);
			malbrain_release(p, op, LATCH_WRITE);
			if (!malbrain_reserve(op, need))
				continue;
			malbrain_op_end(op);
			return -ENOMEM;
		}
		/* It has to have room for what comes from below. */
		if (p->grant && plain_full(plain, op->granted))
			node = op->granted;
		malbrain_split_all(p, op, node);
	}
}

/*
 * The last bound of a parent that has Write was @old, and was removed or lowered.
 * Return it if its own high key must follow, or if it is empty; else give it up.
 */
static __always_inline struct plain_node *
malbrain_unless_open(const struct malbrain_policy *p, struct malbrain_op *op,
		     struct plain_node *parent, u64 old)
{
	if (parent->high == old)
		return parent;
	malbrain_unlock(p, op, parent, LATCH_WRITE);
	return NULL;
}

/*
 * Move all entries of the right neighbour into an empty node. Both have Write then, and
 * ParentModification afterwards. @high: set to the high key of both then.
 */
static struct plain_node *malbrain_absorb(const struct malbrain_policy *p,
					  struct malbrain_op *op,
					  struct plain_node *node, u64 *high)
{
	struct plain_node *right = malbrain_right(node);

	if (!malbrain_is_granted(p, node))
		malbrain_latch(p, op, right, LATCH_WRITE_RIGHT);
	malbrain_change_begin(p, node);
	malbrain_change_begin(p, right);
	plain_node_absorb(&op->tree->plain, node, right);
	rcu_assign_pointer(right->right, node);
	*high = node->high;
	malbrain_change_end(p, right);
	malbrain_change_end(p, node);
	if (malbrain_is_granted(p, node))
		return right;
	malbrain_latch(p, op, right, LATCH_PARENT);
	malbrain_unlatch(p, op, right, LATCH_WRITE_RIGHT);
	malbrain_latch(p, op, node, LATCH_PARENT_LEFT);
	malbrain_unlatch(p, op, node, LATCH_WRITE);
	return right;
}

/* Free a node that no pointer leads to. */
static void malbrain_free(const struct malbrain_policy *p,
			  struct malbrain_op *op, struct plain_node *node)
{
	if (!malbrain_is_granted(p, node)) {
		malbrain_latch(p, op, node, LATCH_DELETE);
		malbrain_latch(p, op, node, LATCH_WRITE_DEAD);
		malbrain_unlatch(p, op, node, LATCH_WRITE_DEAD);
		malbrain_unlatch(p, op, node, LATCH_DELETE);
	}
	plain_node_retire(&op->tree->plain, node);
}

/*
 * deletePage: an empty node that has Write absorbs its right neighbour. Returns the
 * parent with Write if that is to be changed too.
 */
static struct plain_node *malbrain_merge(const struct malbrain_policy *p,
					 struct malbrain_op *op,
					 struct plain_node *node)
{
	struct plain_tree *plain = &op->tree->plain;
	u64 low = node->high, high;
	unsigned int level = node->level + 1, pos;
	struct plain_node *parent, *right;

	right = malbrain_absorb(p, op, node, &high);
	parent = malbrain_load(p, op, high, level, LATCH_WRITE, NULL);
	pos = plain_search(plain, parent, high);
	WARN_ON_ONCE(plain_child(plain, parent, pos) != right);
	malbrain_change_begin(p, parent);
	plain_set_value(plain, parent, pos, (uintptr_t)node);
	malbrain_change_end(p, parent);
	malbrain_unlock(p, op, parent, LATCH_WRITE);

	parent = malbrain_load(p, op, low, level, LATCH_WRITE, NULL);
	pos = plain_search(plain, parent, low);
	WARN_ON_ONCE(plain_child(plain, parent, pos) != node);
	/*
	 * If the entry was the last one, the high key is above all bounds until it is
	 * lowered, or the parent merged. A lock-free reader then reads the last entry, and
	 * follows right links; or the removed one, which leads to @node, if it was the
	 * only one.
	 */
	malbrain_change_begin(p, parent);
	plain_entry_remove(plain, parent, pos);
	malbrain_change_end(p, parent);

	if (!malbrain_is_granted(p, node))
		malbrain_unlatch(p, op, right, LATCH_PARENT);
	malbrain_free(p, op, right);
	if (!malbrain_is_granted(p, node))
		malbrain_unlatch(p, op, node, LATCH_PARENT_LEFT);
	return malbrain_unless_open(p, op, parent, low);
}

/*
 * fixFence: the last bound of an inner node that has Write is its high key from now on.
 * Returns the parent with Write if that is to be changed too.
 */
static struct plain_node *malbrain_lower_fence(const struct malbrain_policy *p,
					       struct malbrain_op *op,
					       struct plain_node *node)
{
	u64 old = node->high, high = plain_key(node, node->count - 1);
	struct plain_tree *plain = &op->tree->plain;
	struct plain_node *parent;
	unsigned int pos;

	malbrain_change_begin(p, node);
	WRITE_ONCE(node->high, high);
	malbrain_change_end(p, node);
	if (!malbrain_is_granted(p, node)) {
		malbrain_latch(p, op, node, LATCH_PARENT);
		malbrain_unlatch(p, op, node, LATCH_WRITE);
	}
	parent = malbrain_load(p, op, old, node->level + 1, LATCH_WRITE, NULL);
	pos = plain_search(plain, parent, old);
	WARN_ON_ONCE(plain_child(plain, parent, pos) != node);
	malbrain_change_begin(p, parent);
	WRITE_ONCE(parent->slot[pos], high);
	malbrain_change_end(p, parent);
	if (!malbrain_is_granted(p, node))
		malbrain_unlatch(p, op, node, LATCH_PARENT);
	return malbrain_unless_open(p, op, parent, old);
}

/* Whether an empty leaf has a right neighbour that it can absorb. */
static __always_inline bool malbrain_can_merge(const struct malbrain_policy *p,
					       const struct malbrain_op *op,
					       const struct plain_node *leaf)
{
	return leaf->high != PLAIN_KEY_MAX &&
	       (!p->grant || leaf->high != op->granted->high);
}

/* Give up a leaf that has Write; if it is empty, merge it. */
static void malbrain_give_up(const struct malbrain_policy *p,
			     struct malbrain_op *op, struct plain_node *leaf)
{
	struct plain_node *node = leaf;

	if (leaf->count || !malbrain_can_merge(p, op, leaf)) {
		malbrain_unlock(p, op, leaf, LATCH_WRITE);
		node = NULL;
	}
	while (node) {
		if (node->count)
			node = malbrain_lower_fence(p, op, node);
		else
			node = malbrain_merge(p, op, node);
	}
	malbrain_release(p, op, LATCH_WRITE);
}

#endif /* BLINK_LAB_SCHEMES_MALBRAIN_CHANGE_H */
