/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The declarations that the files of the laboratory share.
 *
 * A *run* creates a tree, fills it, and lets one thread bound to each CPU do a *mix*
 * of operations on it, twice: the first time is for warming up. A *probe* is a run
 * without a tree, whose counts are known. A *lock bench* is a run with a lock instead
 * of a tree.
 */
#ifndef BLINK_LAB_LAB_H
#define BLINK_LAB_LAB_H

#include <linux/blink_tree.h>
#include <linux/numa.h>
#include <linux/prandom.h>
#include <linux/types.h>

#include "check/check.h"
#include "dump.h"
#include "schemes/lab_index.h"
#include "threads.h"

/**
 * struct lab_run - a run and its outcome
 * @params: the tree
 * @apart: as many trees as there are NUMA nodes, that are the same at first:
 *	an update reaches that of its own NUMA node, and no other. This is what
 *	McKenzie's thesis calls local-only, and no consistency at all
 * @keys: how many to fill it with
 * @ops: operations of each CPU, and as many before to warm up
 * @lookups: how many of a hundred operations are lookups
 * @drain: instead of all these, erase every key
 * @seed: where keys and choices come from
 * @number: out: of the dump
 * @done: out: operations that were counted
 * @height: out: levels of the tree at the end
 */
struct lab_run {
	struct blink_tree_params params;
	bool apart;
	u32 keys;
	u32 ops;
	u32 lookups;
	u32 drain;
	u32 seed;
	u32 number;
	u64 done;
	unsigned int height;
};

/* Locks of a lock bench: the module's, and one to compare with (textbook.h). */
enum lab_lock {
	LAB_LOCK_PLAIN,
	LAB_LOCK_COHORT,
	LAB_LOCK_TEXTBOOK,
};

/**
 * struct lab_lock_bench - CPUs that want one lock, and what came of it
 * @kind: enum lab_lock
 * @alone: the first CPU alone
 * @rounds: how often they take it, together
 * @number: out: of the dump
 * @taken: out: how often they did
 * @local: out: of these, how often the NUMA node that had it before
 * @longest: out: the longest row of takings by one NUMA node
 */
struct lab_lock_bench {
	u32 kind;
	u32 alone;
	u32 rounds;
	u32 number;
	u32 taken;
	u32 local;
	u32 longest;
};

/**
 * struct lab_probe - a page that a CPU reads and writes, and the outcome
 * @cpu: the CPU
 * @node: NUMA node of the page
 * @loads: how often it reads
 * @stores: how often it writes
 * @number: out: of the dump
 */
struct lab_probe {
	u32 cpu;
	u32 node;
	u32 loads;
	u32 stores;
	u32 number;
};

/**
 * struct lab_worker - the state of one thread of a run
 * @run: the run
 * @tree: the tree
 * @id: the number of the worker, which makes its keys differ from others'
 * @fills: the first worker whose keys it fills the tree with
 * @step: to the next such worker
 * @first: number of the oldest of its keys that is in the tree
 * @next: number of the key that it will add next
 * @added: whether its last update added a key
 * @rnd: its choices
 */
struct lab_worker {
	const struct lab_run *run;
	struct blink_tree *tree;
	u32 id;
	u32 fills;
	u32 step;
	u32 first;
	u32 next;
	bool added;
	struct rnd_state rnd;
};

/* config.c */
int lab_run_parse(char *text, struct lab_run *run);
int lab_probe_parse(char *text, struct lab_probe *probe);
int lab_lock_bench_parse(char *text, struct lab_lock_bench *bench);
int lab_check_parse(char *text, struct lab_check *check);

/* mix.c */
int lab_fill(void *arg);
int lab_mix(void *arg);
int lab_drain(void *arg);

/* run.c */
int lab_run(struct lab_run *run);

/* trees.c */
/**
 * struct lab_trees - the tree of each NUMA node, which may be the same
 * @tree: by NUMA node, NULL where there are no CPUs
 */
struct lab_trees {
	struct blink_tree *tree[MAX_NUMNODES];
};

int lab_trees_create(struct lab_trees *trees, const struct lab_run *run);
int lab_trees_each(struct lab_trees *trees,
		   int (*visit)(struct blink_tree *tree));
void lab_trees_destroy(struct lab_trees *trees);

/* probe.c */
int lab_probe(struct lab_probe *probe);

/* lock_bench.c */
int lab_lock_bench(struct lab_lock_bench *bench);

#endif /* BLINK_LAB_LAB_H */
