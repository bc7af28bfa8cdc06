// SPDX-License-Identifier: GPL-2.0
/* A run, from the creation of its tree to the end of that. */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/math.h>
#include <linux/slab.h>

#include "core/inspect/visit.h"
#include "lab.h"
#include "marks.h"

static void tell_node(void *data, const void *node, size_t bytes,
		      unsigned int level)
{
	size_t offset;

	blink_tell(node, level | BLINK_TAG_HEAD);
	for (offset = BLINK_LINE_BYTES; offset < bytes;
	     offset += BLINK_LINE_BYTES)
		blink_tell(node + offset, level);
}

static void tell_head(void *data, const void *head, size_t bytes,
		      unsigned int level)
{
	unsigned long line = round_down((unsigned long)head, BLINK_LINE_BYTES);
	unsigned long end = (unsigned long)head + bytes;

	for (; line < end; line += BLINK_LINE_BYTES)
		blink_tell((const void *)line, BLINK_TAG_TREE);
}

static int tell_tree(struct blink_tree *tree)
{
	blink_tree_visit_head(tree, tell_head, NULL);
	return blink_tree_visit(tree, tell_node, NULL);
}

/*
 * Nodes are told of before the operations and after: both those that went and
 * those that came meanwhile are known.
 */
static int count_mix(struct lab_trees *trees, struct lab_worker *workers,
		     int (*work)(void *arg), bool warm)
{
	int ret;

	ret = lab_trees_each(trees, tell_tree);
	if (ret)
		return ret;
	blink_mark(BLINK_MARK_COUNT);
	if (warm)
		ret = lab_threads_run(work, workers, sizeof(*workers));
	blink_mark(BLINK_MARK_COUNT);
	ret = ret ?: lab_threads_run(work, workers, sizeof(*workers));
	blink_mark(BLINK_MARK_PAUSE);
	return ret ?: lab_trees_each(trees, tell_tree);
}

/* The workers that use a tree fill it, so that it gets memory of their NUMA nodes. */
static void share_filling(struct lab_worker *worker,
			  const struct lab_worker *workers, unsigned int nr)
{
	const struct lab_worker *other;

	for (other = workers; other < workers + nr; other++) {
		if (other->tree != worker->tree)
			continue;
		worker->fills += other < worker;
		worker->step++;
	}
}

static void prepare_workers(struct lab_worker *workers, unsigned int nr,
			    const struct lab_run *run,
			    const struct lab_trees *trees)
{
	unsigned int cpu, id = 0;

	for_each_online_cpu(cpu) {
		workers[id].run = run;
		workers[id].tree = trees->tree[cpu_to_node(cpu)];
		workers[id].id = id;
		prandom_seed_state(&workers[id].rnd, run->seed + id);
		id++;
	}
	for (id = 0; id < nr; id++)
		share_filling(&workers[id], workers, nr);
}

static int fill_and_mix(struct lab_run *run, struct lab_trees *trees)
{
	unsigned int nr = num_online_cpus();
	struct lab_worker *workers;
	int ret;

	/* Each worker has a key to look up. */
	if (run->keys < nr)
		return -ERANGE;
	workers = kcalloc(nr, sizeof(*workers), GFP_KERNEL);
	if (!workers)
		return -ENOMEM;
	prepare_workers(workers, nr, run, trees);
	blink_mark(BLINK_MARK_FORGET);
	ret = lab_threads_run(lab_fill, workers, sizeof(*workers)) ?:
		      count_mix(trees, workers,
				run->drain ? lab_drain : lab_mix, !run->drain);
	run->done = (u64)(run->drain ? run->keys / nr : run->ops) * nr;
	run->height = blink_tree_height(workers[0].tree);
	kfree(workers);
	return ret;
}

static int verify_tree(struct blink_tree *tree)
{
	struct blink_tree_ioc_verify report;

	return blink_tree_verify(tree, &report);
}

static int run_in(struct lab_run *run, struct lab_trees *trees)
{
	int ret = lab_trees_create(trees, run);

	if (ret)
		return ret == -EINVAL ? -EOPNOTSUPP : ret;
	ret = fill_and_mix(run, trees) ?: lab_trees_each(trees, verify_tree);
	if (!ret)
		run->number = lab_dump();
	lab_trees_destroy(trees);
	return ret;
}

/*
 * Do a run.
 *
 * Returns 0; -EOPNOTSUPP if the module has no such tree; -ERANGE for too few keys;
 * -EUCLEAN if the tree was unsound at the end; -EIO or an error of the tree if an
 * operation went wrong; -ENOMEM.
 */
int lab_run(struct lab_run *run)
{
	struct lab_trees *trees = kmalloc(sizeof(*trees), GFP_KERNEL);
	int ret;

	if (!trees)
		return -ENOMEM;
	cpus_read_lock();
	ret = run_in(run, trees);
	cpus_read_unlock();
	kfree(trees);
	return ret;
}
