// SPDX-License-Identifier: GPL-2.0
/* The workloads of the comparison by kinds of keys. */
#include <stdio.h>
#include <string.h>

#include "indexes/heap.h"
#include "keys.h"
#include "team.h"

static const struct index_ops *ops;
static const struct set *set;
static unsigned int nr_threads;
static void *map;

struct worker {
	struct member m;
	u64 scanned;
};

static void insert(void *member)
{
	struct worker *w = member;
	size_t i;

	for (i = w->m.id; i < set->nr; i += nr_threads) {
		w->m.wrong += !ops->insert(map, &set->key[i], i);
		w->m.done++;
	}
}

/* The part of the probes that a thread has. */
static size_t first_probe(unsigned int id)
{
	return set->nr_probes / nr_threads / BATCH * BATCH * id;
}

static void lookup(void *member)
{
	struct worker *w = member;
	size_t i, end = first_probe(w->m.id + 1);
	u64 value;

	for (i = first_probe(w->m.id); i < end; i++) {
		w->m.wrong += !ops->lookup(map, &set->probe[i], &value) ||
			      value != set->value[i];
		w->m.done++;
	}
}

static void batch(void *member)
{
	struct worker *w = member;
	size_t i, j, end = first_probe(w->m.id + 1);
	u64 values[BATCH];

	for (i = first_probe(w->m.id); i < end; i += BATCH) {
		w->m.wrong += ops->batch(map, &set->probe[i], values) != BATCH;
		for (j = 0; j < BATCH; j++)
			w->m.wrong += values[j] != set->value[i + j];
		w->m.done += BATCH;
	}
}

/* Near the end of all keys there are fewer entries than asked for. */
static void scan(void *member)
{
	struct worker *w = member;
	size_t i, begin = first_probe(w->m.id);
	size_t end = begin + (first_probe(w->m.id + 1) - begin) / 8;

	for (i = begin; i < end; i++) {
		w->m.wrong +=
			!ops->scan(map, &set->probe[i], SCAN, &w->scanned);
		w->m.done++;
	}
}

/* In this order. */
static const struct workload {
	const char *name;
	void (*work)(void *member);
} workloads[] = {
	{ "insert", insert },
	{ "lookup", lookup },
	{ "batch", batch },
	{ "scan", scan },
};

/* Begin the line of a workload. False if an answer was wrong. */
static bool measure(const struct workload *workload)
{
	struct worker worker[nr_threads];
	const struct team team = {
		.nr = nr_threads,
		.members = worker,
		.bytes = sizeof(*worker),
		.work = workload->work,
	};
	struct score score;
	unsigned int i;
	u64 sum = 0;

	memset(worker, 0, sizeof(worker));
	score = team_run(&team);
	for (i = 0; i < nr_threads; i++)
		sum += worker[i].scanned;
	score_print(workload->name, &score);
	printf(", \"scanned\": %llu", sum);
	return !score.wrong;
}

bool work_measure(const struct index_ops *index, const struct set *keys,
		  unsigned int threads)
{
	unsigned long long before = heap_bytes(), bytes;
	unsigned int i;

	ops = index;
	set = keys;
	nr_threads = threads;
	if (ops->longest && set->longest > ops->longest)
		return true;
	map = ops->create();
	if (!map)
		return false;
	for (i = 0; i < sizeof(workloads) / sizeof(*workloads); i++) {
		if (workloads[i].work == batch && !ops->batch)
			continue;
		if (!measure(&workloads[i]))
			return false;
		bytes = ops->bytes ? ops->bytes(map) : heap_bytes() - before;
		printf(", \"bytes_per_key\": %.4f}\n",
		       (double)bytes / (double)set->nr);
	}
	return true;
}
