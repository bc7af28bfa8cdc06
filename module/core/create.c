// SPDX-License-Identifier: GPL-2.0
/* Creation and destruction of trees, and their limits. */
#include <linux/bug.h>
#include <linux/err.h>
#include <linux/export.h>
#include <linux/init.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/topology.h>

#include "../lock/cohort.h"
#include "core.h"
#include "kind/kind.h"
#include "tree/block.h"
#include "tree/limbo.h"
#include "tree/limit.h"
#include "tree/topology.h"

#define BLINK_TREE_FLAGS \
	(BLINK_TREE_IRQSAFE | BLINK_TREE_COMPRESS | BLINK_TREE_BYTE_VALUES)

/* The functions of each layout. */
static const struct blink_kind *const kinds[BLINK_LAYOUT_NR] = {
	[BLINK_LAYOUT_U64] = &blink_kind_u64,
	[BLINK_LAYOUT_U128] = &blink_kind_u128,
	[BLINK_LAYOUT_BYTES] = &blink_kind_bytes,
};

/* The layout of each kind of keys. */
static const u8 key_layout[] = {
	[BLINK_TREE_KEY_U64] = BLINK_LAYOUT_U64,
	[BLINK_TREE_KEY_U128] = BLINK_LAYOUT_U128,
	[BLINK_TREE_KEY_MULTI] = BLINK_LAYOUT_U128,
	[BLINK_TREE_KEY_BYTES] = BLINK_LAYOUT_BYTES,
};

/* Whether the flags can be combined with each other, and with the kind of keys. */
static bool flags_fit(u32 flags, enum blink_tree_key key)
{
	if (flags & BLINK_TREE_COMPRESS)
		return key == BLINK_TREE_KEY_U64 &&
		       !(flags & BLINK_TREE_BYTE_VALUES);
	return !(flags & BLINK_TREE_BYTE_VALUES) || key != BLINK_TREE_KEY_MULTI;
}

static bool params_known(const struct blink_tree_params *params)
{
	return !(params->flags & ~BLINK_TREE_FLAGS) &&
	       params->replication <= BLINK_TREE_REPLICATE_FULL &&
	       params->locking <= BLINK_TREE_LOCKING_COHORT &&
	       params->placement <= BLINK_TREE_PLACE_INTERLEAVE &&
	       params->key <= BLINK_TREE_KEY_BYTES &&
	       flags_fit(params->flags, params->key) &&
	       (!params->release ||
		(params->key == BLINK_TREE_KEY_BYTES &&
		 !(params->flags & BLINK_TREE_BYTE_VALUES)));
}

/*
 * Choose the NUMA nodes of the indexes. A single index is placed on the NUMA
 * node of its creator.
 */
static unsigned int choose_homes(const struct blink_tree_params *params,
				 int *nids)
{
	if (params->replication != BLINK_TREE_REPLICATE_NONE)
		return blink_topology_homes(nids, BLINK_INDEX_MAX);
	nids[0] = blink_topology_local();
	return 1;
}

static struct blink_tree *tree_alloc(const int *nids, unsigned int nr,
				     gfp_t gfp)
{
	struct blink_tree *tree;
	size_t size = struct_size(tree, index, nr);
	unsigned int i;

	tree = kzalloc(size + nr_node_ids, gfp);
	if (!tree)
		return NULL;
	tree->nr_indexes = nr;
	tree->home = (u8 *)tree + size;
	for (i = 0; i < nr_node_ids; i++)
		tree->home[i] = blink_topology_nearest(i, nids, nr);
	for (i = 0; i < nr; i++) {
		tree->index[i].id = i;
		tree->index[i].nid = nids[i];
	}
	return tree;
}

static void tree_init(struct blink_tree *tree,
		      const struct blink_tree_params *params)
{
	tree->limbo_batch = min_t(long, BLINK_LIMBO_BATCH,
				  BLINK_LIMBO_SLACK / num_possible_cpus());
	tree->flags = params->flags;
	tree->key = params->key;
	tree->layout = key_layout[params->key];
	tree->plain = tree->layout;
	if (params->flags & BLINK_TREE_BYTE_VALUES || params->release)
		tree->plain = BLINK_LAYOUT_NR;
	tree->release = params->release;
	tree->kind = kinds[tree->layout];
	tree->replication = params->replication;
	tree->placement = params->placement;
	tree->copied = params->replication == BLINK_TREE_REPLICATE_FULL &&
		       tree->nr_indexes > 1;
	tree->max_entries = params->max_entries;
	tree->counted = params->max_entries;
	if (params->locking == BLINK_TREE_LOCKING_COHORT)
		tree->gates =
			blink_gates_get(params->flags & BLINK_TREE_IRQSAFE);
	if (tree->counted)
		blink_limit_init(tree);
}

/*
 * The last reference was dropped: the owner has destroyed the tree, and no node
 * of it is in limbo.
 */
static void tree_release(struct percpu_ref *ref)
{
	struct blink_tree *tree = container_of(ref, struct blink_tree, ref);

	struct blink_budget *payer = tree->charge.own.parent;

	/* I9: the nodes in limbo, which held references, have been freed. */
	WARN_ON_ONCE(blink_tree_limbo(tree));
	blink_charge_exit(tree);
	percpu_ref_exit(&tree->ref);
	free_percpu(tree->counters);
	kfree(tree);
	if (payer && payer->put)
		payer->put(payer);
}

/**
 * blink_tree_create_for() - create an empty tree that is charged to a budget
 * @params: the parameters, or NULL for the defaults
 * @payer: the budget, or NULL; on success the tree takes over the caller's
 *	reference to it
 * @more: bytes that are charged in addition while the tree exists
 * @gfp: how to allocate
 *
 * Context: as @gfp allows.
 * Return: as blink_tree_create(), or the error of the budget whose limit is
 * reached.
 */
struct blink_tree *blink_tree_create_for(const struct blink_tree_params *params,
					 struct blink_budget *payer, long more,
					 gfp_t gfp)
{
	static const struct blink_tree_params defaults;
	int nids[BLINK_INDEX_MAX], err = -ENOMEM;
	struct blink_tree *tree;
	unsigned int nr;

	params = params ?: &defaults;
	if (!params_known(params))
		return ERR_PTR(-EINVAL);
	nr = choose_homes(params, nids);
	tree = tree_alloc(nids, nr, gfp);
	if (!tree)
		return ERR_PTR(-ENOMEM);
	tree->counters = alloc_percpu_gfp(struct blink_counters, gfp);
	if (!tree->counters)
		goto free_tree;
	if (percpu_ref_init(&tree->ref, tree_release, 0, gfp))
		goto free_counters;
	tree_init(tree, params);
	err = blink_charge_init(tree, params->max_bytes, payer, more);
	if (err)
		goto free_ref;
	err = tree->kind->nodes_init(tree, gfp);
	if (err)
		goto uncharge;
	return tree;

uncharge:
	blink_charge_exit(tree);
free_ref:
	percpu_ref_exit(&tree->ref);
free_counters:
	free_percpu(tree->counters);
free_tree:
	kfree(tree);
	return ERR_PTR(err);
}

/**
 * blink_tree_create() - create an empty tree
 * @params: the parameters, or NULL for the defaults
 * @gfp: how to allocate
 *
 * On a machine with one NUMA node the tree has one index, whatever @params
 * says.
 *
 * Context: as @gfp allows.
 * Return: the tree; ERR_PTR(-EINVAL) for an unknown flag or value;
 * ERR_PTR(-ENOSPC) if max_bytes is too small for any tree; ERR_PTR(-ENOMEM).
 */
struct blink_tree *blink_tree_create(const struct blink_tree_params *params,
				     gfp_t gfp)
{
	return blink_tree_create_for(params, NULL, 0, gfp);
}
EXPORT_SYMBOL_GPL(blink_tree_create);

/**
 * blink_tree_destroy() - free a tree and its nodes
 * @tree: the tree, or NULL
 *
 * No operation on the tree may be running, and none may begin. If lookups run
 * in RCU read sections of the caller, the caller first makes the tree
 * unreachable and waits for a grace period. Objects that values point to belong
 * to the caller; values that are bytes are freed, and objects that are entries are
 * released.
 *
 * The rest of the tree's memory is freed a grace period after the function
 * returns. Objects that were removed before can be released up to two grace periods
 * after it returns: blink_tree_barrier() waits for them.
 *
 * Context: process, interrupts enabled. It can sleep until a burst of mending
 * (mender.h) ends, and does not wait for a grace period.
 */
void blink_tree_destroy(struct blink_tree *tree)
{
	if (!tree)
		return;
	/* I9: no operation is running. A rebuild is an operation, too. */
	WARN_ON_ONCE(atomic_read(&tree->rebuilding));
	tree->kind->nodes_free(tree);
	percpu_ref_kill(&tree->ref);
}
EXPORT_SYMBOL_GPL(blink_tree_destroy);

/**
 * blink_tree_barrier() - wait until what trees have given up is freed
 *
 * It waits for dead nodes, and for strings, values and objects that were removed before the
 * call. A tree that was destroyed before the call does not call its @release (struct
 * blink_tree_params) after it. A module that has such a function calls blink_tree_barrier()
 * after it has destroyed its trees, and before it is unloaded.
 *
 * Context: process, may sleep; no RCU read section, and no lock that a @release takes.
 */
void blink_tree_barrier(void)
{
	/* The callbacks of nodes drop strings, and can queue the callbacks of these. */
	rcu_barrier();
	rcu_barrier();
}
EXPORT_SYMBOL_GPL(blink_tree_barrier);

/**
 * blink_tree_key_kind() - the kind of a tree's keys
 * @tree: the tree
 *
 * Context: any.
 * Return: the kind that its creator chose.
 */
enum blink_tree_key blink_tree_key_kind(const struct blink_tree *tree)
{
	return tree->key;
}

/**
 * blink_tree_byte_values() - whether the values of a tree are bytes
 * @tree: the tree
 *
 * Context: any.
 * Return: true if they are; false if they are numbers.
 */
bool blink_tree_byte_values(const struct blink_tree *tree)
{
	return tree->flags & BLINK_TREE_BYTE_VALUES;
}

/**
 * blink_tree_counted() - whether max_entries of a tree can be set
 * @tree: the tree
 *
 * A tree that was created without a limit has not counted its entries.
 *
 * Context: any.
 * Return: true if it can be set.
 */
bool blink_tree_counted(const struct blink_tree *tree)
{
	return tree->counted;
}

/**
 * blink_tree_set_max_entries() - set the number of keys that a tree may hold
 * @tree: the tree, for which blink_tree_counted() is true
 * @max_entries: the limit, 0 for none; if the tree has more keys, it refuses
 *	new ones until enough were erased
 *
 * Context: a context that may modify the tree; no lock of the tree held.
 */
void blink_tree_set_max_entries(struct blink_tree *tree, u64 max_entries)
{
	blink_limit_set(tree, max_entries);
}

/**
 * blink_tree_set_max_bytes() - set the memory that the nodes of a tree may use
 * @tree: the tree, which has a payer
 * @max_bytes: the limit, 0 for none; if the nodes use more, leaves are refused
 *	until enough were freed
 *
 * Context: any.
 */
void blink_tree_set_max_bytes(struct blink_tree *tree, u64 max_bytes)
{
	blink_charge_limit(tree, max_bytes);
}

/* Destroy the slab caches of the first @nr layouts. */
static void caches_destroy(unsigned int nr)
{
	while (nr--)
		kinds[nr]->caches_destroy();
}

static int __init caches_create(void)
{
	unsigned int nr;
	int err;

	for (nr = 0; nr < BLINK_LAYOUT_NR; nr++) {
		err = kinds[nr]->caches_create();
		if (err) {
			caches_destroy(nr);
			return err;
		}
	}
	return 0;
}

/**
 * blink_core_init() - prepare for trees
 *
 * Context: process.
 * Return: 0 or -ENOMEM.
 */
int __init blink_core_init(void)
{
	int err;

	err = caches_create();
	if (err)
		return err;
	err = blink_block_caches_create();
	if (err)
		goto err_blocks;
	err = blink_gates_create();
	if (err)
		goto err_gates;
	err = blink_menders_create();
	if (err)
		goto err_menders;
	return 0;

err_menders:
	blink_gates_destroy();
err_gates:
	blink_block_caches_destroy();
err_blocks:
	caches_destroy(BLINK_LAYOUT_NR);
	return err;
}

/**
 * blink_core_exit() - wait for the RCU callbacks, and free what
 *	blink_core_init() created
 *
 * Context: process; no tree is left.
 */
void blink_core_exit(void)
{
	blink_menders_destroy();
	blink_tree_barrier();
	blink_gates_destroy();
	blink_block_caches_destroy();
	caches_destroy(BLINK_LAYOUT_NR);
}
