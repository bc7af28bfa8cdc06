// SPDX-License-Identifier: GPL-2.0
/*
 * Locking the next leaf of a commit, from where an old descent ended: at a leaf that died, or
 * that is far to the left. A leaf to the left of those that are held is not locked
 * (blink_lock_next() warns).
 */
#include "core/index/walk.h"
#include "core/node/locking.h"
#include "core/op/at_leaf.h"
#include "nodes.h"
#include "test.h"

/* Keys of full leaves, with room for others between them. */
#define STEP 16
#define KEY(leaf) ((u64)(leaf) * BLINK_LEAF_SLOTS * STEP)

static struct blink_tree *tree;

static void fill(u64 first, u64 last, u64 step)
{
	u64 key;

	for (key = first; key < last; key += step)
		blink_tree_store(tree, key, key, NULL, GFP_NOWAIT);
}

/* With a leaf to the left of it locked, lock the one that covers a key. */
static void lock_from(struct blink_node *hint, u64 left, u64 key)
{
	unsigned long flags = blink_writer_begin(tree);
	struct blink_walk walk = {};
	struct blink_node *held, *node;

	held = blink_lock_leaf(tree, &walk, left);
	node = blink_lock_next(tree, &walk, held, hint, key);
	EXPECT(node != held);
	EXPECT(blink_node_leads(node, key) && !blink_node_beyond(node, key));
	blink_node_unlock(tree, node);
	blink_node_unlock(tree, held);
	blink_writer_end(tree, flags);
}

/*
 * The third leaf is absorbed by the second one, whose keys are then in many leaves: the right
 * link of the dead leaf leads to the first of these.
 */
static void from_a_dead_leaf(void)
{
	struct blink_node *third;
	u64 key;

	tree = tree_create();
	fill(0, KEY(4), STEP);
	rcu_read_lock();
	third = blink_descend_leaf(tree, KEY(2), NULL);
	for (key = KEY(1); key < KEY(3); key += STEP)
		EXPECT_ERASE(tree, key);
	EXPECT(blink_node_dead(third));
	fill(KEY(1), KEY(3), 1);
	lock_from(third, KEY(1) + 2 * BLINK_LEAF_SLOTS, KEY(2));
	rcu_read_unlock();
	expect_sound(tree);
	blink_tree_destroy(tree);
}

static void from_a_leaf_to_the_left(void)
{
	struct blink_node *leaf;

	tree = tree_create();
	fill(0, KEY(30), STEP);
	rcu_read_lock();
	leaf = first_leaf(tree);
	lock_from(leaf, KEY(3), KEY(4));
	lock_from(leaf, KEY(3), KEY(29));
	leaf = next_leaf(leaf);
	lock_from(leaf, KEY(3), KEY(4));
	lock_from(leaf, KEY(3), KEY(29));
	rcu_read_unlock();
	blink_tree_destroy(tree);
}

/* A commit to full leaves, of which each allocation fails in its turn, changes nothing. */
static void without_memory(void)
{
	struct blink_tree_ioc_op ops[3];
	unsigned int i, nth = 0;
	int ret;

	tree = tree_create();
	fill(0, KEY(20), STEP);
	do {
		for (i = 0; i < 3; i++)
			ops[i] = (struct blink_tree_ioc_op){
				.opcode = BLINK_TREE_OP_INSERT,
				.key = KEY(5 * i) + 1,
			};
		shim_self->fail_nth = ++nth;
		ret = blink_tree_commit(tree, ops, 3, NULL, GFP_KERNEL);
		shim_self->fail_nth = 0;
		EXPECT_EQ(ops[2].result, ret ? -ECANCELED : 0);
		EXPECT(!ret || ret == -ENOMEM);
		EXPECT_EQ(tree_stats(tree).entries,
			  20 * BLINK_LEAF_SLOTS + (ret ? 0 : 3));
	} while (ret == -ENOMEM);
	/* Each of the leaves was split. */
	EXPECT(nth > 3);
	expect_sound(tree);
	blink_tree_destroy(tree);
}

/* Erase the keys of the leaf that covers a key, and merge nothing. Returns its high key. */
static u64 empty_leaf(u64 key)
{
	unsigned long flags = blink_writer_begin(tree);
	struct blink_walk walk = {};
	struct blink_node *leaf = blink_lock_leaf(tree, &walk, key);
	u64 high = leaf->high;

	blink_leaf_erase(tree, leaf, 0, leaf->count);
	blink_node_unlock(tree, leaf);
	blink_writer_end(tree, flags);
	return high;
}

/* More leaves than a commit can lock, which were emptied and not merged. */
static void gap_of_emptied_leaves(void)
{
	struct blink_tree_ioc_op ops[] = {
		{ .opcode = BLINK_TREE_OP_LOOKUP,
		  .flags = BLINK_TREE_COMMIT_EMPTY },
		{ .opcode = BLINK_TREE_OP_LOOKUP, .key = KEY(80) },
	};
	u64 key;

	tree = tree_create();
	fill(0, KEY(80), STEP);
	rcu_read_lock();
	ops[0].key = first_leaf(tree)->high;
	key = ops[0].key;
	while (key < KEY(60))
		key = empty_leaf(key + 1);
	rcu_read_unlock();
	ops[1].key = key;
	EXPECT_EQ(blink_tree_commit(tree, ops, 2, NULL, GFP_KERNEL), 0);
	expect_sound(tree);
	/* Leaves with keys stay, so they are too many. */
	ops[0].flags = BLINK_TREE_COMMIT_CLEAR;
	fill(0, KEY(80), STEP);
	ops[1].key = KEY(80);
	EXPECT_EQ(blink_tree_commit(tree, ops, 2, NULL, GFP_KERNEL), -E2BIG);
	EXPECT_EQ(tree_stats(tree).entries, 80 * BLINK_LEAF_SLOTS);
	blink_tree_destroy(tree);
}

/* As many emptied leaves as a commit can lock, and behind them a leaf that it has to split. */
static void gap_before_a_split(void)
{
	struct blink_tree_ioc_op ops[] = {
		{ .opcode = BLINK_TREE_OP_LOOKUP,
		  .flags = BLINK_TREE_COMMIT_EMPTY },
		{ .opcode = BLINK_TREE_OP_INSERT },
	};
	unsigned int i;
	u64 key;

	tree = tree_create();
	fill(0, KEY(80), STEP);
	rcu_read_lock();
	ops[0].key = first_leaf(tree)->high;
	key = ops[0].key;
	for (i = 0; i < BLINK_TREE_COMMIT_MAX - ARRAY_SIZE(ops); i++)
		key = empty_leaf(key + 1);
	rcu_read_unlock();
	ops[1].key = key + 1;
	EXPECT_EQ(blink_tree_commit(tree, ops, 2, NULL, GFP_KERNEL), 0);
	EXPECT_FOUND(tree, key + 1, 0);
	expect_sound(tree);
	blink_tree_destroy(tree);
}

const struct test TESTS(commit)[] = {
	{ "commit: a lock, from a dead leaf", from_a_dead_leaf, .plain = true },
	{ "commit: a lock, from a leaf to the left", from_a_leaf_to_the_left,
	  .plain = true },
	{ "commit: allocations fail", without_memory, .plain = true },
	{ "commit: a gap of emptied leaves", gap_of_emptied_leaves,
	  .plain = true },
	{ "commit: a gap before a leaf that is split", gap_before_a_split,
	  .plain = true },
	{},
};
