// SPDX-License-Identifier: GPL-2.0
/*
 * Work items, and interrupts that a CPU sends itself: two lists of them, and a step, in
 * which a caller does one.
 */
#include <linux/irq_work.h>
#include <linux/irqflags.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include <pthread.h>
#include <sched.h>

unsigned long shim_jiffies;

/* Guards both lists, and what the items say of themselves. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct irq_work *irqs;
static struct work_struct *works;

static void lock(void)
{
	pthread_mutex_lock(&mutex);
}

static void unlock(void)
{
	pthread_mutex_unlock(&mutex);
}

/* Let others end what they are at. */
static void give_way(void)
{
	unlock();
	shim_spin();
	sched_yield();
	lock();
}

bool irq_work_queue(struct irq_work *work)
{
	bool queued;

	lock();
	queued = !work->pending;
	if (queued) {
		work->pending = true;
		work->next = irqs;
		irqs = work;
	}
	unlock();
	return queued;
}

/* The mutex is held, and let go meanwhile. */
static bool run_irq(void)
{
	struct irq_work *work = irqs;

	if (!work)
		return false;
	irqs = work->next;
	work->pending = false;
	work->busy = true;
	unlock();
	preempt_disable();
	work->func(work);
	preempt_enable();
	lock();
	work->busy = false;
	return true;
}

void irq_work_sync(struct irq_work *work)
{
	might_sleep();
	lock();
	/* It comes at once, if it has not: nothing keeps an interrupt away. */
	while (work->pending)
		run_irq();
	while (work->busy)
		give_way();
	unlock();
}

struct workqueue_struct *shim_workqueue_alloc(void)
{
	return kmalloc(1, GFP_KERNEL);
}

void destroy_workqueue(struct workqueue_struct *wq)
{
	SHIM_CHECK(!works, "a workqueue ends with work to do");
	kfree(wq);
}

bool queue_work_node(int nid, struct workqueue_struct *wq,
		     struct work_struct *work)
{
	bool queued;

	(void)nid;
	SHIM_CHECK(wq, "no workqueue");
	lock();
	queued = !work->pending && !work->canceled;
	if (queued) {
		work->pending = true;
		work->next = works;
		works = work;
	}
	unlock();
	return queued;
}

/* Take an item off the list: @work, or any that does not run. */
static struct work_struct *take_work(struct work_struct *work)
{
	struct work_struct **place = &works;

	while (*place && (work ? *place != work : (*place)->running))
		place = &(*place)->next;
	work = *place;
	if (work) {
		*place = work->next;
		work->pending = false;
	}
	return work;
}

/* The mutex is held, and let go meanwhile. */
static bool run_work(void)
{
	struct work_struct *work = take_work(NULL);

	if (!work)
		return false;
	work->running = true;
	unlock();
	work->func(work);
	lock();
	work->running = false;
	return true;
}

bool cancel_work_sync(struct work_struct *work)
{
	bool was_pending;

	might_sleep();
	lock();
	work->canceled++;
	was_pending = take_work(work);
	while (work->running)
		give_way();
	work->canceled--;
	unlock();
	return was_pending;
}

bool shim_work_step(void)
{
	bool ran;

	might_sleep();
	lock();
	ran = run_irq() || run_work();
	unlock();
	return ran;
}

bool shim_work_left(void)
{
	bool left;

	lock();
	left = irqs || works;
	unlock();
	return left;
}

bool shim_work_canceled(const struct work_struct *work)
{
	bool canceled;

	lock();
	canceled = work->canceled;
	unlock();
	return canceled;
}
