// SPDX-License-Identifier: GPL-2.0
/* Blocks (block.h): allocating, charging and freeing them. */
#include <linux/err.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "block.h"
#include "charge.h"
#include "limbo.h"
#include "tree.h"

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
 * blink_charge_leaf().
 */
void *blink_block_alloc(struct blink_tree *tree, long bytes, gfp_t gfp)
{
	void *memory;
	int err;

	if (unlikely(!blink_limbo_admits(tree, gfp)))
		return ERR_PTR(-ENOMEM);
	err = blink_charge_leaf(tree, bytes, gfp);
	if (unlikely(err))
		return ERR_PTR(err);
	memory = kmalloc(bytes, gfp);
	if (unlikely(!memory)) {
		blink_uncharge(tree, bytes);
		return ERR_PTR(-ENOMEM);
	}
	block_count(tree, bytes);
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
	block_count(tree, -bytes);
	kfree(memory);
	blink_uncharge(tree, bytes);
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
	blink_limbo_add(tree, bytes);
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
	blink_limbo_add(tree, -bytes);
	/* The last access to the tree, which its owner may have destroyed. */
	percpu_ref_put(&tree->ref);
}
