/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A stateless model checker for the core's own C.
 *
 * The core is compiled with the instrumentation of ThreadSanitizer, of which
 * memory.c is another runtime: every access to memory that fibers share, plain
 * ones included, comes by here. Memory is *weak*: each *location* keeps all that
 * was stored there in one execution, its *messages*, in the order of execution;
 * a fiber has a *view*, the oldest message of each location that it may still
 * find. An acquire, a barrier or a lock makes a view newer; a load that none of them
 * orders may find a message that is *stale*. This is the release-acquire fragment of C11,
 * with fences, and no load that finds a store of its future.
 *
 * An *execution* is one run of a scenario; it is a list of *choices*: which fiber
 * goes on, which message a load finds. Depth-first search goes through all such
 * lists with at most so many *preemptions* (a fiber has to stop that could go on)
 * and so many stale loads. Every execution starts from the same memory.
 */
#ifndef EXPLORE_H
#define EXPLORE_H

#include <linux/types.h>

#define FIBERS_MAX 3

/**
 * struct bounds - the bounds up to which the search is complete
 * @preemptions: of one execution
 * @stale: loads of one execution that do not find the last message
 */
struct bounds {
	unsigned int preemptions;
	unsigned int stale;
};

/* search.c: fibers and choices */

/**
 * struct search - the code to run, and the size of the search
 * @nr: fibers
 * @nid: NUMA node of each
 * @body: the function of each
 * @check: called at the end of each execution
 * @bounds: see there
 * @executions: how many there were
 * @points: where another fiber could have gone on, in all of them
 * @longest: most choices of an execution
 */
struct search {
	unsigned int nr;
	const int *nid;
	void (*body)(unsigned int fiber);
	void (*check)(void);
	struct bounds bounds;
	u64 executions;
	u64 points;
	unsigned int longest;
};

/* Once, before anything else. */
void search_prepare(void);
void search_run(struct search *search);

/* The fiber that runs, if one does and no callback is running on it. */
bool search_running(void);
bool search_in_callback(void);
unsigned int search_fiber(void);
/* A shared location is about to be accessed: others may be first. */
void search_point(void);
/* A store: a fiber that waits for one may go on. */
void search_stored(void);
/* Which of @nr messages to load, 0 for the last one; the others are stale. */
unsigned int search_stale(unsigned int nr);
/* A logical clock. */
u64 search_clock(void);

/* Report what is wrong, with the choices that led here, and end the process. */
void __noreturn explore_fail(const char *format, ...) __printf(1, 2);

/* memory.c: the memory */

/* Forget all messages; put back what was there before the first one of each. */
void memory_restart(void);
/* Whether another location turned out to be shared; then start all over. */
bool memory_learnt(void);
/* Full ordering among the callers of these, as if they had another channel. */
void memory_tell(void);
void memory_hear(void);
/* call_rcu(), the beginning of a read section after it; synchronize_rcu(). */
void memory_grace_begin(void);
void memory_grace_end(void);

/* arena.c: the memory that is watched */

#define ARENA_BYTES 0x100000UL
extern char arena[];

/* These take the place of the C library's functions in alloc.c and heap.c. */
void *arena_alloc(size_t bytes);
void *arena_aligned_alloc(size_t align, size_t bytes);
void arena_free(void *object);

/* Each execution begins with the memory that was allocated until now. */
void arena_keep(void);
void arena_restart(void);
/* Whether bytes at @offset were allocated and not freed. */
bool arena_live(unsigned long offset);

/* history.c: operations, and whether their answers are linearizable */

#define KEYS_MAX 40
#define OPS_MAX 4

/*
 * Besides those of enum blink_tree_opcode: values are pointers to something; the
 * index of the NUMA node that @key is, not 0, is built again; @key is in the gap that the
 * operation before clears, with OP_WITH.
 */
enum { OP_PUBLISH = 64, OP_FOLLOW, OP_REBUILD, OP_CLEARED };

/* Added to the opcode of each operation of a commit but the first one. */
#define OP_WITH 128

struct step {
	unsigned char op;
	unsigned char key;
};

struct blink_tree;

void history_begin(struct blink_tree *tree);
/* Does a step, or those of a commit. Returns how many. */
unsigned int history_do(unsigned int fiber, unsigned int i,
			const struct step *step);
void history_check(void);
void history_tell(void);

/* scenarios.c */

enum size { SIZE_CI, SIZE_FULL, SIZES };

/**
 * struct scenario - a small tree and a few operations at once
 * @name: the operations that meet
 * @run: runs it, unless it is described by what follows
 * @mode: the parameters of the tree
 * @setup: keys to add at first, or, negative, to remove
 * @strict: then all keys are read in a commit, so later ones lock no leaf
 * @nid: NUMA node of each fiber
 * @step: the operations of each
 * @bounds: for each size
 */
struct scenario {
	const char *name;
	void (*run)(const struct scenario *scenario, struct search *search);
	const struct blink_tree_params *mode;
	signed char setup[KEYS_MAX];
	bool strict;
	int nid[FIBERS_MAX];
	struct step step[FIBERS_MAX][OPS_MAX];
	struct bounds bounds[SIZES];
};

/* Ends with an element without a name. */
extern const struct scenario scenarios[];

void scenario_run(const struct scenario *scenario, struct search *search);
/* The lock that is passed; gates.c. */
void gates_run(const struct scenario *scenario, struct search *search);
/* A tree that is destroyed beside another one; trees.c. */
void trees_run(const struct scenario *scenario, struct search *search);

#endif /* EXPLORE_H */
