// SPDX-License-Identifier: GPL-2.0
/*
 * blink_contended: threads that write where others write, on one tree.
 *
 * One round; a line for each workload: its name, millions of operations a
 * second, locks waited for and leaves split for that in a thousand operations.
 */
#include <errno.h>
#include <linux/blink_tree.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <pthread.h>
#include <stdlib.h>

#include "core/core.h"

#include "indexes/zipf.h"
#include "lab/keys.h"
#include "thread.h"

/* Keys of the tree, but where they are all in one leaf. */
#define KEYS 1000000U
#define LEAF_KEYS 60U

static const char usage[] =
	"usage: blink_contended THREADS OPERATIONS\n"
	"Measure writers that meet: so many threads, each with so many\n"
	"operations, on trees of their own for each workload.\n";

struct worker {
	unsigned int id;
	u64 random;
	u32 *zipf;
	u64 done;
	u64 wrong;
	double begin;
	double end;
};

static struct blink_tree *tree;
static unsigned int nr_threads;
static u64 nr_ops;
static pthread_barrier_t start;
static u64 appended;

static void store(struct worker *w, u64 key)
{
	w->wrong += blink_tree_store(tree, key, w->id, NULL, GFP_KERNEL) != 1;
}

static void store_uniform(struct worker *w)
{
	store(w, lab_image(lab_below(&w->random, KEYS)));
}

static void store_zipf(struct worker *w)
{
	store(w, lab_image(w->zipf[w->done]));
}

/* Other keys of a leaf each, never the same: only the leaf is wanted twice. */
static void store_leaf(struct worker *w)
{
	u64 n = lab_below(&w->random, LEAF_KEYS / nr_threads);

	store(w, n * nr_threads + w->id);
}

static void append(struct worker *w)
{
	u64 key = __atomic_add_fetch(&appended, 1, __ATOMIC_RELAXED);

	w->wrong += blink_tree_insert(tree, key, w->id, NULL, GFP_KERNEL) != 0;
}

static void fill_random(void)
{
	u64 n;

	for (n = 0; n < KEYS; n++)
		blink_tree_insert(tree, lab_image(n), n, NULL, GFP_KERNEL);
}

static void fill_leaf(void)
{
	u64 n;

	for (n = 0; n < LEAF_KEYS; n++)
		blink_tree_insert(tree, n, n, NULL, GFP_KERNEL);
}

static void fill_nothing(void)
{
	appended = 0;
}

static const struct workload {
	const char *name;
	void (*fill)(void);
	void (*step)(struct worker *w);
} workloads[] = {
	{ "store-uniform", fill_random, store_uniform },
	{ "store-zipf", fill_random, store_zipf },
	{ "store-leaf", fill_leaf, store_leaf },
	{ "append", fill_nothing, append },
};

static const struct workload *workload;

static void *worker_main(void *arg)
{
	struct worker *w = arg;

	thread_pin(w->id);
	shim_thread_register();
	shim_stay(0);
	zipf_fill(w->zipf, nr_ops, KEYS, &w->random);
	pthread_barrier_wait(&start);
	w->begin = thread_seconds(CLOCK_MONOTONIC);
	for (; w->done < nr_ops; w->done++)
		workload->step(w);
	w->end = thread_seconds(CLOCK_MONOTONIC);
	shim_thread_unregister();
	return NULL;
}

static u64 run_threads(struct worker *worker, double *seconds)
{
	double begin, end;
	unsigned int i;
	u64 wrong = 0;

	if (!threads_run(nr_threads, worker_main, worker, sizeof(*worker),
			 &start))
		shim_die(__FILE__, __LINE__, "no thread");
	begin = worker[0].begin;
	end = worker[0].end;
	for (i = 0; i < nr_threads; i++) {
		begin = min(begin, worker[i].begin);
		end = max(end, worker[i].end);
		wrong += worker[i].wrong;
	}
	*seconds = end - begin;
	return wrong;
}

/* False if an answer was wrong. */
static bool measure(void)
{
	double seconds, kops = (double)nr_ops * nr_threads / 1e3;
	struct worker *worker = calloc(nr_threads, sizeof(*worker));
	struct blink_tree_ioc_stats before, after;
	unsigned int i;
	u64 wrong;

	tree = blink_tree_create(NULL, GFP_KERNEL);
	if (!worker || IS_ERR(tree))
		shim_die(__FILE__, __LINE__, "no memory");
	for (i = 0; i < nr_threads; i++) {
		worker[i].id = i;
		worker[i].random = i + 1ULL;
		worker[i].zipf = malloc(nr_ops * sizeof(u32));
		if (!worker[i].zipf)
			shim_die(__FILE__, __LINE__, "no memory");
	}
	workload->fill();
	blink_tree_stats(tree, &before);
	wrong = run_threads(worker, &seconds);
	blink_tree_stats(tree, &after);
	printf("%s %.4f %.4f %.4f\n", workload->name, kops / seconds / 1e3,
	       (double)(after.lock_waits - before.lock_waits) / kops,
	       (double)(after.heat_splits - before.heat_splits) / kops);
	fflush(stdout);
	for (i = 0; i < nr_threads; i++)
		free(worker[i].zipf);
	free(worker);
	blink_tree_destroy(tree);
	return !wrong;
}

static u64 number(const char *text, u64 most)
{
	char *end;
	u64 n;

	errno = 0;
	n = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || !n || n > most) {
		fputs(usage, stderr);
		exit(2);
	}
	return n;
}

int main(int argc, char **argv)
{
	unsigned int i;
	bool right = true;

	if (argc != 3) {
		fputs(usage, stderr);
		return 2;
	}
	nr_threads = number(argv[1], LEAF_KEYS);
	nr_ops = number(argv[2], 1U << 30);
	shim_stay(0);
	if (blink_core_init())
		return 1;
	for (i = 0; i < ARRAY_SIZE(workloads); i++) {
		workload = &workloads[i];
		right &= measure();
	}
	blink_core_exit();
	if (!right)
		fputs("blink_contended: wrong answers\n", stderr);
	return !right;
}
