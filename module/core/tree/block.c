// SPDX-License-Identifier: GPL-2.0
/*
 * Blocks (block.h): allocating, charging and freeing them.
 *
 * A block is charged with the memory that it takes, which is more than its size: kmalloc()
 * rounds up to one of its sizes. Above a page this would be twice as much for a value of a
 * page, so such blocks have a cache of their own.
 */
#include <linux/align.h>
#include <linux/bug.h>
#include <linux/err.h>
#include <linux/init.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "block.h"
#include "charge.h"
#include "limbo.h"
#include "tree.h"

/* Larger blocks come from the cache. */
#define LARGE 4096

static struct kmem_cache *large_cache;

/**
 * blink_block_caches_create() - create the slab cache of blocks
 *
 * Context: process.
 * Return: 0 or -ENOMEM.
 */
int __init blink_block_caches_create(void)
{
	/* Callers may copy values to user space. */
	large_cache = kmem_cache_create_usercopy(
		"blink_block", BLINK_BLOCK_MAX, 0, 0, 0, BLINK_BLOCK_MAX, NULL);
	return large_cache ? 0 : -ENOMEM;
}

/**
 * blink_block_caches_destroy() - destroy the slab cache
 *
 * Context: process; every block has been freed.
 */
void blink_block_caches_destroy(void)
{
	kmem_cache_destroy(large_cache);
}

/* The memory that a block of this size takes. */
static long block_takes(long bytes)
{
	return bytes > LARGE ? BLINK_BLOCK_MAX : kmalloc_size_roundup(bytes);
}

static void block_count(struct blink_tree *tree, long bytes)
{
	this_cpu_add(tree->counters->bytes, bytes);
	this_cpu_add(tree->counters->block_bytes, bytes);
}

/**
 * blink_block_alloc() - allocate a block
 * @tree: its tree
 * @bytes: its size
 * @gfp: how to allocate
 *
 * While limbo is full, it fails or waits (blink_limbo_admits()).
 *
 * Context: no node lock held; as @gfp allows.
 * Return: the memory; ERR_PTR(-ENOMEM), or ERR_PTR() of the error of
 * blink_limbo_admits() or blink_charge_leaf().
 */
void *blink_block_alloc(struct blink_tree *tree, long bytes, gfp_t gfp)
{
	const long takes = block_takes(bytes);
	void *memory;
	int err;

	if (WARN_ON_ONCE(bytes > (long)BLINK_BLOCK_MAX))
		return ERR_PTR(-ENOMEM);
	err = blink_limbo_admits(tree, gfp);
	if (likely(!err))
		err = blink_charge_leaf(tree, takes, gfp);
	if (unlikely(err))
		return ERR_PTR(err);
	if (unlikely(bytes > LARGE))
		memory = kmem_cache_alloc(large_cache, gfp);
	else
		memory = kmalloc(bytes, gfp);
	if (unlikely(!memory)) {
		blink_uncharge(tree, takes);
		return ERR_PTR(-ENOMEM);
	}
	block_count(tree, takes);
	return memory;
}

/**
 * blink_block_free() - free a block that no other CPU can reach
 * @tree: its tree
 * @memory: the block
 * @bytes: its size
 *
 * Context: any but NMI.
 */
void blink_block_free(struct blink_tree *tree, void *memory, long bytes)
{
	const long takes = block_takes(bytes);

	block_count(tree, -takes);
	if (unlikely(bytes > LARGE))
		kmem_cache_free(large_cache, memory);
	else
		kfree(memory);
	blink_uncharge(tree, takes);
}

/**
 * blink_block_retire() - free a block after a grace period
 * @tree: its tree, which stays until then
 * @block: the begin of the block, or another place in it that no reader needs
 * @bytes: the size of the block
 * @end: is called after the grace period, and calls blink_block_end()
 *
 * Context: any but NMI.
 */
void blink_block_retire(struct blink_tree *tree, struct blink_block *block,
			long bytes, void (*end)(struct rcu_head *rcu))
{
	percpu_ref_get(&tree->ref);
	blink_limbo_add(tree, block_takes(bytes));
	block->tree = tree;
	/* A lazy callback could keep the block for ten seconds. */
	call_rcu_hurry(&block->rcu, end);
}

/**
 * blink_block_end() - free a block whose grace period has ended
 * @tree: its tree
 * @memory: the block
 * @bytes: its size
 *
 * Context: the callback of blink_block_retire().
 */
void blink_block_end(struct blink_tree *tree, void *memory, long bytes)
{
	blink_block_free(tree, memory, bytes);
	blink_limbo_add(tree, -block_takes(bytes));
	/* The last access to the tree, which its owner may have destroyed. */
	percpu_ref_put(&tree->ref);
}
