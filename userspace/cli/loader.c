// SPDX-License-Identifier: GPL-2.0
/*
 * The loader. Each *worker* is a thread with two arrays of operations: the reader of
 * the input fills one of them, while the thread executes the other.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "loader.h"

struct worker {
	struct loader *loader;
	pthread_t thread;

	/* Only the reader of the input accesses these. */
	struct blink_tree_ioc_op *filling;
	size_t filled;

	pthread_mutex_t lock;
	pthread_cond_t changed;
	/* Under the lock: operations to execute, 0 after that; whether it was the end. */
	struct blink_tree_ioc_op *ready;
	size_t nr_ready;
	bool end;

	/* Only the thread accesses these, until it has ended. */
	struct blink_tree_entry *sorted;
	struct loader_result result;
};

struct loader {
	struct blinktree *tree;
	size_t batch;
	unsigned int fill;
	unsigned int jobs;
	unsigned int started;
	atomic_bool failed;
	struct worker workers[];
};

static void fail(struct worker *worker, int error, __u64 key)
{
	worker->result.error = error;
	worker->result.key = key;
	atomic_store(&worker->loader->failed, true);
}

static void tally(struct worker *worker, const struct blink_tree_ioc_op *op)
{
	if (op->result == 1)
		worker->result.overwritten++;
	else if (!op->result)
		worker->result.added++;
	else if (!worker->result.error)
		fail(worker, -op->result, op->key);
}

static void load_sorted(struct worker *worker,
			const struct blink_tree_ioc_op *ops, size_t nr)
{
	struct loader *loader = worker->loader;
	size_t done, i;
	int err;

	for (i = 0; i < nr; i++) {
		worker->sorted[i].key = ops[i].key;
		worker->sorted[i].value = ops[i].value;
	}
	err = blinktree_load(loader->tree, worker->sorted, nr, loader->fill,
			     &done);
	worker->result.added += done;
	if (err)
		fail(worker, -err, done < nr ? ops[done].key : 0);
}

static void store(struct worker *worker, struct blink_tree_ioc_op *ops,
		  size_t nr)
{
	size_t done, i;
	int err;

	err = blinktree_batch(worker->loader->tree, ops, nr, &done);
	for (i = 0; i < done; i++)
		tally(worker, &ops[i]);
	if (err && !worker->result.error)
		fail(worker, -err, done < nr ? ops[done].key : 0);
}

static void execute(struct worker *worker, struct blink_tree_ioc_op *ops,
		    size_t nr)
{
	/* After a failure, drop the operations that were not executed yet. */
	if (atomic_load(&worker->loader->failed))
		return;
	if (worker->loader->fill)
		load_sorted(worker, ops, nr);
	else
		store(worker, ops, nr);
}

static void *work(void *arg)
{
	struct worker *worker = arg;

	pthread_mutex_lock(&worker->lock);
	for (;;) {
		while (!worker->nr_ready && !worker->end)
			pthread_cond_wait(&worker->changed, &worker->lock);
		if (!worker->nr_ready)
			break;
		pthread_mutex_unlock(&worker->lock);
		execute(worker, worker->ready, worker->nr_ready);
		pthread_mutex_lock(&worker->lock);
		worker->nr_ready = 0;
		pthread_cond_signal(&worker->changed);
	}
	pthread_mutex_unlock(&worker->lock);
	return NULL;
}

/* Swap the arrays of a worker as soon as its thread has executed the other. */
static void hand_over(struct worker *worker)
{
	struct blink_tree_ioc_op *ops = worker->filling;

	pthread_mutex_lock(&worker->lock);
	while (worker->nr_ready)
		pthread_cond_wait(&worker->changed, &worker->lock);
	worker->filling = worker->ready;
	worker->ready = ops;
	worker->nr_ready = worker->filled;
	worker->filled = 0;
	pthread_cond_signal(&worker->changed);
	pthread_mutex_unlock(&worker->lock);
}

static bool start_worker(struct loader *loader, struct worker *worker)
{
	worker->loader = loader;
	pthread_mutex_init(&worker->lock, NULL);
	pthread_cond_init(&worker->changed, NULL);
	worker->filling = calloc(loader->batch, sizeof(*worker->filling));
	worker->ready = calloc(loader->batch, sizeof(*worker->ready));
	worker->sorted = calloc(loader->batch, sizeof(*worker->sorted));
	return worker->filling && worker->ready && worker->sorted &&
	       !pthread_create(&worker->thread, NULL, work, worker);
}

static void free_worker(struct worker *worker)
{
	pthread_mutex_destroy(&worker->lock);
	pthread_cond_destroy(&worker->changed);
	free(worker->filling);
	free(worker->ready);
	free(worker->sorted);
}

struct loader *loader_start(struct blinktree *tree, unsigned int jobs,
			    size_t batch, unsigned int fill)
{
	struct loader *loader;

	loader = calloc(1, sizeof(*loader) + jobs * sizeof(struct worker));
	if (!loader)
		return NULL;
	loader->tree = tree;
	loader->jobs = jobs;
	loader->batch = batch;
	loader->fill = fill;
	for (; loader->started < jobs; loader->started++) {
		struct worker *worker = &loader->workers[loader->started];

		if (!start_worker(loader, worker)) {
			free_worker(worker);
			loader_finish(loader);
			return NULL;
		}
	}
	return loader;
}

/* Spread neighbouring keys over the workers. A key has always the same one. */
static struct worker *worker_of(struct loader *loader, __u64 key)
{
	__u32 mixed = key * 0x9e3779b97f4a7c15ULL >> 32;

	return &loader->workers[mixed % loader->jobs];
}

bool loader_add(struct loader *loader, const struct blink_tree_entry *entry)
{
	struct worker *worker = worker_of(loader, entry->key);

	if (atomic_load(&loader->failed))
		return false;
	worker->filling[worker->filled++] = (struct blink_tree_ioc_op){
		.opcode = BLINK_TREE_OP_STORE,
		.key = entry->key,
		.value = entry->value,
	};
	if (worker->filled == loader->batch)
		hand_over(worker);
	return true;
}

static void end_worker(struct worker *worker)
{
	if (worker->filled)
		hand_over(worker);
	pthread_mutex_lock(&worker->lock);
	worker->end = true;
	pthread_cond_signal(&worker->changed);
	pthread_mutex_unlock(&worker->lock);
}

struct loader_result loader_finish(struct loader *loader)
{
	struct loader_result result = {};
	unsigned int i;

	for (i = 0; i < loader->started; i++)
		end_worker(&loader->workers[i]);
	for (i = 0; i < loader->started; i++) {
		struct worker *worker = &loader->workers[i];

		pthread_join(worker->thread, NULL);
		result.added += worker->result.added;
		result.overwritten += worker->result.overwritten;
		if (worker->result.error && !result.error) {
			result.error = worker->result.error;
			result.key = worker->result.key;
		}
		free_worker(worker);
	}
	free(loader);
	return result;
}
