/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The laboratory: what its files share.
 *
 * A *run* creates a tree, fills it, and lets a *crew*, one thread bound to each
 * CPU, do a *mix* of operations on it, twice: the first time is for warming up.
 * A *probe* is a run without a tree, of which is known what must be counted; a
 * *hammer* is one with a lock and nothing else.
 */
#ifndef BLINK_LAB_LAB_H
#define BLINK_LAB_LAB_H

#include <linux/blink_tree.h>
#include <linux/numa.h>
#include <linux/prandom.h>
#include <linux/types.h>

/**
 * struct lab_run - a run and its outcome
 * @params: the tree
 * @apart: as many trees as there are NUMA nodes, that are the same at first:
 *	an update reaches that of its own NUMA node, and no other. This is what
 *	McKenzie's thesis calls local-only, and no consistency at all
 * @keys: how many to fill it with
 * @ops: operations of each CPU, and as many before to warm up
 * @lookups: how many of a hundred operations are lookups
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
	u32 seed;
	u32 number;
	u64 done;
	unsigned int height;
};

/* Locks to hammer: the module's, and one to compare with (textbook.h). */
enum lab_lock {
	LAB_LOCK_PLAIN,
	LAB_LOCK_COHORT,
	LAB_LOCK_TEXTBOOK,
};

/**
 * struct lab_hammer - CPUs that want one lock, and what came of it
 * @kind: enum lab_lock
 * @alone: the first CPU alone
 * @rounds: how often they take it, together
 * @number: out: of the dump
 * @taken: out: how often they did
 * @local: out: of these, how often the NUMA node that had it before
 * @longest: out: the longest row of takings by one NUMA node
 */
struct lab_hammer {
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
 * struct lab_worker - what one thread of the crew works with
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
int lab_hammer_parse(char *text, struct lab_hammer *hammer);

/* crew.c */
int lab_crew_run(int (*work)(void *arg), void *args, size_t size);

/* mix.c */
int lab_fill(void *arg);
int lab_mix(void *arg);

/* run.c */
u32 lab_dump(void);
int lab_run(struct lab_run *run);

/* forest.c */
/**
 * struct lab_forest - the tree of each NUMA node, which may be the same
 * @tree: by NUMA node, NULL where there are no CPUs
 */
struct lab_forest {
	struct blink_tree *tree[MAX_NUMNODES];
};

int lab_forest_plant(struct lab_forest *forest, const struct lab_run *run);
int lab_forest_each(struct lab_forest *forest,
		    int (*visit)(struct blink_tree *tree));
void lab_forest_destroy(struct lab_forest *forest);

/* probe.c */
int lab_probe(struct lab_probe *probe);

/* hammer.c */
int lab_hammer(struct lab_hammer *hammer);

#endif /* BLINK_LAB_LAB_H */
