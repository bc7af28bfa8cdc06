// SPDX-License-Identifier: GPL-2.0
/*
 * Retiring dead nodes: from the moment at which the last index dropped a node
 * until a grace period later.
 */
#include <linux/bug.h>

#include "../tree/limbo.h"
#include "alloc.h"
#include "reclaim.h"

static void node_rcu(struct rcu_head *head)
{
	struct blink_node *node = container_of(head, struct blink_node, rcu);
	struct blink_tree *tree = node->tree;
	bool leaf = !node->level;

	/* I9: the lock of a dead leaf is not passed at a gate. */
	WARN_ON_ONCE(arch_spin_is_locked(&node->lock.raw));
	blink_node_free(tree, node, leaf);
	blink_limbo_add(tree, -(s64)blink_node_cost(tree, leaf));
	/* The last access to the tree, which its owner may have destroyed. */
	percpu_ref_put(&tree->ref);
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
	percpu_ref_get(&tree->ref);
	blink_limbo_add(tree, blink_node_cost(tree, !node->level));
	/* Searches that still are in the node read @unposted as a hint. */
	WRITE_ONCE(node->tree, tree);
	/* A lazy callback could keep the node for ten seconds. */
	call_rcu_hurry(&node->rcu, node_rcu);
}
