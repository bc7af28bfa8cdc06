// SPDX-License-Identifier: GPL-2.0
/* Threads that write where others write, each workload on a tree of its own. */
#include <linux/kernel.h>
#include <linux/slab.h>

#include "bench.h"

/* All keys of a tree of one leaf. */
#define LEAF_KEYS 60U

static u64 appended;

static void store(struct worker *w, u64 key)
{
	w->m.wrong += blink_tree_store(tree, key, w->m.id, NULL, GFP_KERNEL) !=
		      1;
	w->m.done++;
}

static void store_uniform(struct worker *w)
{
	store(w, random_mix(next_below(w, nr_keys)));
}

static void store_zipf(struct worker *w)
{
	store(w, random_mix(w->zipf[w->m.done]));
}

/* Other keys of a leaf each, never the same: only the leaf is wanted twice. */
static void store_leaf(struct worker *w)
{
	u64 n = next_below(w, LEAF_KEYS / nr_threads);

	store(w, n * nr_threads + w->m.id);
}

static void append(struct worker *w)
{
	u64 key = __atomic_add_fetch(&appended, 1, __ATOMIC_RELAXED);

	w->m.wrong += blink_tree_insert(tree, key, w->m.id, NULL, GFP_KERNEL) !=
		      0;
	w->m.done++;
}

static void fill_random(void)
{
	u64 n;

	for (n = 0; n < nr_keys; n++)
		blink_tree_insert(tree, random_mix(n), n, NULL, GFP_KERNEL);
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

const struct workload meeting_workloads[] = {
	{ "store-uniform", "store to keys at random", store_uniform,
	  .fill = fill_random },
	{ "store-zipf", "the same, by Zipf's law with exponent 0.99",
	  store_zipf, .fill = fill_random },
	{ "store-leaf", "store to keys of one leaf, each thread to its own",
	  store_leaf, .fill = fill_leaf },
	{ "append", "insert ascending keys, from a counter that threads share",
	  append, .fill = fill_nothing },
	{},
};
