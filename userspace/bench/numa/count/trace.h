/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: traces
 *
 * A trace is a file with a record of each reference to memory that the operations of a
 * program make, for userspace/bench/lab/replay. The program does one operation at a time
 * (turns=1), so no thread waits within an operation, and no reader begins again. The
 * records of an operation follow each other, from TRACE_BEGIN to TRACE_END.
 *
 * The first record of a file is no event: its @line is the number of lines that the
 * program told of, which are those of all objects.
 */
#ifndef NUMA_COUNT_TRACE_H
#define NUMA_COUNT_TRACE_H

#include <linux/types.h>

enum trace_kind {
	TRACE_BEGIN,
	TRACE_END,
	TRACE_LOAD,
	TRACE_STORE,
	TRACE_ATOMIC, /* a load and a store at one instant */
	TRACE_ASK, /* a prefetch */
	TRACE_LOCK, /* the thread waits for a lock of this line, and takes it */
	TRACE_LOCK_SHARED, /* likewise, with other readers */
	TRACE_UNLOCK, /* it has given the lock up */
	/* Besides, for the second lock of a line. */
	TRACE_SECOND = 32,
};

/**
 * struct trace_record - an event of a thread
 * @line: address of what it refers to, divided by the size of a line
 * @insns: instructions that the thread executed since its last record, to the end of the
 *	block of this one
 * @kind: an enum trace_kind, or two
 * @thread: the thread, by a number of QEMU's
 * @home: 1 + the NUMA node of the object that the line belongs to; 0: it is of none
 * @word: which of the line's words of eight bytes
 */
struct trace_record {
	__u64 line;
	__u32 insns;
	__u8 kind;
	__u8 thread;
	__u8 home;
	__u8 word;
};

#endif /* NUMA_COUNT_TRACE_H */
