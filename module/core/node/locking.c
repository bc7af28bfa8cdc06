// SPDX-License-Identifier: GPL-2.0
/* Unlocking a leaf that was locked through a gate (locking.h). */
#include "locking.h"

/**
 * blink_node_unlock_gated() - unlock a leaf that was locked through a gate
 * @tree: its tree
 * @node: the leaf
 *
 * Context: its lock held.
 */
void blink_node_unlock_gated(struct blink_tree *tree, struct blink_node *node)
{
	bool live = !blink_node_dead(node);

	node->gated = false;
	switch (blink_cohort_unlock(tree->gates, &node->lock, live)) {
	case BLINK_COHORT_PASSED:
		blink_stat_inc(tree, gate_passes);
		break;
	case BLINK_COHORT_RELEASED:
		blink_stat_inc(tree, gate_releases);
		break;
	case BLINK_COHORT_BOUNDED:
		blink_stat_inc(tree, gate_bounds);
		break;
	}
}
