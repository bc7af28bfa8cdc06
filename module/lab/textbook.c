// SPDX-License-Identifier: GPL-2.0
/* The cohort lock of the textbook; see textbook.h. lockdep knows nothing of it. */
#include <linux/errno.h>
#include <linux/nodemask.h>
#include <linux/slab.h>
#include <linux/topology.h>

#include "lock/cohort.h"
#include "textbook.h"

/* Make a lock that is free; or -ENOMEM, and then there is nothing to destroy. */
int textbook_init(struct textbook *textbook)
{
	struct textbook_local *local;
	int nid;

	*textbook = (struct textbook){
		.lock = __ARCH_SPIN_LOCK_UNLOCKED,
	};
	/* The first CPU of a NUMA node can come online later. */
	for_each_node(nid) {
		local = kzalloc_node(sizeof(*local), GFP_KERNEL, nid);
		if (!local) {
			textbook_destroy(textbook);
			return -ENOMEM;
		}
		local->lock = (arch_spinlock_t)__ARCH_SPIN_LOCK_UNLOCKED;
		textbook->local[nid] = local;
	}
	return 0;
}

void textbook_destroy(struct textbook *textbook)
{
	int nid;

	for (nid = 0; nid < MAX_NUMNODES; nid++)
		kfree(textbook->local[nid]);
}

void textbook_lock(struct textbook *textbook)
{
	struct textbook_local *local;

	preempt_disable();
	local = textbook->local[numa_node_id()];
	atomic_inc(&local->waiters);
	arch_spin_lock(&local->lock);
	atomic_dec(&local->waiters);
	if (local->owned)
		return;
	local->passes = 0;
	arch_spin_lock(&textbook->lock);
}

/* Give a lock up, to this NUMA node or to all. */
void textbook_unlock(struct textbook *textbook)
{
	struct textbook_local *local = textbook->local[numa_node_id()];

	local->owned = atomic_read(&local->waiters) &&
		       local->passes < BLINK_COHORT_BOUND;
	if (local->owned)
		local->passes++;
	else
		arch_spin_unlock(&textbook->lock);
	arch_spin_unlock(&local->lock);
	preempt_enable();
}
