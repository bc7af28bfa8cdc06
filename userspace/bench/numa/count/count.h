/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counting references to the memory of NUMA nodes, in a guest of QEMU; and the lines
 * that operations fetch, in a program that QEMU runs.
 *
 * The guest marks operations and tells what its memory is used for; see
 * module/lab/marks.h. A reference is *local* if the memory belongs to the NUMA
 * node of the virtual CPU, else *remote*. Besides, each NUMA node is taken to
 * have one cache, which holds any number of lines; of each *line* is known who
 * holds it and whether that one changed it, as in the MESI protocol:
 *
 * - A line is *transferred* when a node that does not hold it refers to it,
 *   if another has changed it, or if this one held it and lost it to a change.
 *   That a node has not held it before is no reason.
 * - A copy is *invalidated* when another node changes the line.
 *
 * And of each line is known which CPUs referred to it in operations: it is *shared*
 * if several did. An operation *writes* a line that it stores to, however often;
 * other CPUs lose the shared lines that it writes.
 *
 * An operation *fetches* a line when it refers to it for the first time, or prefetches
 * it. It *uses* a line that it refers to. Prefetches are those of a program that asks
 * for lines (marks.h).
 *
 * One lock protects all counters: a guest with several threads waits for it.
 */
#ifndef NUMA_COUNT_COUNT_H
#define NUMA_COUNT_COUNT_H

#include <linux/types.h>
#include <stdbool.h>
#include <stdio.h>

#include "marks.h"

#define NODES_MAX 8
#define CPUS_MAX 64

/**
 * struct refs - references, and what came of them
 * @load: from memory that is local, remote
 * @store: to memory that is local, remote
 * @transfer: lines transferred
 * @invalidation: copies of lines invalidated
 * @written: operations that wrote the line
 * @fetched: operations that fetched it
 * @asked: of these, operations that prefetched it before they used it
 * @used: operations that used it
 */
struct refs {
	__u32 load[2];
	__u32 store[2];
	__u32 transfer;
	__u32 invalidation;
	__u32 written;
	__u32 fetched;
	__u32 asked;
	__u32 used;
};

/**
 * struct line - a line of memory that was referred to or told of
 * @next: another one with the same hash
 * @number: its address, divided by its size
 * @told: whether it was told of
 * @head: whether it begins with a node's lock
 * @own: whether it belongs to a call whose tasks refer to it
 * @tag: the kind of memory that it was told to be
 * @home: NUMA node that it belongs to
 * @held: nodes that hold it, a bit for each
 * @lost: nodes that held it once and lost it to a change
 * @changed: whether the one that holds it changed it
 * @users: CPUs that referred to it in operations, a bit for each
 * @writer: number of the operation that wrote it last
 * @fetcher: number of the operation that fetched it last
 * @user: number of the operation that used it last
 * @refs: references by class, those to the lock apart; from @written on nothing is
 *	told apart
 */
struct line {
	struct line *next;
	__u64 number;
	bool told;
	bool head;
	bool own;
	__u8 tag;
	__u8 home;
	__u8 held;
	__u8 lost;
	bool changed;
	__u64 users;
	__u64 writer;
	__u64 fetcher;
	__u64 user;
	struct refs refs[BLINK_CLASS_NR][2];
};

/**
 * struct cpu - a virtual CPU
 * @node: its NUMA node
 * @class: of the operation that it is in, or 0
 * @waits: that of the operation that waits or hides, and counts nothing meanwhile
 * @op: number of the last operation, among those of all CPUs
 * @stack: an address in the stack that is not counted, or 0
 * @ops: operations begun, by class
 * @insns: instructions executed, by class
 */
struct cpu {
	unsigned int node;
	unsigned int class;
	unsigned int waits;
	__u64 op;
	__u64 stack;
	__u64 ops[BLINK_CLASS_NR];
	__u64 insns[BLINK_CLASS_NR];
	struct refs refs[BLINK_CLASS_NR];
};

extern struct cpu cpus[CPUS_MAX];
extern unsigned int nr_cpus;

/* topology.c */
int topology_set(unsigned int nodes, unsigned int nr, __u64 bytes);
int topology_home(__u64 address);

/* lines.c */
struct line *line_find(__u64 address);
struct line *line_get(__u64 address, unsigned int home);
void line_refer(struct line *line, unsigned int number, bool store);
void line_ask(struct line *line, unsigned int number);
void line_reset(struct line *line);
void lines_each(void (*visit)(struct line *line));
void lines_forget(void);

/* directory.c */
void directory_load(struct line *line, unsigned int node, struct refs *refs);
void directory_store(struct line *line, unsigned int node, struct refs *refs);

/* trace.c; @kind is that of a record (trace.h) */
bool trace_on(void);
bool trace_open(const char *path);
void trace_restart(void);
void trace_end(void);
void trace_execute(unsigned int thread, unsigned int insns);
void trace_event(unsigned int thread, unsigned int kind, __u64 address,
		 unsigned int left);
void trace_skip(unsigned int thread, unsigned int left, bool begins);
void trace_object(__u64 address, unsigned int home);
void trace_own(__u64 address);
bool trace_is_own(__u64 address);

/* report.c: write all counters, as the dump with a number. */
void report(FILE *file, unsigned int number);

#endif /* NUMA_COUNT_COUNT_H */
