// SPDX-License-Identifier: GPL-2.0
/* A run, from the creation of its tree to the end of that. */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/slab.h>

#include "core/pages.h"
#include "lab.h"
#include "marks.h"

/**
 * lab_dump() - let the counters be written out
 *
 * Context: process; runs and probes exclude each other.
 * Return: the number of the dump.
 */
u32 lab_dump(void)
{
	static u32 dumps;

	blink_mark(BLINK_MARK_DUMP);
	return ++dumps;
}

static void tell_node(void *data, const void *node, size_t bytes,
		      unsigned int level)
{
	size_t offset;

	blink_tell(node, level | BLINK_TAG_HEAD);
	for (offset = BLINK_LINE_BYTES; offset < bytes;
	     offset += BLINK_LINE_BYTES)
		blink_tell(node + offset, level);
}

/*
 * Nodes are told of before the operations and after: both those that went and
 * those that came meanwhile are known.
 */
static int count_mix(const struct lab_run *run, struct blink_tree *tree,
		     struct lab_worker *workers)
{
	int ret;

	ret = blink_tree_visit(tree, tell_node, NULL);
	if (ret)
		return ret;
	blink_mark(BLINK_MARK_COUNT);
	ret = lab_crew_run(lab_mix, workers, sizeof(*workers));
	blink_mark(BLINK_MARK_COUNT);
	ret = ret ?: lab_crew_run(lab_mix, workers, sizeof(*workers));
	blink_mark(BLINK_MARK_PAUSE);
	return ret ?: blink_tree_visit(tree, tell_node, NULL);
}

static int work(struct lab_run *run, struct blink_tree *tree)
{
	unsigned int nr = num_online_cpus(), i;
	struct lab_worker *workers;
	int ret;

	/* Each worker has a key to look up. */
	if (run->keys < nr)
		return -ERANGE;
	workers = kcalloc(nr, sizeof(*workers), GFP_KERNEL);
	if (!workers)
		return -ENOMEM;
	for (i = 0; i < nr; i++) {
		workers[i].run = run;
		workers[i].tree = tree;
		workers[i].id = i;
		prandom_seed_state(&workers[i].rnd, run->seed + i);
	}
	blink_mark(BLINK_MARK_FORGET);
	ret = lab_crew_run(lab_fill, workers, sizeof(*workers)) ?:
		      count_mix(run, tree, workers);
	kfree(workers);
	run->done = (u64)run->ops * nr;
	run->height = blink_tree_height(tree);
	return ret;
}

/**
 * lab_run() - do a run
 * @run: what to do, and what came of it
 *
 * Context: process; sleeps.
 * Return: 0; -EOPNOTSUPP if the module has no such tree; -ERANGE for too few
 * keys; -EUCLEAN if the tree was unsound at the end; -EIO or an error of the
 * tree if an operation went wrong; -ENOMEM.
 */
int lab_run(struct lab_run *run)
{
	struct blink_verify report;
	struct blink_tree *tree;
	int ret;

	tree = blink_tree_create(&run->params, GFP_KERNEL);
	if (IS_ERR(tree))
		return tree == ERR_PTR(-EINVAL) ? -EOPNOTSUPP : PTR_ERR(tree);
	cpus_read_lock();
	ret = work(run, tree);
	cpus_read_unlock();
	ret = ret ?: blink_tree_verify(tree, &report);
	if (!ret)
		run->number = lab_dump();
	blink_tree_destroy(tree);
	return ret;
}
