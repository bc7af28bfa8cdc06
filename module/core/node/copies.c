// SPDX-License-Identifier: GPL-2.0
/*
 * Leaves with copies (copies.h): their memory, and how the copies follow the
 * primary.
 *
 * All but the allocation is called under the primary's lock, or while nobody
 * else knows the leaf.
 */
#include <linux/errno.h>
#include <linux/slab.h>

#include "../tree/tree.h"
#include "copies.h"

#define for_each_copy(copy, primary)                                    \
	for ((copy) = blink_member(primary)->next; (copy) != (primary); \
	     (copy) = blink_member(copy)->next)

static struct kmem_cache *member_cache;

/**
 * blink_copies_cache_create() - create the slab cache of members
 *
 * Context: process.
 * Return: 0 or -ENOMEM.
 */
int blink_copies_cache_create(void)
{
	member_cache = kmem_cache_create("blink_leaf_copy", BLINK_MEMBER_BYTES,
					 L1_CACHE_BYTES, 0, NULL);
	return member_cache ? 0 : -ENOMEM;
}

/**
 * blink_copies_cache_destroy() - destroy the slab cache of members
 *
 * Context: process; every leaf was freed.
 */
void blink_copies_cache_destroy(void)
{
	kmem_cache_destroy(member_cache);
}

/**
 * blink_copies_alloc() - allocate a leaf with copies
 * @tree: its tree
 * @gfp: how
 *
 * The primary is the member of the index of here.
 *
 * Context: no node lock held; what @gfp allows.
 * Return: the primary, uninitialised but for the ring, or NULL.
 */
struct blink_node *blink_copies_alloc(struct blink_tree *tree, gfp_t gfp)
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
		/* A ring at any time, so that it can be freed. */
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
		blink_copies_free(first);
	return NULL;
}

/**
 * blink_copies_free() - free all members of a leaf
 * @leaf: any of them
 *
 * Context: any but under a node lock; nobody can reach the leaf.
 */
void blink_copies_free(struct blink_node *leaf)
{
	struct blink_node *node = leaf, *next;

	do {
		next = blink_member(node)->next;
		kmem_cache_free(member_cache, node);
		node = next;
	} while (node != leaf);
}

/**
 * blink_copies_init() - make the copies what blink_node_init() made the primary
 * @primary: the primary of a new leaf
 *
 * Context: nobody else knows the leaf.
 */
void blink_copies_init(struct blink_node *primary)
{
	struct blink_node *copy;

	primary->flags |= BLINK_NODE_COPIED;
	for_each_copy(copy, primary) {
		copy->seq = 0;
		copy->level = 0;
		copy->gated = false;
		copy->unposted = 0;
		blink_keys_unuse(copy, 0, BLINK_LEAF_SLOTS);
	}
	blink_copies_set_right(primary, NULL);
	blink_copies_fill(primary);
}

/* Readers look on: one word at a time. */
static void refresh(struct blink_node *copy, struct blink_node *primary,
		    unsigned int from)
{
	const u64 *value = blink_node_values(primary);
	u64 *to = blink_node_values(copy);
	unsigned int i;

	for (i = from; i < primary->count; i++) {
		WRITE_ONCE(copy->slot[i], primary->slot[i]);
		WRITE_ONCE(to[i], value[i]);
	}
	for (; i < BLINK_LEAF_SLOTS && copy->slot[i] != BLINK_KEY_UNUSED; i++)
		WRITE_ONCE(copy->slot[i], BLINK_KEY_UNUSED);
	WRITE_ONCE(copy->count, primary->count);
	WRITE_ONCE(copy->flags, primary->flags);
	WRITE_ONCE(copy->high, primary->high);
}

/**
 * blink_copies_fill() - make the copies of a new leaf equal to the primary
 * @primary: its primary; right links are left alone
 *
 * Context: nobody else knows the leaf.
 */
void blink_copies_fill(struct blink_node *primary)
{
	struct blink_node *copy;

	for_each_copy(copy, primary) {
		copy->low = primary->low;
		refresh(copy, primary, 0);
	}
}

/**
 * blink_copies_begin() - let nobody read the copies
 * @primary: the primary, about to be changed
 *
 * Context: its lock held.
 */
void blink_copies_begin(struct blink_node *primary)
{
	struct blink_node *copy;

	for_each_copy(copy, primary)
		WRITE_ONCE(copy->seq, copy->seq + 1);
	/*
	 * All copies are odd before the primary changes: who has seen the
	 * change, or hears of it from who has, finds them odd. Pairs with the
	 * acquire in blink_read_begin().
	 */
	smp_mb();
}

/**
 * blink_copies_end() - make the copies equal to the primary, and readable
 * @primary: the primary, changed
 * @from: position of the first entry that is not what it was
 *
 * Context: its lock held.
 */
void blink_copies_end(struct blink_node *primary, unsigned int from)
{
	struct blink_node *copy;

	for_each_copy(copy, primary) {
		refresh(copy, primary, from);
		/* Pairs with the acquire in blink_read_begin(). */
		smp_store_release(&copy->seq, copy->seq + 1);
	}
}

/**
 * blink_copies_set_value() - overwrite a value in all members
 * @primary: the primary
 * @i: position of the entry
 * @value: its new value
 *
 * The primary's own sequence is not disturbed, nor need it be: a reader finds the
 * one value or the other. Those of the copies say that there is a newer one.
 *
 * Context: its lock held.
 */
void blink_copies_set_value(struct blink_node *primary, unsigned int i,
			    u64 value)
{
	struct blink_node *copy;

	blink_copies_begin(primary);
	/* Pairs with the dependency of who follows the pointer that it is. */
	smp_store_release(&blink_node_values(primary)[i], value);
	for_each_copy(copy, primary) {
		/* As above. */
		smp_store_release(&blink_node_values(copy)[i], value);
		/* Pairs with the acquire in blink_read_begin(). */
		smp_store_release(&copy->seq, copy->seq + 1);
	}
}

/**
 * blink_copies_set_right() - set the right links of all members
 * @primary: the primary
 * @right: any member of its new right neighbour, or NULL
 *
 * Context: between blink_copies_begin() and blink_copies_end(), or nobody else
 * knows the leaf. @right is complete.
 */
void blink_copies_set_right(struct blink_node *primary,
			    struct blink_node *right)
{
	struct blink_node *node = primary;

	right = blink_leaf_member(right, blink_member(primary)->id);
	do {
		/* Pairs with rcu_dereference() of whoever goes right. */
		rcu_assign_pointer(node->right, right);
		node = blink_member(node)->next;
		if (right)
			right = blink_member(right)->next;
	} while (node != primary);
}
