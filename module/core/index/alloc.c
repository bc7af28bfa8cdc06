// SPDX-License-Identifier: GPL-2.0
/*
 * The memory of nodes: allocating it on a NUMA node, charging it, and freeing
 * it.
 */
#include <linux/blink_tree_value.h>
#include <linux/errno.h>
#include <linux/prefetch.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "../node/entries.h"
#include "../node/layout.h"
#include "../tree/charge.h"
#include "../tree/limbo.h"
#include "../tree/topology.h"
#include "alloc.h"

static struct kmem_cache *leaf_cache;
static struct kmem_cache *inner_cache;
/* Members of leaves with copies. */
static struct kmem_cache *member_cache;

/**
 * blink_node_caches_create() - create the slab caches of leaves and inner nodes
 *
 * Context: process.
 * Return: 0 or -ENOMEM.
 */
int blink_node_caches_create(void)
{
	leaf_cache = kmem_cache_create("blink_leaf" BLINK_KIND_SUFFIX,
				       BLINK_LEAF_BYTES, L1_CACHE_BYTES, 0,
				       NULL);
	if (!leaf_cache)
		return -ENOMEM;
	inner_cache = kmem_cache_create("blink_inner" BLINK_KIND_SUFFIX,
					BLINK_INNER_BYTES, L1_CACHE_BYTES, 0,
					NULL);
	if (!inner_cache)
		goto destroy_leaf_cache;
	member_cache = kmem_cache_create("blink_leaf_copy" BLINK_KIND_SUFFIX,
					 BLINK_MEMBER_BYTES, L1_CACHE_BYTES, 0,
					 NULL);
	if (!member_cache)
		goto destroy_inner_cache;
	return 0;

destroy_inner_cache:
	kmem_cache_destroy(inner_cache);
destroy_leaf_cache:
	kmem_cache_destroy(leaf_cache);
	return -ENOMEM;
}

/**
 * blink_node_caches_destroy() - destroy the slab caches
 *
 * Context: process; every node has been freed.
 */
void blink_node_caches_destroy(void)
{
	kmem_cache_destroy(member_cache);
	kmem_cache_destroy(inner_cache);
	kmem_cache_destroy(leaf_cache);
}

/**
 * blink_inner_alloc() - allocate an inner node for a tree
 * @tree: the tree it is accounted to
 * @nid: the preferred NUMA node
 * @gfp: how
 *
 * Context: no node lock held; as @gfp allows.
 * Return: the node, initialised by blink_node_init() for level 1, or NULL.
 */
struct blink_node *blink_inner_alloc(struct blink_tree *tree, int nid,
				     gfp_t gfp)
{
	struct blink_node *node;

	node = kmem_cache_alloc_node(inner_cache, gfp, nid);
	if (!node)
		return NULL;
	blink_charge_inner(tree, BLINK_INNER_BYTES);
	this_cpu_add(tree->counters->bytes, BLINK_INNER_BYTES);
	blink_node_init(tree, node, 1);
	return node;
}

/**
 * blink_leaf_nid() - the NUMA node for the memory of a new leaf
 * @tree: its tree
 *
 * Context: any.
 * Return: the local home; with BLINK_TREE_PLACE_INTERLEAVE the next node in
 * turn on this CPU.
 */
int blink_leaf_nid(struct blink_tree *tree)
{
	int nid;

	if (tree->placement == BLINK_TREE_PLACE_LOCAL)
		return blink_topology_local();
	nid = blink_topology_next(this_cpu_read(tree->counters->turn));
	this_cpu_write(tree->counters->turn, nid);
	return nid;
}

/* Free all members of a leaf. @leaf is one of them. */
static void copies_free(struct blink_node *leaf)
{
	struct blink_node *node = leaf, *next;

	do {
		next = blink_member(node)->next;
		kmem_cache_free(member_cache, node);
		node = next;
	} while (node != leaf);
}

/*
 * Allocate a leaf with copies. The primary is the member of the local index.
 * Returns the primary, in which only the ring is initialised, or NULL.
 */
static struct blink_node *copies_alloc(struct blink_tree *tree, gfp_t gfp)
{
	struct blink_node *first = NULL, *last = NULL, *primary = NULL, *node;
	struct blink_index *idx, *own = blink_tree_index(tree);

	for_each_blink_index(idx, tree) {
		node = kmem_cache_alloc_node(member_cache, gfp, idx->nid);
		if (!node)
			goto err;
		blink_member(node)->id = idx->id;
		if (idx == own)
			primary = node;
		if (last)
			blink_member(last)->next = node;
		else
			first = node;
		last = node;
		/*
		 * The members form a ring at any time, so copies_free() can
		 * free them.
		 */
		blink_member(last)->next = first;
	}
	node = first;
	do {
		blink_member(node)->primary = primary;
		node = blink_member(node)->next;
	} while (node != first);
	return primary;

err:
	if (first)
		copies_free(first);
	return NULL;
}

/**
 * blink_leaf_get() - allocate a spare leaf, with copies if the tree's leaves
 *	have any
 * @tree: the tree
 * @spare: the spare leaf; if it is NULL, set to a leaf that blink_node_init()
 *	initialised
 * @gfp: how
 *
 * While limbo is full, it fails or waits (blink_limbo_admits()).
 *
 * Context: no node lock held; as @gfp allows.
 * Return: 0 and *@spare is set; -ENOMEM; or the error of blink_limbo_admits() or
 * blink_charge_leaf().
 */
int blink_leaf_get(struct blink_tree *tree, struct blink_node **spare,
		   gfp_t gfp)
{
	long bytes = blink_node_cost(tree, true);
	int err;

	if (*spare)
		return 0;
	err = blink_limbo_admits(tree, gfp);
	if (likely(!err))
		err = blink_charge_leaf(tree, bytes, gfp);
	if (unlikely(err))
		return err;
	if (tree->copied)
		*spare = copies_alloc(tree, gfp);
	else
		*spare = kmem_cache_alloc_node(leaf_cache, gfp,
					       blink_leaf_nid(tree));
	if (!*spare) {
		blink_uncharge(tree, bytes);
		return -ENOMEM;
	}
	this_cpu_add(tree->counters->bytes, bytes);
	/*
	 * Initialise the leaf here and not under the locks of a split, because
	 * its cache lines come from memory.
	 */
	blink_node_init(tree, *spare, 0);
	return 0;
}

/* Free the memory of a node that no other CPU can reach, and that has no low key. */
static void node_free(struct blink_tree *tree, struct blink_node *node,
		      bool leaf)
{
	long bytes = blink_node_cost(tree, leaf);

	this_cpu_sub(tree->counters->bytes, bytes);
	if (leaf && tree->copied)
		copies_free(node);
	else
		kmem_cache_free(leaf ? leaf_cache : inner_cache, node);
	blink_uncharge(tree, bytes);
}

/**
 * blink_node_free() - free a node that no other CPU can reach
 * @tree: the tree it is accounted to
 * @node: the node or NULL; a leaf is freed with all its copies
 * @leaf: whether it was allocated as a leaf
 *
 * Context: any, no node lock held.
 */
void blink_node_free(struct blink_tree *tree, struct blink_node *node,
		     bool leaf)
{
	if (!node)
		return;
	/* Readers can still use its low key, which a leaf may have as an entry. */
	blink_bound_put(tree, node->low);
	node_free(tree, node, leaf);
}

/* Free the entries of a leaf that no other CPU can reach. */
static void leaf_empty(struct blink_tree *tree, const struct blink_node *leaf)
{
	unsigned int i;

	if (tree->flags & BLINK_TREE_BYTE_VALUES)
		for (i = 0; i < leaf->count; i++)
			blink_value_free(tree, blink_slot_value(leaf, i));
	blink_leaf_empty(tree, leaf);
}

/**
 * blink_level_free() - free the nodes of a level, and their keys at once
 * @tree: the tree, which is being destroyed, so that no index has readers
 * @node: the first of them; no other CPU can reach any of them
 *
 * A writer of another tree can hold the lock of a leaf, because it inherited
 * the lock at a gate that the two trees share (I9). Such a lock is waited for.
 *
 * Context: process; reschedules.
 */
void blink_level_free(struct blink_tree *tree, struct blink_node *node)
{
	struct blink_node *next;
	bool leaf = !node->level;

	for (; node; node = next) {
		next = rcu_dereference_protected(
			node->right, !percpu_ref_is_dying(&tree->ref));
		/* Load the next node while this one is freed. */
		prefetch(next);
		if (leaf && tree->gates)
			blink_lock_drain(&blink_node_primary(node)->lock);
		if (leaf)
			leaf_empty(tree, node);
		blink_bound_drop(tree, node->low);
		node_free(tree, node, leaf);
		cond_resched();
	}
}
