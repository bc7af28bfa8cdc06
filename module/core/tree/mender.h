/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: the mender
 *
 * A search can meet nodes without an entry in its index, and some searches
 * cannot post them: a reader never allocates. Therefore each index has a
 * *mender*, a work item that posts these nodes and may wait for memory
 * (mend.c). Two kinds of operations *ask* for it:
 *
 * - a search that has made BLINK_HOPS_MAX hops over such nodes;
 * - a writer that leaves a node without an entry, because memory ran out.
 *
 * A lookup can ask in every context that allows lookups, also in an NMI.
 * Therefore asking queues an irq_work, and its interrupt queues the work. The
 * first CPU that asks claims the mender (@asked) and stores its key. Requests
 * of other CPUs have no effect until the work has ended, and for some time
 * after that (@quiet): they read one cache line, and one CPU writes it. The
 * next search that meets the same nodes asks again.
 */
#ifndef BLINK_CORE_MENDER_H
#define BLINK_CORE_MENDER_H

#include <linux/atomic.h>
#include <linux/irq_work.h>
#include <linux/types.h>
#include <linux/workqueue.h>

struct blink_index;

/*
 * The hops over nodes without an entry after which a search asks. Each hop
 * reads a cache line from memory, as each level of the tree does: 8 hops double
 * the time of a lookup. Fewer hops are common while other CPUs split nodes that
 * they will post in a moment.
 */
#define BLINK_HOPS_MAX 8

/**
 * struct blink_mender - the mender of an index
 * @asked: a CPU has asked, and the work has not ended; the CPU that sets it to
 *	1 owns @key until the work runs
 * @key: head and tail of a key, on the way to which the index lacks an entry
 * @quiet: requests before this time (jiffies) have no effect
 * @irq: queues @work
 * @work: posts the nodes that the index lacks
 */
struct blink_mender {
	atomic_t asked;
	u64 key[2];
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
bool blink_mender_begin(struct blink_index *idx);
void blink_mender_ask(struct blink_index *idx, u64 head, u64 tail);

#endif /* BLINK_CORE_MENDER_H */
