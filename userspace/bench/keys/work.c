// SPDX-License-Identifier: GPL-2.0
/* The workloads of the comparison by kinds of keys. */
#include <linux/rcupdate.h>
#include <pthread.h>

#include "indexes/heap.h"
#include "keys.h"
#include "thread.h"

__thread unsigned char scanned_keys[SCAN][KEY_MAX];

static const struct index_ops *ops;
static const struct set *set;
static unsigned int nr_threads;
static enum workload workload;
static void *map;
static pthread_barrier_t start;

struct worker {
	unsigned int id;
	size_t done;
	size_t wrong;
	u64 scanned;
	double begin;
	double end;
};

static void insert(struct worker *w)
{
	size_t i;

	for (i = w->id; i < set->nr; i += nr_threads) {
		w->wrong += !ops->insert(map, &set->key[i], i);
		w->done++;
	}
}

/* The part of the probes that a thread has. */
static size_t first_probe(unsigned int id)
{
	return set->nr_probes / nr_threads / BATCH * BATCH * id;
}

static void lookup(struct worker *w)
{
	size_t i, end = first_probe(w->id + 1);
	u64 value;

	for (i = first_probe(w->id); i < end; i++) {
		w->wrong += !ops->lookup(map, &set->probe[i], &value) ||
			    value != set->value[i];
		w->done++;
	}
}

static void batch(struct worker *w)
{
	size_t i, j, end = first_probe(w->id + 1);
	u64 values[BATCH];

	for (i = first_probe(w->id); i < end; i += BATCH) {
		w->wrong += ops->batch(map, &set->probe[i], values) != BATCH;
		for (j = 0; j < BATCH; j++)
			w->wrong += values[j] != set->value[i + j];
		w->done += BATCH;
	}
}

/* Near the end of all keys there are fewer entries than asked for. */
static void scan(struct worker *w)
{
	size_t i, begin = first_probe(w->id);
	size_t end = begin + (first_probe(w->id + 1) - begin) / 8;

	for (i = begin; i < end; i++) {
		w->wrong += !ops->scan(map, &set->probe[i], SCAN, &w->scanned);
		w->done++;
	}
}

static void *worker_main(void *arg)
{
	static void (*const run[WORK_NR])(struct worker *w) = {
		[WORK_INSERT] = insert,
		[WORK_LOOKUP] = lookup,
		[WORK_BATCH] = batch,
		[WORK_SCAN] = scan,
	};
	struct worker *w = arg;

	thread_pin(w->id);
	shim_thread_register();
	shim_stay(0);
	pthread_barrier_wait(&start);
	w->begin = thread_seconds(CLOCK_MONOTONIC);
	run[workload](w);
	w->end = thread_seconds(CLOCK_MONOTONIC);
	shim_thread_unregister();
	return NULL;
}

static bool measure(enum workload which, struct sample *sample)
{
	struct worker worker[nr_threads];
	double begin, end;
	size_t done = 0, wrong = 0;
	unsigned int i;

	workload = which;
	for (i = 0; i < nr_threads; i++)
		worker[i] = (struct worker){ .id = i };
	if (!threads_run(nr_threads, worker_main, worker, sizeof(*worker),
			 &start))
		return false;
	begin = worker[0].begin;
	end = worker[0].end;
	for (i = 0; i < nr_threads; i++) {
		begin = worker[i].begin < begin ? worker[i].begin : begin;
		end = worker[i].end > end ? worker[i].end : end;
		done += worker[i].done;
		wrong += worker[i].wrong;
		sample->scanned += worker[i].scanned;
	}
	sample->mops[which] = (double)done / (end - begin) / 1e6;
	return !wrong;
}

bool work_measure(const struct index_ops *index, const struct set *keys,
		  unsigned int threads, struct sample *sample)
{
	unsigned long long before = heap_bytes();
	enum workload which;

	ops = index;
	set = keys;
	nr_threads = threads;
	*sample = (struct sample){};
	if (ops->longest && set->longest > ops->longest)
		return true;
	map = ops->create(set->kind);
	if (!map || !measure(WORK_INSERT, sample))
		return false;
	sample->bytes_per_key =
		(double)(ops->bytes ? ops->bytes(map) : heap_bytes() - before) /
		(double)set->nr;
	for (which = WORK_LOOKUP; which < WORK_NR; which++)
		if ((which != WORK_BATCH || ops->batch) &&
		    !measure(which, sample))
			return false;
	return true;
}
