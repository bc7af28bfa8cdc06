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

struct creation {
	const struct lab_run *run;
	struct blink_tree *tree;
};

static long create_tree(void *data)
{
	struct creation *creation = data;

	creation->tree = blink_tree_create(&creation->run->params, GFP_KERNEL);
	return PTR_ERR_OR_ZERO(creation->tree);
}

static long create_on_cpu(struct lab_trees *trees, const struct lab_run *run,
			  unsigned int cpu)
{
	struct creation creation = { .run = run };
	int nid = cpu_to_node(cpu);
	long ret;

	if (trees->tree[nid])
		return 0;
	ret = work_on_cpu(cpu, create_tree, &creation);
	if (!ret)
		trees->tree[nid] = creation.tree;
	return ret;
}

/* All NUMA nodes have the tree of the first. */
static void share_first_tree(struct lab_trees *trees)
{
	unsigned int first = cpumask_first(cpu_online_mask), cpu;

	for_each_online_cpu(cpu)
		trees->tree[cpu_to_node(cpu)] = trees->tree[cpu_to_node(first)];
}

/* Create the trees of a run, within cpus_read_lock(). After an error there is no tree. */
int lab_trees_create(struct lab_trees *trees, const struct lab_run *run)
{
	unsigned int cpu;
	long ret = 0;

	*trees = (struct lab_trees){};
	for_each_online_cpu(cpu) {
		ret = create_on_cpu(trees, run, cpu);
		if (ret || !run->apart)
			break;
	}
	if (ret)
		lab_trees_destroy(trees);
	else if (!run->apart)
		share_first_tree(trees);
	return ret;
}

/* Whether a NUMA node has a tree that none before it has. */
static bool is_first(const struct lab_trees *trees, int nid)
{
	int before = 0;

	while (before < nid && trees->tree[before] != trees->tree[nid])
		before++;
	return trees->tree[nid] && before == nid;
}

/* Call a function for each tree, once, until it returns an error. */
int lab_trees_each(struct lab_trees *trees,
		   int (*visit)(struct blink_tree *tree))
{
	int ret = 0, nid;

	for (nid = 0; !ret && nid < MAX_NUMNODES; nid++)
		if (is_first(trees, nid))
			ret = visit(trees->tree[nid]);
	return ret;
}

static int destroy_tree(struct blink_tree *tree)
{
	blink_tree_destroy(tree);
	return 0;
}

void lab_trees_destroy(struct lab_trees *trees)
{
	lab_trees_each(trees, destroy_tree);
}
