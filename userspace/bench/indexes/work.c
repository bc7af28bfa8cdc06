// SPDX-License-Identifier: GPL-2.0
/*
 * The workloads. The keys in the index are at any time the images of a *window*
 * of numbers, which moves up as new keys are inserted and the oldest erased.
 * Of the numbers of new keys, and of old ones, each thread has its own: those
 * that leave the same remainder when divided by the number of threads.
 */
#include <linux/kernel.h>
#include <linux/rcupdate.h>
#include <pthread.h>
#include <stdlib.h>

#include "heap.h"
#include "lab/keys.h"
#include "slab.h"
#include "thread.h"
#include "work.h"
#include "zipf.h"

/*
 * One call in so many is timed, or in fewer if a call has several operations.
 * It is odd, so that where two kinds of operations are in turn both are.
 */
#define TIMED 31

const char *const workload_name[WORK_NR] = {
	"insert", "lookup", "lookup-miss",  "lookup-zipf", "scan",
	"floor",  "95/5",   "insert-erase", "50/50",	   "erase",
};

const char *const workload_text[WORK_NR] = {
	"insert every key, in random order, into an empty index",
	"look up present keys at random",
	"look up absent keys at random",
	"look up present keys, by Zipf's law with exponent 0.99",
	"read 48 entries from a random key on",
	"find the nearest present key below an absent one",
	"95 % lookups, 5 % stores to present keys",
	"insert a new key, erase the oldest one, in turn",
	"look up a present key, insert a new one, in turn",
	"erase keys in another random order",
};

static const struct lab_scheme *scheme;
static struct lab_index map;
/* Memory of all kinds before the index. */
static u64 bytes_before;
static enum workload workload;
static unsigned int nr_threads;
static unsigned int nr_batch;
static u64 nr_ops;
static pthread_barrier_t start;

/* The window when the workload began. */
static u64 lowest;
static u64 window;

struct worker {
	unsigned int id;
	u64 random;
	u64 done;
	u64 wrong;
	u64 inserted;
	u64 erased;
	u32 *zipf;
	double begin;
	double end;
	double cpu;
	struct latency *latency;
	/* Of calls that changed nothing; and whether the last one did. */
	struct latency *reads;
	bool changed;
};

/* The number of a present key. */
static u64 pick(struct worker *w)
{
	return lowest + lab_below(&w->random, window);
}

/* The number of this thread's next new key. */
static u64 fresh(struct worker *w)
{
	return lowest + window + w->id + w->inserted++ * nr_threads;
}

/* The number of this thread's oldest key. */
static u64 oldest(struct worker *w)
{
	return lowest + w->id + w->erased++ * nr_threads;
}

static void insert(struct worker *w)
{
	u64 n = fresh(w);

	w->changed = true;
	w->wrong += !!map.ops->insert(map.data, lab_image(n), n);
}

static void lookup_number(struct worker *w, u64 n)
{
	u64 value = 0;

	w->wrong += map.ops->lookup(map.data, lab_image(n), &value) ||
		    value != n;
}

static void lookup(struct worker *w)
{
	lookup_number(w, pick(w));
}

static void lookup_miss(struct worker *w)
{
	u64 n = LAB_ABSENT + lab_below(&w->random, LAB_ABSENT), value;

	w->wrong += !map.ops->lookup(map.data, lab_image(n), &value);
}

static void lookup_zipf(struct worker *w)
{
	lookup_number(w, lowest + w->zipf[w->done]);
}

/* Near the end of all keys fewer entries than asked for are right. */
static bool near_end(u64 key)
{
	return key < LAB_KEY_MAX / 16 || key > LAB_KEY_MAX - LAB_KEY_MAX / 16;
}

static void scan(struct worker *w)
{
	struct blink_tree_entry entry[LAB_SCAN_MAX];
	u64 key = lab_image(pick(w));
	unsigned int got, i;

	got = map.ops->scan(map.data, key, entry, LAB_SCAN_MAX);
	w->wrong += !got || entry[0].key != key;
	w->wrong += got && got < LAB_SCAN_MAX && !near_end(entry[got - 1].key);
	for (i = 0; i < got; i++)
		w->wrong += lab_image(entry[i].value) != entry[i].key;
}

static void find_floor(struct worker *w)
{
	u64 key = lab_image(LAB_ABSENT + lab_below(&w->random, LAB_ABSENT));
	struct blink_tree_entry entry;

	if (map.ops->floor(map.data, key, &entry))
		w->wrong += !near_end(key);
	else
		w->wrong += entry.key >= key ||
			    lab_image(entry.value) != entry.key;
}

static void mix(struct worker *w)
{
	u64 n;

	if (lab_below(&w->random, 20)) {
		lookup(w);
		return;
	}
	n = pick(w);
	w->changed = true;
	w->wrong += !!map.ops->store(map.data, lab_image(n), n);
}

static void turn_over(struct worker *w)
{
	if (w->done % 2)
		w->wrong += !!map.ops->erase(map.data, lab_image(oldest(w)));
	else
		insert(w);
	w->changed = true;
}

static void grow(struct worker *w)
{
	if (w->done % 2)
		insert(w);
	else
		lookup(w);
}

/* By steps of a prime that is no factor of the window. */
static void erase(struct worker *w)
{
	const u64 step = 2654435761ULL;
	u64 i = w->id + w->done * nr_threads;

	w->changed = true;
	w->wrong += !!map.ops->erase(map.data,
				     lab_image(lowest + i * step % window));
}

static void batch(struct worker *w)
{
	struct blink_tree_ioc_op op[LAB_BATCH_MAX];
	u64 number[LAB_BATCH_MAX];
	unsigned int i;

	for (i = 0; i < nr_batch; i++) {
		bool add = workload == WORK_INSERT ||
			   (workload == WORK_GROW && i % 2);

		w->changed |= add;
		number[i] = add ? fresh(w) : pick(w);
		op[i].opcode = add ? BLINK_TREE_OP_INSERT :
				     BLINK_TREE_OP_LOOKUP;
		op[i].flags = 0;
		op[i].key = lab_image(number[i]);
		op[i].value = number[i];
	}
	map.ops->batch(map.data, op, nr_batch);
	for (i = 0; i < nr_batch; i++)
		w->wrong += op[i].result || op[i].value != number[i];
}

static void run_timed(struct worker *w, void (*step)(struct worker *w))
{
	u64 ns = latency_now();

	w->changed = false;
	step(w);
	ns = latency_now() - ns;
	latency_add(w->latency, ns);
	if (!w->changed)
		latency_add(w->reads, ns);
}

static void run_workload(struct worker *w)
{
	static void (*const single[WORK_NR])(struct worker *w) = {
		[WORK_INSERT] = insert,	   [WORK_LOOKUP] = lookup,
		[WORK_MISS] = lookup_miss, [WORK_ZIPF] = lookup_zipf,
		[WORK_SCAN] = scan,	   [WORK_FLOOR] = find_floor,
		[WORK_MIX] = mix,	   [WORK_TURNOVER] = turn_over,
		[WORK_GROW] = grow,	   [WORK_ERASE] = erase,
	};
	void (*step)(struct worker *w) = nr_batch > 1 ? batch :
							single[workload];
	unsigned int timed = max(TIMED / nr_batch, 1U), calls = 0;

	for (; w->done < nr_ops; w->done += nr_batch) {
		if (++calls % timed)
			step(w);
		else
			run_timed(w, step);
	}
}

static void *worker_main(void *arg)
{
	struct worker *w = arg;

	thread_pin(w->id);
	shim_thread_register();
	shim_stay(0);
	w->random = ((w->id + 1ULL) << 32) + workload;
	if (workload == WORK_ZIPF)
		zipf_fill(w->zipf, nr_ops, window, &w->random);
	pthread_barrier_wait(&start);
	w->cpu = thread_seconds(CLOCK_THREAD_CPUTIME_ID);
	w->begin = thread_seconds(CLOCK_MONOTONIC);
	run_workload(w);
	w->end = thread_seconds(CLOCK_MONOTONIC);
	w->cpu = thread_seconds(CLOCK_THREAD_CPUTIME_ID) - w->cpu;
	if (map.ops->leave)
		map.ops->leave(map.data);
	shim_thread_unregister();
	return NULL;
}

/* The threads' times and answers. False if an answer was wrong. */
static bool evaluate(struct worker *worker, struct sample *sample)
{
	double begin = worker[0].begin, end = worker[0].end, cpu = 0, wall = 0;
	u64 done = 0, wrong = 0;
	unsigned int i;

	for (i = 0; i < nr_threads; i++) {
		begin = min(begin, worker[i].begin);
		end = max(end, worker[i].end);
		wall += worker[i].end - worker[i].begin;
		cpu += worker[i].cpu;
		done += worker[i].done;
		wrong += worker[i].wrong;
		if (!i)
			continue;
		latency_merge(worker[0].latency, worker[i].latency);
		latency_merge(worker[0].reads, worker[i].reads);
	}
	sample->mops[workload] = (double)done / (end - begin) / 1e6;
	sample->ran[workload] = cpu / wall;
	sample->tail[workload] = latency_tail(worker[0].latency);
	sample->reads[workload] = latency_tail(worker[0].reads);
	if (wrong)
		fprintf(stderr, "blink_compare: %s, %s: %llu wrong answers\n",
			scheme->name, workload_name[workload], wrong);
	return !wrong;
}

static bool run_threads(struct worker *worker, u64 ops, struct sample *sample)
{
	unsigned int i;

	nr_ops = ops;
	for (i = 0; i < nr_threads; i++) {
		worker[i].id = i;
		if (workload == WORK_ZIPF)
			worker[i].zipf = malloc(ops * sizeof(u32));
		if (workload == WORK_ZIPF && !worker[i].zipf)
			shim_die(__FILE__, __LINE__, "no memory");
	}
	if (!threads_run(nr_threads, worker_main, worker, sizeof(*worker),
			 &start))
		shim_die(__FILE__, __LINE__, "no thread");
	for (i = 0; i < nr_threads; i++)
		free(worker[i].zipf);
	/* All threads did the same number of each. */
	window += (worker[0].inserted - worker[0].erased) * nr_threads;
	lowest += worker[0].erased * nr_threads;
	return evaluate(worker, sample);
}

static bool measure(enum workload which, u64 ops, struct sample *sample)
{
	struct worker *worker = calloc(nr_threads, sizeof(*worker));
	unsigned int i;
	bool right;

	if (!worker)
		return false;
	for (i = 0; i < nr_threads; i++) {
		worker[i].latency = latency_create();
		worker[i].reads = latency_create();
	}
	workload = which;
	/* Whole batches, and as many of one kind as of the other. */
	ops -= ops % (2 * nr_batch);
	right = run_threads(worker, ops, sample);
	for (i = 0; i < nr_threads; i++) {
		latency_destroy(worker[i].latency);
		latency_destroy(worker[i].reads);
	}
	free(worker);
	return right;
}

bool work_possible(const struct setting *setting, enum workload which)
{
	const struct lab_index_ops *ops = setting->index->ops;

	if (setting->batch > 1)
		return which == WORK_INSERT || which == WORK_LOOKUP ||
		       which == WORK_GROW;
	switch (which) {
	case WORK_SCAN:
		return ops->scan;
	case WORK_FLOOR:
		return ops->floor;
	case WORK_TURNOVER:
	case WORK_ERASE:
		return ops->erase;
	default:
		return true;
	}
}

static u64 count_ops(enum workload which, u64 keys, u64 ops)
{
	switch (which) {
	case WORK_INSERT:
		return keys / nr_threads;
	case WORK_SCAN:
		return ops / 8;
	case WORK_ERASE:
		return min(ops, window / nr_threads);
	default:
		return ops;
	}
}

/* Callbacks of RCU may still have to free some. */
static u64 used_bytes(void)
{
	rcu_barrier();
	return heap_bytes() + slab_live_bytes();
}

/* An index that cannot tell uses what the process does not use without it. */
static u64 index_bytes(void)
{
	if (map.ops->bytes)
		return map.ops->bytes(map.data);
	return used_bytes() - bytes_before;
}

bool work_measure(const struct setting *setting, unsigned int mask, u64 ops,
		  struct sample *sample)
{
	const struct lab_params params = {
		.keys = setting->keys + 2 * ops * setting->threads,
		.threads = setting->threads,
	};
	unsigned int i;

	scheme = setting->index;
	nr_threads = setting->threads;
	nr_batch = setting->batch;
	bytes_before = used_bytes();
	if (lab_index_create(&map, scheme, &params))
		return false;
	for (i = 0; i < WORK_NR; i++) {
		if (!(mask >> i & 1 && work_possible(setting, i)) &&
		    i != WORK_INSERT)
			continue;
		if (!measure(i, count_ops(i, setting->keys, ops), sample))
			return false;
		if (i == WORK_INSERT)
			sample->bytes_per_key =
				(double)index_bytes() / (double)window;
	}
	return true;
}
