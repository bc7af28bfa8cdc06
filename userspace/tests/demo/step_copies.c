// SPDX-License-Identifier: GPL-2.0
/*
 * A small tree for comparison: every CPU reads some of the symbols. Each process also
 * overwrites one value again and again, and announces each store in shared memory. Other
 * processes must then read this value or a newer one. With copies of leaves each CPU
 * reads the copy on its NUMA node, so a store must be in all copies before it returns.
 */
#include <stdatomic.h>

#include "workers.h"

/* The tree gets one of this many symbols. */
#define SPARSE 8
#define BATCH 512
#define ROUNDS 3000
/* Values that are stored later start here, above all positions. */
#define FRESH 0x4000000000000000ULL

struct copies {
	/* Rounds that each process has stored. */
	atomic_ullong stored[WORKERS_MAX];
	atomic_ullong fresh;
};

static size_t entries(const struct job *job)
{
	return job->symbols.nr / SPARSE;
}

static const struct symbol *entry(const struct job *job, size_t i)
{
	return &job->symbols.sorted[i * SPARSE];
}

static void fill_batch(struct job *job, struct blinktree *tree,
		       struct blink_tree_ioc_op *ops, size_t nr)
{
	int err = blinktree_batch(tree, ops, nr, NULL);
	size_t i;

	if (err)
		fail("copies: %s: batch: error %d", job->tree_name, -err);
	for (i = 0; i < nr; i++)
		if (ops[i].result)
			fail("copies: %s: insert of %#llx gave %d",
			     job->tree_name, ops[i].key, ops[i].result);
}

static void fill(struct job *job, struct blinktree *tree, unsigned int worker,
		 void *context)
{
	struct blink_tree_ioc_op ops[BATCH];
	size_t i, nr = 0;

	(void)context;
	for (i = worker; i < entries(job); i += job->cpus) {
		ops[nr++] = (struct blink_tree_ioc_op){
			.opcode = BLINK_TREE_OP_INSERT,
			.key = entry(job, i)->address,
			.value = entry(job, i)->position,
		};
		if (nr == BATCH) {
			fill_batch(job, tree, ops, nr);
			nr = 0;
		}
	}
	fill_batch(job, tree, ops, nr);
}

/* The value that a process overwrites: one in its share of the table. */
static size_t changed_by(const struct job *job, unsigned int worker)
{
	return worker * (entries(job) / job->cpus);
}

static void read_all(struct job *job, struct blinktree *tree)
{
	size_t i;

	for (i = 0; i < entries(job); i++) {
		const struct symbol *symbol = entry(job, i);
		__u64 value;
		int err = blinktree_get(tree, symbol->address, &value);

		if (err || (value != symbol->position && value < FRESH))
			fail("copies: %s: %#llx: error %d, value %llu",
			     job->tree_name, symbol->address, -err, value);
	}
}

static void overwrite(struct job *job, struct blinktree *tree,
		      unsigned int worker, __u64 round, struct copies *copies)
{
	__u64 key = entry(job, changed_by(job, worker))->address;
	int ret = blinktree_store(tree, key, FRESH + round, NULL);

	if (ret != 1)
		fail("copies: %s: store to %#llx gave %d", job->tree_name, key,
		     ret);
	atomic_store(&copies->stored[worker], round);
}

/* A value must not be older than announced before the read, nor too new. */
static void read_fresh(struct job *job, struct blinktree *tree,
		       unsigned int writer, struct copies *copies)
{
	__u64 key = entry(job, changed_by(job, writer))->address;
	__u64 before = atomic_load(&copies->stored[writer]), after, value;
	int err = blinktree_get(tree, key, &value);

	after = atomic_load(&copies->stored[writer]);
	if (err || (before && value < FRESH + before) ||
	    (value >= FRESH && value > FRESH + after + 1))
		fail("copies: %s: %#llx: error %d, value %#llx, after rounds %llu to %llu",
		     job->tree_name, key, -err, value, before, after);
	atomic_fetch_add(&copies->fresh, !!before);
}

static void share(struct job *job, struct blinktree *tree, unsigned int worker,
		  void *context)
{
	__u64 random = random_seed(job, 4, worker), round;

	for (round = 1; round <= ROUNDS; round++) {
		overwrite(job, tree, worker, round, context);
		read_fresh(job, tree, random_below(&random, job->cpus),
			   context);
	}
	read_all(job, tree);
}

void step_copies(const struct job *all, const char *name)
{
	struct copies *copies = shared_alloc(sizeof(*copies));
	struct workers workers;
	double start = now();
	struct job job = *all;

	job.tree_name = name;
	job.tree = open_tree(&job);
	if (entries(&job) < job.cpus)
		fail("copies: %zu symbols are too few", job.symbols.nr);
	workers_start(&workers, &job, job.cpus, fill, NULL);
	workers_wait(&workers);
	workers_start(&workers, &job, job.cpus, share, copies);
	workers_wait(&workers);
	if (entries_of(job.tree) != entries(&job))
		fail("copies: %s: %llu entries, not %zu", name,
		     entries_of(job.tree), entries(&job));
	report("copies", start,
	       "the tree %s: each of %u CPUs read %zu symbols, and they read %llu",
	       name, job.cpus, entries(&job), atomic_load(&copies->fresh));
	detail("times a value that another process had stored: none was too old");
	blinktree_close(job.tree);
	shared_free(copies, sizeof(*copies));
}
