/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: the replay of a trace
 *
 * The operations that a program did on its own CPUs (numa/count/trace.h) are executed again
 * by the CPUs of a simulated machine: a discrete-event simulation, whose events are the
 * records of the trace. Its results are those of the model below, and of no processor.
 *
 * - A CPU executes an instruction in a constant time, besides what memory costs.
 * - Each CPU has a cache of its own, and each NUMA node one for its CPUs. A line is held by
 *   any number of CPUs, or changed by one. To load a line that another CPU changed, or to
 *   change one that others hold, is a *transfer*, near (within a NUMA node) or far. A line
 *   is transferred to one CPU at a time: others queue for it, in the order of their events.
 * - A load and an atomic instruction wait for their line, and the latter for all stores
 *   before it, too. A store waits only if as many others are under way as the CPU can have,
 *   and so does a prefetch. Stores become visible in their order.
 * - A CPU that has referred to three lines behind each other, upwards or downwards, prefetches
 *   the next ones, as processors do. These prefetches never wait: one too many is not made.
 * - A line that no CPU has referred to before is in a cache by chance: as often as the caches
 *   have room for the lines of all objects of the program.
 * - Locks are queues, first come, first served.
 * - Each CPU has a queue of tasks (numa/count/trace.h). A task begins after the one of the same
 *   operation that added it. It goes to the CPU that the hash of its node's address chooses
 *   among those of the machine; or, if it was added for the node itself, to the CPU that has
 *   the node: the one that added a task when no CPU had it. This CPU executes up to 16 of the
 *   node's tasks before it looks at others, and has the node until no task is left. A CPU
 *   whose operation waits for its tasks executes all that it finds in its queue, and looks
 *   again. The memory of an operation goes with its tasks from CPU to CPU.
 * - The recording has one queue, whose instructions are part of the tasks; the references
 *   are the model's: an atomic instruction to add a task to a queue or a node, or to begin or
 *   end with a node, and a load before it to take what is in a queue.
 * - A reader that holds no lock, and loads a word again that another CPU has stored to since
 *   the first time, goes on where it loaded it first: so it does with the version of a node.
 *   An operation that has changed something, or taken a lock, does not go back behind that.
 *
 * Not simulated: branches that are predicted wrongly, bandwidth, frequencies, page
 * tables, instruction caches, what spinning costs others, the preferences of
 * reader/writer locks, and readers that wait for the end of a change. The operations are
 * those that were recorded, one at a time: a split that another thread would have caused
 * happens in the recording's order. The tasks of a call are recorded in the order of one
 * queue. A CPU whose queue is empty looks there at no cost, and never sleeps; the search for the
 * core that a thread holds is left out.
 */
#ifndef LAB_REPLAY_H
#define LAB_REPLAY_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

#define REPLAY_CPUS_MAX 256
#define REPLAY_NODES_MAX 8
/* Prefetches and stores that are under way, and words that a reader compares. */
#define REPLAY_MISSES_MAX 64
#define REPLAY_STORES_MAX 128
#define REPLAY_SEEN_MAX 64
/* A line that no line has. */
#define REPLAY_NO_LINE (~0U)
/* Between two lines that do not follow each other. */
#define REPLAY_GAP 255

/**
 * struct replay_machine - the machine that is simulated; times are in picoseconds
 * @cpus: how many CPUs; CPU n belongs to NUMA node n % @nodes
 * @nodes: how many NUMA nodes
 * @insn: the time of an instruction
 * @shared: to load a line from the NUMA node's cache
 * @near: a transfer from another CPU of the NUMA node
 * @far: one from another NUMA node, or a load from its cache
 * @memory: to load a line from the memory of the CPU's NUMA node
 * @far_memory: from that of another one
 * @misses: prefetches that are under way for a CPU, at most
 * @ahead: how many lines a CPU prefetches ahead of those that follow each other
 * @stores: stores, likewise
 * @own_lines: lines in the cache of a CPU
 * @node_lines: lines in the cache of a NUMA node
 */
struct replay_machine {
	__u32 cpus;
	__u32 nodes;
	__u32 insn;
	__u32 shared;
	__u32 near;
	__u32 far;
	__u32 memory;
	__u32 far_memory;
	__u32 misses;
	__u32 ahead;
	__u32 stores;
	__u32 own_lines;
	__u32 node_lines;
};

/**
 * struct replay_event - a record; lines are numbered from 0
 * @line: the line
 * @insns: instructions before it
 * @kind: an enum trace_kind, without TRACE_SECOND and TRACE_OWN
 *	TRACE_TO_CORE has a hash of the node in its place
 * @lock: of TRACE_LOCK and the like, the lock's number
 * @word: of a load or store, 1 + the number of the word, if an operation compares it; or 0
 * @task: of TRACE_TASK, TRACE_TO_CORE and TRACE_TO_NODE, the task's number
 * @join: of TRACE_BEGIN, the place of its TRACE_JOIN, or 0
 */
struct replay_event {
	__u32 line;
	__u32 insns;
	__u32 kind;
	union {
		__u32 lock;
		__u32 word;
		__u32 task;
		__u32 join;
	};
};

/**
 * struct replay_trace - a trace that was read; lines that one thread alone refers to are
 *	left out, unless they are objects
 * @events: the events of all operations, those of a thread behind each other
 * @first: of each thread, the first of its operations in @begin; and of one thread more
 * @begin: where each operation begins in @events, at its TRACE_BEGIN
 * @threads: threads that did operations
 * @home: of each line, 1 + its NUMA node, or 0; or REPLAY_GAP: it is no line
 * @lines: how many numbers of lines there are; those of neighbours follow each other
 * @own: lines that belong to an operation's thread, which have the next numbers
 * @locks: how many locks
 * @words: how many words are compared
 * @tasks: how many tasks
 * @task: of each task, the place of its TRACE_TASK
 * @objects: lines of all objects of the program, in the trace or not
 */
struct replay_trace {
	struct replay_event *events;
	__u32 *begin;
	__u32 first[REPLAY_CPUS_MAX + 1];
	__u32 threads;
	__u8 *home;
	__u32 lines;
	__u32 own;
	__u32 locks;
	__u32 words;
	__u32 tasks;
	__u32 *task;
	__u64 objects;
};

/**
 * struct replay_share - the work of a CPU while it was measured
 * @calls: operations, or batches of them
 * @time: in picoseconds
 */
struct replay_share {
	__u64 calls;
	__u64 time;
};

/**
 * struct replay_result - the findings of a replay
 * @share: of each CPU
 * @time: the time that was measured, in picoseconds
 * @retries: how often a reader began again
 * @transfers: lines that went from CPU to CPU
 * @waits: how often a lock was waited for
 * @broken: locks that were given up by force, as no CPU could go on
 */
struct replay_result {
	struct replay_share share[REPLAY_CPUS_MAX];
	__u64 time;
	__u64 retries;
	__u64 transfers;
	__u64 waits;
	__u64 broken;
};

/* trace.c: 0 or -1, with a message; the memory remains until the process ends. */
int replay_read(const char *path, struct replay_trace *trace);

/* caches.c */
void caches_init(const struct replay_machine *machine,
		 const struct replay_trace *trace);
__u64 caches_refer(unsigned int cpu, __u32 line, bool change, __u64 now);
__u64 caches_transfers(void);

/* prefetch.c */
void prefetch_init(const struct replay_machine *machine,
		   const struct replay_trace *trace);
__u64 prefetch(unsigned int cpu, __u32 line, __u64 now);
__u64 prefetch_wait(unsigned int cpu, __u32 line, __u64 now);
void prefetch_follow(unsigned int cpu, __u32 line, __u64 now);

/* tasks.c */
enum replay_work {
	WORK_TASK, /* a task begins */
	WORK_QUEUE, /* the CPU takes all that is in its queue */
	WORK_NODE, /* it begins or ends to work on a node */
	WORK_NONE, /* the tasks of its own operation have ended */
	WORK_LATER, /* its queue is empty */
};

void tasks_init(const struct replay_machine *machine,
		const struct replay_trace *trace);
unsigned int tasks_core(__u32 hash);
void tasks_add(unsigned int cpu, unsigned int client, __u32 task);
void tasks_add_to_node(unsigned int cpu, unsigned int client, __u32 task,
		       __u32 line);
enum replay_work tasks_next(unsigned int cpu, __u32 *next);
unsigned int tasks_client(__u32 task);
bool tasks_end(__u32 task);

/* cpus.c: all of it; -1 if a thread has too few operations. */
int replay_run(const struct replay_machine *machine,
	       const struct replay_trace *trace, struct replay_result *result);

/* Zeroed memory; without any the program ends. */
void *replay_alloc(size_t nr, size_t bytes);

#endif /* LAB_REPLAY_H */
