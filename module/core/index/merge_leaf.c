// SPDX-License-Identifier: GPL-2.0
/* Merging an underfull leaf with a neighbour, and telling the indexes. */
#include "merge_leaf.h"
#include "pair.h"
#include "tell.h"

/*
 * How often a merge retries because the queue is full although all indexes just
 * caught up.
 */
#define MERGE_TRIES 4

/*
 * The queue was full. Let the indexes catch up. Returns whether to try again;
 * the number of tries is bounded, because other CPUs can fill the queue again.
 */
static bool queue_make_room(struct blink_tree *tree, unsigned int *tries)
{
	if (++*tries > MERGE_TRIES) {
		blink_stat_inc(tree, merges_deferred);
		return false;
	}
	blink_tell_all(tree, 0);
	return true;
}

/*
 * Merge an underfull leaf with one of its neighbours. Returns the leaf that has
 * the keys of both, @leaf if the caller should try again, or NULL.
 */
static struct blink_node *merge_once(struct blink_tree *tree,
				     struct blink_node *leaf,
				     unsigned int *tries)
{
	struct blink_pair pair = {
		.tree = tree,
		.told = blink_tell_now(tree),
	};

	if (!blink_pair_lock(&pair, leaf))
		return NULL;
	if (!blink_tell_death_begin(tree)) {
		blink_pair_unlock(&pair);
		return queue_make_room(tree, tries) ? leaf : NULL;
	}
	blink_pair_merge(&pair);
	blink_tell_death(tree, pair.right);
	blink_pair_unlock(&pair);
	blink_tell_death_end(&pair);
	return pair.left;
}

/**
 * blink_merge_leaf() - merge an underfull leaf with its neighbours if they fit
 * @tree: the tree
 * @leaf: the leaf or NULL; it may be dead
 *
 * An empty leaf is always merged, with three exceptions: the first leaf; the
 * last leaf while its left neighbour is too full; and a leaf for whose death
 * the queue of records had no room in MERGE_TRIES attempts.
 *
 * Context: rcu_read_lock() held, no node lock held, never allocates.
 */
void blink_merge_leaf(struct blink_tree *tree, struct blink_node *leaf)
{
	unsigned int tries = 0;

	while (leaf && blink_node_underfull(leaf))
		leaf = merge_once(tree, leaf, &tries);
}
