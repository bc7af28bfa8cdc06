// SPDX-License-Identifier: GPL-2.0
/*
 * Leaves with copies (copies.h): how the copies follow the primary.
 *
 * All of this is called under the primary's lock, or before the leaf is published.
 */
#include "copies.h"
#include "node.h"

#define for_each_copy(copy, primary)                                    \
	for ((copy) = blink_member(primary)->next; (copy) != (primary); \
	     (copy) = blink_member(copy)->next)

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
static void copy_refresh(struct blink_node *copy, struct blink_node *primary,
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
		copy_refresh(copy, primary, 0);
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
		copy_refresh(copy, primary, from);
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
