// SPDX-License-Identifier: GPL-2.0
/*
 * The menders of all indexes (mender.h): how a mender is asked, and how it ends.
 *
 * The work runs on an unbound workqueue, near the NUMA node of its index, for one
 * burst of nodes, and is queued again while there is more: so its end is never
 * waited for longer than that.
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
 * blink_mender_again() - let the work of a mender run again
 * @mender: the mender; its CPU has asked
 *
 * Context: hardirq, or the work itself.
 */
void blink_mender_again(struct blink_mender *mender)
{
	queue_work_node(index_of(mender)->nid, menders, &mender->work);
}

/* In a hardirq, or where the architecture has none for this, on a tick. */
static void mender_interrupt(struct irq_work *irq)
{
	blink_mender_again(container_of(irq, struct blink_mender, irq));
}

/**
 * blink_mender_done() - end the work of a mender: it can be asked again
 * @mender: the mender
 * @ticks: for how long it ignores those that ask
 *
 * Context: the work itself.
 */
void blink_mender_done(struct blink_mender *mender, unsigned long ticks)
{
	WRITE_ONCE(mender->quiet, jiffies + ticks);
	/*
	 * No order is needed: a CPU that sees an old @quiet asks too early, and if
	 * it stores its key while this work still reads one, that needs a mend, too.
	 */
	atomic_set(&mender->asked, 0);
}

/**
 * blink_mender_ask() - ask for what an index lacks to be mended
 * @idx: the index
 * @key: the key on the way to which it lacks an entry
 *
 * Whether it is heard is not certain (mender.h). A mender at work asks for no
 * other index than its own, which is in vain: blink_mender_end() relies on that.
 *
 * Context: any in which rcu_read_lock() is allowed, NMIs too; in an operation on
 * the tree; node locks may be held.
 */
void blink_mender_ask(struct blink_index *idx, u64 key)
{
	struct blink_mender *mender = &idx->mender;

	if (atomic_read(&mender->asked) ||
	    time_before(jiffies, READ_ONCE(mender->quiet)) ||
	    atomic_cmpxchg(&mender->asked, 0, 1))
		return;
	/* irq_work_queue() and queue_work_node() order this before the work. */
	WRITE_ONCE(mender->key, key);
	irq_work_queue(&mender->irq);
}

/**
 * blink_mender_init() - prepare the mender of an index
 * @mender: the mender, zeroed
 * @work: what its work does; it ends with blink_mender_again() or
 *	blink_mender_done()
 *
 * Its interrupt is a hard one on PREEMPT_RT, too: all it does is to queue work,
 * which is allowed there, and a thread would be woken to wake a thread.
 *
 * Context: any.
 */
void blink_mender_init(struct blink_mender *mender, work_func_t work)
{
	mender->irq = IRQ_WORK_INIT_HARD(mender_interrupt);
	INIT_WORK(&mender->work, work);
}

/**
 * blink_mender_end() - let a mender do no more
 * @mender: the mender
 *
 * In this order: no operation is left to ask, so after the first step no interrupt
 * is on its way, and nothing but the work itself queues the work after that, which
 * the second step does not let it.
 *
 * Context: process, sleeps until the end of a burst; no operation on the tree, and
 * none will begin.
 */
void blink_mender_end(struct blink_mender *mender)
{
	irq_work_sync(&mender->irq);
	cancel_work_sync(&mender->work);
}

/**
 * blink_menders_create() - prepare for menders
 *
 * A worker that destroys trees of a process which the OOM killer ended may wait
 * for a mender to end, so there is a rescuer for these as for that one.
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
 * blink_menders_destroy() - give it back
 *
 * Context: process; no tree is left.
 */
void blink_menders_destroy(void)
{
	destroy_workqueue(menders);
}
