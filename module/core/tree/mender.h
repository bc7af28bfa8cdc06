/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: the mender
 *
 * A search of any kind can meet nodes that its index has no entry for, and only
 * some can post them: a reader never allocates. So each index has a *mender*, a
 * work item that posts them with memory that it may wait for (mend.c), for
 * those that *ask*:
 *
 * - a search that has made BLINK_HOPS_MAX hops over such nodes;
 * - a writer that leaves a node without an entry, or a record not applied,
 *   because it had no memory or the queue of records was full.
 *
 * A lookup may ask wherever it may run, in NMIs too. So asking sends an irq_work,
 * and that interrupt queues the work. The CPU that asks first claims the mender
 * (@asked) and stores its key. Others are not heard until the work has ended, nor
 * for a while after that (@quiet): all of them read one line, and one writes it.
 * The next search that meets the same nodes asks again.
 */
#ifndef BLINK_CORE_MENDER_H
#define BLINK_CORE_MENDER_H

#include <linux/atomic.h>
#include <linux/irq_work.h>
#include <linux/types.h>
#include <linux/workqueue.h>

struct blink_index;

/*
 * A search asks when it has made so many hops over nodes without an entry. Each hop
 * reads a line from memory, as each level of the tree does: 8 of them double the
 * time of a lookup. A search makes fewer now and then, while other CPUs split nodes
 * that they will post in a moment.
 */
#define BLINK_HOPS_MAX 8

/**
 * struct blink_mender - what mends an index
 * @asked: a CPU has asked, and the work has not ended; the CPU that makes it 1 owns
 *	@key until the work runs
 * @key: on the way to this key the index lacks an entry
 * @quiet: until then (jiffies) nobody may ask
 * @irq: queues @work
 * @work: mends
 */
struct blink_mender {
	atomic_t asked;
	u64 key;
	unsigned long quiet;
	struct irq_work irq;
	struct work_struct work;
};

int blink_menders_create(void);
void blink_menders_destroy(void);
void blink_mender_init(struct blink_mender *mender, work_func_t work);
void blink_mender_end(struct blink_mender *mender);
void blink_mender_again(struct blink_mender *mender);
void blink_mender_done(struct blink_mender *mender, unsigned long ticks);
void blink_mender_ask(struct blink_index *idx, u64 key);

#endif /* BLINK_CORE_MENDER_H */
