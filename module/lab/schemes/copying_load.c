// SPDX-License-Identifier: GPL-2.0
/*
 * Trees whose updaters copy nodes: loading (copying.h). There are no readers yet, so nodes are
 * changed in place: a copy for each key, and its grace period, would take most of the time of a
 * point. Full nodes are split on the way down, so that their parents have room.
 */
#include <linux/errno.h>
#include <linux/rcupdate.h>

#include "copying.h"

static struct plain_node *new_node(struct copying_tree *tree,
				   unsigned int level)
{
	struct plain_node *node =
		plain_node_alloc(&tree->plain, level, NUMA_NO_NODE);

	if (node && tree->how->writers == COPYING_NODE_LATCHES)
		copying_latch_init(plain_latch(&tree->plain, node), level);
	return node;
}

/* Split the root: the new one, or NULL. */
static struct plain_node *split_root(struct copying_tree *tree,
				     struct plain_node *old)
{
	struct plain_node *right = new_node(tree, old->level);
	struct plain_node *root = new_node(tree, old->level + 1);

	if (!right || !root) {
		plain_node_free(&tree->plain, right);
		plain_node_free(&tree->plain, root);
		return NULL;
	}
	plain_node_split(&tree->plain, old, right);
	plain_root_init(&tree->plain, root, old, right);
	rcu_assign_pointer(tree->plain.root, root);
	return root;
}

/* Split a child, and enter the new node into its parent, which has room. */
static int split_child(struct copying_tree *tree, struct plain_node *parent,
		       unsigned int pos, struct plain_node *child)
{
	struct plain_node *right = new_node(tree, child->level);

	if (!right)
		return -ENOMEM;
	plain_node_split(&tree->plain, child, right);
	plain_child_split(&tree->plain, parent, pos, child, right);
	return 0;
}

/* The child of a node on the way to a key, with room for an entry; or NULL. */
static struct plain_node *roomy_child(struct copying_tree *tree,
				      struct plain_node *node, u64 key)
{
	unsigned int pos = plain_search(&tree->plain, node, key);
	struct plain_node *child = plain_child(&tree->plain, node, pos);

	if (!plain_full(&tree->plain, child))
		return child;
	if (split_child(tree, node, pos, child))
		return NULL;
	pos = plain_search(&tree->plain, node, key);
	return plain_child(&tree->plain, node, pos);
}

/* Owns the mutex. */
static int load(struct copying_tree *tree, u64 key, u64 value)
{
	struct plain_node *node =
		rcu_dereference_protected(tree->plain.root, true);

	if (plain_full(&tree->plain, node))
		node = split_root(tree, node);
	while (node && node->level)
		node = roomy_child(tree, node, key);
	if (!node)
		return -ENOMEM;
	return plain_leaf_update(&tree->plain, node, PLAIN_STORE, key, value);
}

int copying_load(void *data, u64 key, u64 value)
{
	struct copying_tree *tree = data;
	int ret;

	mutex_lock(&tree->mutex);
	ret = load(tree, key, value);
	mutex_unlock(&tree->mutex);
	return ret;
}
