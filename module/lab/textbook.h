/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The cohort lock as the paper has it (Dice, Marathe and Shavit: Lock cohorting,
 * PPoPP 2012, with two queued locks): a lock with a lock for each NUMA node in
 * front of it. In the module's lock (lock/cohort.h) all locks share the locks of the
 * NUMA nodes; this one is here to be compared with it.
 */
#ifndef BLINK_LAB_TEXTBOOK_H
#define BLINK_LAB_TEXTBOOK_H

#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/gfp.h>
#include <linux/numa.h>
#include <linux/spinlock.h>

/**
 * struct textbook_local - where the CPUs of one NUMA node queue
 * @lock: its owner has the cohort lock, or waits for it on behalf of the others
 * @waiters: CPUs that wait for @lock, or are about to
 * @passes: how often in a row the lock was passed on; the owner's
 * @owned: whether the lock came with @lock; the owner's
 */
struct textbook_local {
	arch_spinlock_t lock;
	atomic_t waiters;
	unsigned int passes;
	bool owned;
} ____cacheline_aligned;

/**
 * struct textbook - a cohort lock
 * @lock: held by one NUMA node
 * @local: of each NUMA node
 */
struct textbook {
	arch_spinlock_t lock;
	struct textbook_local *local[MAX_NUMNODES];
};

int textbook_init(struct textbook *textbook);
void textbook_destroy(struct textbook *textbook);
void textbook_lock(struct textbook *textbook);
void textbook_unlock(struct textbook *textbook);

#endif /* BLINK_LAB_TEXTBOOK_H */
