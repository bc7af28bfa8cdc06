// SPDX-License-Identifier: GPL-2.0
/*
 * The workloads. The keys in the index are at any time the images of a *window*
 * of numbers, which moves up as new keys are inserted and the oldest erased.
 * Of the numbers of new keys, and of old ones, each thread has its own: those
 * that leave the same remainder when divided by the number of threads.
 */
#include <linux/kernel.h>
#include <linux/rcupdate.h>
#include <stdlib.h>

#include "crates.h"
#include "heap.h"
#include "lab/keys.h"
#include "slab.h"
#include "team.h"
#include "thread.h"
#include "work.h"
#include "zipf.h"

/*
 * One call in so many is timed, or in fewer if a call has several operations.
 * It is odd, so that where two kinds of operations are in turn both are.
 */
#define TIMED 31

static struct lab_index map;
static const struct workload *workload;
static unsigned int nr_threads;
static unsigned int nr_batch;
static u64 nr_ops;

/* The window when the workload began. */
static u64 lowest;
static u64 window;

/* The greatest key when keys began to be appended, and how many were. */
static u64 greatest;
static u64 appended;

/* Neighbours, which are in a leaf or two. */
#define HOT_KEYS 32

struct worker {
	struct member m;
	u64 random;
	u64 inserted;
	u64 erased;
	u32 *zipf;
	struct blink_tree_entry hot[HOT_KEYS];
	/* Of all calls, and of those that changed nothing; and whether the last one did. */
	struct histogram *times[2];
	bool changed;
};

/**
 * struct workload - something that each thread does
 * @name: its name
 * @text: the same in more words
 * @step: an operation
 * @adds: in a batch, one of so many operations is an insertion; 0: all are lookups
 * @batches: whether an index with batches can do it
 * @commits: a call is a commit, which is an operation for each key
 * @zipf: whether it needs numbers by Zipf's law
 * @share: one of so many operations is done
 */
struct workload {
	const char *name;
	const char *text;
	void (*step)(struct worker *w);
	unsigned int adds;
	bool batches;
	bool commits;
	bool zipf;
	unsigned int share;
};

/* The number of a present key. */
static u64 pick(struct worker *w)
{
	return lowest + lab_below(&w->random, window);
}

/* The number of this thread's next new key. */
static u64 fresh(struct worker *w)
{
	return lowest + window + w->m.id + w->inserted++ * nr_threads;
}

/* The number of this thread's oldest key. */
static u64 oldest(struct worker *w)
{
	return lowest + w->m.id + w->erased++ * nr_threads;
}

static void insert(struct worker *w)
{
	u64 n = fresh(w);

	w->changed = true;
	w->m.wrong += !!map.ops->insert(map.data, lab_image(n), n);
}

static void lookup_number(struct worker *w, u64 n)
{
	u64 value = 0;

	w->m.wrong += map.ops->lookup(map.data, lab_image(n), &value) ||
		      value != n;
}

static void lookup(struct worker *w)
{
	lookup_number(w, pick(w));
}

/* The next key follows from this answer, so a call cannot begin before the last has ended. */
static void lookup_dependent(struct worker *w)
{
	u64 n = pick(w), value = 0;

	w->m.wrong += map.ops->lookup(map.data, lab_image(n), &value) ||
		      value != n;
	w->random += value;
}

static void lookup_miss(struct worker *w)
{
	u64 n = LAB_ABSENT + lab_below(&w->random, LAB_ABSENT), value;

	w->m.wrong += !map.ops->lookup(map.data, lab_image(n), &value);
}

static void lookup_zipf(struct worker *w)
{
	lookup_number(w, lowest + w->zipf[w->m.done]);
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
	w->m.wrong += !got || entry[0].key != key;
	w->m.wrong += got && got < LAB_SCAN_MAX &&
		      !near_end(entry[got - 1].key);
	for (i = 0; i < got; i++)
		w->m.wrong += lab_image(entry[i].value) != entry[i].key;
}

static void find_floor(struct worker *w)
{
	u64 key = lab_image(LAB_ABSENT + lab_below(&w->random, LAB_ABSENT));
	struct blink_tree_entry entry;

	if (map.ops->floor(map.data, key, &entry))
		w->m.wrong += !near_end(key);
	else
		w->m.wrong += entry.key >= key ||
			      lab_image(entry.value) != entry.key;
}

static void store_number(struct worker *w, u64 n)
{
	w->changed = true;
	w->m.wrong += !!map.ops->store(map.data, lab_image(n), n);
}

static void store(struct worker *w)
{
	store_number(w, pick(w));
}

static void store_zipf(struct worker *w)
{
	store_number(w, lowest + w->zipf[w->m.done]);
}

static void store_hot(struct worker *w)
{
	const struct blink_tree_entry *entry =
		&w->hot[lab_below(&w->random, HOT_KEYS)];

	w->changed = true;
	w->m.wrong += !!map.ops->store(map.data, entry->key, entry->value);
}

static void mix(struct worker *w)
{
	if (lab_below(&w->random, 20)) {
		lookup(w);
		return;
	}
	store(w);
}

static void turn_over(struct worker *w)
{
	if (w->m.done % 2)
		w->m.wrong += !!map.ops->erase(map.data, lab_image(oldest(w)));
	else
		insert(w);
	w->changed = true;
}

static void grow(struct worker *w)
{
	if (w->m.done % 2)
		insert(w);
	else
		lookup(w);
}

static void append(struct worker *w)
{
	u64 n = __atomic_add_fetch(&appended, 1, __ATOMIC_RELAXED);

	w->changed = true;
	w->m.wrong += !!map.ops->insert(map.data, greatest + n, n);
}

/* Where others can take the key before, it is found again. */
static void take_least(struct worker *w)
{
	struct blink_tree_entry entry;

	w->changed = true;
	if (map.ops->pop_min) {
		w->m.wrong += !!map.ops->pop_min(map.data, &entry);
		return;
	}
	do {
		if (!map.ops->scan(map.data, 0, &entry, 1)) {
			w->m.wrong++;
			return;
		}
	} while (map.ops->erase(map.data, entry.key));
}

static void queue(struct worker *w)
{
	if (w->m.done % 2)
		take_least(w);
	else
		append(w);
}

/* By steps of a prime that is no factor of the window. */
static void erase(struct worker *w)
{
	const u64 step = 2654435761ULL;
	u64 i = w->m.id + w->m.done * nr_threads;

	w->changed = true;
	w->m.wrong += !!map.ops->erase(map.data,
				       lab_image(lowest + i * step % window));
}

static void batch(struct worker *w)
{
	struct blink_tree_ioc_op op[LAB_BATCH_MAX];
	u64 number[LAB_BATCH_MAX];
	unsigned int i;

	for (i = 0; i < nr_batch; i++) {
		bool add = workload->adds &&
			   i % workload->adds == workload->adds - 1;

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
		w->m.wrong += op[i].result || op[i].value != number[i];
}

/* An operation on each of some present keys at one instant; the keys differ. */
static void commit(struct worker *w, unsigned int opcode)
{
	struct blink_tree_ioc_op op[BLINK_TREE_COMMIT_MAX];
	const u64 first = lab_below(&w->random, window);
	unsigned int i;
	u64 n;

	for (i = 0; i < nr_batch; i++) {
		n = lowest + (first + i * (window / nr_batch)) % window;
		op[i].opcode = opcode;
		op[i].flags = 0;
		op[i].key = lab_image(n);
		op[i].value = n;
	}
	w->m.wrong += !!map.ops->commit(map.data, op, nr_batch);
	for (i = 0; i < nr_batch; i++)
		w->m.wrong += lab_image(op[i].value) != op[i].key;
}

static void commit_lookups(struct worker *w)
{
	commit(w, BLINK_TREE_OP_LOOKUP);
}

static void commit_stores(struct worker *w)
{
	w->changed = true;
	commit(w, BLINK_TREE_OP_STORE);
}

/* In the order in which they run: the last ones change the set of keys. */
static const struct workload workloads[] = {
	{ "insert", "insert every key, in random order, into an empty index",
	  insert, .adds = 1, .batches = true },
	{ "lookup", "look up present keys at random", lookup, .batches = true },
	{ "dependent",
	  "look up present keys, each of which follows from the last answer",
	  lookup_dependent },
	{ "lookup-miss", "look up absent keys at random", lookup_miss },
	{ "lookup-zipf",
	  "look up present keys, by Zipf's law with exponent 0.99", lookup_zipf,
	  .zipf = true },
	{ "scan", "read 48 entries from a random key on", scan, .share = 8 },
	{ "floor", "find the nearest present key below an absent one",
	  find_floor },
	{ "store", "store to present keys at random", store },
	{ "store-zipf",
	  "store to present keys, by Zipf's law with exponent 0.99", store_zipf,
	  .zipf = true },
	{ "store-hot", "store to 32 neighbours at random", store_hot },
	{ "commit-lookup",
	  "look up present keys, those of a call at one instant",
	  commit_lookups, .commits = true },
	{ "commit-store",
	  "store to present keys, those of a call at one instant",
	  commit_stores, .commits = true },
	{ "95/5", "95 % lookups, 5 % stores to present keys", mix },
	{ "insert-erase", "insert a new key, erase the oldest one, in turn",
	  turn_over },
	{ "50/50", "look up a present key, insert a new one, in turn", grow,
	  .adds = 2, .batches = true },
	{ "erase", "erase keys in another random order", erase },
	{ "append", "insert a greatest key", append },
	{ "queue", "insert a greatest key, take the least one, in turn",
	  queue },
	{},
};

void work_print(void)
{
	const struct workload *each;

	for (each = workloads; each->name; each++)
		printf("%s\"%s\": \"%s\"", each == workloads ? "{" : ", ",
		       each->name, each->text);
	printf("}");
}

static u64 now_ns(void)
{
	return thread_ns(CLOCK_MONOTONIC);
}

double work_clock(void)
{
	struct histogram *times = histogram_create();
	unsigned int i;
	double middle;
	u64 begin;

	for (i = 0; i < 100000; i++) {
		begin = now_ns();
		histogram_record(times, now_ns() - begin);
	}
	middle = histogram_quantile(times, 0.5);
	histogram_destroy(times);
	return middle;
}

static void run_timed(struct worker *w, void (*step)(struct worker *w))
{
	u64 ns = now_ns();

	w->changed = false;
	step(w);
	ns = now_ns() - ns;
	histogram_record(w->times[0], ns);
	if (!w->changed)
		histogram_record(w->times[1], ns);
}

static void prepare(void *member)
{
	struct worker *w = member;

	w->random = ((w->m.id + 1ULL) << 32) + (workload - workloads);
	w->times[0] = histogram_create();
	w->times[1] = histogram_create();
	if (workload->zipf)
		w->zipf = zipf_create(nr_ops, window, &w->random);
	if (workload->step == store_hot)
		w->m.wrong += map.ops->scan(map.data, 0, w->hot, HOT_KEYS) !=
			      HOT_KEYS;
}

static void work(void *member)
{
	unsigned int timed = max(TIMED / nr_batch, 1U), calls = 0;
	struct worker *w = member;
	void (*step)(struct worker *w) = workload->step;
	unsigned int many = nr_batch;

	/* An index without batches is filled one by one, for commits. */
	if (!map.ops->batch && !workload->commits)
		many = 1;
	else if (nr_batch > 1 && !workload->commits)
		step = batch;

	for (; w->m.done < nr_ops; w->m.done += many) {
		if (++calls % timed)
			step(w);
		else
			run_timed(w, step);
	}
}

static void leave(void *member)
{
	struct worker *w = member;

	if (map.ops->leave)
		map.ops->leave(map.data);
	free(w->zipf);
}

/* The times of all threads, which are freed. */
static void print_times(struct worker *worker, const char *before, int kind)
{
	static const struct {
		const char *name;
		double share;
	} tail[] = {
		{ "p50", 0.5 }, { "p99", 0.99 }, { "p999", 0.999 }, { "max", 1 }
	};
	struct histogram *times = worker->times[kind];
	unsigned int i;

	for (i = 1; i < nr_threads; i++) {
		histogram_merge(times, worker[i].times[kind]);
		histogram_destroy(worker[i].times[kind]);
	}
	for (i = 0; i < ARRAY_SIZE(tail); i++)
		printf(", \"%s%s_ns\": %.0f", before, tail[i].name,
		       histogram_quantile(times, tail[i].share));
	histogram_destroy(times);
}

/* Keys of other workloads are random, so there is room behind them. */
static void find_greatest(void)
{
	struct blink_tree_entry entry = {};

	map.ops->floor(map.data, LAB_KEY_MAX, &entry);
	greatest = entry.key;
	appended = 0;
}

/* Begin the line of a workload. False if an answer was wrong. */
static bool measure(u64 ops)
{
	struct worker worker[nr_threads];
	const struct team team = {
		nr_threads, worker, sizeof(*worker), prepare, work, leave,
	};
	struct score score;

	memset(worker, 0, sizeof(worker));
	if (workload->step == append || workload->step == queue)
		find_greatest();
	/* Whole batches, and as many of one kind as of the other. */
	nr_ops = ops - ops % (2 * nr_batch);
	score = team_run(&team);
	/* All threads did the same number of each. */
	window += (worker[0].inserted - worker[0].erased) * nr_threads;
	lowest += worker[0].erased * nr_threads;
	score_print(workload->name, &score);
	print_times(worker, "", 0);
	print_times(worker, "read_", 1);
	return !score.wrong;
}

static bool is_possible(void)
{
	if (workload->commits)
		return map.ops->commit && nr_batch <= BLINK_TREE_COMMIT_MAX;
	if (nr_batch > 1)
		return workload->batches && map.ops->batch;
	if (workload->step == scan || workload->step == store_hot)
		return map.ops->scan;
	if (workload->step == find_floor || workload->step == append)
		return map.ops->floor;
	if (workload->step == queue)
		return map.ops->floor && map.ops->scan && map.ops->erase;
	if (workload->step == turn_over || workload->step == erase)
		return map.ops->erase;
	return true;
}

static u64 count_ops(u64 keys, u64 ops)
{
	if (workload->step == insert)
		return keys / nr_threads;
	if (workload->step == erase)
		return min(ops, window / nr_threads);
	return ops / (workload->share ?: 1);
}

/* Callbacks of RCU may still have to free some. */
static u64 used_bytes(void)
{
	rcu_barrier();
	return heap_bytes() + slab_live_bytes();
}

bool work_measure(const struct setting *setting)
{
	const struct lab_params params = {
		.keys = setting->keys + 2 * setting->ops * setting->threads,
		.threads = setting->threads,
	};
	/* Memory of all kinds before the index. */
	const u64 before = used_bytes();

	nr_threads = setting->threads;
	nr_batch = setting->batch;
	if (lab_index_create(&map, setting->index, &params))
		return false;
	for (workload = workloads; workload->name; workload++) {
		if (!(is_among(workload->name, setting->names) &&
		      is_possible()) &&
		    workload != workloads)
			continue;
		if (!measure(count_ops(setting->keys, setting->ops)))
			return false;
		/* An index that cannot tell uses what the process did not use. */
		if (workload == workloads)
			printf(", \"bytes_per_key\": %.4f",
			       (double)(map.ops->bytes ?
						map.ops->bytes(map.data) :
						used_bytes() - before) /
				       (double)window);
		printf("}\n");
	}
	return true;
}
