// SPDX-License-Identifier: GPL-2.0
/*
 * A sample of searches ends in every leaf of a low tree, in a bounded number of
 * leaves of a high one, and tells near nodes from others. Here the memory of all
 * nodes is that of NUMA node 0.
 */
#include "core/index/root.h"
#include "core/inspect/level_walk.h"
#include "core/inspect/sample.h"
#include "test.h"

/* Enough for two levels of inner nodes, and for four where nodes are tiny. */
#define KEYS 20000

static struct blink_tree *tree;

static int count_node(struct blink_level_walk *walk, void *data)
{
	++*(u64 *)data;
	return 0;
}

/* Nodes of one level of the index that is searched here. */
static u64 nodes_of(unsigned int level)
{
	struct blink_level_walk walk = { .tree = tree };
	u64 nr = 0;

	EXPECT_EQ(blink_level_visit(&walk, blink_tree_index(tree), level,
				    count_node, &nr),
		  0);
	return nr;
}

/* Sample from a NUMA node; how often, and how deep, is always the same. */
static struct blink_sample take(int nid)
{
	struct blink_sample sample;
	unsigned int height;
	u64 searches;

	shim_stay(nid);
	height = blink_index_height(blink_tree_index(tree));
	searches = nodes_of(height > 3 ? height - 3 : 0);
	blink_tree_sample(tree, &sample);
	EXPECT_EQ(sample.nid, nid);
	EXPECT_EQ(sample.searches, searches);
	EXPECT_EQ(sample.leaf_local + sample.leaf_remote, searches);
	EXPECT_EQ(sample.inner_local + sample.inner_remote,
		  searches * (height - 1));
	return sample;
}

static void check(void)
{
	struct blink_sample near, far;
	int nodes = shim_nodes;

	shim_nodes = 2;
	tree = tree_filled(test_current()->nr);
	near = take(0);
	far = take(1);
	EXPECT_EQ(near.inner_remote + near.leaf_remote, 0);
	EXPECT_EQ(far.inner_local + far.leaf_local, 0);
	tree_end(tree);
	shim_nodes = nodes;
}

const struct test TESTS(sample)[] = {
	{ "sample: a tree with one leaf", check, .nr = 1 },
	{ "sample: every leaf of a low tree", check,
	  .nr = 3 * BLINK_LEAF_SLOTS },
	{ "sample: some leaves of a high tree", check, .nr = KEYS },
	{},
};
