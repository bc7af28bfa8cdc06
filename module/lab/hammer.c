// SPDX-License-Identifier: GPL-2.0
/*
 * The hammer: CPUs that want one lock, all the time, each to change two lines of
 * memory that it guards. Who has the lock relaxes, which in QEMU with one thread
 * lets the other CPUs come and wait. With one CPU nobody ever waits.
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
 * struct anvil - the lock, of all kinds, and what it guards
 * @lock: plain, and cohort
 * @textbook: the textbook's
 * @gates: of @lock, if its kind is cohort
 * @hammer: what to do
 * @taken: how often the lock was taken
 * @local: how often by the NUMA node that had it before
 * @row: how often in a row by one NUMA node
 * @longest: the greatest @row
 * @last: the NUMA node that has it
 * @line: two lines of memory
 */
struct anvil {
	struct blink_lock lock;
	struct textbook textbook;
	struct blink_gates *gates;
	const struct lab_hammer *hammer;
	u32 taken;
	u32 local;
	u32 row;
	u32 longest;
	int last;
	u64 line[2][BLINK_LINE_BYTES / sizeof(u64)] ____cacheline_aligned;
};

/* The kinds are told apart before the operation, so that this costs nothing. */
static __always_inline bool take(struct anvil *anvil, enum lab_lock kind)
{
	if (kind == LAB_LOCK_COHORT)
		return blink_cohort_lock(anvil->gates, &anvil->lock);
	if (kind == LAB_LOCK_TEXTBOOK)
		textbook_lock(&anvil->textbook);
	else
		blink_lock(&anvil->lock);
	return false;
}

static __always_inline void give(struct anvil *anvil, enum lab_lock kind,
				 bool gated)
{
	if (gated)
		blink_cohort_unlock(anvil->gates, &anvil->lock, true);
	else if (kind == LAB_LOCK_TEXTBOOK)
		textbook_unlock(&anvil->textbook);
	else
		blink_unlock(&anvil->lock);
}

/* The lock is ours; false if it was taken often enough. */
static __always_inline bool strike(struct anvil *anvil)
{
	int nid = numa_node_id();

	anvil->line[0][0]++;
	anvil->line[1][0]++;
	if (!anvil->hammer->alone)
		cpu_relax();
	if (anvil->taken == anvil->hammer->rounds)
		return false;
	if (anvil->taken++ && nid == anvil->last) {
		anvil->local++;
		anvil->row++;
	} else {
		anvil->row = 1;
	}
	anvil->longest = max(anvil->longest, anvil->row);
	anvil->last = nid;
	return true;
}

static __always_inline int swing(struct anvil *anvil, enum lab_lock kind)
{
	bool goes_on, gated;

	do {
		blink_mark(BLINK_MARK_BEGIN | BLINK_CLASS_LOCK);
		gated = take(anvil, kind);
		goes_on = strike(anvil);
		give(anvil, kind, gated);
		blink_mark(BLINK_MARK_END);
		cond_resched();
	} while (goes_on);
	return 0;
}

static int work(void *arg)
{
	struct anvil *anvil = *(struct anvil **)arg;

	if (anvil->hammer->alone && smp_processor_id())
		return 0;
	switch (anvil->hammer->kind) {
	case LAB_LOCK_COHORT:
		return swing(anvil, LAB_LOCK_COHORT);
	case LAB_LOCK_TEXTBOOK:
		return swing(anvil, LAB_LOCK_TEXTBOOK);
	default:
		return swing(anvil, LAB_LOCK_PLAIN);
	}
}

static int count(struct anvil *anvil)
{
	unsigned int nr, i;
	struct anvil **args;
	int ret;

	cpus_read_lock();
	nr = num_online_cpus();
	args = kmalloc_array(nr, sizeof(*args), GFP_KERNEL);
	for (i = 0; args && i < nr; i++)
		args[i] = anvil;
	blink_mark(BLINK_MARK_FORGET);
	blink_tell(&anvil->lock, BLINK_TAG_HEAD);
	for (i = 0; i < ARRAY_SIZE(anvil->line); i++)
		blink_tell(anvil->line[i], 0);
	blink_mark(BLINK_MARK_COUNT);
	ret = args ? lab_crew_run(work, args, sizeof(*args)) : -ENOMEM;
	blink_mark(BLINK_MARK_PAUSE);
	cpus_read_unlock();
	kfree(args);
	return ret;
}

static struct anvil *create(const struct lab_hammer *hammer)
{
	struct anvil *anvil = kzalloc(sizeof(*anvil), GFP_KERNEL);

	if (!anvil)
		return NULL;
	if (blink_gates_create()) {
		kfree(anvil);
		return NULL;
	}
	if (textbook_init(&anvil->textbook)) {
		blink_gates_destroy();
		kfree(anvil);
		return NULL;
	}
	blink_lock_init(&anvil->lock, 0, false);
	anvil->gates = blink_gates_get(false);
	anvil->hammer = hammer;
	return anvil;
}

/**
 * lab_hammer() - let all CPUs, or the first one, hammer a lock
 * @hammer: what to do, and what came of it
 *
 * Context: process; sleeps; hammers exclude each other.
 * Return: 0 or -ENOMEM.
 */
int lab_hammer(struct lab_hammer *hammer)
{
	struct anvil *anvil = create(hammer);
	int ret;

	if (!anvil)
		return -ENOMEM;
	ret = count(anvil);
	hammer->taken = anvil->taken;
	hammer->local = anvil->local;
	hammer->longest = anvil->longest;
	if (!ret)
		hammer->number = lab_dump();
	textbook_destroy(&anvil->textbook);
	blink_gates_destroy();
	kfree(anvil);
	return ret;
}
