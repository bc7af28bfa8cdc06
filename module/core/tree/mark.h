/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: the mark of a writer
 *
 * BPF programs can modify trees (../../bpf/write.h). One that interrupted a writer, and
 * then waited for the lock of a node that this writer holds, would wait forever. So a CPU
 * that runs a writer is marked, and a program that finds the mark modifies nothing. One
 * mark for all trees: otherwise two CPUs could wait for each other, each for the tree
 * whose writer the other one interrupted.
 *
 * The mark is set between blink_writer_begin() and blink_writer_end(). Preemption is
 * disabled there, so no other task of the CPU sees it. It is a count, since an interrupt
 * can modify a tree with BLINK_TREE_IRQSAFE in the writer of another tree. Such a section
 * leaves the count as it was, so the additions need not be atomic.
 *
 * Kernels without functions for BPF programs have no mark.
 */
#ifndef BLINK_CORE_MARK_H
#define BLINK_CORE_MARK_H

#ifdef BLINK_KFUNCS
#include <linux/percpu.h>

DECLARE_PER_CPU(unsigned int, blink_writers);

static inline void blink_mark_set(void)
{
	__this_cpu_inc(blink_writers);
}

static inline void blink_mark_clear(void)
{
	__this_cpu_dec(blink_writers);
}

/* Whether the caller runs inside of a writer; the caller cannot leave its CPU. */
static inline bool blink_mark_is_set(void)
{
	return this_cpu_read(blink_writers);
}
#else
static inline void blink_mark_set(void)
{
}

static inline void blink_mark_clear(void)
{
}
#endif

#endif /* BLINK_CORE_MARK_H */
