// SPDX-License-Identifier: GPL-2.0
/*
 * Contention: all CPUs store to the same few keys, in batches, so that all writers lock
 * the same leaf. Each value is stored once, and each store returns the value before it.
 * Therefore each value of a key, except the last one, is returned exactly once, and
 * those of one process are returned in the order in which it stored them.
 */
#include <stdatomic.h>

#include "hot.h"
#include "workers.h"

/* Stores of all processes in a round; most rounds until a writer has waited. */
#define OPS 262144
#define ROUNDS 10

/* A value: the number of the process, from 1 on, and of its store. */
#define SEQUENCE_BITS 40

struct contest {
	/* For each key: sums of values stored and returned, and number of insertions. */
	atomic_ullong balance[HOT];
	atomic_ullong added;
	unsigned int ops;
	void (*store)(struct blinktree *tree, struct hot_store *stores);
};

/* The latest value of each process that a process has seen, by key. */
struct view {
	__u64 latest[HOT][WORKERS_MAX + 1];
	__u64 balance[HOT];
	__u64 added;
};

static void look(const struct job *job, struct view *view,
		 const struct hot_store *store)
{
	unsigned int key = store->key;
	__u64 process = store->old >> SEQUENCE_BITS;

	view->balance[key] ^= store->value;
	if (!store->result) {
		view->added++;
		return;
	}
	if (store->result != 1 || !process || process > job->cpus ||
	    store->old <= view->latest[key][process])
		fail("contend: store to hot key %u of %s gave %d: %#llx", key,
		     job->tree_name, store->result, store->old);
	view->latest[key][process] = store->old;
	view->balance[key] ^= store->old;
}

static void work(struct job *job, struct blinktree *tree, unsigned int worker,
		 void *context)
{
	__u64 value = (worker + 1ULL) << SEQUENCE_BITS;
	__u64 random = random_seed(job, 5, worker);
	struct contest *contest = context;
	struct hot_store stores[HOT_BATCH];
	static struct view view;
	unsigned int done, i;

	for (done = 0; done < contest->ops; done += HOT_BATCH) {
		for (i = 0; i < HOT_BATCH; i++)
			stores[i] = (struct hot_store){
				.key = random_below(&random, HOT),
				.value = ++value,
			};
		contest->store(tree, stores);
		for (i = 0; i < HOT_BATCH; i++)
			look(job, &view, &stores[i]);
	}
	for (i = 0; i < HOT; i++)
		atomic_fetch_xor(&contest->balance[i], view.balance[i]);
	atomic_fetch_add(&contest->added, view.added);
}

/* The value in the tree is the one that no store returned. */
static void check_last(struct job *job, struct contest *contest)
{
	unsigned int i;
	__u64 value;

	for (i = 0; i < HOT; i++) {
		value = hot_erase(job->tree, i);
		if (value != atomic_load(&contest->balance[i]))
			fail("contend: hot key %u of %s ends with %#llx, not %#llx",
			     i, job->tree_name, value,
			     atomic_load(&contest->balance[i]));
	}
	if (atomic_load(&contest->added) != HOT)
		fail("contend: %u keys were added %llu times", HOT,
		     atomic_load(&contest->added));
}

/* Run a round on all CPUs; returns the number of stores. */
static __u64 compete(struct job *job, bool names)
{
	struct contest *contest = shared_alloc(sizeof(*contest));
	struct workers workers;
	__u64 stores;

	contest->store = names ? hot_store_names : hot_store_numbers;
	contest->ops = OPS / job->cpus / HOT_BATCH * HOT_BATCH + HOT_BATCH;
	stores = (__u64)contest->ops * job->cpus;
	workers_start(&workers, job, job->cpus, work, contest);
	workers_wait(&workers);
	check_last(job, contest);
	shared_free(contest, sizeof(*contest));
	return stores;
}

static struct blink_tree_ioc_stats stats_of(struct blinktree *tree)
{
	struct blinktree_stats *stats;
	struct blink_tree_ioc_stats counters;

	if (blinktree_stats_read(tree, 0, &stats))
		fail("no statistics");
	counters = *blinktree_stats_counters(stats);
	blinktree_stats_free(stats);
	return counters;
}

static double percent(__u64 part, __u64 all)
{
	return all ? 100.0 * part / all : 0;
}

static void tell(const struct blink_tree_ioc_stats *before,
		 const struct blink_tree_ioc_stats *after)
{
	__u64 passes = after->gate_passes - before->gate_passes;
	__u64 releases = after->gate_releases - before->gate_releases;
	__u64 bounds = after->gate_bounds - before->gate_bounds;
	__u64 all = passes + releases + bounds;

	detail("writers waited for the lock of a leaf %llu times, and then",
	       all);
	detail("%5.1f%% passed it to the next waiter on their own NUMA node,",
	       percent(passes, all));
	detail("%5.1f%% unlocked it because no other writer waited on their node,",
	       percent(releases, all));
	detail("%5.1f%% unlocked it because their node had passed it as often as allowed",
	       percent(bounds, all));
}

static bool waited(const struct blink_tree_ioc_stats *before,
		   const struct blink_tree_ioc_stats *after)
{
	return after->gate_passes + after->gate_releases + after->gate_bounds >
	       before->gate_passes + before->gate_releases +
		       before->gate_bounds;
}

void step_contend(const struct job *all, unsigned int tree)
{
	struct blink_tree_ioc_stats before, after;
	double start = now();
	struct job job = *all;
	unsigned int round;
	__u64 stores = 0;

	job.tree_name = job.names[tree];
	job.tree = open_tree(&job);
	before = stats_of(job.tree);
	for (round = 0; round < ROUNDS; round++) {
		stores += compete(&job, tree == JOB_NAMES);
		after = stats_of(job.tree);
		if (waited(&before, &after) || job.cpus == 1)
			break;
	}
	report("contend", start,
	       "%s: %llu stores to %u keys from %u CPUs: each found the value of the last one",
	       job.tree_name, stores, HOT, job.cpus);
	if (after.locking != BLINK_TREE_LOCKING_COHORT)
		detail("(the tree has no cohort locks, so locks are not passed on)");
	else if (waited(&before, &after))
		tell(&before, &after);
	else if (job.cpus == 1)
		detail("(one CPU: no writer has to wait)");
	else
		fail("contend: no CPU ever waited for another");
	blinktree_close(job.tree);
}
