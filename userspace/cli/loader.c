// SPDX-License-Identifier: GPL-2.0
/*
 * The loader. Each *worker* is a thread with two *parts* of the input: the reader of the
 * input fills one of them with operations, while the thread executes the other.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "loader.h"

/*
 * Operations, and their keys for messages: the bytes of all keys one behind the other,
 * and where each of them ends.
 */
struct part {
	struct blinktree_stream *stream;
	unsigned char *bytes;
	size_t *ends;
	size_t room;
	size_t nr;
};

struct worker {
	struct loader *loader;
	pthread_t thread;

	/* Only the reader of the input accesses these. */
	struct part filling;
	struct loader_result lost;

	pthread_mutex_t lock;
	pthread_cond_t changed;
	/* Under the lock: operations to execute, 0 after that; whether it was the end. */
	struct part ready;
	bool end;

	/* Only the thread accesses this, until it has ended. */
	struct loader_result result;
};

struct loader {
	struct blinktree *tree;
	unsigned int kind;
	size_t batch;
	unsigned int fill;
	unsigned int jobs;
	unsigned int started;
	atomic_bool failed;
	struct worker workers[];
};

static size_t begin_of(const struct part *part, size_t i)
{
	return i ? part->ends[i - 1] : 0;
}

static bool keep_key(struct part *part, const struct key *key)
{
	size_t used = begin_of(part, part->nr);
	unsigned char *bytes;

	if (part->room - used <= key->length) {
		part->room = 2 * part->room + KEY_BYTES_MAX;
		bytes = realloc(part->bytes, part->room);
		if (!bytes)
			return false;
		part->bytes = bytes;
	}
	memcpy(part->bytes + used, key->bytes, key->length);
	part->ends[part->nr++] = used + key->length;
	return true;
}

/* Keep the error of the operation at @i. */
static void fail(struct worker *worker, const struct part *part, size_t i,
		 int error)
{
	size_t begin = begin_of(part, i);

	worker->result.error = error;
	key_set(&worker->result.key, worker->loader->kind, part->bytes + begin,
		part->ends[i] - begin);
	atomic_store(&worker->loader->failed, true);
}

static void tally(struct worker *worker, const struct part *part, size_t i,
		  int result)
{
	if (result == 1)
		worker->result.overwritten++;
	else if (!result)
		worker->result.added++;
	else if (!worker->result.error)
		fail(worker, part, i, -result);
}

static void execute(struct worker *worker, struct part *part)
{
	struct loader *loader = worker->loader;
	size_t done, i;
	int err;

	if (loader->fill) {
		err = blinktree_stream_load(part->stream, loader->tree,
					    loader->fill, &done);
		worker->result.added += done;
	} else {
		err = blinktree_stream_run(part->stream, loader->tree, &done);
		for (i = 0; i < done; i++)
			tally(worker, part, i, operation_status(part->stream));
	}
	/* Without an entry that failed, the last one stands for the call. */
	if (err && !worker->result.error)
		fail(worker, part, done < part->nr ? done : part->nr - 1, -err);
}

static void *work(void *arg)
{
	struct worker *worker = arg;

	pthread_mutex_lock(&worker->lock);
	for (;;) {
		while (!worker->ready.nr && !worker->end)
			pthread_cond_wait(&worker->changed, &worker->lock);
		if (!worker->ready.nr)
			break;
		pthread_mutex_unlock(&worker->lock);
		/* After a failure, drop the operations that were not executed yet. */
		if (!atomic_load(&worker->loader->failed))
			execute(worker, &worker->ready);
		blinktree_stream_clear(worker->ready.stream);
		pthread_mutex_lock(&worker->lock);
		worker->ready.nr = 0;
		pthread_cond_signal(&worker->changed);
	}
	pthread_mutex_unlock(&worker->lock);
	return NULL;
}

/* Swap the parts of a worker as soon as its thread has executed the other. */
static void hand_over(struct worker *worker)
{
	struct part part = worker->filling;

	pthread_mutex_lock(&worker->lock);
	while (worker->ready.nr)
		pthread_cond_wait(&worker->changed, &worker->lock);
	worker->filling = worker->ready;
	worker->ready = part;
	pthread_cond_signal(&worker->changed);
	pthread_mutex_unlock(&worker->lock);
}

static bool open_part(struct part *part, size_t batch)
{
	part->ends = calloc(batch, sizeof(*part->ends));
	return part->ends && !blinktree_stream_open(&part->stream);
}

static void close_part(struct part *part)
{
	blinktree_stream_close(part->stream);
	free(part->bytes);
	free(part->ends);
}

static bool start_worker(struct loader *loader, struct worker *worker)
{
	worker->loader = loader;
	pthread_mutex_init(&worker->lock, NULL);
	pthread_cond_init(&worker->changed, NULL);
	return open_part(&worker->filling, loader->batch) &&
	       open_part(&worker->ready, loader->batch) &&
	       !pthread_create(&worker->thread, NULL, work, worker);
}

static void free_worker(struct worker *worker)
{
	pthread_mutex_destroy(&worker->lock);
	pthread_cond_destroy(&worker->changed);
	close_part(&worker->filling);
	close_part(&worker->ready);
}

struct loader *loader_start(struct blinktree *tree, unsigned int kind,
			    unsigned int jobs, size_t batch, unsigned int fill)
{
	struct loader *loader;

	loader = calloc(1, sizeof(*loader) + jobs * sizeof(struct worker));
	if (!loader)
		return NULL;
	loader->tree = tree;
	loader->kind = kind;
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
static struct worker *worker_of(struct loader *loader, const struct key *key)
{
	__uint128_t number = key_number(key);
	__u64 folded = number ^ number >> 64;
	__u32 mixed = folded * 0x9e3779b97f4a7c15ULL >> 32;

	return &loader->workers[mixed % loader->jobs];
}

bool loader_add(struct loader *loader, const struct entry *entry)
{
	const unsigned int opcode = loader->fill ? BLINK_TREE_OP_INSERT :
						   BLINK_TREE_OP_STORE;
	struct worker *worker = worker_of(loader, &entry->key);
	struct part *part = &worker->filling;

	if (atomic_load(&loader->failed))
		return false;
	if (!keep_key(part, &entry->key) ||
	    operation_add_entry(part->stream, opcode, entry)) {
		worker->lost.error = ENOMEM;
		key_copy(&worker->lost.key, &entry->key);
		atomic_store(&loader->failed, true);
		return false;
	}
	if (part->nr == loader->batch)
		hand_over(worker);
	return true;
}

static void end_worker(struct worker *worker)
{
	if (worker->filling.nr)
		hand_over(worker);
	pthread_mutex_lock(&worker->lock);
	worker->end = true;
	pthread_cond_signal(&worker->changed);
	pthread_mutex_unlock(&worker->lock);
}

static void keep_error(struct loader_result *to,
		       const struct loader_result *from)
{
	if (!from->error || to->error)
		return;
	to->error = from->error;
	key_copy(&to->key, &from->key);
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
		keep_error(&result, &worker->result);
		keep_error(&result, &worker->lost);
		free_worker(worker);
	}
	free(loader);
	return result;
}
