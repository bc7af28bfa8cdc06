// SPDX-License-Identifier: GPL-2.0
/*
 * Dead nodes: from the last index that let go of one until a grace period
 * later. Meanwhile the node is in *limbo*, counted in bytes for each tree.
 */
#include <linux/bug.h>
#include <linux/export.h>

#include "tree.h"

static void node_rcu(struct rcu_head *head)
{
	struct blink_node *node = container_of(head, struct blink_node, rcu);
	struct blink_tree *tree = node->tree;
	bool leaf = !node->level;

	/* I9: the lock of a dead leaf is not passed on. */
	WARN_ON_ONCE(arch_spin_is_locked(&node->lock.raw));
	blink_node_free(tree, node, leaf);
	atomic_long_sub(blink_node_cost(tree, leaf), &tree->limbo);
	blink_tree_put(tree);
}

/**
 * blink_node_retire() - free a dead node after a grace period
 * @tree: its tree, which stays until then
 * @node: the node; no index leads to it any more (I8)
 *
 * Context: any but NMI; no node lock held.
 */
void blink_node_retire(struct blink_tree *tree, struct blink_node *node)
{
	refcount_inc(&tree->ref);
	atomic_long_add(blink_node_cost(tree, !node->level), &tree->limbo);
	/* Walks that came too late still look at @unposted, for a hint. */
	WRITE_ONCE(node->tree, tree);
	call_rcu(&node->rcu, node_rcu);
}

/**
 * blink_tree_limbo() - memory of dead nodes that wait for a grace period
 * @tree: the tree
 *
 * It grows when many entries are erased faster than readers end their RCU read
 * sections. An eraser that may sleep should do so when this exceeds what it
 * wants to afford; beyond 64 MiB the tree leaves nodes unmerged instead.
 *
 * Context: any.
 * Return: bytes.
 */
u64 blink_tree_limbo(struct blink_tree *tree)
{
	return atomic_long_read(&tree->limbo);
}
EXPORT_SYMBOL_GPL(blink_tree_limbo);
