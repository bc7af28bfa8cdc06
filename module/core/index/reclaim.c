// SPDX-License-Identifier: GPL-2.0
/* Dead nodes: from the last index that let go of one until a grace period later. */
#include <linux/bug.h>

#include "../tree/limbo.h"
#include "alloc.h"
#include "reclaim.h"

static void node_rcu(struct rcu_head *head)
{
	struct blink_node *node = container_of(head, struct blink_node, rcu);
	struct blink_tree *tree = node->tree;
	bool leaf = !node->level;

	/* I9: the lock of a dead leaf is not passed on. */
	WARN_ON_ONCE(arch_spin_is_locked(&node->lock.raw));
	blink_node_free(tree, node, leaf);
	blink_limbo_add(tree, -(s64)blink_node_cost(tree, leaf));
	/* The last access: the owner may have given the tree up. */
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
	/* Walks that came too late still look at @unposted, for a hint. */
	WRITE_ONCE(node->tree, tree);
	/* A lazy callback could wait for ten seconds. */
	call_rcu_hurry(&node->rcu, node_rcu);
}
