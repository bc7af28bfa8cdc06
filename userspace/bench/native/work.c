// SPDX-License-Identifier: GPL-2.0
/*
 * The workloads. Keys are the images of 0, 1, 2, ... under a bijection of the
 * 64-bit numbers, so that they are random, distinct, and need no memory of
 * their own; the value of a key is the number that it is the image of, and
 * every answer is checked against that.
 */
#include <linux/blink_tree.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <pthread.h>

#include "../../tests/common/random.h"
#include "bench.h"
#include "core/index/alloc.h"
#include "core/node/locking.h"
#include "core/tree/watch.h"
#include "thread.h"

#define BATCH 64
#define SCAN 48

const char *const workload_name[WORK_NR] = {
	"insert", "lookup", "chase", "batch", "mix",  "update", "scan", "down",
	"finger", "count",  "pop",   "erase", "load", "range",	"lock",
};

const char *const workload_text[WORK_NR] = {
	"insert every key, in random order, into an empty tree",
	"look up present keys at random",
	"the same, the value found decides the next key",
	"the same, 64 operations a call (millions of operations/s)",
	"95 % lookups, 5 % stores to present keys",
	"75 % lookups, 25 % insertions and erasures of other keys",
	"read 48 entries from a random key on (millions of scans/s)",
	"the same, downwards",
	"the same entries, by steps of a finger",
	"count the keys of a range, all of them several times over",
	"pop the least key and insert it again; threads meet there",
	"erase every key, in another random order",
	"load ascending keys, each thread into a range of its own",
	"erase the same ranges, 1024 keys a call",
	"take a leaf's lock as writers do, and unlock it; each thread its own",
};

static struct blink_tree *tree;
static u64 nr_keys;
static unsigned int nr_threads;
static u64 nr_ops;
static enum workload workload;
static pthread_barrier_t start;

struct worker {
	unsigned int id;
	u64 done;
	u64 wrong;
	u64 inserted;
	u64 erased;
	double begin;
	double end;
	double cpu;
};

/* Numbers below @limit at random, cheaply. */
static u64 next_below(u64 *state, u64 limit)
{
	return ((__uint128_t)random_next(state) * limit) >> 64;
}

static void insert(struct worker *w)
{
	u64 n;

	for (n = w->id; n < nr_keys; n += nr_threads, w->done++)
		w->wrong += blink_tree_insert(tree, random_mix(n), n, NULL,
					      GFP_KERNEL) != 0;
}

/* Another order: by steps that have no factor in common with any number. */
static void erase(struct worker *w)
{
	const u64 step = 2654435761ULL;
	u64 i, n, old;

	for (i = w->id; i < nr_keys; i += nr_threads, w->done++) {
		n = (__uint128_t)i * step % nr_keys;
		w->wrong += blink_tree_erase(tree, random_mix(n), &old) ||
			    old != n;
	}
}

static void lookup(struct worker *w, u64 *state)
{
	u64 n = next_below(state, nr_keys), value = 0;

	w->wrong += blink_tree_lookup(tree, random_mix(n), &value) ||
		    value != n;
	w->done++;
}

static void chase(struct worker *w, u64 *state)
{
	u64 n = *state % nr_keys, value = 0;

	w->wrong += blink_tree_lookup(tree, random_mix(n), &value) ||
		    value != n;
	/* Of no use until the value is there. */
	*state = random_mix(*state ^ value) >> 1;
	w->done++;
}

static void batch(struct worker *w, u64 *state)
{
	struct blink_tree_ioc_op op[BATCH];
	u64 n[BATCH];
	unsigned int i;

	for (i = 0; i < BATCH; i++) {
		n[i] = next_below(state, nr_keys);
		op[i].opcode = BLINK_TREE_OP_LOOKUP;
		op[i].flags = 0;
		op[i].key = random_mix(n[i]);
	}
	blink_tree_batch(tree, op, BATCH, GFP_KERNEL);
	for (i = 0; i < BATCH; i++)
		w->wrong += op[i].result || op[i].value != n[i];
	w->done += BATCH;
}

static void mix(struct worker *w, u64 *state)
{
	u64 n;

	if (next_below(state, 100) >= 5) {
		lookup(w, state);
		return;
	}
	n = next_below(state, nr_keys);
	w->wrong +=
		blink_tree_store(tree, random_mix(n), n, NULL, GFP_KERNEL) != 1;
	w->done++;
}

/* The number of the @nth key that is only in the tree for a while. */
static u64 guest(const struct worker *w, u64 nth)
{
	return nr_keys + w->id + nth * nr_threads;
}

/* What was inserted is erased so many insertions later. */
#define GUESTS 1000

static void erase_guest(struct worker *w)
{
	u64 n = guest(w, w->erased++), old = 0;

	w->wrong += blink_tree_erase(tree, random_mix(n), &old) || old != n;
}

static void update(struct worker *w, u64 *state)
{
	u64 n;

	if (next_below(state, 100) >= 25) {
		lookup(w, state);
		return;
	}
	w->done++;
	if (w->inserted - w->erased == GUESTS) {
		erase_guest(w);
		return;
	}
	n = guest(w, w->inserted++);
	w->wrong += blink_tree_insert(tree, random_mix(n), n, NULL,
				      GFP_KERNEL) != 0;
}

static void scan_from(struct worker *w, u64 key, bool desc)
{
	struct blink_scan range = {
		.first = desc ? 0 : key,
		.last = desc ? key : U64_MAX,
		.desc = desc,
	};
	struct blink_tree_entry entry[SCAN];
	unsigned int got = 0, i;
	int ret = 0;

	while (got < SCAN && !range.done && ret >= 0) {
		ret = blink_tree_scan(tree, &range, entry + got, SCAN - got);
		got += max(ret, 0);
	}
	for (i = 0; i < got; i++)
		w->wrong += random_mix(entry[i].value) != entry[i].key;
	w->wrong += got < SCAN && !range.done;
	w->done++;
}

static void scan(struct worker *w, u64 *state)
{
	scan_from(w, random_mix(next_below(state, nr_keys)), false);
}

static void scan_desc(struct worker *w, u64 *state)
{
	scan_from(w, random_mix(next_below(state, nr_keys)), true);
}

static void finger(struct worker *w, u64 *state)
{
	u64 key = random_mix(next_below(state, nr_keys));
	struct blink_tree_entry entry;
	struct blink_finger finger;
	unsigned int got;
	int ret;

	blink_finger_init(&finger, tree);
	rcu_read_lock();
	ret = blink_finger_ceiling(&finger, key, &entry);
	for (got = 0; !ret && got < SCAN; got++) {
		w->wrong += random_mix(entry.value) != entry.key;
		ret = blink_finger_next(&finger, &entry);
	}
	rcu_read_unlock();
	w->wrong += ret && ret != -ENOENT;
	w->done++;
}

/* The part of the key space that belongs to a thread. */
static struct blink_scan range_of(const struct worker *w)
{
	u64 width = U64_MAX / nr_threads;
	struct blink_scan range = { .first = w->id * width };

	range.last = w->id + 1 == nr_threads ? U64_MAX :
					       range.first + width - 1;
	return range;
}

/* Entries of a call on a range. */
#define RANGE 1024

static void count(struct worker *w)
{
	struct blink_scan range;
	int ret;

	while (w->done < nr_ops) {
		range = range_of(w);
		while (!range.done) {
			ret = blink_tree_count_range(tree, &range, RANGE);
			w->wrong += ret < 0;
			w->done += max(ret, 0);
		}
	}
}

static void pop(struct worker *w, u64 *state)
{
	struct blink_tree_entry entry = {};

	(void)state;
	w->wrong += blink_tree_pop_min(tree, 0, &entry) ||
		    entry.key != random_mix(entry.value) ||
		    blink_tree_insert(tree, entry.key, entry.value, NULL,
				      GFP_KERNEL);
	w->done++;
}

/* The number of ascending keys that a thread loads. */
static u64 keys_of(const struct worker *w)
{
	return nr_keys / nr_threads + (w->id < nr_keys % nr_threads);
}

static void load(struct worker *w)
{
	struct blink_tree_entry entry[RANGE];
	u64 left = keys_of(w), key = range_of(w).first;
	const u64 step = U64_MAX / nr_threads / left;
	unsigned int nr, i, done;

	for (; left; left -= nr) {
		nr = min_t(u64, left, RANGE);
		for (i = 0; i < nr; i++, key += step)
			entry[i] = (struct blink_tree_entry){ key, key };
		w->wrong += blink_tree_load(tree, entry, nr, 100, GFP_KERNEL,
					    &done) ||
			    done != nr;
		w->done += nr;
	}
}

static void erase_range(struct worker *w)
{
	struct blink_scan range = range_of(w);
	int ret;

	while (!range.done) {
		ret = blink_tree_erase_range(tree, &range, NULL, RANGE);
		w->wrong += ret < 0;
		w->done += max(ret, 0);
	}
	w->wrong += w->done != keys_of(w);
}

/* The leaf is in no tree: only its lock is made use of. */
static void lock(struct worker *w)
{
	struct blink_node *leaf = NULL;

	if (blink_leaf_get(tree, &leaf, GFP_KERNEL)) {
		w->wrong++;
		return;
	}
	for (; w->done < 8 * nr_ops; w->done++) {
		blink_node_lock_first(tree, leaf);
		blink_node_unlock(tree, leaf);
	}
	blink_node_free(tree, leaf, true);
}

static void run_workload(struct worker *w)
{
	static void (*const step[WORK_NR])(struct worker *w, u64 *state) = {
		[WORK_LOOKUP] = lookup,
		[WORK_CHASE] = chase,
		[WORK_BATCH] = batch,
		[WORK_MIX] = mix,
		[WORK_UPDATE] = update,
		[WORK_SCAN] = scan,
		[WORK_SCAN_DESC] = scan_desc,
		[WORK_FINGER] = finger,
		[WORK_POP] = pop,
	};
	static void (*const whole[WORK_NR])(struct worker *w) = {
		[WORK_INSERT] = insert,	    [WORK_COUNT] = count,
		[WORK_ERASE] = erase,	    [WORK_LOAD] = load,
		[WORK_RANGE] = erase_range, [WORK_LOCK] = lock,
	};
	u64 state = (w->id + 1) * 0x2545f4914f6cdd1dULL + workload;
	bool many = workload == WORK_SCAN || workload == WORK_SCAN_DESC ||
		    workload == WORK_FINGER;
	u64 ops = many ? nr_ops / 8 : nr_ops;

	if (whole[workload])
		whole[workload](w);
	else
		while (w->done < ops)
			step[workload](w, &state);
	while (w->erased < w->inserted)
		erase_guest(w);
}

static void *worker_main(void *arg)
{
	struct worker *w = arg;

	thread_pin(w->id);
	shim_thread_register();
	shim_stay(w->id % shim_nodes);
	pthread_barrier_wait(&start);
	w->cpu = thread_seconds(CLOCK_THREAD_CPUTIME_ID);
	w->begin = thread_seconds(CLOCK_MONOTONIC);
	run_workload(w);
	w->end = thread_seconds(CLOCK_MONOTONIC);
	w->cpu = thread_seconds(CLOCK_THREAD_CPUTIME_ID) - w->cpu;
	shim_thread_unregister();
	return NULL;
}

/* The threads' times and answers. False if an answer was wrong. */
static bool evaluate(const struct worker *worker, struct sample *sample)
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
	}
	sample->mops[workload] = (double)done / (end - begin) / 1e6;
	sample->ran[workload] = cpu / wall;
	if (wrong)
		fprintf(stderr, "blink_bench: %s: %llu wrong answers\n",
			workload_name[workload], wrong);
	return !wrong;
}

static bool measure(enum workload which, struct sample *sample)
{
	struct worker worker[THREADS_MAX] = {};
	unsigned int i;

	workload = which;
	for (i = 0; i < nr_threads; i++)
		worker[i].id = i;
	if (!threads_run(nr_threads, worker_main, worker, sizeof(*worker),
			 &start))
		shim_die(__FILE__, __LINE__, "no thread");
	return evaluate(worker, sample);
}

/* A watch of all keys, which nobody reads: the changes that it cannot keep are lost. */
static void watch_begin(void)
{
	static struct blink_watch watch = { .last = ~(u128)0 };
	const u32 slots = BLINK_TREE_WATCH_SLOTS_DEFAULT;
	void *ring;

	/* Not freed: the process ends with the tree. */
	if (posix_memalign(&ring, 4096, blink_watch_size(slots)))
		shim_die(__FILE__, __LINE__, "no memory for a watch");
	memset(ring, 0, blink_watch_size(slots));
	blink_watch_init(&watch, ring, slots);
	blink_watch_link(tree, &watch);
}

bool work_measure(const struct setting *setting, u64 ops, struct sample *sample)
{
	struct blink_tree_ioc_stats stats;
	unsigned int i;

	shim_nodes = setting->mode->nodes;
	shim_stay(0);
	tree = blink_tree_create(&setting->mode->params, GFP_KERNEL);
	if (IS_ERR(tree))
		return false;
	if (setting->mode->watched)
		watch_begin();
	nr_keys = setting->keys;
	nr_threads = setting->threads;
	nr_ops = ops;
	for (i = 0; i < WORK_NR; i++) {
		if (!measure(i, sample))
			return false;
		if (i != WORK_INSERT)
			continue;
		blink_tree_stats(tree, &stats);
		sample->bytes_per_key =
			(double)stats.bytes / (double)stats.entries;
		sample->height = blink_tree_height(tree);
	}
	blink_tree_destroy(tree);
	return true;
}
