/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: read and write sections
 *
 * *Reading* a node is a section between blink_read_begin() and
 * blink_read_retry(), repeated while the latter says so. What was read may be
 * used only after it said no; in particular no pointer is followed before.
 *
 * A reader that finds the sequence odd waits for the end of that write section. A
 * reader that has read a node BLINK_READ_TRIES times in vain, because writers
 * changed it each time, or that has waited too long, reads it under its lock.
 *
 * A writer changes what is in a node between blink_write_begin() and
 * blink_write_end(), under the node's lock. Readers that overlap such a section
 * read again.
 */
#ifndef BLINK_CORE_SECTION_H
#define BLINK_CORE_SECTION_H

#include "../tree/tree.h"
#include "copies.h"
#include "node.h"

/* How often a node is read in vain. */
#define BLINK_READ_TRIES 8

/*
 * How often an odd sequence is looked at in a row. A write section moves at most
 * the entries of one node, with interrupts on but preemption off: some hundred
 * stores, a microsecond if their lines are far away. A look takes 2 ns where
 * cpu_relax() does not pause (arm64), 50 ns where it does (x86), so that this is
 * 2 to 50 us: a section that lasts longer is that of a CPU which does not run, a
 * virtual one or one in an interrupt. The lock is the better place to wait for
 * that: paravirtual spinlocks yield. In an NMI it bounds what is lost where the
 * writer is what was interrupted.
 */
#define BLINK_READ_POLLS 1024

/**
 * struct blink_read - a read section
 * @seq: sequence of the node at its beginning
 * @fails: how often the node was read in vain
 * @locked: the node is locked instead
 * @flags: saved interrupt state then
 */
struct blink_read {
	u32 seq;
	u8 fails;
	bool locked;
	unsigned long flags;
};

bool blink_read_wait(struct blink_tree *tree, struct blink_node *node,
		     struct blink_read *read);
void blink_read_unlock(struct blink_tree *tree, struct blink_node *node,
		       struct blink_read *read);

/**
 * blink_read_begin() - begin to read a node
 * @tree: its tree
 * @node: the node
 * @read: zero when the node is met first
 *
 * Context: rcu_read_lock() held.
 * Return: false if it cannot be read here: a writer is at it, and this is a
 * context in which it cannot be waited for.
 */
static __always_inline bool blink_read_begin(struct blink_tree *tree,
					     struct blink_node *node,
					     struct blink_read *read)
{
	if (likely(read->fails < BLINK_READ_TRIES)) {
		/* Pairs with blink_write_end(). */
		read->seq = smp_load_acquire(&node->seq);
		if (likely(!(read->seq & 1)))
			return true;
	}
	return blink_read_wait(tree, node, read);
}

/**
 * blink_read_retry() - whether what was read since blink_read_begin() is void
 * @tree: the tree
 * @node: the node
 * @read: the section
 *
 * Context: as blink_read_begin().
 * Return: true if it has to be read again.
 */
static __always_inline bool blink_read_retry(struct blink_tree *tree,
					     struct blink_node *node,
					     struct blink_read *read)
{
	if (unlikely(read->locked)) {
		blink_read_unlock(tree, node, read);
		return false;
	}
	/* The content before the sequence. Pairs with blink_write_begin(). */
	smp_rmb();
	if (likely(READ_ONCE(node->seq) == read->seq))
		return false;
	read->fails++;
	blink_stat_inc(tree, read_retries);
	return true;
}

/* The right neighbour of a locked node; its primary, if it has copies. */
static inline struct blink_node *blink_node_right(struct blink_node *node)
{
	struct blink_node *right = rcu_dereference_protected(
		node->right, blink_lock_is_held(&node->lock));

	return blink_node_primary(right);
}

/* Link a locked node, or one that nobody knows, to what is right of it. */
static inline void blink_node_set_right(struct blink_node *node,
					struct blink_node *right)
{
	if (unlikely(blink_node_copied(node)))
		blink_copies_set_right(node, right);
	else
		/* Pairs with rcu_dereference() of whoever goes right. */
		rcu_assign_pointer(node->right, right);
}

/*
 * A write section.
 *
 * Context: the node's lock held, interrupts that could want it kept away,
 * nothing allocated meanwhile (I6).
 */
static inline void blink_write_begin(struct blink_node *node)
{
	blink_assert_locked(&node->lock);
	if (unlikely(blink_node_copied(node)))
		blink_copies_begin(node);
	WRITE_ONCE(node->seq, node->seq + 1);
	/* The odd sequence before the content. Pairs with blink_read_retry(). */
	smp_wmb();
}

/* @from: position of the first entry that is not what it was. */
static inline void blink_write_end_from(struct blink_node *node,
					unsigned int from)
{
	/*
	 * The content before the even sequence. Pairs with the acquire in
	 * blink_read_begin().
	 */
	smp_store_release(&node->seq, node->seq + 1);
	if (unlikely(blink_node_copied(node)))
		blink_copies_end(node, from);
}

/* The same where no entry was changed, other than that there may be fewer. */
static inline void blink_write_end(struct blink_node *node)
{
	blink_write_end_from(node, node->count);
}

/*
 * Overwrite a value, the leaf's lock held: the linearization point of whoever
 * does so. No sequence is disturbed, unless there are copies. What the value may
 * point to is published with it, as by rcu_assign_pointer().
 */
static inline void blink_leaf_set_value(struct blink_node *leaf, unsigned int i,
					u64 value)
{
	blink_assert_locked(&leaf->lock);
	if (unlikely(blink_node_copied(leaf))) {
		blink_copies_set_value(leaf, i, value);
		return;
	}
	/* Pairs with the dependency of who follows the pointer that it is. */
	smp_store_release(&leaf->slot[BLINK_LEAF_SLOTS + i], value);
}

#endif /* BLINK_CORE_SECTION_H */
