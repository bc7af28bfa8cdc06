// SPDX-License-Identifier: GPL-2.0
/*
 * The scenarios. Nodes have four slots: two merge if both have three entries at
 * most together, and one with a single entry tries. Keys that are added in
 * ascending order leave full leaves behind.
 */
#include <linux/blink_tree.h>
#include <linux/kernel.h>
#include <linux/slab.h>

#include "../../../../kunit/keys_names.h"
#include "explore.h"

#define LOOKUP BLINK_TREE_OP_LOOKUP
#define INSERT BLINK_TREE_OP_INSERT
#define STORE BLINK_TREE_OP_STORE
#define REPLACE BLINK_TREE_OP_REPLACE
#define ADD BLINK_TREE_OP_ADD
#define ERASE BLINK_TREE_OP_ERASE
#define FLOOR BLINK_TREE_OP_FLOOR
#define CEILING BLINK_TREE_OP_CEILING
/* Key 0 ends what a fiber does. */
#define KEY(op, key) { op, key }
/* Two operations that are a commit, or more with others that are AND() it. */
#define AND(op, key) { (op) | OP_WITH, key }
#define BOTH(op, key, other) KEY(op, key), AND(op, other)
#define CLEARED(key) AND(OP_CLEARED, key)

static const struct blink_tree_params plain, inner = {
	.replication = BLINK_TREE_REPLICATE_INNER,
};

static const struct blink_tree_params copies = {
	.replication = BLINK_TREE_REPLICATE_FULL,
};

static const struct blink_tree_params wide = {
	.key = BLINK_TREE_KEY_U128,
};

static const struct blink_tree_params wide_copies = {
	.replication = BLINK_TREE_REPLICATE_FULL,
	.key = BLINK_TREE_KEY_U128,
};

static const struct blink_tree_params cohort = {
	.locking = BLINK_TREE_LOCKING_COHORT,
};

/* One full leaf; two leaves that are full; two that are about to be one. */
#define FULL_LEAF { 2, 4, 6, 8 }
#define FULL_LEAVES { 2, 4, 6, 8, 10, 12, 14, 16 }
#define THIN_LEAVES { 2, 4, 6, 8, 10, 12, -2, -4 }
/* Two that lose an entry and do not merge. */
#define TWO_LEAVES { 2, 3, 4, 8, 10, 12, 14, -8 }
/* Three that have two entries each. */
#define THREE_LEAVES { 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, -4, -6, -14, -16 }
/* Three levels; the last leaf is the only child of its parent. */
#define THREE_LEVELS                                    \
	{ 1,  2,  3,  4,  5,  6,  7,  8,   9,	10, 11, \
	  12, 13, 14, 15, 16, 17, 18, -13, -14, -17 }

const struct scenario scenarios[] = {
	{
		.name = "entries move in a leaf, lookups",
		.mode = &plain,
		.setup = { 2, 4, 6 },
		.step = { { KEY(INSERT, 3), KEY(ERASE, 2) },
			  { KEY(LOOKUP, 6), KEY(LOOKUP, 4) } },
		.bounds = { { 2, 2 }, { 3, 3 } },
	},
	{
		.name = "two inserts in a leaf, lookup",
		.mode = &plain,
		.setup = { 4, 6 },
		.step = { { KEY(INSERT, 3) },
			  { KEY(INSERT, 5) },
			  { KEY(LOOKUP, 6), KEY(LOOKUP, 4) } },
		.bounds = { { 2, 1 }, { 3, 2 } },
	},
	{
		.name = "values published, followed by two",
		.mode = &plain,
		.setup = { 2, 4 },
		.step = { { KEY(OP_PUBLISH, 4) },
			  { KEY(OP_FOLLOW, 4), KEY(OP_FOLLOW, 4) },
			  { KEY(OP_FOLLOW, 4) } },
		.bounds = { { 2, 1 }, { 3, 2 } },
	},
	{
		.name = "root grows, lookups",
		.mode = &plain,
		.setup = FULL_LEAF,
		.step = { { KEY(INSERT, 5) },
			  { KEY(LOOKUP, 6), KEY(LOOKUP, 8) } },
		.bounds = { { 2, 1 }, { 3, 2 } },
	},
	{
		.name = "root grows, two split",
		.mode = &plain,
		.setup = FULL_LEAF,
		.step = { { KEY(INSERT, 3) }, { KEY(INSERT, 7) } },
		.bounds = { { 2, 1 }, { 3, 1 } },
	},
	{
		.name = "split, lookups",
		.mode = &plain,
		.setup = FULL_LEAVES,
		.step = { { KEY(INSERT, 5) },
			  { KEY(LOOKUP, 6), KEY(LOOKUP, 8) } },
		.bounds = { { 2, 1 }, { 3, 2 } },
	},
	{
		.name = "two split one leaf",
		.mode = &plain,
		.setup = FULL_LEAVES,
		.step = { { KEY(INSERT, 5) }, { KEY(INSERT, 7) } },
		.bounds = { { 2, 1 }, { 3, 1 } },
	},
	{
		.name = "merge and root shrink, lookups",
		.mode = &plain,
		.setup = THIN_LEAVES,
		.step = { { KEY(ERASE, 12) },
			  { KEY(LOOKUP, 10), KEY(LOOKUP, 8) } },
		.bounds = { { 2, 1 }, { 3, 2 } },
	},
	{
		.name = "root grows and shrinks, lookups",
		.mode = &plain,
		.setup = { 2, 4, 6, 8 },
		.step = { { KEY(INSERT, 10), KEY(ERASE, 10), KEY(ERASE, 2),
			    KEY(ERASE, 4) },
			  { KEY(LOOKUP, 6), KEY(LOOKUP, 8) } },
		.bounds = { { 1, 1 }, { 2, 1 } },
	},
	{
		.name = "merge, insert into the dying leaf",
		.mode = &plain,
		.setup = THIN_LEAVES,
		.step = { { KEY(ERASE, 12) }, { KEY(INSERT, 11) } },
		.bounds = { { 2, 1 }, { 3, 1 } },
	},
	{
		.name = "two merge",
		.mode = &plain,
		.setup = THIN_LEAVES,
		.step = { { KEY(ERASE, 12) }, { KEY(ERASE, 8) } },
		.bounds = { { 2, 1 }, { 3, 1 } },
	},
	{
		.name = "an index slot becomes empty, lookup, insert",
		.mode = &plain,
		.setup = THREE_LEVELS,
		.step = { { KEY(ERASE, 18) },
			  { KEY(LOOKUP, 16) },
			  { KEY(INSERT, 17) } },
		.bounds = { { 1, 1 }, { 2, 1 } },
	},
	{
		.name = "floor over two leaves",
		.mode = &plain,
		.setup = TWO_LEAVES,
		.step = { { KEY(INSERT, 9) },
			  { KEY(ERASE, 4) },
			  { KEY(FLOOR, 9) } },
		.bounds = { { 2, 2 }, { 3, 3 } },
	},
	{
		.name = "ceiling over two leaves",
		.mode = &plain,
		.setup = TWO_LEAVES,
		.step = { { KEY(INSERT, 6) },
			  { KEY(ERASE, 10) },
			  { KEY(CEILING, 5) } },
		.bounds = { { 2, 2 }, { 3, 3 } },
	},
	{
		.name = "two adds to one key, lookups",
		.mode = &plain,
		.setup = { 2, 4 },
		.step = { { KEY(ADD, 4) },
			  { KEY(ADD, 4) },
			  { KEY(LOOKUP, 4), KEY(LOOKUP, 4) } },
		.bounds = { { 2, 2 }, { 3, 3 } },
	},
	{
		.name = "two adds of a new key that split a leaf",
		.mode = &plain,
		.setup = FULL_LEAF,
		.step = { { KEY(ADD, 5) }, { KEY(ADD, 5), KEY(LOOKUP, 5) } },
		.bounds = { { 2, 2 }, { 3, 3 } },
	},
	{
		.name = "commit that adds in two leaves, single adds",
		.mode = &plain,
		.setup = TWO_LEAVES,
		.step = { { BOTH(ADD, 4, 10) },
			  { KEY(ADD, 10), KEY(ADD, 4) },
			  { KEY(LOOKUP, 4), KEY(LOOKUP, 10) } },
		.bounds = { { 1, 1 }, { 2, 1 } },
	},
	{
		.name = "commit in two leaves, lookups",
		.mode = &plain,
		.setup = TWO_LEAVES,
		.step = { { BOTH(STORE, 4, 10) },
			  { KEY(LOOKUP, 10), KEY(LOOKUP, 4) } },
		.bounds = { { 2, 2 }, { 3, 3 } },
	},
	{
		.name = "commit in two leaves, two lookups that tell",
		.mode = &plain,
		.setup = TWO_LEAVES,
		.step = { { BOTH(STORE, 4, 10) },
			  { KEY(LOOKUP, 4) },
			  { KEY(LOOKUP, 10) } },
		.bounds = { { 2, 1 }, { 3, 2 } },
	},
	{
		.name = "commit in two leaves, one that reads",
		.mode = &plain,
		.setup = TWO_LEAVES,
		.strict = true,
		.step = { { BOTH(STORE, 4, 10) }, { BOTH(LOOKUP, 4, 10) } },
		.bounds = { { 2, 2 }, { 3, 3 } },
	},
	{
		.name = "single stores, a commit that reads",
		.mode = &plain,
		.setup = TWO_LEAVES,
		.strict = true,
		.step = { { KEY(STORE, 4), KEY(STORE, 10) },
			  { BOTH(LOOKUP, 4, 10) } },
		.bounds = { { 2, 2 }, { 3, 2 } },
	},
	{
		.name = "commit that reads for the first time, single stores",
		.mode = &plain,
		.setup = TWO_LEAVES,
		.step = { { KEY(STORE, 4), KEY(STORE, 10) },
			  { BOTH(LOOKUP, 4, 10), BOTH(LOOKUP, 4, 10) } },
		.bounds = { { 2, 1 }, { 3, 1 } },
	},
	{
		.name = "two commits crosswise, one that reads",
		.mode = &plain,
		.setup = TWO_LEAVES,
		.strict = true,
		.step = { { BOTH(STORE, 4, 10) },
			  { BOTH(STORE, 10, 4) },
			  { BOTH(LOOKUP, 10, 4) } },
		.bounds = { { 1, 1 }, { 2, 1 } },
	},
	{
		.name = "commit that splits two leaves, lookups",
		.mode = &plain,
		.setup = FULL_LEAVES,
		.step = { { BOTH(INSERT, 5, 13) },
			  { KEY(LOOKUP, 13), KEY(LOOKUP, 5) } },
		.bounds = { { 1, 1 }, { 2, 1 } },
	},
	{
		.name = "commit, a split between",
		.mode = &plain,
		.setup = FULL_LEAVES,
		.step = { { BOTH(STORE, 2, 16) },
			  { KEY(INSERT, 7) },
			  { BOTH(LOOKUP, 2, 16) } },
		.bounds = { { 1, 1 }, { 2, 1 } },
	},
	{
		.name = "commit that clears the leaf between, lookups",
		.mode = &plain,
		.setup = THREE_LEAVES,
		.step = { { KEY(STORE, 8), CLEARED(10), CLEARED(12),
			    AND(STORE, 18) },
			  { KEY(LOOKUP, 12), KEY(LOOKUP, 18) },
			  { KEY(LOOKUP, 8) } },
		.bounds = { { 1, 1 }, { 2, 1 } },
	},
	{
		.name = "commit that clears keys beside, an insertion there",
		.mode = &plain,
		.setup = TWO_LEAVES,
		.step = { { KEY(STORE, 4), CLEARED(10), CLEARED(11),
			    AND(STORE, 12) },
			  { KEY(INSERT, 11), KEY(LOOKUP, 10) },
			  { KEY(LOOKUP, 11), KEY(LOOKUP, 4) } },
		.bounds = { { 1, 1 }, { 2, 1 } },
	},
	{
		.name = "commit, a merge of its leaves",
		.mode = &plain,
		.setup = THIN_LEAVES,
		.strict = true,
		.step = { { BOTH(STORE, 8, 10) },
			  { KEY(ERASE, 12) },
			  { BOTH(LOOKUP, 8, 10) } },
		.bounds = { { 1, 1 }, { 2, 1 } },
	},
	{
		.name = "commit that moves a key and merges, one that reads",
		.mode = &plain,
		.setup = THIN_LEAVES,
		.strict = true,
		.step = { { KEY(ERASE, 12), AND(INSERT, 7) },
			  { BOTH(LOOKUP, 7, 12), KEY(INSERT, 11) } },
		.bounds = { { 2, 1 }, { 3, 1 } },
	},
	{
		.name = "inner: split, lookup by another index",
		.mode = &inner,
		.setup = FULL_LEAVES,
		.nid = { 0, 1 },
		.step = { { KEY(INSERT, 5) },
			  { KEY(LOOKUP, 6), KEY(LOOKUP, 8) } },
		.bounds = { { 2, 1 }, { 3, 1 } },
	},
	{
		.name = "inner: merge, insert by another index",
		.mode = &inner,
		.setup = THIN_LEAVES,
		.nid = { 0, 1 },
		.step = { { KEY(ERASE, 12) }, { KEY(INSERT, 11) } },
		.bounds = { { 2, 1 }, { 3, 1 } },
	},
	{
		/* No stale loads: grace periods order more here than in RCU. */
		.name = "inner: rebuilt, the first leaf is split",
		.mode = &inner,
		.setup = FULL_LEAF,
		.nid = { 0, 0 },
		.step = { { KEY(OP_REBUILD, 1) }, { KEY(INSERT, 5) } },
		.bounds = { { 2, 0 }, { 3, 0 } },
	},
	{
		.name = "inner: rebuilt, split ahead of its builder, lookup",
		.mode = &inner,
		.setup = FULL_LEAVES,
		.nid = { 0, 0, 1 },
		.step = { { KEY(OP_REBUILD, 1) },
			  { KEY(INSERT, 13) },
			  { KEY(LOOKUP, 16) } },
		.bounds = { { 1, 0 }, { 2, 0 } },
	},
	{
		.name = "inner: rebuilt, merge",
		.mode = &inner,
		.setup = THIN_LEAVES,
		.nid = { 0, 0, 1 },
		.step = { { KEY(OP_REBUILD, 1) },
			  { KEY(ERASE, 12) },
			  { KEY(LOOKUP, 10) } },
		.bounds = { { 1, 0 }, { 2, 0 } },
	},
	{
		.name = "inner: two merge at once, by two indexes",
		.mode = &inner,
		.setup = { 2,  4,  6,  8,  10, 12, 14,	16,  18,  20,
			   22, 24, 26, 28, -6, -8, -14, -16, -22, -24 },
		.nid = { 0, 1 },
		.step = { { KEY(ERASE, 4) }, { KEY(ERASE, 20) } },
		.bounds = { { 2, 0 }, { 2, 1 } },
	},
	{
		.name = "copies: overwritten, read on two NUMA nodes",
		.mode = &copies,
		.setup = { 2, 4 },
		.nid = { 0, 0, 1 },
		.step = { { KEY(STORE, 4) },
			  { KEY(LOOKUP, 4), KEY(LOOKUP, 4) },
			  { KEY(LOOKUP, 4), KEY(LOOKUP, 4) } },
		.bounds = { { 2, 1 }, { 3, 2 } },
	},
	{
		.name = "copies: moved, read on two NUMA nodes",
		.mode = &copies,
		.setup = { 2, 4 },
		.nid = { 0, 0, 1 },
		.step = { { KEY(INSERT, 3) },
			  { KEY(LOOKUP, 3), KEY(LOOKUP, 4) },
			  { KEY(LOOKUP, 3), KEY(LOOKUP, 4) } },
		.bounds = { { 2, 1 }, { 3, 1 } },
	},
	{
		.name = "copies: published, followed on two NUMA nodes",
		.mode = &copies,
		.setup = { 2, 4 },
		.nid = { 0, 0, 1 },
		.step = { { KEY(OP_PUBLISH, 4) },
			  { KEY(OP_FOLLOW, 4) },
			  { KEY(OP_FOLLOW, 4) } },
		.bounds = { { 2, 1 }, { 3, 1 } },
	},
	{
		.name = "copies: split, read on the other NUMA node",
		.mode = &copies,
		.setup = FULL_LEAF,
		.nid = { 0, 1 },
		.step = { { KEY(INSERT, 5) },
			  { KEY(LOOKUP, 6), KEY(LOOKUP, 8) } },
		.bounds = { { 2, 1 }, { 2, 2 } },
	},
	{
		.name = "copies: merge, read on the other NUMA node",
		.mode = &copies,
		.setup = THIN_LEAVES,
		.nid = { 0, 1 },
		.step = { { KEY(ERASE, 12) },
			  { KEY(LOOKUP, 10), KEY(LOOKUP, 8) } },
		.bounds = { { 2, 1 }, { 2, 2 } },
	},
	{
		.name = "copies: commit in two leaves, read on two NUMA nodes",
		.mode = &copies,
		.setup = TWO_LEAVES,
		.nid = { 0, 1, 0 },
		.step = { { BOTH(STORE, 4, 10) },
			  { KEY(LOOKUP, 4) },
			  { KEY(LOOKUP, 10) } },
		.bounds = { { 2, 1 }, { 2, 2 } },
	},
	{
		.name = "copies: commit, one that reads on the other NUMA node",
		.mode = &copies,
		.setup = TWO_LEAVES,
		.strict = true,
		.nid = { 0, 1 },
		.step = { { BOTH(STORE, 4, 10) }, { BOTH(LOOKUP, 4, 10) } },
		.bounds = { { 2, 1 }, { 2, 2 } },
	},
	{
		.name = "128-bit keys: entries move in a leaf, lookups",
		.mode = &wide,
		.setup = { 2, 4, 6 },
		.step = { { KEY(INSERT, 3), KEY(ERASE, 2) },
			  { KEY(CEILING, 3), KEY(LOOKUP, 4) } },
		.bounds = { { 1, 1 }, { 2, 2 } },
	},
	{
		.name = "128-bit keys: split, lookups",
		.mode = &wide,
		.setup = FULL_LEAVES,
		.step = { { KEY(INSERT, 5) },
			  { KEY(LOOKUP, 6), KEY(LOOKUP, 8) } },
		.bounds = { { 1, 1 }, { 2, 2 } },
	},
	{
		.name = "128-bit keys: copies, merge, a read on the other NUMA node",
		.mode = &wide_copies,
		.setup = THIN_LEAVES,
		.nid = { 0, 1 },
		.step = { { KEY(ERASE, 12) },
			  { KEY(LOOKUP, 10), KEY(LOOKUP, 8) } },
		.bounds = { { 1, 1 }, { 2, 1 } },
	},
	{
		.name = "cohort: three overwrite, on two NUMA nodes",
		.mode = &cohort,
		.setup = { 2, 4 },
		.nid = { 0, 0, 1 },
		.step = { { KEY(STORE, 4) },
			  { KEY(STORE, 4) },
			  { KEY(STORE, 4) } },
		.bounds = { { 2, 1 }, { 3, 1 } },
	},
	{
		.name = "cohort: merge, two insert into the dying leaf",
		.mode = &cohort,
		.setup = THIN_LEAVES,
		.step = { { KEY(ERASE, 12) },
			  { KEY(INSERT, 11) },
			  { KEY(REPLACE, 10) } },
		.bounds = { { 1, 1 }, { 2, 1 } },
	},
	{
		.name = "gate: shared by two locks, four hand-overs",
		.run = gates_run,
		.nid = { 0, 0, 0 },
		.bounds = { { 2, 0 }, { 3, 1 } },
	},
	{
		.name = "gate: shared by two locks, two NUMA nodes",
		.run = gates_run,
		.nid = { 0, 0, 1 },
		.bounds = { { 2, 0 }, { 3, 1 } },
	},
	{
		.name = "gate: shared by two trees, one is destroyed",
		.run = trees_run,
		.mode = &cohort,
		.nid = { 0, 0, 0 },
		.bounds = { { 2, 1 }, { 3, 1 } },
	},
	{}
};

static const struct scenario *scenario;

static void body(unsigned int fiber)
{
	unsigned int i;

	for (i = 0; i < OPS_MAX && scenario->step[fiber][i].key;)
		i += history_do(fiber, i, &scenario->step[fiber][i]);
}

static void set_up(struct blink_tree *tree)
{
	unsigned int i;
	int key, ret;

	for (i = 0; i < KEYS_MAX && scenario->setup[i]; i++) {
		key = scenario->setup[i];
		if (key > 0)
			ret = blink_tree_insert(tree, key, key, NULL,
						GFP_KERNEL);
		else
			ret = blink_tree_erase(tree, -key, NULL);
		if (ret)
			explore_fail("the setup fails");
	}
	for (i = 0; i < KEYS_MAX && scenario->strict; i++) {
		struct blink_tree_ioc_op op[] = { { .key = i }, { .key = i } };

		if (blink_tree_commit(tree, op, 2, NULL, GFP_KERNEL))
			explore_fail("the setup fails");
	}
}

static void check(void)
{
	history_check();
}

void scenario_run(const struct scenario *s, struct search *search)
{
	struct blink_tree *tree = blink_tree_create(s->mode, GFP_KERNEL);

	scenario = s;
	if (IS_ERR(tree))
		explore_fail("no tree");
	set_up(tree);
	history_begin(tree);
	search->body = body;
	search->check = check;
	while (search->nr < FIBERS_MAX && s->step[search->nr][0].key)
		search->nr++;
	search_run(search);
}
