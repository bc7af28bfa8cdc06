// SPDX-License-Identifier: GPL-2.0
/* A tree's life: creation, limits, destruction. */
#include <linux/err.h>
#include <linux/export.h>
#include <linux/init.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/topology.h>

#include "core.h"
#include "tree.h"

#define BLINK_TREE_FLAGS BLINK_TREE_IRQSAFE

static void tree_init(struct blink_tree *tree, struct blink_node *leaf,
		      const struct blink_tree_params *params)
{
	struct blink_index *idx;

	if (params) {
		tree->flags = params->flags;
		tree->max_entries = params->max_entries;
	}
	atomic64_set(&tree->entries, 0);
	atomic_long_set(&tree->limbo, 0);
	refcount_set(&tree->ref, 1);
	blink_node_init(tree, leaf, 0);
	for_each_blink_index(idx, tree) {
		idx->id = idx - tree->index;
		idx->nid = numa_mem_id();
		/* Published with the tree, by whoever hands that on. */
		RCU_INIT_POINTER(idx->root, leaf);
	}
}

/**
 * blink_tree_create() - create an empty tree
 * @params: what it is to be like, or NULL for the defaults
 * @gfp: how to allocate
 *
 * Context: what @gfp allows.
 * Return: the tree; ERR_PTR(-EINVAL) for an unknown flag; ERR_PTR(-ENOMEM).
 */
struct blink_tree *blink_tree_create(const struct blink_tree_params *params,
				     gfp_t gfp)
{
	const unsigned int nr_indexes = 1;
	struct blink_tree *tree;
	struct blink_node *leaf;

	if (params && params->flags & ~BLINK_TREE_FLAGS)
		return ERR_PTR(-EINVAL);
	tree = kzalloc(struct_size(tree, index, nr_indexes), gfp);
	if (!tree)
		return ERR_PTR(-ENOMEM);
	tree->nr_indexes = nr_indexes;
	tree->counters = alloc_percpu_gfp(struct blink_counters, gfp);
	if (!tree->counters)
		goto free_tree;
	leaf = blink_node_alloc(tree, true, numa_mem_id(), gfp);
	if (!leaf)
		goto free_counters;
	tree_init(tree, leaf, params);
	return tree;

free_counters:
	free_percpu(tree->counters);
free_tree:
	kfree(tree);
	return ERR_PTR(-ENOMEM);
}
EXPORT_SYMBOL_GPL(blink_tree_create);

/**
 * blink_tree_put() - drop a reference to the memory of a tree
 * @tree: the tree
 *
 * Context: any but NMI.
 */
void blink_tree_put(struct blink_tree *tree)
{
	if (!refcount_dec_and_test(&tree->ref))
		return;
	free_percpu(tree->counters);
	kfree(tree);
}

/* Free the nodes of a level, and go on for as long as that may take. */
static void free_level(struct blink_tree *tree, struct blink_node *node)
{
	struct blink_node *next;
	bool leaf = !node->level;

	for (; node; node = next) {
		next = rcu_dereference_protected(node->right,
						 refcount_read(&tree->ref) > 0);
		blink_node_free(tree, node, leaf);
		cond_resched();
	}
}

/**
 * blink_tree_destroy() - give back a tree and all that is in it
 * @tree: the tree, or NULL
 *
 * Nobody may use the tree any more: no operation is running, and none will
 * begin. Where lookups run in RCU read sections of callers, first make the
 * tree unreachable and wait for a grace period. What values point to is the
 * caller's.
 *
 * Context: process; sleeps, but not for a grace period.
 */
void blink_tree_destroy(struct blink_tree *tree)
{
	struct blink_node *node = NULL, *below;
	struct blink_index *idx;

	if (!tree)
		return;
	for_each_blink_index(idx, tree) {
		node = rcu_dereference_protected(idx->root,
						 refcount_read(&tree->ref) > 0);
		for (; node->level; node = below) {
			below = blink_inner_child(node, 0);
			free_level(tree, node);
		}
	}
	/* What each index ended with: the leftmost leaf. */
	free_level(tree, node);
	blink_tree_put(tree);
}
EXPORT_SYMBOL_GPL(blink_tree_destroy);

/**
 * blink_tree_reserve() - make room for an entry under the tree's limit
 * @tree: the tree
 *
 * Context: any; under the lock of the leaf where it will be added.
 * Return: false if the limit is reached.
 */
bool blink_tree_reserve(struct blink_tree *tree)
{
	return !tree->max_entries ||
	       atomic64_add_unless(&tree->entries, 1, tree->max_entries);
}

/**
 * blink_tree_unreserve() - an entry is gone
 * @tree: the tree
 *
 * Context: any.
 */
void blink_tree_unreserve(struct blink_tree *tree)
{
	if (tree->max_entries)
		atomic64_dec(&tree->entries);
}

/**
 * blink_core_init() - prepare for trees
 *
 * Context: process.
 * Return: 0 or -ENOMEM.
 */
int __init blink_core_init(void)
{
	return blink_node_caches_create();
}

/**
 * blink_core_exit() - wait for the last dead nodes, give everything back
 *
 * Context: process; no tree is left.
 */
void blink_core_exit(void)
{
	rcu_barrier();
	blink_node_caches_destroy();
}
