/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: read and write sections
 *
 * A reader reads a node in a section between blink_read_begin() and
 * blink_read_retry(), and repeats the section while the latter returns true. It
 * uses the content only after blink_read_retry() returned false. In particular
 * it follows no pointer before.
 *
 * A reader that finds the sequence odd waits until it is even. A reader that
 * has read a node BLINK_READ_TRIES times, and found a changed sequence each
 * time, takes the lock and reads under it. So does a reader that has waited too
 * long for an even sequence.
 *
 * A writer changes the content of a node between blink_write_begin() and
 * blink_write_end(), under the node's lock. Readers that overlap this section
 * read the node again.
 *
 * A section of one attempt, between blink_read_try() and blink_read_valid(), comes before
 * these in a descent and a lookup, or extends over two steps of a descent (descent.h).
 */
#ifndef BLINK_CORE_SECTION_H
#define BLINK_CORE_SECTION_H

#include "../tree/tree.h"
#include "copies.h"
#include "node.h"

/* How often a node is read without its lock. */
#define BLINK_READ_TRIES 8

/*
 * How often a reader loads an odd sequence in a row. A write section moves at
 * most the entries of one node, with preemption disabled: some hundred stores,
 * or a microsecond if their cache lines are remote. (One that gives a narrow leaf
 * another form moves them up to four times. Those of a commit last until all its
 * leaves have changed.) One load takes 2 ns if
 * cpu_relax() does not pause (arm64) and 50 ns if it does (x86), so this limit
 * is 2 to 50 us. A write section that takes longer is interrupted, or its
 * virtual CPU does not run, or it belongs to a commit of many leaves. It is better
 * to wait for the lock then, because paravirtual spinlocks yield. In an NMI this
 * bounds the time that is lost if the NMI interrupted the writer.
 */
#define BLINK_READ_POLLS 1024

/**
 * struct blink_read - a read section
 * @seq: the sequence at the beginning of the section
 * @fails: how often the sequence had changed
 * @locked: the node is read under its lock
 * @flags: saved interrupt state while @locked
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
 * @read: the section, zeroed before the first attempt
 *
 * Context: rcu_read_lock() held.
 * Return: false if the node cannot be read in this context, because a writer is
 * active and the context must not wait for it.
 */
static __always_inline bool blink_read_begin(struct blink_tree *tree,
					     struct blink_node *node,
					     struct blink_read *read)
{
	if (likely(read->fails < BLINK_READ_TRIES)) {
		/*
		 * Pairs with the release in blink_write_end_from(): a reader
		 * that loads the new even sequence sees all of the new content.
		 */
		read->seq = smp_load_acquire(&node->seq);
		if (likely(!(read->seq & 1)))
			return true;
	}
	return blink_read_wait(tree, node, read);
}

/**
 * blink_read_retry() - whether the content read since blink_read_begin() is
 *	invalid
 * @tree: the tree
 * @node: the node
 * @read: the section
 *
 * Context: as blink_read_begin().
 * Return: true if the node has to be read again.
 */
static __always_inline bool blink_read_retry(struct blink_tree *tree,
					     struct blink_node *node,
					     struct blink_read *read)
{
	if (unlikely(read->locked)) {
		blink_read_unlock(tree, node, read);
		return false;
	}
	/*
	 * The loads of the content come before the load of the sequence. Pairs
	 * with the smp_wmb() in blink_write_begin(): a reader that saw any of
	 * the new content sees that the sequence changed.
	 */
	smp_rmb();
	if (likely(READ_ONCE(node->seq) == read->seq))
		return false;
	read->fails++;
	blink_stat_inc(tree, read_retries);
	return true;
}

/*
 * Begin a read section of one attempt. The sequence is made even, so that an odd one, of
 * a node that is being written, is not found again.
 */
static __always_inline u32 blink_read_try(const struct blink_node *node)
{
	/* Pairs with the release in blink_write_end_from(). */
	return smp_load_acquire(&node->seq) & ~1U;
}

/* Whether all that was read since blink_read_try() is one state of the node. */
static __always_inline bool blink_read_valid(const struct blink_node *node,
					     u32 seq)
{
	/* Pairs with the smp_wmb() in blink_write_begin(). */
	smp_rmb();
	return likely(READ_ONCE(node->seq) == seq);
}

/* The right neighbour of a locked node, or its primary if it has copies. */
static inline struct blink_node *blink_node_right(struct blink_node *node)
{
	struct blink_node *right = rcu_dereference_protected(
		node->right, blink_lock_is_held(&node->lock));

	return blink_node_primary(right);
}

/* Set the right link of a node that is locked or not published yet. */
static inline void blink_node_set_right(struct blink_node *node,
					struct blink_node *right)
{
	if (unlikely(blink_node_copied(node)))
		blink_copies_set_right(node, right);
	else
		/*
		 * A release, which pairs with the rcu_dereference() of a search
		 * that follows the link: the search finds a complete node.
		 */
		rcu_assign_pointer(node->right, right);
}

/*
 * Begin a write section.
 *
 * Context: the node's lock held, interrupts that could want it disabled; the
 * caller allocates no memory before blink_write_end() (I6).
 */
static inline void blink_write_begin(struct blink_node *node)
{
	blink_assert_locked(&node->lock);
	if (unlikely(blink_node_copied(node)))
		blink_copies_begin(node);
	WRITE_ONCE(node->seq, node->seq + 1);
	/*
	 * The odd sequence comes before the content. Pairs with the smp_rmb()
	 * in blink_read_retry() and blink_read_valid(): a reader that saw any
	 * of the new content sees that the sequence changed.
	 */
	smp_wmb();
}

/* End a write section. @from: position of the first entry that changed. */
static inline void blink_write_end_from(struct blink_node *node,
					unsigned int from)
{
	/*
	 * LP: every operation that adds or removes entries; its function marks
	 * the call.
	 *
	 * The content comes before the even sequence. Pairs with the acquire in
	 * blink_read_begin() and blink_read_try(): a reader that loads this
	 * sequence sees all of the new content, and initialised nodes behind
	 * its pointers.
	 */
	smp_store_release(&node->seq, node->seq + 1);
	/* The heads of all strings can have changed. */
	if (unlikely(blink_node_copied(node)))
		blink_copies_end(node, BLINK_STRINGS ? 0 : from);
}

/*
 * End a write section that changed no entry, except that it may have removed
 * the last ones.
 */
static inline void blink_write_end(struct blink_node *node)
{
	blink_write_end_from(node, node->count);
}

#endif /* BLINK_CORE_SECTION_H */
