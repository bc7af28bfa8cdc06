// SPDX-License-Identifier: GPL-2.0
/*
 * The most that one call does, whatever other threads do meanwhile: in each test the
 * others do as much as they can, at every point where they could.
 */
#include <linux/topology.h>

#include "core/node/entries.h"
#include "core/node/locking.h"
#include "nodes.h"
#include "test.h"

#ifdef SHIM_POINTS
static struct blink_tree *tree;

#define KEYS 200

#define MANY 1000

static u64 split_key, most_locks, most_hops;
static unsigned int splits;

/* Add keys at the end, where the builder comes last; count the locks and hops. */
static void split_far_away(void)
{
	static bool inside;
	u64 locks, before;

	if (inside || shim_self->atomic || shim_self->rcu_depth ||
	    random_below(&shim_self->random, 8))
		return;
	inside = true;
	locks = shim_self->locks;
	before = tree_stats(tree).right_hops;
	EXPECT_INSERT(tree, split_key, ~split_key);
	split_key++;
	splits++;
	most_locks = max(most_locks, shim_self->locks - locks);
	most_hops = max(most_hops, tree_stats(tree).right_hops - before);
	inside = false;
}

/*
 * The interleaving: an index is rebuilt and up again, so that splits are told to
 * it, but its builder has entered the first leaves only. A writer splits the last
 * leaf then. It must not pass all leaves in between to find where to enter the new
 * one, whether it locks them or reads them only: softirqs are off.
 */
static void split_during_rebuild(void)
{
	u64 key, value;
	int nid;

	tree = tree_filled(MANY);
	split_key = MANY;
	splits = 0;
	most_locks = 0;
	most_hops = 0;
	for (nid = 0; tree->nr_indexes > 1 && nid < shim_nodes; nid++) {
		shim_hooks.point = split_far_away;
		EXPECT_EQ(blink_tree_rebuild(tree, nid, GFP_KERNEL), 0);
		shim_hooks.point = NULL;
	}
	EXPECT(tree->nr_indexes == 1 || splits > 50);
	/* Those of each level and index, as of a split at rest: not of all leaves. */
	EXPECT(most_locks <= 6 * tree->nr_indexes * blink_tree_height(tree));
	EXPECT(most_locks < MANY / BLINK_LEAF_SLOTS);
	EXPECT(most_hops < 100);
	EXPECT_EQ(tree_verified(tree).unindexed, 0);
	for (nid = 0; nid < shim_nodes; nid++) {
		shim_stay(nid);
		for (key = 0; key < split_key; key += 97)
			EXPECT_EQ(blink_tree_lookup(tree, key, &value), 0);
	}
	shim_stay(NUMA_NO_NODE);
	tree_end(tree);
}

/* Leaves without a key that a floor or ceiling has to pass, and more than it sees. */
#define EMPTY 40

/* Empty leaves as erasers do that have not merged them yet. */
static void empty_leaves(struct blink_node *leaf, unsigned int nr)
{
	unsigned long flags;

	for (; nr; nr--) {
		leaf = next_leaf(leaf);
		flags = blink_writer_begin(tree);
		blink_lock(&leaf->lock);
		while (leaf->count) {
			blink_node_remove(leaf, 0, 1);
			blink_stat_inc(tree, erases);
		}
		blink_node_unlock(tree, leaf);
		blink_writer_end(tree, flags);
	}
}

static int (*const beyond[])(struct blink_tree *tree, blink_key_t key,
			     struct blink_tree_entry *entry) = {
	blink_tree_ceiling,
	blink_tree_floor,
	blink_tree_pop_min,
	blink_tree_pop_max,
};

/*
 * The interleaving: many erasers have each emptied a leaf, and none of them runs.
 * A floor or ceiling sees sixteen leaves at a time, or locks two: neither comes to
 * the other end. It takes the empty leaves out of its way, and so does a pop.
 */
static void nearest_beyond_empty_leaves(void)
{
	struct blink_tree_entry entry;
	struct blink_node *leaf;
	unsigned int round;
	u64 last;

	for (round = 0; round < 4; round++) {
		tree = tree_filled(KEYS);
		leaf = first_leaf(tree);
		last = leaf->high;
		empty_leaves(leaf, EMPTY);
		EXPECT_EQ(beyond[round](tree,
					last + (round % 2 ? 2 * EMPTY : 1),
					&entry),
			  0);
		EXPECT(round % 2 ? entry.key == last :
				   entry.key > last + EMPTY);
		EXPECT_EQ(entry.value, entry.key);
		tree_end(tree);
	}
}

static struct blink_index *taken_down;
static unsigned int points, down_at;

/* As blink_tree_rebuild() does on another CPU, and an eraser on a third one. */
static void take_down_and_erase(void)
{
	static bool inside;
	u64 key;

	if (inside || !shim_self->rcu_depth || shim_self->atomic ||
	    ++points != down_at)
		return;
	inside = true;
	WRITE_ONCE(taken_down->down, true);
	for (key = 20; key < 100; key++)
		EXPECT_ERASE(tree, key);
	inside = false;
}

/*
 * The interleaving: a verification is in an RCU read section and goes through an
 * index. The index is set down, so that the death of a leaf is not entered into it.
 * Then a leaf dies. An index entry that still leads to it is no violation.
 */
static bool verified_while_taken_down(unsigned int at)
{
	struct blink_tree_ioc_verify report;
	bool was_down = false;

	tree = tree_filled(KEYS);
	points = 0;
	down_at = at;
	if (tree->nr_indexes > 1) {
		shim_stay(0);
		taken_down = &tree->index[1];
		shim_hooks.point = take_down_and_erase;
		EXPECT_EQ(blink_tree_verify(tree, &report), 0);
		shim_hooks.point = NULL;
		was_down = taken_down->down;
		EXPECT_EQ(blink_tree_rebuild(tree, taken_down->nid, GFP_KERNEL),
			  0);
		shim_stay(NUMA_NO_NODE);
	}
	tree_end(tree);
	return was_down;
}

static void verify_during_rebuild(void)
{
	unsigned int at = 1;

	while (verified_while_taken_down(at) && !test_failed())
		at += 7;
}
#endif

const struct test TESTS(bounds)[] = {
#ifdef SHIM_POINTS
	{ "bounds: a split while an index is rebuilt", split_during_rebuild,
	  .plain = true },
	{ "bounds: the nearest key beyond empty leaves",
	  nearest_beyond_empty_leaves, .plain = true },
	{ "bounds: a verification while an index goes down",
	  verify_during_rebuild },
#endif
	{}
};
