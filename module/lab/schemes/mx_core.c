// SPDX-License-Identifier: GPL-2.0
/*
 * Tasks that the core of a node executes (Mühlig, section 3.3, "CPU core based
 * synchronization"; section 4.1: "every node is mapped to a core based on its memory
 * address"). So the tasks on a node follow one another, without a lock.
 *
 * The paper does not say how the address becomes a core; here it is hashed. A node
 * stays with its core, however much work that core has: so does the paper's.
 */
#include <linux/hash.h>

#include "mx.h"
#include "mx_cores.h"

static struct mx_core *core_of(struct mx_tree *mx, struct plain_node *node)
{
	u64 hash = hash_ptr(node, 32);

	return &mx->cores->core[hash * mx->cores->nr >> 32];
}

/* Let the core of a node execute a task. */
void mx_core_enqueue(struct mx_tree *mx, struct mx_task *task,
		     struct plain_node *node)
{
	task->node = node;
	mx_hide();
	mx_core_push(core_of(mx, node), &task->link);
	mx_show(node, BLINK_TAG_TO_CORE);
}

static __always_inline void run(struct mx_core *core, struct llist_node *link)
{
	struct mx_task *task = llist_entry(link, struct mx_task, link);
	struct plain_node *next;

	mx_show(task->node, BLINK_TAG_TASK);
	next = mx_run(core->mx, task, task->node);
	if (next)
		mx_core_enqueue(core->mx, task, next);
	mx_hide();
}

MX_CORES(mx_core, run)
