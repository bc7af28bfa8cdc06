// SPDX-License-Identifier: GPL-2.0
/* Lockdep classes of the node locks: one for each level and kind of tree. */
#include "node_lock.h"

/*
 * Trees with BLINK_TREE_IRQSAFE have classes of their own: lockdep does not
 * accept a class that is taken in interrupts and also with interrupts enabled.
 */
static struct lock_class_key blink_lock_key[2][BLINK_LOCK_CLASSES];

/**
 * blink_lock_init() - initialise the lock of a node
 * @lock: the lock
 * @level: level of the node, 0 for a leaf, or another value of BLINK_LOCK_*
 * @irqsafe: whether the tree has BLINK_TREE_IRQSAFE
 *
 * Context: any; no other CPU can reach the node.
 */
void blink_lock_init(struct blink_lock *lock, unsigned int level, bool irqsafe)
{
	lock->raw = (arch_spinlock_t)__ARCH_SPIN_LOCK_UNLOCKED;
	level = min(level, BLINK_LOCK_CLASSES - 1U);
	lockdep_init_map_wait(&lock->dep_map, "blink_node",
			      &blink_lock_key[irqsafe][level], 0, LD_WAIT_SPIN);
}
