// SPDX-License-Identifier: GPL-2.0
/*
 * The menders of all indexes (mender.h): asking a mender, and ending it.
 *
 * The work runs on an unbound workqueue, near the NUMA node of its index. It
 * ends after a burst of nodes, and queues itself again if more nodes are left.
 * So ending a mender never takes longer than a burst.
 */
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/jiffies.h>

#include "mender.h"
#include "tree.h"

static struct workqueue_struct *menders;

static struct blink_index *index_of(struct blink_mender *mender)
{
	return container_of(mender, struct blink_index, mender);
}

/**
 * blink_mender_again() - queue the work of a mender
 * @mender: the mender, which a CPU has asked
 *
 * Context: hardirq, or the work itself.
 */
void blink_mender_again(struct blink_mender *mender)
{
	queue_work_node(index_of(mender)->nid, menders, &mender->work);
}

/*
 * Called in a hardirq, or by the next tick on an architecture without
 * interrupts for irq_work.
 */
static void mender_interrupt(struct irq_work *irq)
{
	blink_mender_again(container_of(irq, struct blink_mender, irq));
}

/**
 * blink_mender_done() - end the work of a mender, so that it can be asked again
 * @mender: the mender
 * @ticks: for how many ticks requests have no effect
 *
 * Context: the work itself.
 */
void blink_mender_done(struct blink_mender *mender, unsigned long ticks)
{
	WRITE_ONCE(mender->quiet, jiffies + ticks);
	/*
	 * Pairs with the atomic_cmpxchg() in blink_mender_begin(): a CPU that asks
	 * again stores its key after this work has cleared @key.
	 */
	atomic_set_release(&mender->asked, 0);
}

/**
 * blink_mender_begin() - begin to ask a mender
 * @idx: its index
 *
 * The request can be lost (mender.h). A running mender asks for its own index
 * only, which has no effect; blink_mender_end() relies on this.
 *
 * Context: any in which rcu_read_lock() is allowed, also NMI; in an operation
 * on the tree; node locks may be held.
 * Return: true, then blink_mender_ask() must follow; false if the request would
 * have no effect now.
 */
bool blink_mender_begin(struct blink_index *idx)
{
	struct blink_mender *mender = &idx->mender;

	return !atomic_read(&mender->asked) &&
	       !time_before(jiffies, READ_ONCE(mender->quiet)) &&
	       !atomic_cmpxchg(&mender->asked, 0, 1);
}

/**
 * blink_mender_ask() - ask the mender of an index to post the nodes that it
 *	lacks
 * @idx: the index
 * @head: head and
 * @tail: tail of a low key: the index lacks entries on the way to its node
 *	(blink_bound_join())
 *
 * Context: after blink_mender_begin().
 */
void blink_mender_ask(struct blink_index *idx, u64 head, u64 tail)
{
	struct blink_mender *mender = &idx->mender;

	/*
	 * irq_work_queue() and queue_work_node() order these stores before the
	 * work, so the work reads this key.
	 */
	WRITE_ONCE(mender->key[0], head);
	WRITE_ONCE(mender->key[1], tail);
	irq_work_queue(&mender->irq);
}

/**
 * blink_mender_init() - initialise the mender of an index
 * @mender: the mender, zeroed
 * @work: the function of its work; it ends with blink_mender_again() or
 *	blink_mender_done()
 *
 * Its irq_work is a hard interrupt on PREEMPT_RT, too. It only queues work,
 * which is allowed there; otherwise a thread would be woken just to wake
 * another one.
 *
 * Context: any.
 */
void blink_mender_init(struct blink_mender *mender, work_func_t work)
{
	mender->irq = IRQ_WORK_INIT_HARD(mender_interrupt);
	INIT_WORK(&mender->work, work);
}

/**
 * blink_mender_end() - end a mender
 * @mender: the mender
 *
 * The order matters. No operation is left to ask, so no interrupt is pending
 * after irq_work_sync(). From then on only the work itself can queue the work,
 * and cancel_work_sync() prevents this.
 *
 * Context: process, sleeps until the end of a burst; no operation on the tree
 * is running, and none will begin.
 */
void blink_mender_end(struct blink_mender *mender)
{
	irq_work_sync(&mender->irq);
	cancel_work_sync(&mender->work);
}

/**
 * blink_menders_create() - create the workqueue of all menders
 *
 * It has a rescuer, because the worker that destroys the trees of a process
 * which the OOM killer ended waits for menders.
 *
 * Context: process.
 * Return: 0 or -ENOMEM.
 */
int __init blink_menders_create(void)
{
	menders = alloc_workqueue("blink_tree_mend",
				  WQ_UNBOUND | WQ_MEM_RECLAIM, 0);
	return menders ? 0 : -ENOMEM;
}

/**
 * blink_menders_destroy() - destroy the workqueue
 *
 * Context: process; no tree is left.
 */
void blink_menders_destroy(void)
{
	destroy_workqueue(menders);
}
