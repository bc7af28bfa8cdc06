// SPDX-License-Identifier: GPL-2.0
/*
 * Leaves with copies (copies.h): keeping the copies equal to the primary.
 *
 * All functions are called under the lock of the primary, or before the leaf is
 * published.
 */
#include "copies.h"
#include "pack.h"

#define for_each_copy(copy, primary)                                    \
	for ((copy) = blink_member(primary)->next; (copy) != (primary); \
	     (copy) = blink_member(copy)->next)

/**
 * blink_copies_init() - initialise the copies of a leaf after its primary
 * @primary: the primary of a new leaf, after blink_node_init()
 *
 * Context: no other CPU can reach the leaf.
 */
void blink_copies_init(struct blink_node *primary)
{
	struct blink_node *copy;

	primary->flags |= BLINK_NODE_COPIED;
	for_each_copy(copy, primary) {
		copy->seq = 0;
		copy->level = 0;
		copy->gated = false;
		copy->form = 0;
		copy->unposted = 0;
		blink_keys_unuse(copy, 0, BLINK_LEAF_SLOTS);
		blink_values_unuse(copy, 0, BLINK_LEAF_SLOTS);
	}
	blink_copies_set_right(primary, NULL);
	blink_copies_fill(primary);
}

/* Copy the entries from @from on, while the forms of both are 0. */
static void copy_entries(struct blink_node *copy, struct blink_node *primary,
			 unsigned int from)
{
	const u64 *value = blink_node_values(primary);
	u64 *to = blink_node_values(copy);
	unsigned int i;

	for (i = from; i < primary->count; i++) {
		blink_slot_store(&copy->slot[i], primary->slot[i]);
		WRITE_ONCE(to[i], value[i]);
	}
	for (; i < BLINK_LEAF_SLOTS && copy->slot[i] != BLINK_SLOT_UNUSED; i++)
		blink_slot_store(&copy->slot[i], BLINK_SLOT_UNUSED);
	blink_values_unuse(copy, primary->count, BLINK_LEAF_SLOTS);
}

/* Copy all slots, whatever the forms are. */
static void copy_all(struct blink_node *copy, struct blink_node *primary)
{
	const u64 *value = blink_values(primary, true);
	u64 *to = blink_values(copy, true);
	unsigned int i;

	for (i = 0; i < BLINK_LEAF_SLOTS; i++) {
		blink_slot_store(&copy->slot[i], primary->slot[i]);
		WRITE_ONCE(to[i], value[i]);
	}
}

/*
 * Make a copy equal to the primary, one word at a time: readers can read it
 * meanwhile.
 */
static void copy_refresh(struct blink_node *copy, struct blink_node *primary,
			 unsigned int from)
{
	if (unlikely(blink_leaf_form_locked(copy) ||
		     blink_leaf_form_locked(primary)))
		copy_all(copy, primary);
	else
		copy_entries(copy, primary, from);
	WRITE_ONCE(copy->form, primary->form);
	WRITE_ONCE(copy->count, primary->count);
	WRITE_ONCE(copy->shift, primary->shift);
	WRITE_ONCE(copy->sign[0], primary->sign[0]);
	WRITE_ONCE(copy->sign[1], primary->sign[1]);
	WRITE_ONCE(copy->flags, primary->flags);
	blink_bound_store(&copy->high, primary->high);
}

/**
 * blink_copies_fill() - make the copies of a new leaf equal to the primary
 * @primary: its primary; right links do not change
 *
 * Context: no other CPU can reach the leaf.
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
 * blink_copies_begin() - make the sequences of all copies odd
 * @primary: the primary, which the caller is about to change
 *
 * Context: its lock held.
 */
void blink_copies_begin(struct blink_node *primary)
{
	struct blink_node *copy;

	for_each_copy(copy, primary)
		WRITE_ONCE(copy->seq, copy->seq + 1);
	/*
	 * All copies are odd before the primary changes. Pairs with the acquire
	 * in blink_read_begin() and blink_read_try(): a reader that has seen the
	 * change, or was told of it by another CPU, finds every copy odd.
	 */
	smp_mb();
}

/**
 * blink_copies_end() - make the copies equal to the primary, and their
 *	sequences even
 * @primary: the primary, which has changed
 * @from: position of the first entry that changed
 *
 * Context: its lock held.
 */
void blink_copies_end(struct blink_node *primary, unsigned int from)
{
	struct blink_node *copy;

	for_each_copy(copy, primary) {
		copy_refresh(copy, primary, from);
		/*
		 * Pairs with the acquire in blink_read_begin() and
		 * blink_read_try(): a reader that loads this sequence sees the
		 * copy as the primary is.
		 */
		smp_store_release(&copy->seq, copy->seq + 1);
	}
}

/**
 * blink_copies_set_value() - overwrite a value in all members
 * @primary: the primary
 * @i: position of the entry
 * @value: its new value
 *
 * The sequence of the primary does not change, since a reader finds either
 * value. The sequences of the copies are odd until they have the new value.
 *
 * Context: its lock held.
 */
void blink_copies_set_value(struct blink_node *primary, unsigned int i,
			    u64 value)
{
	struct blink_node *copy;

	blink_copies_begin(primary);
	blink_value_store(primary, i, value);
	for_each_copy(copy, primary) {
		blink_value_store(copy, i, value);
		/*
		 * Pairs with the acquire in blink_read_begin() and
		 * blink_read_try(): a reader that loads this sequence sees the
		 * new value.
		 */
		smp_store_release(&copy->seq, copy->seq + 1);
	}
}

/**
 * blink_copies_set_right() - set the right links of all members
 * @primary: the primary
 * @right: any member of its new right neighbour, or NULL
 *
 * Context: between blink_copies_begin() and blink_copies_end(), or before the
 * leaf is published. @right is complete.
 */
void blink_copies_set_right(struct blink_node *primary,
			    struct blink_node *right)
{
	struct blink_node *node = primary;

	right = blink_leaf_member(right, blink_member(primary)->id);
	do {
		/*
		 * A release, which pairs with the rcu_dereference() of a search
		 * that follows the link: the search finds a complete leaf.
		 */
		rcu_assign_pointer(node->right, right);
		node = blink_member(node)->next;
		if (right)
			right = blink_member(right)->next;
	} while (node != primary);
}

/**
 * blink_copies_unuse() - clear values that the primary does not have any more
 * @primary: the primary, which has lost entries
 * @pos: position of the first of these in the copies
 * @n: how many
 *
 * The caller is about to free what the values lead to, before blink_copies_end(). A reader
 * that finds a copy odd may follow an address there, before it knows that it is not valid.
 *
 * Context: after blink_copies_begin().
 */
void blink_copies_unuse(struct blink_node *primary, unsigned int pos,
			unsigned int n)
{
	struct blink_node *copy;

	for_each_copy(copy, primary)
		blink_values_unuse(copy, pos, pos + n);
}
