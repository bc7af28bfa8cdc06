// SPDX-License-Identifier: GPL-2.0
/*
 * Reading a node that writers change (section.h): waiting for an even sequence,
 * and reading under the lock.
 */
#include <linux/kernel.h>
#include <linux/processor.h>

#include "section.h"
#include "locking.h"

/*
 * Begin to read a node under its lock; the lock of the primary also keeps its
 * copies unchanged. False if this context must not wait for the lock.
 */
static bool read_under_lock(struct blink_tree *tree, struct blink_node *node,
			    struct blink_read *read)
{
	if (!blink_may_wait(tree))
		return false;
	read->flags = blink_writer_begin(tree);
	blink_lock(&blink_node_primary(node)->lock);
	read->locked = true;
	read->seq = node->seq;
	blink_stat_inc(tree, read_locks);
	return true;
}

/**
 * blink_read_wait() - begin to read a node whose sequence is odd or changes too
 *	often
 * @tree: its tree
 * @node: the node
 * @read: the section
 *
 * Wait for an even sequence. If this takes too long, or the node has been read
 * too often, take the lock.
 *
 * Context: rcu_read_lock() held; locks of lower levels may be held.
 * Return: false if this context must not wait for the lock (blink_may_wait()).
 */
bool blink_read_wait(struct blink_tree *tree, struct blink_node *node,
		     struct blink_read *read)
{
	unsigned int polls = 0;

	while (read->fails < BLINK_READ_TRIES && polls++ < BLINK_READ_POLLS) {
		cpu_relax();
		/*
		 * Pairs with the release in blink_write_end_from(): a reader
		 * that loads the new even sequence sees all of the new content.
		 */
		read->seq = smp_load_acquire(&node->seq);
		if (!(read->seq & 1))
			return true;
	}
	return read_under_lock(tree, node, read);
}

/**
 * blink_read_unlock() - end a section that blink_read_wait() began under the
 *	lock
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
	blink_writer_end(tree, read->flags);
	read->locked = false;
}
