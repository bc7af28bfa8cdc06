// SPDX-License-Identifier: GPL-2.0
/*
 * The same tree with threads (Mühlig, section 4.1, algorithm 1): a thread takes the
 * latch of each node on its way down, finds the child, and releases the latch. It holds
 * one latch at a time, at a split too: the split is complete in two steps, that of the
 * node and that of its parent. The latch is a spinlock (section 3.2).
 */
#include <linux/spinlock.h>

#include "mx.h"

struct latch {
	/* Guards the node behind it. */
	spinlock_t lock;
} __aligned(8);

const unsigned int mx_spin_head = sizeof(struct latch);

/* Make the latch of a new node. */
void mx_spin_init(void *latch)
{
	struct latch *of = latch;

	spin_lock_init(&of->lock);
}

void mx_spin_execute(struct mx_tree *mx, struct mx_task *task)
{
	struct plain_node *node = mx_root(mx), *next;
	struct latch *latch;

	while (node) {
		latch = plain_latch(&mx->tree, node);
		spin_lock(&latch->lock);
		next = mx_step(mx, task, node);
		spin_unlock(&latch->lock);
		if (next == node && !mx_reserve(mx, task))
			break;
		node = next;
	}
	mx_end(mx, task);
}
