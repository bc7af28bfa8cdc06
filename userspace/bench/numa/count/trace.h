/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: traces
 *
 * A trace is a file with a record of each reference to memory that the operations of a
 * program make, for userspace/bench/lab/replay. The program does one operation at a time
 * (turns=1), so no thread waits within an operation, and no reader begins again. The
 * records of an operation follow each other, from TRACE_BEGIN to TRACE_END.
 *
 * An operation, or each one of a batch, can be a chain of tasks on nodes. A task follows a
 * TRACE_TO_CORE or TRACE_TO_NODE with the same line: the oldest one, if there are several.
 * It begins with TRACE_TASK, and ends before the next one, or before the TRACE_JOIN, with
 * which the operation's thread goes on after all of them.
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
	TRACE_JOIN, /* no task is left */
	TRACE_LOAD,
	TRACE_STORE,
	TRACE_ATOMIC, /* a load and a store at one instant */
	TRACE_ASK, /* a prefetch */
	TRACE_LOCK, /* the thread waits for a lock of this line, and takes it */
	TRACE_LOCK_SHARED, /* likewise, with other readers */
	TRACE_UNLOCK, /* it has given the lock up */
	TRACE_TO_CORE, /* a task on the node with this line is added, for the node's core */
	TRACE_TO_NODE, /* likewise, for the node's Synchronize-Task */
	TRACE_TASK, /* a task on this node begins */
	/* Besides, for the second lock of a line. */
	TRACE_SECOND = 32,
	/* Besides, for a line that belongs to the operation's thread, and goes with its tasks. */
	TRACE_OWN = 64,
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
