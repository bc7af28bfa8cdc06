// SPDX-License-Identifier: GPL-2.0
/*
 * Functions for trees with keys of any kind, which call those of the tree's layout; and
 * the width of batches.
 */
#include <linux/errno.h>
#include <linux/export.h>

#include "inspect/hot.h"
#include "inspect/sample.h"
#include "inspect/visit.h"
#include "kind/kind.h"
#include "op/batch.h"
#include "tree/tree.h"

unsigned int blink_batch_width = BLINK_BATCH_WIDTH;

/**
 * blink_tree_height() - the number of levels of a tree
 * @tree: the tree
 *
 * Context: any in which rcu_read_lock() is allowed.
 * Return: the height of the highest index; 1 for a single leaf.
 */
unsigned int blink_tree_height(struct blink_tree *tree)
{
	return tree->kind->height(tree);
}
EXPORT_SYMBOL_GPL(blink_tree_height);

/**
 * blink_tree_levels() - the nodes of each level, by NUMA node
 * @tree: the tree
 * @levels: an array to fill, from the level of the root down
 * @nr: its length; one element for each level and NUMA node is sufficient
 *
 * It walks over the whole tree, unless a fatal signal arrives. A level and NUMA
 * node that does not fit into @levels is left out.
 *
 * Context: process; sleeps.
 * Return: the number of elements that were filled; 0 if memory ran out.
 */
unsigned int blink_tree_levels(struct blink_tree *tree,
			       struct blink_tree_level_stats *levels,
			       unsigned int nr)
{
	return tree->kind->levels(tree, levels, nr);
}
EXPORT_SYMBOL_GPL(blink_tree_levels);

/**
 * blink_tree_hot_leaves() - the leaves that have the most heat
 * @tree: the tree
 * @leaves: an array to fill, the hottest leaf first
 * @nr: its length
 *
 * It reads all leaves, as a search does. While other operations modify the tree, leaves
 * can be missed, or come twice.
 *
 * Context: process; sleeps.
 * Return: the number of elements that were filled; -ENOMEM; -EINTR if a fatal signal
 * arrived before the end.
 */
int blink_tree_hot_leaves(struct blink_tree *tree,
			  struct blink_tree_hot_leaf *leaves, unsigned int nr)
{
	return tree->kind->hot_leaves(tree, leaves, nr);
}

/**
 * blink_tree_verify() - check the invariants of a tree
 * @tree: the tree
 * @report: set to the counts and the first violation
 *
 * It may run at any time. struct blink_tree_ioc_verify describes the meaning of
 * the counts while the tree is being modified.
 *
 * Context: process; sleeps.
 * Return: 0; -EUCLEAN if an invariant is violated, and @report has the details;
 * -ENOMEM; -EINTR if a fatal signal arrived before the end.
 */
int blink_tree_verify(struct blink_tree *tree,
		      struct blink_tree_ioc_verify *report)
{
	return tree->kind->verify(tree, report);
}
EXPORT_SYMBOL_GPL(blink_tree_verify);

/**
 * blink_tree_rebuild() - build the index of a NUMA node again from the leaves
 * @tree: the tree, which may be in use
 * @nid: the NUMA node
 * @gfp: how to allocate; includes __GFP_DIRECT_RECLAIM
 *
 * A rebuild adds the entries that an index lacks because memory ran out, and
 * makes an index dense that many erases left sparse. Meanwhile its NUMA node
 * uses another index.
 *
 * Context: process; sleeps, for grace periods too.
 * Return: 0; -ENODEV if the NUMA node has no index of its own, or the tree has
 * only one; -EBUSY if an index of this tree is being rebuilt. If memory runs
 * out it is 0, too, and blink_tree_verify() counts the missing entries.
 */
int blink_tree_rebuild(struct blink_tree *tree, int nid, gfp_t gfp)
{
	return tree->kind->rebuild(tree, nid, gfp);
}
EXPORT_SYMBOL_GPL(blink_tree_rebuild);

/**
 * blink_tree_sample() - search a tree from this CPU, and count the nodes that
 *	are read
 * @tree: the tree, which may be in use
 * @sample: set to the counts
 *
 * The caller must stay on this CPU.
 *
 * Context: process; reschedules.
 */
void blink_tree_sample(struct blink_tree *tree, struct blink_sample *sample)
{
	tree->kind->sample(tree, sample);
}

/**
 * blink_tree_visit() - call a function for every node of a tree
 * @tree: the tree
 * @visit: the function, called with @data and a node's address, size and level
 *	within rcu_read_lock(): it may read the node, and must not sleep
 * @data: for @visit
 *
 * While other operations modify the tree, nodes can be missed or visited twice.
 *
 * Context: process; sleeps.
 * Return: 0; -ENOMEM; -EINTR if a fatal signal arrived before the end.
 */
int blink_tree_visit(struct blink_tree *tree, blink_visit_t visit, void *data)
{
	return tree->kind->visit(tree, visit, data);
}
EXPORT_SYMBOL_GPL(blink_tree_visit);

/**
 * blink_tree_visit_head() - call a function for the memory of a tree besides
 *	nodes
 * @tree: the tree
 * @visit: the function, called with @data, and address and size of the tree
 *	with its indexes
 * @data: for @visit
 *
 * Context: any.
 */
void blink_tree_visit_head(struct blink_tree *tree, blink_visit_t visit,
			   void *data)
{
	visit(data, tree, struct_size(tree, index, tree->nr_indexes), 0);
}
EXPORT_SYMBOL_GPL(blink_tree_visit_head);
