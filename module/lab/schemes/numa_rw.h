/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: NUMA-aware reader/writer locks
 *
 * Author: Irina Calciu, Dave Dice, Yossi Lev, Victor Luchangco, Virendra J. Marathe and
 * Nir Shavit.
 * Paper: NUMA-Aware Reader-Writer Locks, PPoPP 2013; McKenzie's thesis (malbrain.h)
 * tells of them in section 2.2.1, and takes them as node latches in section 3.3.2.
 *
 * The lock has a *part* for each NUMA node. Readers count themselves in the part of
 * their NUMA node, and a writer looks at all parts. Writers exclude each other by a
 * *cohort lock*: a lock for the writers of each NUMA node in its part, and a global
 * one, which goes from writer to writer within a NUMA node without being unlocked, at
 * most NUMA_RW_BOUND times in a row. All of these are ticket locks.
 *
 * The three variants of the paper differ in how readers respect writers:
 *
 * - *neutral*: a reader counts itself while it holds the cohort lock;
 * - *reader preference*: it counts itself at once, then waits while the cohort lock is
 *   held. A writer that finds readers counted gives the cohort lock up until there are
 *   none;
 * - *writer preference*: it counts itself, and takes that back while the cohort lock is
 *   held.
 *
 * A thread of the other kind that has waited for long raises a *barrier*, which the
 * preferred kind stops at.
 *
 * Promises: mutual exclusion; progress of each thread, by the barrier, if the others
 * give the lock up. No recursion.
 *
 * Chosen here: the paper's locks spin. A thread that has spun for a while lets another
 * one run, since the holder may wait for this CPU, and may even sleep. The parts lie
 * beside the node of the tree, in its memory; each is a cache line. NUMA nodes beyond
 * NUMA_RW_PARTS share parts. The caller says which part it uses, as the thesis does to
 * save the call that tells; so it may migrate while it holds the lock.
 */
#ifndef BLINK_LAB_SCHEMES_NUMA_RW_H
#define BLINK_LAB_SCHEMES_NUMA_RW_H

#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/nodemask.h>

#define NUMA_RW_PARTS 8U

/**
 * enum numa_rw_preference - variants of the lock
 * @NUMA_RW_NEUTRAL: first come, first served
 * @NUMA_RW_READERS: readers go first
 * @NUMA_RW_WRITERS: writers go first
 */
enum numa_rw_preference {
	NUMA_RW_NEUTRAL,
	NUMA_RW_READERS,
	NUMA_RW_WRITERS,
};

/**
 * struct numa_rw_ticket - a ticket lock
 * @next: the ticket of the next thread that comes
 * @owner: the ticket of the thread that holds the lock, or else of the next one
 */
struct numa_rw_ticket {
	atomic_t next;
	atomic_t owner;
};

/**
 * struct numa_rw_part - the part of a NUMA node
 * @readers: readers of this NUMA node that are counted
 * @local: the writers' lock
 * @passes: how often in a row the global lock came with @local
 * @inherited: it does so now
 *
 * The last two belong to the holder of @local.
 */
struct numa_rw_part {
	atomic_t readers;
	struct numa_rw_ticket local;
	unsigned int passes;
	bool inherited;
} ____cacheline_aligned;

/**
 * struct numa_rw - a lock
 * @global: the global lock
 * @barrier: threads that have waited for too long
 * @dep_map: for lockdep
 * @part: a part for each NUMA node
 */
struct numa_rw {
	struct numa_rw_ticket global;
	atomic_t barrier;
#ifdef CONFIG_DEBUG_LOCK_ALLOC
	struct lockdep_map dep_map;
#endif
	struct numa_rw_part part[];
};

static inline unsigned int numa_rw_parts(void)
{
	return min(nr_node_ids, NUMA_RW_PARTS);
}

/* Memory for a lock; it needs the alignment of a cache line. */
static inline size_t numa_rw_bytes(void)
{
	return sizeof(struct numa_rw) +
	       numa_rw_parts() * sizeof(struct numa_rw_part);
}

void numa_rw_init(struct numa_rw *lock, const char *name,
		  struct lock_class_key *key);
void numa_rw_read_lock(struct numa_rw *lock, enum numa_rw_preference preference,
		       unsigned int part);
void numa_rw_read_unlock(struct numa_rw *lock, unsigned int part);
void numa_rw_write_lock(struct numa_rw *lock,
			enum numa_rw_preference preference, unsigned int part);
void numa_rw_write_unlock(struct numa_rw *lock, unsigned int part);

#endif /* BLINK_LAB_SCHEMES_NUMA_RW_H */
