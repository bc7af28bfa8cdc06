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
#include "sample.h"

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
	u64 high;
};

static void sample_leaf(struct blink_node *leaf, void *arg)
{
	struct seen *seen = arg;

	seen->leaf = leaf;
	seen->high = READ_ONCE(leaf->high);
}

/*
 * Search for a key. Returns the high key of the node of @level on the way, or
 * the key itself if no such node covered it.
 */
static u64 sample_search(struct blink_tree *tree, struct blink_sample *sample,
			 u64 key, unsigned int level)
{
	struct blink_index *idx = blink_tree_index(tree);
	struct blink_node *node = rcu_dereference(idx->root);
	struct seen seen = { .high = key };
	u64 route = key, high = key;
	unsigned int hops = 0;
	u32 seq;

	while (node && node->level) {
		if (node->level == level)
			high = READ_ONCE(node->high);
		if (is_local(sample, node))
			sample->inner_local++;
		else
			sample->inner_remote++;
		node = blink_descend_step(tree, idx, node, &route, NULL, &hops,
					  true);
	}
	if (!blink_read_covering(tree, node, key, sample_leaf, &seen, &seq))
		return key;
	sample->searches++;
	if (is_local(sample, seen.leaf))
		sample->leaf_local++;
	else
		sample->leaf_remote++;
	return max(key, level ? high : seen.high);
}

/**
 * blink_tree_sample() - search a tree from this CPU, and count the nodes that
 *	are read
 * @tree: the tree, which may be in use
 * @sample: set to the counts
 *
 * The caller must stay on this CPU.
 *
 * Context: process; reschedules.
 */
void blink_tree_sample(struct blink_tree *tree, struct blink_sample *sample)
{
	unsigned int height = blink_index_height(blink_tree_index(tree)), i;
	unsigned int level = height > 3 ? height - 3 : 0;
	u64 key = 0, high;

	memset(sample, 0, sizeof(*sample));
	sample->nid = blink_topology_local();
	for (i = 0; i < SAMPLE_MAX; i++) {
		rcu_read_lock();
		high = sample_search(tree, sample, key, level);
		rcu_read_unlock();
		cond_resched();
		if (high == U64_MAX)
			break;
		key = blink_key_after(high);
	}
}
