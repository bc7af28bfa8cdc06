/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The laboratory: what its files share.
 *
 * A *run* creates a tree, fills it, and lets a *crew*, one thread bound to each
 * CPU, do a *mix* of operations on it, twice: the first time is for warming up.
 * A *probe* is a run without a tree, of which is known what must be counted.
 */
#ifndef BLINK_LAB_LAB_H
#define BLINK_LAB_LAB_H

#include <linux/blink_tree.h>
#include <linux/prandom.h>
#include <linux/types.h>

/**
 * struct lab_run - a run and its outcome
 * @params: the tree
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
	u32 keys;
	u32 ops;
	u32 lookups;
	u32 seed;
	u32 number;
	u64 done;
	unsigned int height;
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
 * @first: number of the oldest of its keys that is in the tree
 * @next: number of the key that it will add next
 * @added: whether its last update added a key
 * @rnd: its choices
 */
struct lab_worker {
	const struct lab_run *run;
	struct blink_tree *tree;
	u32 id;
	u32 first;
	u32 next;
	bool added;
	struct rnd_state rnd;
};

/* config.c */
int lab_run_parse(char *text, struct lab_run *run);
int lab_probe_parse(char *text, struct lab_probe *probe);

/* crew.c */
int lab_crew_run(int (*work)(void *arg), void *args, size_t size);

/* mix.c */
int lab_fill(void *arg);
int lab_mix(void *arg);

/* run.c */
u32 lab_dump(void);
int lab_run(struct lab_run *run);

/* probe.c */
int lab_probe(struct lab_probe *probe);

#endif /* BLINK_LAB_LAB_H */
