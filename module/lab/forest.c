// SPDX-License-Identifier: GPL-2.0
/*
 * The trees of a run: one that all CPUs share, or one for each NUMA node with
 * CPUs, made by one of these, so that its inner nodes are there.
 */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/nodemask.h>
#include <linux/topology.h>
#include <linux/workqueue.h>

#include "lab.h"

struct seedling {
	const struct lab_run *run;
	struct blink_tree *tree;
};

static long plant(void *data)
{
	struct seedling *seedling = data;

	seedling->tree = blink_tree_create(&seedling->run->params, GFP_KERNEL);
	return PTR_ERR_OR_ZERO(seedling->tree);
}

static long plant_on(struct lab_forest *forest, const struct lab_run *run,
		     unsigned int cpu)
{
	struct seedling seedling = { .run = run };
	int nid = cpu_to_node(cpu);
	long ret;

	if (forest->tree[nid])
		return 0;
	ret = work_on_cpu(cpu, plant, &seedling);
	if (!ret)
		forest->tree[nid] = seedling.tree;
	return ret;
}

/* All NUMA nodes have the tree of the first. */
static void share(struct lab_forest *forest)
{
	unsigned int first = cpumask_first(cpu_online_mask), cpu;

	for_each_online_cpu(cpu)
		forest->tree[cpu_to_node(cpu)] =
			forest->tree[cpu_to_node(first)];
}

/**
 * lab_forest_plant() - create the trees of a run
 * @forest: set to them
 * @run: the run
 *
 * Context: process, within cpus_read_lock(); sleeps.
 * Return: 0, or an error of blink_tree_create(): then there is no tree.
 */
int lab_forest_plant(struct lab_forest *forest, const struct lab_run *run)
{
	unsigned int cpu;
	long ret = 0;

	*forest = (struct lab_forest){};
	for_each_online_cpu(cpu) {
		ret = plant_on(forest, run, cpu);
		if (ret || !run->apart)
			break;
	}
	if (ret)
		lab_forest_destroy(forest);
	else if (!run->apart)
		share(forest);
	return ret;
}

/* Whether a NUMA node has a tree that none before it has. */
static bool is_first(const struct lab_forest *forest, int nid)
{
	int before = 0;

	while (before < nid && forest->tree[before] != forest->tree[nid])
		before++;
	return forest->tree[nid] && before == nid;
}

/**
 * lab_forest_each() - call a function for each tree, once
 * @forest: the trees
 * @visit: the function; returns 0 or an error, which is the end
 *
 * Context: that of @visit.
 * Return: 0 or its error.
 */
int lab_forest_each(struct lab_forest *forest,
		    int (*visit)(struct blink_tree *tree))
{
	int ret = 0, nid;

	for (nid = 0; !ret && nid < MAX_NUMNODES; nid++)
		if (is_first(forest, nid))
			ret = visit(forest->tree[nid]);
	return ret;
}

static int destroy(struct blink_tree *tree)
{
	blink_tree_destroy(tree);
	return 0;
}

/**
 * lab_forest_destroy() - destroy the trees
 * @forest: the trees
 *
 * Context: process; sleeps.
 */
void lab_forest_destroy(struct lab_forest *forest)
{
	lab_forest_each(forest, destroy);
}
