/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The cores of the tasks: a *core* is a queue, and a thread that is bound to a CPU. Any
 * thread adds items to the queue. The thread that *holds* the core takes all of them at
 * once, and executes one after the other. A client that has an operation holds a core that
 * no other thread holds, until it leaves the index: so the threads of a benchmark are the
 * cores, as in the MxKernel. Otherwise the core's own thread holds it while there are
 * items, and then sleeps; clients for which no core is left sleep until their operations
 * have ended.
 *
 * The queue of the MxKernel is wait-free, and its producers and its consumer share a
 * variable (section 4.2). Those of an llist share the pointer to its first item.
 */
#ifndef BLINK_LAB_SCHEMES_MX_CORES_H
#define BLINK_LAB_SCHEMES_MX_CORES_H

#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/kthread.h>
#include <linux/sched.h>

#include "../marks.h"
#include "mx_tree.h"

/**
 * struct mx_core - a core
 * @thread: its own thread
 * @holder: the thread that holds it, or NULL
 * @mx: the tree
 * @queue: the items that it is to execute
 */
struct mx_core {
	struct task_struct *thread;
	struct task_struct *holder;
	struct mx_tree *mx;
	struct llist_head queue ____cacheline_aligned;
} ____cacheline_aligned;

/**
 * struct mx_cores - the cores
 * @nr: how many
 * @core: all of them
 */
struct mx_cores {
	unsigned int nr;
	struct mx_core core[];
};

int mx_cores_create(struct mx_tree *mx, u32 most, int (*main)(void *core));
void mx_cores_destroy(struct mx_cores *cores);

struct mx_core *mx_cores_hold(struct mx_cores *cores);
void mx_cores_leave(struct mx_cores *cores);

/* Of a program that is recorded (marks.h): queues, and what is done with a node. */
static inline void mx_hide(void)
{
	blink_mark_traced(BLINK_MARK_HIDE);
}

static __always_inline void mx_show(const struct plain_node *node,
				    unsigned int tag)
{
	blink_mark_traced(BLINK_MARK_HIDE | 1);
	blink_tell_task(node, tag);
}

/* Add an item to the queue of a core. */
static inline void mx_core_push(struct mx_core *core, struct llist_node *link)
{
	/*
	 * The barrier of llist_add() pairs with those of set_current_state() and of
	 * mx_core_release().
	 */
	if (llist_add(link, &core->queue) && !READ_ONCE(core->holder))
		wake_up_process(core->thread);
}

/* Hold a core, unless another thread does. */
static inline bool mx_core_hold(struct mx_core *core)
{
	return !READ_ONCE(core->holder) &&
	       !cmpxchg(&core->holder, NULL, current);
}

/* Hold a core no longer: its own thread executes the items that are left. */
static inline void mx_core_release(struct mx_core *core)
{
	/* Pairs with cmpxchg() of the next holder. */
	smp_store_release(&core->holder, NULL);
	/* Pairs with llist_add(): one of the two sees the other. */
	smp_mb();
	if (!llist_empty(&core->queue))
		wake_up_process(core->thread);
}

/*
 * Execute the items in the queue of a core, which the caller holds; whether there
 * were any. @run executes an item, and may add it to a queue again.
 */
static __always_inline bool mx_core_work(struct mx_core *core,
					 void (*run)(struct mx_core *core,
						     struct llist_node *link))
{
	struct llist_node *link, *next;

	if (llist_empty(&core->queue))
		return false;
	link = llist_reverse_order(llist_del_all(&core->queue));
	for (; link; link = next) {
		next = link->next;
		run(core, link);
	}
	return true;
}

/* The core's thread: execute the items in its queue until it is stopped. */
static __always_inline int mx_core_loop(struct mx_core *core,
					void (*run)(struct mx_core *core,
						    struct llist_node *link))
{
	for (;;) {
		if (mx_core_hold(core)) {
			while (mx_core_work(core, run))
				cond_resched();
			mx_core_release(core);
		}
		set_current_state(TASK_IDLE);
		if (llist_empty(&core->queue) || READ_ONCE(core->holder)) {
			if (kthread_should_stop())
				break;
			schedule();
		}
		__set_current_state(TASK_RUNNING);
	}
	__set_current_state(TASK_RUNNING);
	return 0;
}

/*
 * <prefix>_start() starts the cores of a tree: @nr, or 0 for one on each CPU. <prefix>_run()
 * executes the items in the queue of a core, which the caller holds; whether there were any.
 */
#define MX_CORES(prefix, run_item)                         \
	static int core_main(void *core)                   \
	{                                                  \
		return mx_core_loop(core, run_item);       \
	}                                                  \
	int prefix##_start(struct mx_tree *mx, u32 nr)     \
	{                                                  \
		return mx_cores_create(mx, nr, core_main); \
	}                                                  \
	bool prefix##_run(struct mx_core *core)            \
	{                                                  \
		return mx_core_work(core, run_item);       \
	}

#endif /* BLINK_LAB_SCHEMES_MX_CORES_H */
