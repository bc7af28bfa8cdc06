// SPDX-License-Identifier: GPL-2.0
/* A point, from the creation of its index to the end of that (point.h). */
#include <linux/blink_tree.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "../dump.h"
#include "../marks.h"
#include "../threads.h"
#include "thread.h"

static int run_threads(struct point_run *run, struct point_thread *threads,
		       int (*work)(void *arg))
{
	atomic_set(&run->readers, run->load.threads - run->load.writers);
	return lab_threads_run_spread(work, threads, sizeof(*threads),
				      run->load.threads, &run->stop);
}

static int load_keys(struct point_run *run, struct point_thread *threads)
{
	int ret = run_threads(run, threads, point_load);
	u32 i;

	run->low = U64_MAX;
	for (i = 0; !ret && i < run->load.threads; i++) {
		run->low = min(run->low, threads[i].own->low);
		run->high = max(run->high, threads[i].own->high);
	}
	return ret;
}

/* Objects that wait to be freed are not for the next part to free. */
static int measure(struct lab_point *point, struct point_run *run,
		   struct point_thread *threads)
{
	int ret;

	rcu_barrier();
	atomic64_set(&run->taken, run->load.warm_up);
	ret = lab_count_events(true);
	if (ret)
		return ret;
	blink_mark(BLINK_MARK_COUNT);
	ret = run_threads(run, threads, point_measure);
	blink_mark(BLINK_MARK_PAUSE);
	ret = ret ?: lab_count_events(false);
	if (!ret)
		point->number = lab_dump();
	return ret;
}

static int add_times(struct lab_point *point,
		     const struct point_thread *threads)
{
	u32 i, kind;

	point->times = kvcalloc(LAB_OP_NR, sizeof(*point->times), GFP_KERNEL);
	if (!point->times)
		return -ENOMEM;
	for (i = 0; i < point->threads; i++) {
		for (kind = 0; kind < LAB_OP_NR; kind++)
			lab_times_merge(&point->times[kind],
					&threads[i].own->times[kind]);
	}
	return 0;
}

/* The outcome of all threads together. */
static int sum_up(struct lab_point *point, const struct point_thread *threads)
{
	u64 begin = U64_MAX, end = 0;
	const struct point_own *own;
	u32 i;

	point->each =
		kvcalloc(point->threads, sizeof(*point->each), GFP_KERNEL);
	if (!point->each)
		return -ENOMEM;
	point->entries = point->keys;
	for (i = 0; i < point->threads; i++) {
		own = threads[i].own;
		point->each[i].ops = own->done;
		point->each[i].ns = own->end - own->begin;
		begin = min(begin, own->begin);
		end = max(end, own->end);
		point->done += own->done;
		point->wrong += own->wrong;
		point->entries += own->stream.inserted - own->stream.erased;
	}
	point->ns = end - begin;
	return point->timed ? add_times(point, threads) : 0;
}

static u64 count_retries(const struct lab_index *index)
{
	return index->ops->retries ? index->ops->retries(index->data) : 0;
}

static int run_parts(struct lab_point *point, struct point_run *run,
		     struct point_thread *threads)
{
	const struct lab_index *index = &run->index;
	int ret;

	blink_mark(BLINK_MARK_FORGET);
	ret = load_keys(run, threads);
	/* The operations that warm up fill the plugin's caches. */
	blink_mark(BLINK_MARK_COUNT);
	if (!ret && run->load.warm_up)
		ret = run_threads(run, threads, point_warm_up);
	point->retries = count_retries(index);
	ret = ret ?: measure(point, run, threads);
	if (ret)
		return ret;
	point->retries = count_retries(index) - point->retries;
	rcu_barrier();
	if (index->ops->bytes)
		point->bytes = index->ops->bytes(index->data);
	ret = sum_up(point, threads);
	return ret ?: point->wrong ? -EIO : 0;
}

static int run_on_index(struct lab_point *point, struct point_run *run,
			struct point_thread *threads)
{
	const struct blink_tree_params tree = {
		.replication = point->replication,
		.locking = point->locking,
	};
	const struct lab_params params = {
		.tree = &tree,
		.keys = run->numbers,
		.node_bytes = point->node_bytes,
		.threads = point->threads,
	};
	u32 i;
	int ret = lab_index_create(&run->index, point->scheme, &params);

	if (ret)
		return ret;
	for (i = 0; i < point->threads; i++) {
		threads[i].run = run;
		threads[i].id = i;
	}
	ret = run_parts(point, run, threads);
	for (i = 0; i < point->threads; i++)
		kvfree(threads[i].own);
	run->index.ops->destroy(run->index.data);
	return ret;
}

/* How many numbers a key can have that is in the index at any time. */
static u64 count_numbers(const struct lab_workload *load)
{
	bool adds = lab_mix_shares(load->mix, LAB_OPS_ADD);

	return load->window + (adds ? lab_workload_ops(load) : 0);
}

/*
 * How many keys a scheme stores in the way that its limit is for: all, or if it is loaded in
 * another way, those that the operations change.
 */
static u64 count_stored(const struct lab_point *point,
			const struct point_run *run)
{
	const struct lab_workload *load = &run->load;
	u64 changes = lab_workload_ops(load) *
		      lab_mix_shares(load->mix, LAB_OPS_CHANGE);

	if (!point->scheme->ops->load)
		return run->numbers;
	/* Writers do nothing else. */
	if (load->writers)
		return (load->warm_up + load->ops) * load->writers;
	return changes / lab_mix_shares(load->mix, LAB_OPS_ALL);
}

/*
 * Whether a scheme can execute the mix in batches: one executes its operations in any
 * order, so it cannot read the latest keys, which may be its own.
 */
static bool can_batch(const struct lab_scheme *scheme,
		      const struct lab_mix *mix)
{
	bool scans = scheme->promises & LAB_BATCH_SCANS;
	unsigned int kind;

	for (kind = 0; kind < LAB_OP_NR; kind++) {
		if (kind != LAB_OP_READ && kind != LAB_OP_INSERT &&
		    !(kind == LAB_OP_SCAN && scans) && mix->share[kind])
			return false;
	}
	return scheme->ops->batch && mix->popularity != LAB_LATEST;
}

/* Whether several threads may change an index of a scheme. */
static bool allows_writers(const struct lab_scheme *scheme)
{
	return scheme->promises & LAB_CONCURRENT;
}

/* Whether any thread can execute any operation of a mix. */
static bool can_share(const struct lab_mix *mix)
{
	return mix->popularity != LAB_LATEST &&
	       !lab_mix_shares(mix,
			       BIT(LAB_OP_ERASE) | BIT(LAB_OP_ERASE_RANGE));
}

/* Whether no operation of a mix changes the index. */
static bool only_reads(const struct lab_mix *mix)
{
	return !lab_mix_shares(mix, LAB_OPS_CHANGE);
}

/* Whether there are readers and writers, and operations for both. */
static bool can_have_roles(const struct lab_point *point)
{
	return !point->shared && point->writers < point->threads &&
	       !only_reads(&point->mix) &&
	       lab_mix_shares(&point->mix, LAB_OPS_ALL & ~LAB_OPS_CHANGE);
}

static int prepare_run(const struct lab_point *point, struct point_run *run)
{
	run->load = (struct lab_workload){
		.mix = &point->mix,
		.keys = { .order = point->order },
		.window = point->keys,
		.warm_up = point->warm_up,
		.ops = point->ops,
		.shared = point->shared,
		.threads = point->threads,
		.writers = point->writers,
		.seed = point->seed,
	};
	if (point->order == LAB_FILE)
		run->load.keys = *lab_point_keys();
	if (!lab_workload_valid(&run->load))
		return -ERANGE;
	if (point->mix.popularity != LAB_UNIFORM)
		lab_zipf_init(&run->zipf, lab_workload_stable(&run->load),
			      LAB_THETA);
	run->loaders = allows_writers(point->scheme) ? point->threads : 1;
	run->batch = point->batch;
	run->batches = point->batch > 1 ||
		       point->scheme->promises & LAB_BATCHES;
	run->numbers = count_numbers(&run->load);
	if (point->scheme->ops->most_keys &&
	    count_stored(point, run) > point->scheme->ops->most_keys)
		return -EFBIG;
	run->descends = point->scheme->promises & LAB_DESCENDS;
	run->timed = point->timed;
	run->turns = point->turns;
	return 0;
}

static bool can_execute(const struct lab_index_ops *ops,
			const struct lab_mix *mix)
{
	return (!mix->share[LAB_OP_ERASE] || ops->erase) &&
	       (!mix->share[LAB_OP_SCAN] || ops->scan) &&
	       (!mix->share[LAB_OP_FLOOR] || ops->floor) &&
	       (!mix->share[LAB_OP_GET_OR_INSERT] || ops->get_or_insert) &&
	       (!mix->share[LAB_OP_COUNT] || ops->count) &&
	       (!mix->share[LAB_OP_POP] || ops->pop_min) &&
	       (!mix->share[LAB_OP_ERASE_RANGE] || ops->erase_range);
}

/*
 * A range has as many keys as it should if these are random. A scheme with LAB_MULTI has
 * keys of 32 bits: few orders fit, and no absent keys.
 */
static bool keys_fit(const struct lab_point *point)
{
	const u16 *share = point->mix.share;

	if ((share[LAB_OP_COUNT] || share[LAB_OP_ERASE_RANGE]) &&
	    point->order != LAB_RANDOM)
		return false;
	if (!(point->scheme->promises & LAB_MULTI))
		return true;
	return (point->order == LAB_ASCENDING || point->order == LAB_FILE) &&
	       !share[LAB_OP_MISS] && !share[LAB_OP_FLOOR];
}

static int check_point(const struct lab_point *point)
{
	const struct lab_scheme *scheme = point->scheme;
	/* Without batches, some schemes would execute the code of another one. */
	bool batches = point->batch > 1 || scheme->promises & LAB_BATCHES;

	if (point->threads > lab_threads_most())
		return -ERANGE;
	/* Writers would corrupt such an index, and so the kernel's memory. */
	if (point->threads > 1 && !allows_writers(scheme) &&
	    !only_reads(&point->mix))
		return -EOPNOTSUPP;
	if (!can_execute(scheme->ops, &point->mix) || !keys_fit(point) ||
	    (point->shared && !can_share(&point->mix)) ||
	    (point->writers && !can_have_roles(point)) ||
	    (batches && !can_batch(scheme, &point->mix)))
		return -EOPNOTSUPP;
	return 0;
}

static int run_point(struct lab_point *point, struct point_run *run)
{
	struct point_thread *threads;
	int ret = prepare_run(point, run);

	if (ret)
		return ret;
	threads = kvcalloc(point->threads, sizeof(*threads), GFP_KERNEL);
	if (!threads)
		return -ENOMEM;
	ret = run_on_index(point, run, threads);
	kvfree(threads);
	return ret;
}

/*
 * Measure a point, whose outcome lab_point_end() frees. A signal ends it. One at a
 * time.
 *
 * Returns 0; -EIO if an answer was wrong; -EOPNOTSUPP if the scheme has not all
 * operations of the mix, no batches of them, no such keys, or may not have several
 * threads, or if these cannot share the operations, or have roles; -ERANGE for more
 * threads than there are CPUs, or too few keys; -EFBIG for more keys than the scheme
 * is fit for; -EINVAL if it has no nodes of such a size; -EINTR; -ENOMEM; another
 * error of the creation of the index.
 */
int lab_point(struct lab_point *point)
{
	struct point_run *run;
	int ret;

	point->threads = point->threads ?: lab_threads_most();
	ret = check_point(point);
	if (ret)
		return ret;
	run = kvzalloc(sizeof(*run), GFP_KERNEL);
	if (!run)
		return -ENOMEM;
	ret = run_point(point, run);
	kvfree(run);
	return ret;
}

void lab_point_end(struct lab_point *point)
{
	kvfree(point->each);
	kvfree(point->times);
	point->each = NULL;
	point->times = NULL;
}
