/* SPDX-License-Identifier: GPL-2.0 */
/* Locking nodes. Documentation/design/locking.rst has the order. */
#ifndef BLINK_CORE_LOCKING_H
#define BLINK_CORE_LOCKING_H

#include "../../lock/cohort.h"
#include "../tree/tree.h"
#include "../tree/writer.h"
#include "contention.h"
#include "node.h"

void blink_node_unlock_gated(struct blink_tree *tree, struct blink_node *node);

/*
 * Lock a node while the caller holds no other node of its level. The caller may
 * hold nodes of lower levels. With cohort locking, writers wait for leaves at a
 * gate; they seldom wait for other nodes.
 */
static __always_inline void blink_node_lock_first(struct blink_tree *tree,
						  struct blink_node *node)
{
	bool waited;

	if (tree->gates && !node->level) {
		waited = blink_cohort_lock(tree->gates, &node->lock);
		node->gated = waited;
	} else {
		waited = blink_lock_waited(&node->lock);
	}
	blink_heat_note(node, waited);
	if (unlikely(waited))
		blink_stat_inc(tree, lock_waits);
}

/* Unlock a node, whether it was locked at a gate or not. */
static __always_inline void blink_node_unlock(struct blink_tree *tree,
					      struct blink_node *node)
{
	if (unlikely(node->gated))
		blink_node_unlock_gated(tree, node);
	else
		blink_unlock(&node->lock);
}

#endif /* BLINK_CORE_LOCKING_H */
