/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The cores of the tasks: a *core* is a thread that is bound to a CPU, and its queue.
 * Any thread adds items to the queue; the core takes all of them at once, and executes
 * one after the other. It sleeps when its queue is empty.
 *
 * The queue of the MxKernel is wait-free, and its producers and its consumer share a
 * variable (section 4.2). Those of an llist share the pointer to its first item.
 */
#ifndef BLINK_LAB_SCHEMES_MX_CORES_H
#define BLINK_LAB_SCHEMES_MX_CORES_H

#include <linux/cache.h>
#include <linux/kthread.h>
#include <linux/sched.h>

#include "mx_tree.h"

/**
 * struct mx_core - a core
 * @queue: the items that it is to execute
 * @thread: the thread
 * @mx: the tree
 */
struct mx_core {
	struct llist_head queue;
	struct task_struct *thread;
	struct mx_tree *mx;
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

/**
 * mx_core_push() - add an item to the queue of a core
 * @core: the core
 * @link: the item
 *
 * Context: any.
 */
static inline void mx_core_push(struct mx_core *core, struct llist_node *link)
{
	/* The barrier of llist_add() pairs with that of set_current_state(). */
	if (llist_add(link, &core->queue))
		wake_up_process(core->thread);
}

/**
 * mx_core_loop() - execute the items in the queue of a core until it is stopped
 * @core: the core
 * @run: executes an item, and may add it to a queue again
 *
 * Context: the core's thread.
 * Return: 0.
 */
static __always_inline int mx_core_loop(struct mx_core *core,
					void (*run)(struct mx_core *core,
						    struct llist_node *link))
{
	struct llist_node *link, *next;

	for (;;) {
		link = llist_reverse_order(llist_del_all(&core->queue));
		for (; link; link = next) {
			next = link->next;
			run(core, link);
		}
		cond_resched();
		set_current_state(TASK_IDLE);
		if (llist_empty(&core->queue)) {
			if (kthread_should_stop())
				break;
			schedule();
		}
		__set_current_state(TASK_RUNNING);
	}
	__set_current_state(TASK_RUNNING);
	return 0;
}

#endif /* BLINK_LAB_SCHEMES_MX_CORES_H */
