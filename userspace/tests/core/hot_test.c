// SPDX-License-Identifier: GPL-2.0
/* The report of the leaves with the most heat, compared with a walk along all leaves. */
#include <asm/byteorder.h>
#include <linux/string.h>

#include "core/inspect/hot.h"
#include "core/node/contention.h"
#include "nodes.h"
#include "test.h"

/* Enough for some leaves without heat, and for more with heat than a report has. */
#define KEYS (200 * BLINK_LEAF_SLOTS)
/* How often writers wait for a leaf: 0 to 8 times. Every other leaf is cooler by 1. */
#define HEATS 9
#define MOST 64

static struct blink_tree *tree;
static struct blink_tree_hot_leaf found[KEYS];
static struct blink_tree_hot_leaf expected[KEYS];

static void fill(u64 keys)
{
	u64 key;

	tree = tree_create();
	for (key = 1; key <= keys; key++)
		EXPECT_INSERT(tree, key, key);
}

static void warm(struct blink_node *leaf, unsigned int waits)
{
	while (waits--)
		blink_heat_note(leaf, true);
}

static void put_low(struct blink_tree_hot_leaf *to, struct blink_node *leaf)
{
	u64 words[2] = {};
	blink_key_t low = blink_node_leftmost(leaf) ? 0 : leaf->low + 1;

	words[0] = cpu_to_be64(blink_key_head(low));
	words[1] = cpu_to_be64(blink_key_tail(low));
	memcpy(to->low, words, sizeof(low));
	to->low_length = sizeof(low);
}

/* All leaves with heat in the order of their keys. Returns how many. */
static unsigned int list_leaves(void)
{
	struct blink_node *leaf;
	unsigned int nr = 0;

	for (leaf = first_leaf(tree); leaf; leaf = next_leaf(leaf)) {
		if (!leaf->heat)
			continue;
		expected[nr] = (struct blink_tree_hot_leaf){
			.heat = leaf->heat,
			.keys = leaf->count,
		};
		put_low(&expected[nr++], leaf);
	}
	return nr;
}

/* Sort them by their heat. Those that are equal stay in their order. */
static void sort_leaves(unsigned int nr)
{
	unsigned int i, j;

	for (i = 1; i < nr; i++)
		for (j = i; j && expected[j - 1].heat < expected[j].heat; j--) {
			struct blink_tree_hot_leaf other = expected[j];

			expected[j] = expected[j - 1];
			expected[j - 1] = other;
		}
}

static void compare(unsigned int room, unsigned int all)
{
	unsigned int nr = min(room, all);

	memset(found, 0x55, sizeof(found));
	EXPECT_EQ(blink_tree_hot_leaves(tree, found, room), nr);
	EXPECT(!memcmp(found, expected, nr * sizeof(found[0])));
	/* Places that are not reported have no use, but those behind the array have. */
	EXPECT_EQ(((u8 *)&found[room])[0], 0x55);
}

static void hottest_first(void)
{
	const unsigned int rooms[] = { 1, 2, 5, MOST, KEYS - 1 };
	unsigned int i = 0, all;
	struct blink_node *leaf;

	fill(KEYS);
	for (leaf = first_leaf(tree); leaf; leaf = next_leaf(leaf), i++) {
		warm(leaf, i * 7 % HEATS);
		if (i % 2)
			blink_heat_note(leaf, false);
	}
	all = list_leaves();
	EXPECT(all > MOST && all < i);
	sort_leaves(all);
	EXPECT_EQ(expected[0].heat, (HEATS - 1) * BLINK_HEAT_WAIT);
	for (i = 0; i < ARRAY_SIZE(rooms); i++)
		compare(rooms[i], all);
	tree_end(tree);
}

static void cool_leaves(void)
{
	fill(KEYS);
	compare(MOST, 0);
	/* One that is hot, and as hot as it can be. */
	warm(next_leaf(first_leaf(tree)), 2 * BLINK_HEAT_MAX);
	compare(MOST, list_leaves());
	EXPECT_EQ(found[0].heat, BLINK_HEAT_MAX);
	tree_end(tree);
}

static void single_leaf(void)
{
	fill(1);
	blink_heat_note(first_leaf(tree), true);
	compare(MOST, list_leaves());
	EXPECT_EQ(found[0].keys, 1);
	EXPECT_EQ(found[0].low[7], 0);
	blink_tree_destroy(tree);
}

const struct test TESTS(hot)[] = {
	{ "hot: leaves with heat are reported, the hottest first",
	  hottest_first, true },
	{ "hot: leaves without heat are not reported", cool_leaves },
	{ "hot: a tree of one leaf", single_leaf },
	{}
};
