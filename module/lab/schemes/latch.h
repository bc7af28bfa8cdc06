/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: the latches of a node
 *
 * Malbrain's latch modes (malbrain.h), by three reader/writer locks for each node, as
 * section 3.2.2 of McKenzie's thesis says: of the first, AccessIntent is the reader's
 * mode and NodeDelete is the writer's; of the second, these are Read and Write; the
 * third has ParentModification as its writer's mode. So two modes exclude each other as
 * in table 3.1:
 *
 *	===================  ==  ==  ==  ==  ==
 *	held \ requested     AI  ND  RL  WL  PM
 *	===================  ==  ==  ==  ==  ==
 *	AccessIntent (AI)    Y   N   Y   Y   Y
 *	NodeDelete (ND)      N   N   Y   Y   Y
 *	Read (RL)            Y   Y   Y   N   Y
 *	Write (WL)           Y   Y   N   N   Y
 *	ParentModification   Y   Y   Y   Y   N
 *	===================  ==  ==  ==  ==  ==
 *
 * The locks are rw_semaphores, the kernel's counterpart of pthread_rwlock_t, or those
 * of numa_rw.h.
 *
 * Lock order, and what lockdep is told: Write of a node comes before
 * ParentModification of the same level, and that before all latches of the levels
 * above. Read of a node is given up before another node's Read or Write is taken.
 * AccessIntent alone is taken while Read or Write of the level above is held, so a ring
 * of waiting threads would contain it. It waits for NodeDelete alone, and NodeDelete waits
 * only for threads that cannot wait for another node: no pointer leads to a node that
 * NodeDelete is asked for, so a thread there can only leave it. lockdep knows classes and
 * no such nodes: it is told of all modes but AccessIntent, and the Write of such a node
 * has a subclass.
 */
#ifndef BLINK_LAB_SCHEMES_LATCH_H
#define BLINK_LAB_SCHEMES_LATCH_H

#include <linux/rwsem.h>

#include "numa_rw.h"
#include "plain.h"

enum latch_kind {
	LATCH_RWSEM,
	LATCH_NEUTRAL,
	LATCH_READERS,
	LATCH_WRITERS,
};

/**
 * enum latch_mode - modes
 * @LATCH_ACCESS: AccessIntent: the node is not freed
 * @LATCH_DELETE: NodeDelete: no thread has AccessIntent
 * @LATCH_READ: Read
 * @LATCH_WRITE: Write
 * @LATCH_WRITE_RIGHT: Write of the right neighbour of a node with Write
 * @LATCH_WRITE_DEAD: Write of a node with NodeDelete
 * @LATCH_PARENT: ParentModification
 * @LATCH_PARENT_LEFT: that of a node whose right neighbour is latched so too
 */
enum latch_mode {
	LATCH_ACCESS,
	LATCH_DELETE,
	LATCH_READ,
	LATCH_WRITE,
	LATCH_WRITE_RIGHT,
	LATCH_WRITE_DEAD,
	LATCH_PARENT,
	LATCH_PARENT_LEFT,
};

/* The locks, in the order that they lie in. */
enum { LATCH_LOCK_ACCESS, LATCH_LOCK_DATA, LATCH_LOCK_PARENT, LATCH_LOCKS };

struct latch_rwsems {
	struct rw_semaphore lock[LATCH_LOCKS];
} ____cacheline_aligned;

unsigned int latch_bytes(enum latch_kind kind);
void latch_init(enum latch_kind kind, void *latch, unsigned int level,
		unsigned int copy);

static __always_inline unsigned int latch_lock_of(enum latch_mode mode)
{
	if (mode == LATCH_ACCESS || mode == LATCH_DELETE)
		return LATCH_LOCK_ACCESS;
	return mode < LATCH_PARENT ? LATCH_LOCK_DATA : LATCH_LOCK_PARENT;
}

static __always_inline bool latch_is_shared(enum latch_mode mode)
{
	return mode == LATCH_ACCESS || mode == LATCH_READ;
}

static __always_inline unsigned int latch_subclass(enum latch_mode mode)
{
	if (mode == LATCH_WRITE_DEAD)
		return 2;
	return mode == LATCH_WRITE_RIGHT || mode == LATCH_PARENT_LEFT;
}

static __always_inline void latch_rwsem(struct rw_semaphore *sem,
					enum latch_mode mode)
{
	if (mode == LATCH_ACCESS)
		down_read_non_owner(sem);
	else if (mode == LATCH_READ)
		down_read(sem);
	else
		down_write_nested(sem, latch_subclass(mode));
}

static __always_inline void unlatch_rwsem(struct rw_semaphore *sem,
					  enum latch_mode mode)
{
	if (mode == LATCH_ACCESS)
		up_read_non_owner(sem);
	else if (mode == LATCH_READ)
		up_read(sem);
	else
		up_write(sem);
}

static __always_inline struct numa_rw *latch_numa(void *latch,
						  enum latch_mode mode)
{
	return latch + latch_lock_of(mode) * numa_rw_bytes();
}

static __always_inline enum numa_rw_preference
latch_preference(enum latch_kind kind)
{
	if (kind == LATCH_READERS)
		return NUMA_RW_READERS;
	return kind == LATCH_WRITERS ? NUMA_RW_WRITERS : NUMA_RW_NEUTRAL;
}

static __always_inline void latch_numa_lock(enum latch_kind kind,
					    struct numa_rw *lock,
					    enum latch_mode mode,
					    unsigned int part)
{
	if (mode == LATCH_READ)
		rwsem_acquire_read(&lock->dep_map, 0, 0, _THIS_IP_);
	else if (mode != LATCH_ACCESS)
		rwsem_acquire(&lock->dep_map, latch_subclass(mode), 0,
			      _THIS_IP_);
	if (latch_is_shared(mode))
		numa_rw_read_lock(lock, latch_preference(kind), part);
	else
		numa_rw_write_lock(lock, latch_preference(kind), part);
}

static __always_inline void
latch_numa_unlock(struct numa_rw *lock, enum latch_mode mode, unsigned int part)
{
	if (mode != LATCH_ACCESS)
		rwsem_release(&lock->dep_map, _THIS_IP_);
	if (latch_is_shared(mode))
		numa_rw_read_unlock(lock, part);
	else
		numa_rw_write_unlock(lock, part);
}

/*
 * Latch a node by the bytes in front of it (plain_latch()). @part is that of the
 * caller's NUMA node (numa_rw.h).
 */
static __always_inline void latch_lock(enum latch_kind kind, void *latch,
				       enum latch_mode mode, unsigned int part)
{
	struct latch_rwsems *sems = latch;

	if (kind == LATCH_RWSEM)
		latch_rwsem(&sems->lock[latch_lock_of(mode)], mode);
	else
		latch_numa_lock(kind, latch_numa(latch, mode), mode, part);
}

/* Give a latch up, with the arguments that it was taken with. */
static __always_inline void latch_unlock(enum latch_kind kind, void *latch,
					 enum latch_mode mode,
					 unsigned int part)
{
	struct latch_rwsems *sems = latch;

	if (kind == LATCH_RWSEM)
		unlatch_rwsem(&sems->lock[latch_lock_of(mode)], mode);
	else
		latch_numa_unlock(latch_numa(latch, mode), mode, part);
}

#endif /* BLINK_LAB_SCHEMES_LATCH_H */
