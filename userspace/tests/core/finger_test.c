// SPDX-License-Identifier: GPL-2.0
/*
 * The cost of the steps of fingers: descents from the root. The tests count them by
 * taking the roots away: a search that needs a descent ends with -EAGAIN then.
 */
#include <linux/rcupdate.h>

#include "core/index/near.h"
#include "core/tree/tree.h"
#include "test.h"

#define KEYS 5000U
#define STEP 4U

static struct blink_tree *tree;
static struct blink_node *roots[BLINK_INDEX_MAX];

/* Every other key is erased again, also where leaves end. */
static void fill(void)
{
	u64 i;

	tree = tree_create();
	for (i = 0; i < 2 * KEYS; i++)
		EXPECT_INSERT(tree, i * STEP / 2, i);
	for (i = 1; i < 2 * KEYS; i += 2)
		EXPECT_ERASE(tree, i * STEP / 2);
}

static void hide_roots(void)
{
	struct blink_index *idx;

	for_each_blink_index(idx, tree) {
		roots[idx->id] = rcu_access_pointer(idx->root);
		RCU_INIT_POINTER(idx->root, NULL);
	}
}

static void show_roots(void)
{
	struct blink_index *idx;

	for_each_blink_index(idx, tree)
		RCU_INIT_POINTER(idx->root, roots[idx->id]);
}

/* A step; the number of descents that it needed. */
static unsigned int step(struct blink_finger *finger, bool back, u64 key)
{
	struct blink_tree_entry entry = { 1 };
	unsigned int descents;
	int ret;

	hide_roots();
	ret = back ? blink_finger_prev(finger, &entry) :
		     blink_finger_next(finger, &entry);
	show_roots();
	descents = ret == -EAGAIN;
	if (descents)
		ret = back ? blink_finger_prev(finger, &entry) :
			     blink_finger_next(finger, &entry);
	EXPECT_EQ(ret, 0);
	EXPECT_EQ(entry.key, key);
	return descents;
}

/* Step over all keys of a new tree. Returns the number of descents. */
static unsigned int step_over_all(bool back)
{
	struct blink_finger finger;
	unsigned int descents = 0;
	u64 i;

	fill();
	blink_finger_init(&finger, tree);
	rcu_read_lock();
	for (i = 0; i < KEYS; i++)
		descents +=
			step(&finger, back, (back ? KEYS - 1 - i : i) * STEP);
	rcu_read_unlock();
	return descents;
}

static void ascend(void)
{
	EXPECT_EQ(step_over_all(false), 1);
	blink_tree_destroy(tree);
}

/* Inner nodes of level 1 in each index. */
static u64 parents(void)
{
	struct blink_tree_level_stats rows[32];
	unsigned int nr = blink_tree_levels(tree, rows, ARRAY_SIZE(rows)), i;
	u64 nodes = 0;

	for (i = 0; i < nr; i++)
		if (rows[i].level == 1)
			nodes += rows[i].nodes;
	return nodes / tree->nr_indexes;
}

/* One for each inner node of level 1, at most: it leads to its other leaves. */
static void descend(void)
{
	unsigned int descents = step_over_all(true);

	EXPECT(descents >= 1);
	EXPECT(descents <= parents());
	EXPECT_EQ(tree_stats(tree).read_retries, 0);
	blink_tree_destroy(tree);
}

static void pauses(void)
{
	struct blink_finger finger;
	u64 i;

	fill();
	blink_finger_init(&finger, tree);
	rcu_read_lock();
	for (i = 0; i < KEYS; i += 2) {
		EXPECT_EQ(step(&finger, false, i * STEP), 1);
		EXPECT_EQ(step(&finger, false, (i + 1) * STEP), 0);
		blink_finger_pause(&finger);
	}
	rcu_read_unlock();
	blink_tree_destroy(tree);
}

/* The child of a slot is the leaf that covers the key, or the guess is refused. */
static void slots(void)
{
	struct blink_node *node, *child;
	unsigned int pos, found = 0;
	u64 key;

	fill();
	rcu_read_lock();
	node = rcu_dereference(tree->index[0].root);
	while (node->level > 1)
		node = blink_inner_child(node, 0);
	for (key = 1; key <= node->high && key < KEYS * STEP; key++) {
		for (pos = 0; pos <= BLINK_INNER_SLOTS; pos++) {
			child = blink_near_child(tree, node, pos, key);
			if (!child)
				continue;
			EXPECT(key <= child->high && child->low < key);
			found++;
		}
	}
	EXPECT_EQ(blink_near_child(tree, node, UINT_MAX, 1), NULL);
	EXPECT_EQ(blink_near_child(tree, NULL, 0, 1), NULL);
	rcu_read_unlock();
	/* All but those that the last slot leads to. */
	EXPECT_EQ(found, blink_slot_key(node, node->count - 1, false));
	blink_tree_destroy(tree);
}

const struct test
	TESTS(finger)[] = { { "finger: the slot of a leaf is a guess", slots },
			    { "finger: up by right links", ascend },
			    { "finger: down by the nodes above", descend },
			    { "finger: a descent after a pause", pauses },
			    {} };
