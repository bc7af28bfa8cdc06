// SPDX-License-Identifier: GPL-2.0
/*
 * Contention: all CPUs store to the same few keys, in batches, so that all writers lock
 * the same leaf. Each value is stored once, and each store returns the value before it.
 * Therefore each value of a key, except the last one, is returned exactly once, and
 * those of one process are returned in the order in which it stored them.
 */
#include <stdatomic.h>

#include "workers.h"

/* The keys, in a range without symbols. */
#define HOT 4
#define BASE 0x8000000000ULL
#define BATCH 256
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
};

/* The latest value of each process that a process has seen, by key. */
struct view {
	__u64 latest[HOT][WORKERS_MAX + 1];
	__u64 balance[HOT];
	__u64 added;
};

static void look(const struct job *job, struct view *view,
		 const struct blink_tree_ioc_op *op)
{
	unsigned int key = op->key - BASE;
	__u64 process = op->old >> SEQUENCE_BITS;

	view->balance[key] ^= op->value;
	if (!op->result) {
		view->added++;
		return;
	}
	if (op->result != 1 || !process || process > job->cpus ||
	    op->old <= view->latest[key][process])
		fail("contend: store to %#llx gave %d: %#llx", op->key,
		     op->result, op->old);
	view->latest[key][process] = op->old;
	view->balance[key] ^= op->old;
}

static void work(struct job *job, struct blinktree *tree, unsigned int worker,
		 void *context)
{
	__u64 value = (worker + 1ULL) << SEQUENCE_BITS;
	__u64 random = random_seed(job, 5, worker);
	struct contest *contest = context;
	struct blink_tree_ioc_op ops[BATCH];
	static struct view view;
	unsigned int done, i;

	for (done = 0; done < contest->ops; done += BATCH) {
		for (i = 0; i < BATCH; i++)
			ops[i] = (struct blink_tree_ioc_op){
				.opcode = BLINK_TREE_OP_STORE,
				.key = BASE + random_below(&random, HOT),
				.value = ++value,
			};
		if (blinktree_batch(tree, ops, BATCH, NULL))
			fail("contend: batch");
		for (i = 0; i < BATCH; i++)
			look(job, &view, &ops[i]);
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
		if (blinktree_erase(job->tree, BASE + i, &value) ||
		    value != atomic_load(&contest->balance[i]))
			fail("contend: %#llx ends with %#llx, not %#llx",
			     BASE + i, value,
			     atomic_load(&contest->balance[i]));
	}
	if (atomic_load(&contest->added) != HOT)
		fail("contend: %u keys were added %llu times", HOT,
		     atomic_load(&contest->added));
}

/* Run a round on all CPUs; returns the number of stores. */
static __u64 compete(struct job *job)
{
	struct contest *contest = shared_alloc(sizeof(*contest));
	struct workers workers;
	__u64 stores;

	contest->ops = OPS / job->cpus / BATCH * BATCH + BATCH;
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

void step_contend(struct job *job)
{
	struct blink_tree_ioc_stats before = stats_of(job->tree), after;
	ptrdiff_t left = symbols_floor(&job->symbols, BASE);
	double start = now();
	unsigned int round;
	__u64 stores = 0;

	if (left != symbols_floor(&job->symbols, BASE + HOT))
		fail("contend: the range of the keys has symbols");
	for (round = 0; round < ROUNDS; round++) {
		stores += compete(job);
		after = stats_of(job->tree);
		if (waited(&before, &after) || job->cpus == 1)
			break;
	}
	report("contend", start,
	       "%llu stores to %u keys from %u CPUs: each found the value of the last one",
	       stores, HOT, job->cpus);
	if (after.locking != BLINK_TREE_LOCKING_COHORT)
		detail("(the tree has no cohort locks, so locks are not passed on)");
	else if (waited(&before, &after))
		tell(&before, &after);
	else if (job->cpus == 1)
		detail("(one CPU: no writer has to wait)");
	else
		fail("contend: no CPU ever waited for another");
}
