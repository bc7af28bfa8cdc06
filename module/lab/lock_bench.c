// SPDX-License-Identifier: GPL-2.0
/*
 * The lock bench: all CPUs take one lock again and again, and change two lines of
 * memory that it guards. The holder relaxes its CPU, so that QEMU with one thread
 * runs the other CPUs, which then wait. A single CPU never waits.
 */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/processor.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "../lock/cohort.c"
#include "../lock/node_lock.c"
#include "lab.h"
#include "marks.h"
#include "textbook.h"

/**
 * struct contended - a lock of each kind, and the memory that it guards
 * @lock: plain, and cohort
 * @textbook: the textbook's
 * @gates: of @lock, if its kind is cohort
 * @bench: the parameters
 * @taken: how often the lock was taken
 * @local: how often by the NUMA node that had it before
 * @row: how often in a row by one NUMA node
 * @longest: the greatest @row
 * @last: the NUMA node that has it
 * @line: two lines of memory
 */
struct contended {
	struct blink_lock lock;
	struct textbook textbook;
	struct blink_gates *gates;
	const struct lab_lock_bench *bench;
	u32 taken;
	u32 local;
	u32 row;
	u32 longest;
	int last;
	u64 line[2][BLINK_LINE_BYTES / sizeof(u64)] ____cacheline_aligned;
};

/* The kinds are told apart before the operation, so that this costs nothing. */
static __always_inline bool take_lock(struct contended *contended,
				      enum lab_lock kind)
{
	if (kind == LAB_LOCK_COHORT)
		return blink_cohort_lock(contended->gates, &contended->lock);
	if (kind == LAB_LOCK_TEXTBOOK)
		textbook_lock(&contended->textbook);
	else
		blink_lock(&contended->lock);
	return false;
}

static __always_inline void release_lock(struct contended *contended,
					 enum lab_lock kind, bool gated)
{
	if (gated)
		blink_cohort_unlock(contended->gates, &contended->lock, true);
	else if (kind == LAB_LOCK_TEXTBOOK)
		textbook_unlock(&contended->textbook);
	else
		blink_unlock(&contended->lock);
}

/* The lock is ours; false if it was taken often enough. */
static __always_inline bool change_lines(struct contended *contended)
{
	int nid = numa_node_id();

	contended->line[0][0]++;
	contended->line[1][0]++;
	if (!contended->bench->alone)
		cpu_relax();
	if (contended->taken == contended->bench->rounds)
		return false;
	if (contended->taken++ && nid == contended->last) {
		contended->local++;
		contended->row++;
	} else {
		contended->row = 1;
	}
	contended->longest = max(contended->longest, contended->row);
	contended->last = nid;
	return true;
}

static __always_inline int lock_repeatedly(struct contended *contended,
					   enum lab_lock kind)
{
	bool goes_on, gated;

	do {
		blink_mark(BLINK_MARK_BEGIN | BLINK_CLASS_LOCK);
		gated = take_lock(contended, kind);
		goes_on = change_lines(contended);
		release_lock(contended, kind, gated);
		blink_mark(BLINK_MARK_END);
		cond_resched();
	} while (goes_on);
	return 0;
}

static int lock_thread(void *arg)
{
	struct contended *contended = *(struct contended **)arg;

	if (contended->bench->alone && smp_processor_id())
		return 0;
	switch (contended->bench->kind) {
	case LAB_LOCK_COHORT:
		return lock_repeatedly(contended, LAB_LOCK_COHORT);
	case LAB_LOCK_TEXTBOOK:
		return lock_repeatedly(contended, LAB_LOCK_TEXTBOOK);
	default:
		return lock_repeatedly(contended, LAB_LOCK_PLAIN);
	}
}

static int count_locking(struct contended *contended)
{
	unsigned int nr, i;
	struct contended **args;
	int ret;

	cpus_read_lock();
	nr = num_online_cpus();
	args = kmalloc_array(nr, sizeof(*args), GFP_KERNEL);
	for (i = 0; args && i < nr; i++)
		args[i] = contended;
	blink_mark(BLINK_MARK_FORGET);
	blink_tell(&contended->lock, BLINK_TAG_HEAD);
	for (i = 0; i < ARRAY_SIZE(contended->line); i++)
		blink_tell(contended->line[i], 0);
	blink_mark(BLINK_MARK_COUNT);
	ret = args ? lab_threads_run(lock_thread, args, sizeof(*args)) :
		     -ENOMEM;
	blink_mark(BLINK_MARK_PAUSE);
	cpus_read_unlock();
	kfree(args);
	return ret;
}

static struct contended *create_contended(const struct lab_lock_bench *bench)
{
	struct contended *contended = kzalloc(sizeof(*contended), GFP_KERNEL);

	if (!contended)
		return NULL;
	if (blink_gates_create()) {
		kfree(contended);
		return NULL;
	}
	if (textbook_init(&contended->textbook)) {
		blink_gates_destroy();
		kfree(contended);
		return NULL;
	}
	blink_lock_init(&contended->lock, 0, false);
	contended->gates = blink_gates_get(false);
	contended->bench = bench;
	return contended;
}

/*
 * Let all CPUs, or the first one, take a lock again and again. The caller excludes
 * other benches.
 */
int lab_lock_bench(struct lab_lock_bench *bench)
{
	struct contended *contended = create_contended(bench);
	int ret;

	if (!contended)
		return -ENOMEM;
	ret = count_locking(contended);
	bench->taken = contended->taken;
	bench->local = contended->local;
	bench->longest = contended->longest;
	if (!ret)
		bench->number = lab_dump();
	textbook_destroy(&contended->textbook);
	blink_gates_destroy();
	kfree(contended);
	return ret;
}
