/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: the reader-writer latch with distributed counters
 *
 * Authors: Pranjal Patil, Manisha Dodeja, Semil Jain. Paper: "Concurrent B+Trees - RCU
 * Approach", section 3 ("we also implemented the distributed counter").
 *
 * A reader adds one to the counter of its CPU, and goes on unless a writer has the
 * latch. A writer takes the latch from other writers, and then waits until all
 * counters are zero. So readers on different CPUs write to different cache lines, and
 * a writer reads all of them.
 *
 * The paper describes no more. The number of counters is that of the authors' program,
 * 16, which CPUs share if there are more. Each counter has a cache line of its own
 * here. Preemption is off while a thread holds a latch, as with the kernel's spinning
 * locks; writers hold a raw_spinlock_t, since PREEMPT_RT must not sleep then.
 */
#ifndef BLINK_LAB_SPREAD_LATCH_H
#define BLINK_LAB_SPREAD_LATCH_H

#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/smp.h>
#include <linux/spinlock.h>

#include "../marks.h"

#define SPREAD_COUNTERS 16

/**
 * struct spread_latch - a latch
 * @writer: held by the writer; lockdep knows the latch by this
 * @writing: whether readers must wait
 * @readers: counters of readers
 */
struct spread_latch {
	raw_spinlock_t writer;
	bool writing;
	struct {
		atomic_t nr;
	} ____cacheline_aligned readers[SPREAD_COUNTERS];
};

static inline void spread_latch_init(struct spread_latch *latch)
{
	unsigned int i;

	raw_spin_lock_init(&latch->writer);
	latch->writing = false;
	for (i = 0; i < SPREAD_COUNTERS; i++)
		atomic_set(&latch->readers[i].nr, 0);
}

/* The counter of this CPU; the caller keeps it on the CPU. */
static inline atomic_t *spread_counter(struct spread_latch *latch)
{
	return &latch->readers[raw_smp_processor_id() % SPREAD_COUNTERS].nr;
}

static inline void spread_read_lock(struct spread_latch *latch)
{
	atomic_t *readers;

	preempt_disable();
	blink_tell_lock(latch, BLINK_TAG_LOCK_SHARED | BLINK_TAG_SECOND);
	rwlock_acquire_read(&latch->writer.dep_map, 0, 0, _THIS_IP_);
	readers = spread_counter(latch);
	for (;;) {
		atomic_inc(readers);
		/* Pairs with smp_mb() in spread_write_lock(): one sees the other. */
		smp_mb__after_atomic();
		/* Pairs with smp_store_release() in spread_write_unlock(). */
		if (likely(!smp_load_acquire(&latch->writing)))
			break;
		atomic_dec(readers);
		/* As above. */
		smp_cond_load_acquire(&latch->writing, !VAL);
	}
}

static inline void spread_read_unlock(struct spread_latch *latch)
{
	rwlock_release(&latch->writer.dep_map, _THIS_IP_);
	/* Pairs with atomic_cond_read_acquire() in spread_write_lock(). */
	(void)atomic_dec_return_release(spread_counter(latch));
	blink_tell_lock(latch, BLINK_TAG_UNLOCK | BLINK_TAG_SECOND);
	preempt_enable();
}

static inline void spread_write_lock(struct spread_latch *latch,
				     unsigned int subclass)
{
	unsigned int i;

	blink_tell_lock(latch, BLINK_TAG_LOCK | BLINK_TAG_SECOND);
	raw_spin_lock_nested(&latch->writer, subclass);
	WRITE_ONCE(latch->writing, true);
	/* Pairs with smp_mb__after_atomic() in spread_read_lock(). */
	smp_mb();
	/* Pairs with atomic_dec_return_release() in spread_read_unlock(). */
	for (i = 0; i < SPREAD_COUNTERS; i++)
		atomic_cond_read_acquire(&latch->readers[i].nr, !VAL);
}

static inline void spread_write_unlock(struct spread_latch *latch)
{
	/* Pairs with smp_load_acquire() in spread_read_lock(). */
	smp_store_release(&latch->writing, false);
	raw_spin_unlock(&latch->writer);
	blink_tell_lock(latch, BLINK_TAG_UNLOCK | BLINK_TAG_SECOND);
}

#endif /* BLINK_LAB_SPREAD_LATCH_H */
