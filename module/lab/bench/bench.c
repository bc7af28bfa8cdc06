// SPDX-License-Identifier: GPL-2.0
/*
 * A round of the benchmark: one index, from the creation of its map to the end of
 * that, and in between one workload after the other, insertions first.
 */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/minmax.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "../marks.h"
#include "work.h"

const char *const lab_work_names[LAB_WORK_NR + 1] = {
	[LAB_WORK_INSERT] = "insert",
	[LAB_WORK_LOOKUP] = "lookup",
	[LAB_WORK_ZIPF] = "lookup-zipf",
	[LAB_WORK_SCAN] = "scan",
	[LAB_WORK_FLOOR] = "floor",
	[LAB_WORK_MIX] = "95/5",
	[LAB_WORK_TURNOVER] = "insert-erase",
	[LAB_WORK_GROW] = "50/50",
	[LAB_WORK_GET_OR_INSERT] = "get-or-insert",
	[LAB_WORK_COUNT] = "count",
	[LAB_WORK_POP] = "pop",
	[LAB_WORK_RANGE] = "erase-range",
};

/* Too large for the stack. One benchmark runs at a time. */
static struct lab_zipf zipf;

/*
 * Operations of each thread: of scans and counts, an eighth; of ranges, as many
 * as all keys are erased in; pairs are not torn.
 */
static u64 count_ops(const struct lab_bench *bench, unsigned int kind)
{
	if (kind == LAB_WORK_INSERT)
		return bench->keys / bench->threads;
	if (kind == LAB_WORK_SCAN || kind == LAB_WORK_COUNT)
		return max(bench->ops / 8, 1U);
	if (kind == LAB_WORK_RANGE)
		return max(bench->keys / bench->threads / WORK_RANGE_KEYS, 1U);
	return round_up(bench->ops, 2);
}

/* Add up the results of the threads. */
static void sum_up(struct lab_score *score, const struct work_thread *thread,
		   const struct work *work)
{
	u64 begin = U64_MAX, end = 0;
	unsigned int i;

	for (i = 0; i < work->threads; i++) {
		begin = min(begin, thread[i].begin);
		end = max(end, thread[i].end);
		score->ops += thread[i].done;
		score->wrong += thread[i].wrong;
	}
	score->ns = end - begin;
}

static int run_workload(struct work *work, struct work_thread *thread,
			struct lab_score *score)
{
	unsigned int i;
	int ret;

	for (i = 0; i < work->threads; i++)
		thread[i] = (struct work_thread){ .work = work, .id = i };
	if (work->kind == LAB_WORK_ZIPF)
		lab_zipf_init(&zipf, work->window, LAB_THETA);
	/* Memory that an earlier workload left to RCU is freed before this one begins. */
	rcu_barrier();
	blink_mark(BLINK_MARK_COUNT);
	ret = lab_threads_run_spread(work_main, thread, sizeof(*thread),
				     work->threads, &work->stop);
	blink_mark(BLINK_MARK_PAUSE);
	if (ret)
		return ret;
	score->number = lab_dump();
	sum_up(score, thread, work);
	/* All threads did the same number of each. */
	work->window += (thread->inserted - thread->erased) * work->threads;
	work->lowest += thread->erased * work->threads;
	return score->wrong ? -EIO : 0;
}

/* The insertions are done in any case. */
static int run_workloads(struct lab_bench *bench, struct work *work,
			 struct work_thread *thread)
{
	unsigned int kind;
	int ret = 0;

	for (kind = 0; !ret && kind < LAB_WORK_NR; kind++) {
		if (kind != LAB_WORK_INSERT &&
		    !(bench->works & BIT(kind) && work_possible(bench, kind)))
			continue;
		work->kind = kind;
		work->ops = count_ops(bench, kind);
		ret = run_workload(work, thread, &bench->score[kind]);
		if (ret || kind != LAB_WORK_INSERT)
			continue;
		bench->entries = work->window;
		if (work->index.ops->bytes)
			bench->bytes = work->index.ops->bytes(work->index.data);
	}
	return ret;
}

static int run_round(struct lab_bench *bench, struct work_thread *thread)
{
	struct work work = {
		.zipf = &zipf,
		.descends = bench->scheme->promises & LAB_DESCENDS,
		.threads = bench->threads,
		.batch = bench->batch,
	};
	const struct lab_params params = {
		.keys = bench->keys + (u64)bench->ops * bench->threads,
		.threads = bench->threads,
		.tree = &bench->params,
	};
	int ret;

	ret = lab_index_create(&work.index, bench->scheme, &params);
	if (ret)
		return ret;
	ret = run_workloads(bench, &work, thread);
	work.index.ops->destroy(work.index.data);
	return ret;
}

static int check_round(struct lab_bench *bench)
{
	const struct lab_index_ops *ops = bench->scheme->ops;

	if (!bench->threads)
		bench->threads = num_online_cpus();
	/* Each thread inserts at least one key: the other workloads need keys. */
	if (bench->threads > num_online_cpus() || bench->threads > bench->keys)
		return -ERANGE;
	if (bench->batch > 1 && !ops->batch)
		return -EOPNOTSUPP;
	/* Threads would corrupt such an index, and so the kernel's memory. */
	if (bench->threads > 1 && !(bench->scheme->promises & LAB_CONCURRENT))
		return -EOPNOTSUPP;
	if (ops->most_keys && bench->keys > ops->most_keys)
		return -EFBIG;
	return 0;
}

/**
 * lab_bench() - do a round of the benchmark
 * @bench: the workloads, and their results
 *
 * Context: process; sleeps; a signal ends it.
 * Return: 0; -EIO if an answer was wrong; -ERANGE for more threads than there
 * are CPUs or keys; -EOPNOTSUPP for batches of an index that has none; -EFBIG for
 * more keys than the index is fit for; -EINTR; -ENOMEM.
 */
int lab_bench(struct lab_bench *bench)
{
	int ret = check_round(bench);
	struct work_thread *thread;

	if (ret)
		return ret;
	thread = kvcalloc(bench->threads, sizeof(*thread), GFP_KERNEL);
	ret = thread ? run_round(bench, thread) : -ENOMEM;
	kvfree(thread);
	return ret;
}
