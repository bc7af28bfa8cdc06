// SPDX-License-Identifier: GPL-2.0
/*
 * The locks of a commit: those of the leaves of its keys, and of all leaves between two keys
 * whose gap has to be empty or is cleared.
 *
 * Bound: %BLINK_TREE_COMMIT_MAX leaves are locked, with preemption disabled.
 */
#include <linux/errno.h>
#include <linux/minmax.h>

#include "../node/locking.h"
#include "commit.h"
#include "descent.h"

/* Descents under way at once. */
#define COMMIT_DESCENTS 8U

/*
 * Descend for the keys of @n places, @step apart, at once. A descent that is stale is
 * made alone. Not inlined: the descents are on the stack only until it returns.
 */
static noinline_for_stack void commit_descend(struct blink_commit *c,
					      struct blink_walk *walk,
					      struct blink_node **near,
					      unsigned int first,
					      unsigned int step, unsigned int n)
{
	struct blink_descent descent[COMMIT_DESCENTS];
	struct blink_tree *tree = c->state.tree;
	struct blink_index *idx = blink_tree_index(tree);
	unsigned int i, k;

	if (walk) {
		walk->idx = idx;
		walk->parent = NULL;
	}
	for (i = 0; i < n; i++)
		blink_descent_begin(&descent[i], idx,
				    blink_commit_op(c, first + i * step));
	blink_descents_lead(descent, descent + n);
	blink_descents_arrive(descent, descent + n);
	for (i = 0; i < n; i++) {
		k = first + i * step;
		near[k] = descent[i].node;
		if (unlikely(!near[k]))
			near[k] = blink_descend(
				tree, idx, blink_commit_op(c, k)->key, 0, walk);
	}
}

/*
 * Let the leaf where another descent ended be that of a place, too. Its header was read;
 * the lines that the search for this key reads are fetched before anything is locked.
 */
static void commit_share(struct blink_commit *c, struct blink_node **near,
			 unsigned int k, struct blink_node *leaf)
{
	const blink_key_t key = blink_commit_op(c, k)->key;

	near[k] = leaf;
	if (likely(!blink_leaf_form(leaf)))
		blink_group_prefetch(leaf, blink_group_of(leaf, key, true),
				     true);
}

/* Let places from @k to before @last have the leaf of the one before. Returns the next one. */
static unsigned int commit_go_on(struct blink_commit *c,
				 struct blink_node **near, unsigned int k,
				 unsigned int last)
{
	struct blink_node *leaf = near[k - 1];

	for (; k < last; k++) {
		if (blink_node_beyond(leaf, blink_commit_op(c, k)->key))
			break;
		commit_share(c, near, k, leaf);
	}
	return k;
}

/**
 * blink_commit_descend() - descend to the leaves of all keys
 * @c: the commit
 * @walk: its index is set, and it is told what the index lacks; or NULL
 * @near: set to the leaves where the descents ended, one for each place in the order of keys
 *
 * The first and the last key come first: all others can be in the same leaves.
 *
 * Context: as blink_tree_commit(), rcu_read_lock() held, no lock held.
 */
void blink_commit_descend(struct blink_commit *c, struct blink_walk *walk,
			  struct blink_node **near)
{
	unsigned int last = c->nr - 1U, k, n;

	commit_descend(c, walk, near, 0, last, last ? 2 : 1);
	k = commit_go_on(c, near, 1, last);
	for (; k < last && !blink_node_dead(near[last]); last--) {
		if (!blink_node_leads(near[last],
				      blink_commit_op(c, last - 1)->key))
			break;
		commit_share(c, near, last - 1, near[last]);
	}
	while (k < last) {
		n = min(last - k, COMMIT_DESCENTS);
		commit_descend(c, walk, near, k, 1, n);
		k = commit_go_on(c, near, k + n, last);
	}
}

/* Add a leaf that was locked, with the operations from @first to @end. */
static void commit_add_leaf(struct blink_commit *c, struct blink_node *node,
			    unsigned int first, unsigned int end)
{
	c->leaf[c->nr_leaves++] = (struct blink_commit_leaf){
		.node = node,
		.first = first,
		.end = end,
	};
}

/*
 * Lock the leaves of the gap before the operation of a place, behind @node. Returns the leaf
 * that covers its key, or NULL if there are too many: of the leaves that the commit can have,
 * one is left for each operation.
 */
static struct blink_node *
commit_lock_gap(struct blink_commit *c, struct blink_node *node, unsigned int k)
{
	const blink_key_t key = blink_commit_op(c, k)->key;

	for (;;) {
		node = blink_node_right(node);
		blink_lock_further(&node->lock);
		if (!blink_node_behind(node, key))
			return node;
		commit_add_leaf(c, node, k, k);
		if (c->nr_leaves + c->nr - k > BLINK_COMMIT_LEAVES)
			return NULL;
	}
}

/**
 * blink_commit_lock() - lock the leaves, in the order of the keys
 * @c: the commit; its leaves are set to those that are locked, also with an error
 * @near: the leaves where the descents ended
 *
 * Context: rcu_read_lock() held since the descents, in blink_writer_begin().
 * Return: 0; -E2BIG if the gaps have too many leaves.
 */
int blink_commit_lock(struct blink_commit *c, struct blink_node **near)
{
	struct blink_tree *tree = c->state.tree;
	struct blink_walk *walk = &c->state.walk;
	struct blink_node *node = NULL;
	unsigned int k;

	c->nr_leaves = 0;
	for (k = 0; k < c->nr; k++) {
		const blink_key_t key = blink_commit_op(c, k)->key;

		if (node && !blink_node_behind(node, key)) {
			c->leaf[c->nr_leaves - 1].end = k + 1;
			continue;
		}
		if (!node)
			node = blink_lock_covering(tree, walk, near[k], key);
		else if (blink_commit_joined(c, k))
			node = commit_lock_gap(c, node, k);
		else
			node = blink_lock_next(tree, walk, node, near[k], key);
		if (!node)
			return -E2BIG;
		commit_add_leaf(c, node, k, k + 1);
	}
	return 0;
}

/**
 * blink_commit_unlock() - unlock the leaves
 * @c: the commit
 *
 * Context: blink_commit_lock() before.
 */
void blink_commit_unlock(struct blink_commit *c)
{
	unsigned int l = c->nr_leaves;

	while (l--)
		blink_node_unlock(c->state.tree, c->leaf[l].node);
}
