// SPDX-License-Identifier: GPL-2.0
/*
 * A sample of searches: on which NUMA node is the memory of the tree nodes that
 * this CPU reads? Real searches do not count this. The NUMA node of a tree node
 * is stored in its struct page, so counting would cost a search one more cache
 * line for each node that it reads.
 *
 * A sample uses the functions of a real search: blink_tree_index() for the
 * index, and blink_descend_step() for each step. In a tree of at most three
 * levels, its searches end in all leaves. In a higher tree they end in the
 * first leaf below each node of the level that is two below the root. This
 * bounds the number of searches, and the leaves come from the whole tree.
 */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "../index/root.h"
#include "../index/walk.h"
#include "../tree/topology.h"
#include "inspect.h"

/*
 * The level two below the root has at most this many nodes, unless the tree
 * grows.
 */
#define SAMPLE_MAX (BLINK_INNER_SLOTS * BLINK_INNER_SLOTS)

static bool is_local(const struct blink_sample *sample,
		     const struct blink_node *node)
{
	return page_to_nid(virt_to_page(node)) == sample->nid;
}

struct seen {
	const struct blink_node *leaf;
	blink_bound_t high;
};

static void sample_leaf(struct blink_node *leaf, void *arg)
{
	struct seen *seen = arg;

	seen->leaf = leaf;
	seen->high = blink_node_high(leaf);
}

/* The high key of an inner node. False: the node cannot be read in this context. */
static bool read_high(struct blink_tree *tree, struct blink_node *node,
		      blink_bound_t *high)
{
	struct blink_read read = {};

	do {
		if (!blink_read_begin(tree, node, &read))
			return false;
		*high = blink_node_high(node);
	} while (blink_read_retry(tree, node, &read));
	return true;
}

/*
 * Search for a key. *@passed is set to the high key of the node of @level on the way, if
 * it covers the key. False: no leaf could be read.
 */
static bool sample_search(struct blink_tree *tree, struct blink_sample *sample,
			  blink_key_t key, unsigned int level,
			  blink_bound_t *passed)
{
	struct blink_index *idx = blink_tree_index(tree);
	struct blink_node *node = rcu_dereference(idx->root);
	blink_bound_t high = BLINK_BOUND_NONE;
	unsigned int hops = 0;
	blink_key_t route = key;
	struct seen seen = {};
	u32 seq;

	while (node && node->level) {
		if (node->level == level && !read_high(tree, node, &high))
			return false;
		if (is_local(sample, node))
			sample->inner_local++;
		else
			sample->inner_remote++;
		node = blink_descend_step(tree, idx, node, &route, NULL, &hops);
	}
	if (!blink_read_covering(tree, node, key, sample_leaf, &seen, &seq))
		return false;
	sample->searches++;
	if (is_local(sample, seen.leaf))
		sample->leaf_local++;
	else
		sample->leaf_remote++;
	/* The index can have changed, and the node of @level be far to the left. */
	if (!level || blink_bound_less(high, key))
		high = seen.high;
	blink_bound_set(tree, passed, high);
	return true;
}

/* As blink_tree_sample(). */
void blink_sample_searches(struct blink_tree *tree, struct blink_sample *sample)
{
	unsigned int height = blink_index_height(blink_tree_index(tree)), i;
	unsigned int level = height > 3 ? height - 3 : 0;
	blink_bound_t passed = BLINK_BOUND_NONE;
	blink_key_t key = BLINK_KEY_LEAST;
	bool more = true;

	memset(sample, 0, sizeof(*sample));
	sample->nid = blink_topology_local();
	for (i = 0; i < SAMPLE_MAX && more; i++) {
		rcu_read_lock();
		more = sample_search(tree, sample, key, level, &passed);
		rcu_read_unlock();
		cond_resched();
		more = more && !blink_bound_equal(passed, BLINK_BOUND_LAST);
		key = blink_key_after(passed);
	}
	blink_bound_put(tree, passed);
}
