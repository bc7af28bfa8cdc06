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
	 * No order is needed. A CPU that sees an old @quiet asks too early. A
	 * CPU that stores its key while this work still reads @key stores one
	 * that needs a mend, too.
	 */
	atomic_set(&mender->asked, 0);
}

/**
 * blink_mender_ask() - ask the mender of an index to post the nodes that it
 *	lacks
 * @idx: the index
 * @key: the index lacks an entry on the way to this key
 *
 * The request can be lost (mender.h). A running mender asks for its own index
 * only, which has no effect; blink_mender_end() relies on this.
 *
 * Context: any in which rcu_read_lock() is allowed, also NMI; in an operation
 * on the tree; node locks may be held.
 */
void blink_mender_ask(struct blink_index *idx, u64 key)
{
	struct blink_mender *mender = &idx->mender;

	if (atomic_read(&mender->asked) ||
	    time_before(jiffies, READ_ONCE(mender->quiet)) ||
	    atomic_cmpxchg(&mender->asked, 0, 1))
		return;
	/*
	 * irq_work_queue() and queue_work_node() order this store before the
	 * work, so the work reads this key.
	 */
	WRITE_ONCE(mender->key, key);
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
