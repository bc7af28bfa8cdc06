// SPDX-License-Identifier: GPL-2.0
/* Reading a node that writers change (section.h): waiting, and the lock. */
#include <linux/kernel.h>
#include <linux/processor.h>

#include "section.h"
#include "locking.h"

/*
 * A reader queues for a lock behind writers, as many as there are CPUs: what it
 * switches off meanwhile is what they do, no more. On PREEMPT_RT that would need a
 * lock which a caller with preemption off cannot take.
 */
static unsigned long reader_begin(struct blink_tree *tree)
{
	unsigned long flags;

	if (!IS_ENABLED(CONFIG_PREEMPT_RT))
		return blink_writer_begin(tree);
	local_irq_save(flags);
	return flags;
}

static void reader_end(struct blink_tree *tree, unsigned long flags)
{
	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		local_irq_restore(flags);
	else
		blink_writer_end(tree, flags);
}

/*
 * Begin to read a node under its lock; the primary's keeps its copies as they are
 * too. False if the lock cannot be waited for here.
 */
static bool read_under_lock(struct blink_tree *tree, struct blink_node *node,
			    struct blink_read *read)
{
	if (!blink_may_wait(tree))
		return false;
	read->flags = reader_begin(tree);
	blink_lock(&blink_node_primary(node)->lock);
	read->locked = true;
	read->seq = node->seq;
	blink_stat_inc(tree, read_locks);
	return true;
}

/**
 * blink_read_wait() - begin to read a node that is being written all the time
 * @tree: its tree
 * @node: the node
 * @read: the section
 *
 * Wait for the end of the write section; or, if that takes too long, or the node
 * was read in vain often enough, for the lock.
 *
 * Context: rcu_read_lock() held; locks of lower levels may be held.
 * Return: false if the lock cannot be waited for here (blink_may_wait()).
 */
bool blink_read_wait(struct blink_tree *tree, struct blink_node *node,
		     struct blink_read *read)
{
	unsigned int polls = 0;

	while (read->fails < BLINK_READ_TRIES && polls++ < BLINK_READ_POLLS) {
		cpu_relax();
		/* Pairs with blink_write_end(). */
		read->seq = smp_load_acquire(&node->seq);
		if (!(read->seq & 1))
			return true;
	}
	return read_under_lock(tree, node, read);
}

/**
 * blink_read_unlock() - end what blink_read_wait() began with the lock
 * @tree: its tree
 * @node: the node
 * @read: the section
 *
 * Context: the node's lock held by blink_read_wait().
 */
void blink_read_unlock(struct blink_tree *tree, struct blink_node *node,
		       struct blink_read *read)
{
	blink_node_unlock(tree, blink_node_primary(node));
	reader_end(tree, read->flags);
	read->locked = false;
}
