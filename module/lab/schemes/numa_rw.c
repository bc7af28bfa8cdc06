// SPDX-License-Identifier: GPL-2.0
/* NUMA-aware reader/writer locks (numa_rw.h). lockdep is told by the caller. */
#include <linux/processor.h>
#include <linux/sched.h>

#include "../marks.h"
#include "numa_rw.h"

/* How often the global lock goes from writer to writer within a NUMA node. */
#define NUMA_RW_BOUND 64

/* Turns of a loop that waits: before another thread may run, and before a barrier. */
#define SPINS 128
#define PATIENCE 1000

static void spin(unsigned int *spins)
{
	cpu_relax();
	if (!(++*spins % SPINS))
		schedule();
}

static void ticket_init(struct numa_rw_ticket *lock)
{
	atomic_set(&lock->next, 0);
	atomic_set(&lock->owner, 0);
}

static void ticket_lock(struct numa_rw_ticket *lock)
{
	unsigned int spins = 0;
	int mine;

	blink_tell_lock(lock, BLINK_TAG_LOCK);
	mine = atomic_fetch_inc(&lock->next);

	/* Pairs with ticket_unlock(): this thread sees the stores of the last holder. */
	while (atomic_read_acquire(&lock->owner) != mine)
		spin(&spins);
}

/* Any thread may do this for the one that locked. */
static void ticket_unlock(struct numa_rw_ticket *lock)
{
	/* Pairs with ticket_lock(). */
	atomic_set_release(&lock->owner, (int)(atomic_read(&lock->owner) + 1U));
	blink_tell_lock(lock, BLINK_TAG_UNLOCK);
}

/* Whether another thread waits for a lock that is held. */
static bool ticket_wanted(struct numa_rw_ticket *lock)
{
	return (unsigned int)atomic_read(&lock->next) -
		       (unsigned int)atomic_read(&lock->owner) >
	       1;
}

static void cohort_lock(struct numa_rw *lock, unsigned int part)
{
	struct numa_rw_part *mine = &lock->part[part];

	ticket_lock(&mine->local);
	if (!mine->inherited)
		ticket_lock(&lock->global);
}

static void cohort_unlock(struct numa_rw *lock, unsigned int part)
{
	struct numa_rw_part *mine = &lock->part[part];

	mine->inherited = ticket_wanted(&mine->local) &&
			  mine->passes < NUMA_RW_BOUND;
	if (mine->inherited) {
		mine->passes++;
	} else {
		mine->passes = 0;
		ticket_unlock(&lock->global);
	}
	ticket_unlock(&mine->local);
}

/*
 * Whether a thread of any NUMA node holds the cohort lock. A writer that takes it
 * after this thread was counted as a reader finds that count; so the order of the two
 * loads is of no account.
 */
static bool cohort_locked(struct numa_rw *lock)
{
	int next = atomic_read(&lock->global.next);

	/* Pairs with ticket_unlock(): this thread sees the stores of the last writer. */
	return atomic_read_acquire(&lock->global.owner) != next;
}

static bool has_readers(struct numa_rw *lock)
{
	unsigned int i;

	for (i = 0; i < numa_rw_parts(); i++) {
		/* Pairs with depart(): the reader's accesses come before this. */
		if (atomic_read_acquire(&lock->part[i].readers))
			return true;
	}
	return false;
}

static void wait_for_readers(struct numa_rw *lock)
{
	unsigned int spins = 0;

	while (has_readers(lock))
		spin(&spins);
}

/* Fully ordered: the count is visible before this thread looks at the cohort lock. */
static void arrive(struct numa_rw *lock, unsigned int part)
{
	atomic_inc_return(&lock->part[part].readers);
}

static void depart(struct numa_rw *lock, unsigned int part)
{
	/* Pairs with has_readers(). */
	(void)atomic_dec_return_release(&lock->part[part].readers);
}

static void wait_at_barrier(struct numa_rw *lock)
{
	unsigned int spins = 0;

	while (atomic_read(&lock->barrier))
		spin(&spins);
}

/* Raise the barrier, if it is time to and this thread has not yet. */
static void lose_patience(struct numa_rw *lock, unsigned int spins,
			  bool *raised)
{
	if (*raised || spins < PATIENCE)
		return;
	atomic_inc(&lock->barrier);
	*raised = true;
}

/* Reader preference. */
static void read_first(struct numa_rw *lock, unsigned int part)
{
	unsigned int spins = 0;

	wait_at_barrier(lock);
	arrive(lock, part);
	while (cohort_locked(lock))
		spin(&spins);
}

/* Reader preference: the cohort lock is held in vain while readers are counted. */
static void write_last(struct numa_rw *lock, unsigned int part)
{
	unsigned int spins = 0;
	bool raised = false;

	cohort_lock(lock, part);
	while (has_readers(lock)) {
		cohort_unlock(lock, part);
		while (has_readers(lock)) {
			spin(&spins);
			lose_patience(lock, spins, &raised);
		}
		cohort_lock(lock, part);
	}
	if (raised)
		atomic_dec(&lock->barrier);
}

/* Writer preference. */
static void read_last(struct numa_rw *lock, unsigned int part)
{
	unsigned int spins = 0;
	bool raised = false;

	arrive(lock, part);
	while (cohort_locked(lock)) {
		depart(lock, part);
		while (cohort_locked(lock)) {
			spin(&spins);
			lose_patience(lock, spins, &raised);
		}
		arrive(lock, part);
	}
	if (raised)
		atomic_dec(&lock->barrier);
}

/* Make a free lock; @name and @key are for lockdep. */
void numa_rw_init(struct numa_rw *lock, const char *name,
		  struct lock_class_key *key)
{
	unsigned int i;

	ticket_init(&lock->global);
	atomic_set(&lock->barrier, 0);
	lockdep_init_map(&lock->dep_map, name, key, 0);
	for (i = 0; i < numa_rw_parts(); i++) {
		atomic_set(&lock->part[i].readers, 0);
		ticket_init(&lock->part[i].local);
		lock->part[i].passes = 0;
		lock->part[i].inherited = false;
	}
}

/* Take a lock as a reader; may sleep. @part is that of the caller's NUMA node. */
void numa_rw_read_lock(struct numa_rw *lock, enum numa_rw_preference preference,
		       unsigned int part)
{
	might_sleep();
	blink_tell_lock(lock, BLINK_TAG_LOCK_SHARED | BLINK_TAG_SECOND);
	if (preference == NUMA_RW_READERS) {
		read_first(lock, part);
	} else if (preference == NUMA_RW_WRITERS) {
		read_last(lock, part);
	} else {
		cohort_lock(lock, part);
		arrive(lock, part);
		cohort_unlock(lock, part);
	}
}

/* @part is as it was when the lock was taken. */
void numa_rw_read_unlock(struct numa_rw *lock, unsigned int part)
{
	depart(lock, part);
	blink_tell_lock(lock, BLINK_TAG_UNLOCK | BLINK_TAG_SECOND);
}

/* Take a lock as its writer; may sleep. @part is that of the caller's NUMA node. */
void numa_rw_write_lock(struct numa_rw *lock,
			enum numa_rw_preference preference, unsigned int part)
{
	might_sleep();
	blink_tell_lock(lock, BLINK_TAG_LOCK | BLINK_TAG_SECOND);
	if (preference == NUMA_RW_READERS) {
		write_last(lock, part);
		return;
	}
	if (preference == NUMA_RW_WRITERS)
		wait_at_barrier(lock);
	cohort_lock(lock, part);
	wait_for_readers(lock);
}

/* @part is as it was when the lock was taken. */
void numa_rw_write_unlock(struct numa_rw *lock, unsigned int part)
{
	cohort_unlock(lock, part);
	blink_tell_lock(lock, BLINK_TAG_UNLOCK | BLINK_TAG_SECOND);
}
