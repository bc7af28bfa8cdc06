// SPDX-License-Identifier: GPL-2.0
/*
 * The shape of the tree: its height, and how full its nodes are, for several orders of
 * insertion; and that it shrinks to one leaf for several orders of erasure.
 */
#include "orders.h"

static void check_all_there(struct kunit *test, struct blink_tree *tree,
			    unsigned int nr)
{
	u64 key, value;

	for (key = 0; key < nr; key++)
		if (blink_tree_lookup(tree, key, &value) ||
		    value != fixture_value(key))
			fixture_fail_at(test, key, "lost");
	if (blink_tree_lookup(tree, nr, &value) != -ENOENT)
		fixture_fail_at(test, nr, "found");
}

static void insert_all(struct kunit *test, struct blink_tree *tree,
		       const u64 *keys, unsigned int nr)
{
	unsigned int height = 1, now, i;

	for (i = 0; i < nr; i++) {
		fixture_fill(test, tree, keys[i], 1, 1);
		now = blink_tree_height(tree);
		if (now < height || now > height + 1)
			fixture_fail_at(test, keys[i], "height from %u to %u",
					height, now);
		height = now;
		if (i % (nr / 4) == 0)
			fixture_sound(test, tree, i + 1);
	}
	fixture_sound(test, tree, nr);
	check_all_there(test, tree, nr);
}

/* After each merge the index leads to all leaves. */
static void erase_all(struct kunit *test, struct blink_tree *tree,
		      const u64 *keys, unsigned int nr)
{
	unsigned int height = blink_tree_height(tree), now, i;
	struct blink_tree_ioc_verify report;
	struct blink_tree_ioc_stats stats;
	u64 old, merges = 0;

	for (i = 0; i < nr; i++) {
		if (blink_tree_erase(tree, keys[i], &old) ||
		    old != fixture_value(keys[i]))
			fixture_fail_at(test, keys[i], "not erased");
		now = blink_tree_height(tree);
		if (now > height)
			fixture_fail_at(test, keys[i], "height from %u to %u",
					height, now);
		height = now;
		blink_tree_stats(tree, &stats);
		if (stats.merges == merges)
			continue;
		merges = stats.merges;
		if (blink_tree_verify(tree, &report) ||
		    report.entries != nr - i - 1 || report.unindexed)
			fixture_fail_at(
				test, keys[i],
				"violation %u, %llu entries, %llu unindexed",
				report.violation, report.entries,
				report.unindexed);
	}
	fixture_emptied(test, tree);
}

static void check_level_fill(struct kunit *test, struct blink_tree *tree,
			     unsigned int level, unsigned int percent)
{
	struct blink_tree_level_stats sum;

	fixture_level(test, tree, level, &sum);
	/* The last one of a level begins with a single entry. */
	sum.slots -= sum.slots / sum.nodes;
	KUNIT_EXPECT_GE_MSG(test, sum.used * 100, sum.slots * percent,
			    "level %u", level);
}

/*
 * In a tree without erasures, the nodes of each level below the root are at least half
 * full on average. The last node of the level is left out.
 */
static void check_fill(struct kunit *test, struct blink_tree *tree,
		       unsigned int leaf_percent)
{
	unsigned int level;

	check_level_fill(test, tree, 0, leaf_percent);
	for (level = 1; level + 1 < blink_tree_height(tree); level++)
		check_level_fill(test, tree, level, 48);
}

/* An order to insert and one to erase; which is which is in @name. */
struct plan {
	enum order insert;
	enum order erase;
	unsigned int percent;
	const char *name;
};

static const struct plan plans[] = {
	/* In ascending order nodes are left full, otherwise halved. */
	{ ORDER_ASCENDING, ORDER_ASCENDING, 90, "ascending, ascending" },
	{ ORDER_ASCENDING, ORDER_DESCENDING, 90, "ascending, descending" },
	{ ORDER_DESCENDING, ORDER_ASCENDING, 48, "descending, ascending" },
	{ ORDER_DESCENDING, ORDER_DESCENDING, 48, "descending, descending" },
	{ ORDER_RANDOM, ORDER_RANDOM, 48, "random, random" },
	{ ORDER_RANDOM, ORDER_INSIDE_OUT, 48, "random, inside out" },
	{ ORDER_ZIGZAG, ORDER_RANDOM, 48, "zigzag, random" },
	{ ORDER_INSIDE_OUT, ORDER_ZIGZAG, 48, "inside out, zigzag" },
	{ ORDER_STRIDES, ORDER_STRIDES, 48, "strides, strides" },
	{ ORDER_ASCENDING, ORDER_STRIDES, 90, "ascending, strides" },
};

KUNIT_ARRAY_PARAM_DESC(plan, plans, name);

static void grow_and_shrink(struct kunit *test)
{
	const unsigned int nr = fixture_three_levels(test);
	const struct plan *plan = test->param_value;
	struct blink_tree *tree = fixture_plain_tree(test);
	struct blink_tree_ioc_stats stats;

	insert_all(test, tree, order_keys(test, plan->insert, nr), nr);
	check_fill(test, tree, plan->percent);
	KUNIT_EXPECT_GE(test, blink_tree_height(tree), 3);
	blink_tree_stats(tree, &stats);
	KUNIT_EXPECT_EQ(test, stats.root_grows,
			stats.indexes * (blink_tree_height(tree) - 1));
	erase_all(test, tree, order_keys(test, plan->erase, nr), nr);
	/* And once more: nothing of the first life may be left. */
	insert_all(test, tree, order_keys(test, plan->erase, nr), nr);
}

/*
 * Memory for each key, nodes of all levels included. The limit follows from the size of
 * nodes: full leaves in ascending order, half of them empty at worst, and an index of a
 * few percent.
 */
static void memory_per_key(struct kunit *test)
{
	const unsigned int nr = fixture_three_levels(test);
	static const enum order orders[] = { ORDER_ASCENDING, ORDER_RANDOM,
					     ORDER_DESCENDING };
	struct fixture_shape shape;
	struct blink_tree_ioc_stats stats;
	struct blink_tree *tree;
	unsigned int i, used, limit;
	u64 bytes;

	fixture_shape(test, &shape);
	if (shape.leaf_slots < 16)
		kunit_skip(test, "tiny nodes are headers for the most part");
	for (i = 0; i < ARRAY_SIZE(orders); i++) {
		tree = fixture_plain_tree(test);
		insert_all(test, tree, order_keys(test, orders[i], nr), nr);
		blink_tree_stats(tree, &stats);
		used = shape.leaf_slots / 2;
		if (orders[i] == ORDER_ASCENDING)
			used = shape.leaf_slots * 9 / 10;
		limit = shape.leaf_bytes * (100 + 10 * stats.indexes) / 100;
		if (stats.replication == BLINK_TREE_REPLICATE_FULL)
			limit *= stats.indexes;
		limit /= used;
		bytes = stats.bytes - stats.block_bytes;
		KUNIT_EXPECT_LE_MSG(test, bytes, (u64)limit * nr, "%s",
				    order_names[orders[i]]);
		kunit_info(test, "%s: %llu bytes of nodes per key\n",
			   order_names[orders[i]], bytes / nr);
	}
}

/* A queue: keys come at one end and go at the other. */
static void sliding_window(struct kunit *test)
{
	const u64 window = 300, end = 8000;
	struct blink_tree *tree = fixture_plain_tree(test);
	struct blink_tree_ioc_stats stats;
	u64 key;

	for (key = 0; key < end; key++) {
		fixture_fill(test, tree, key, 1, 1);
		if (key >= window && blink_tree_erase(tree, key - window, NULL))
			fixture_fail_at(test, key - window, "not erased");
		if (key % 1000)
			continue;
		fixture_sound(test, tree, min(key + 1, window));
		blink_tree_stats(tree, &stats);
		/* Sixteen bytes a key, filled to a quarter, and an index. */
		KUNIT_EXPECT_LE(test, stats.bytes - stats.block_bytes,
				stats.indexes * (window * 16 * 4 + 8192));
	}
	for (key = end - window; key < end; key++)
		KUNIT_ASSERT_EQ(test, blink_tree_erase(tree, key, NULL), 0);
	fixture_emptied(test, tree);
}

/* One key that comes and goes must not split and merge a leaf each time. */
static void hysteresis(struct kunit *test)
{
	struct blink_tree_ioc_stats before, after;
	struct fixture_shape shape;
	struct blink_tree *tree;
	u64 key, i;

	fixture_shape(test, &shape);
	for (key = 1; key < 4 * shape.leaf_slots; key += 2) {
		tree = fixture_plain_tree(test);
		/* The odd key may be the one that splits a full leaf. */
		fixture_fill(test, tree, 0, 2, 2 * shape.leaf_slots);
		fixture_fill(test, tree, key, 1, 1);
		blink_tree_stats(tree, &before);
		for (i = 0; i < 20; i++) {
			KUNIT_ASSERT_EQ(test, blink_tree_erase(tree, key, NULL),
					0);
			fixture_fill(test, tree, key, 1, 1);
		}
		blink_tree_stats(tree, &after);
		KUNIT_EXPECT_LE(test, after.splits - before.splits, 1);
		KUNIT_EXPECT_LE(test, after.merges - before.merges, 1);
	}
}

/* One key of so many stays, and leaves must be so full in percent. */
struct rest {
	const char *name;
	u64 keep;
	unsigned int percent;
};

static const struct rest rests[] = {
	{ "one in ten stays", 10, 40 },
	{ "one in a hundred stays", 100, 15 },
};

KUNIT_ARRAY_PARAM_DESC(rest, rests, name);

/* When most keys go, the tree puts the others together in few leaves. */
static void thinned_out(struct kunit *test)
{
	const unsigned int nr = fixture_three_levels(test);
	const struct rest *rest = test->param_value;
	struct blink_tree *tree = fixture_plain_tree(test);
	u64 key, value, *keys;
	unsigned int i;

	keys = order_keys(test, ORDER_RANDOM, nr);
	for (i = 0; i < nr; i++)
		fixture_fill(test, tree, keys[i], 1, 1);
	keys = order_keys(test, ORDER_RANDOM, nr);
	for (i = 0; i < nr; i++) {
		if (keys[i] % rest->keep == 0)
			continue;
		if (blink_tree_erase(tree, keys[i], NULL))
			fixture_fail_at(test, keys[i], "not erased");
	}
	fixture_sound(test, tree, DIV_ROUND_UP(nr, rest->keep));
	check_level_fill(test, tree, 0, rest->percent);
	for (key = 0; key < nr; key++)
		if (!blink_tree_lookup(tree, key, &value) !=
		    !(key % rest->keep))
			fixture_fail_at(test, key, "wrong");
}

static void erase_range(struct kunit *test, struct blink_tree *tree, u64 first,
			u64 nr)
{
	u64 key;

	for (key = first; key < first + nr; key++) {
		if (blink_tree_erase(tree, key, NULL))
			fixture_fail_at(test, key, "not erased");
		cond_resched();
	}
}

/* A tree of four levels; its destruction must not hold up its CPU. */
static void large_tree(struct kunit *test)
{
	struct blink_tree *tree = fixture_plain_tree(test);
	struct fixture_shape shape;
	u64 keys;

	fixture_shape(test, &shape);
	/* Nodes are half-full, and a few more than three levels have. */
	keys = shape.leaf_slots * shape.inner_slots * shape.inner_slots;
	keys = max(keys * 26 / 100, 10000ULL);
	/* Descending: half-full nodes, so many of them. */
	fixture_fill(test, tree, keys - 1, -1, keys);
	KUNIT_EXPECT_GE(test, blink_tree_height(tree), 4);
	fixture_sound(test, tree, keys);
	erase_range(test, tree, keys / 12, keys / 48);
	erase_range(test, tree, keys / 4, keys / 48);
	fixture_sound(test, tree, keys - keys / 48 * 2);
}

FIXTURE_SUITE("structure", FIXTURE_PARAM_SLOW(grow_and_shrink, plan_gen_params),
	      KUNIT_CASE_SLOW(memory_per_key), KUNIT_CASE_SLOW(sliding_window),
	      KUNIT_CASE_SLOW(hysteresis), KUNIT_CASE_SLOW(large_tree),
	      FIXTURE_PARAM_SLOW(thinned_out, rest_gen_params));
