// SPDX-License-Identifier: GPL-2.0
/*
 * Synchronize-Tasks (Mühlig, section 3.3): each node has one, with a list of the tasks
 * that wait for the node. The first of them registers the Synchronize-Task with a core,
 * as ready. The core executes a bounded number of waiting tasks; if more are left, it
 * registers the Synchronize-Task again.
 *
 * The paper does not say how many tasks the bound is, nor which core is next: "there is
 * still no clarity as to how tasks could be ideally scheduled". Here it is the core
 * that adds the first task; for a client, the core that it holds, or else one by its CPU. So
 * an operation stays on one core, unless others use the same node at the same time.
 */
#include <linux/smp.h>

#include "mx.h"
#include "mx_cores.h"

/* Tasks that a Synchronize-Task executes before others have their turn. */
#define BOUND 16

/**
 * struct sync_task - the Synchronize-Task of a node, in front of it
 * @link: in the queue of a core
 * @waiting: tasks that wait for the node
 * @taken: the oldest of them, in order; of the core that executes this
 * @ready: it is in the queue of a core, or is being executed
 */
struct sync_task {
	struct llist_node link;
	struct llist_head waiting;
	struct llist_node *taken;
	atomic_t ready;
} __aligned(8);

const unsigned int mx_sync_head = sizeof(struct sync_task);

/* Make the Synchronize-Task of a new node. */
void mx_sync_init(void *latch)
{
	struct sync_task *sync = latch;

	init_llist_head(&sync->waiting);
	sync->taken = NULL;
	atomic_set(&sync->ready, 0);
}

static void enqueue(struct mx_core *core, struct mx_task *task,
		    struct plain_node *node)
{
	struct sync_task *sync = plain_latch(&core->mx->tree, node);

	mx_hide();
	/* If it is ready, its core looks at the list once more (see run()). */
	if (llist_add(&task->link, &sync->waiting) &&
	    !atomic_xchg(&sync->ready, 1))
		mx_core_push(core, &sync->link);
	mx_show(node, BLINK_TAG_TO_NODE);
}

/*
 * Let a Synchronize-Task execute a client's task. @core is the one that the client
 * holds, or NULL.
 */
void mx_sync_enqueue(struct mx_tree *mx, struct mx_core *core,
		     struct mx_task *task, struct plain_node *node)
{
	struct mx_cores *cores = mx->cores;

	enqueue(core ?: &cores->core[raw_smp_processor_id() % cores->nr], task,
		node);
}

/* Execute the oldest waiting task. Return: whether there was one. */
static __always_inline bool run_one(struct mx_core *core,
				    struct sync_task *sync)
{
	struct plain_node *node = (void *)(sync + 1), *next;
	struct mx_task *task;

	if (!sync->taken)
		sync->taken =
			llist_reverse_order(llist_del_all(&sync->waiting));
	if (!sync->taken)
		return false;
	task = llist_entry(sync->taken, struct mx_task, link);
	sync->taken = task->link.next;
	mx_show(node, BLINK_TAG_TASK);
	next = mx_run(core->mx, task, node);
	if (next)
		enqueue(core, task, next);
	mx_hide();
	return true;
}

static __always_inline void run(struct mx_core *core, struct llist_node *link)
{
	struct sync_task *sync = llist_entry(link, struct sync_task, link);
	unsigned int i;

	for (i = 0; i < BOUND; i++) {
		if (run_one(core, sync))
			continue;
		/* Fully ordered, as llist_add() is: one of the two sees the other. */
		atomic_xchg(&sync->ready, 0);
		if (llist_empty(&sync->waiting) || atomic_xchg(&sync->ready, 1))
			return;
	}
	mx_core_push(core, &sync->link);
}

MX_CORES(mx_sync, run)
