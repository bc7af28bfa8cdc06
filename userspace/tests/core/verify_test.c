// SPDX-License-Identifier: GPL-2.0
/*
 * Does the verification see what it is there to see? One node is damaged at a
 * time, in each way that an invariant can be broken, and mended again.
 */
#include <stdlib.h>
#include <string.h>

#include "nodes.h"
#include "test.h"

/* Enough for three levels of production's nodes. */
#define KEYS 20000
#define KEY_STEP 10

static struct blink_tree *tree;

static struct blink_node *last_of(unsigned int level)
{
	struct blink_node *node = first_of(tree->index, level);

	while (rcu_access_pointer(node->right))
		node = rcu_access_pointer(node->right);
	return node;
}

/* Neither the first nor the last of its level, nor of its parent. */
static struct blink_node *an_inner(void)
{
	return rcu_access_pointer(first_of(tree->index, 1)->right);
}

static struct blink_node *a_leaf(void)
{
	return blink_inner_child(an_inner(), 1);
}

static void swap_keys(struct blink_node *leaf)
{
	u64 key = leaf->slot[0];

	leaf->slot[0] = leaf->slot[1];
	leaf->slot[1] = key;
}

static void repeat_key(struct blink_node *leaf)
{
	leaf->slot[1] = leaf->slot[0];
}

static void key_at_low(struct blink_node *leaf)
{
	leaf->slot[0] = leaf->low;
}

static void key_above_high(struct blink_node *leaf)
{
	leaf->slot[leaf->count - 1] = leaf->high + 1;
}

static void sign_changed(struct blink_node *node)
{
	node->sign[0] ^= 1;
}

static void shift_changed(struct blink_node *node)
{
	node->shift ^= 1;
}

static void separator_not_low(struct blink_node *inner)
{
	inner->slot[0]--;
}

static void separator_at_high(struct blink_node *inner)
{
	inner->slot[inner->count - 1] = inner->high;
}

static void gap(struct blink_node *leaf)
{
	leaf->count--;
	leaf->slot[leaf->count] = BLINK_SLOT_UNUSED;
	leaf->high--;
}

static void unused_key(struct blink_node *leaf)
{
	leaf->count--;
}

static void end_too_low(struct blink_node *last)
{
	last->high = U64_MAX - 1;
}

static void chain_cut(struct blink_node *leaf)
{
	RCU_INIT_POINTER(leaf->right, NULL);
}

static void other_separator(struct blink_node *inner)
{
	inner->slot[2]++;
}

static void child_missing(struct blink_node *inner)
{
	blink_node_values(inner)[1] = 0;
}

static void children_swapped(struct blink_node *inner)
{
	u64 *child = blink_node_values(inner), first = child[1];

	child[1] = child[2];
	child[2] = first;
}

static void leaf_raised(struct blink_node *leaf)
{
	leaf->level = 2;
}

static void right_is_inner(struct blink_node *leaf)
{
	RCU_INIT_POINTER(leaf->right, an_inner());
}

static void inner_empty(struct blink_node *last)
{
	last->count = 0;
}

static void leaf_died(struct blink_node *leaf)
{
	leaf->flags |= BLINK_NODE_DEAD;
}

static void leaf_first(struct blink_node *leaf)
{
	leaf->flags |= BLINK_NODE_LEFTMOST;
}

static void first_child_missing(struct blink_node *first)
{
	blink_node_values(first)[0] = 0;
}

static void other_key(struct blink_node *copy)
{
	copy->slot[0]++;
}

static void other_value(struct blink_node *copy)
{
	blink_node_values(copy)[0]++;
}

struct damage {
	const char *what;
	enum blink_tree_violation violation;
	void (*inflict)(struct blink_node *node);
};

static const struct damage to_leaf[] = {
	{ "keys out of order", BLINK_TREE_BAD_ORDER, swap_keys },
	{ "a key twice", BLINK_TREE_BAD_ORDER, repeat_key },
	{ "a key that is the low key", BLINK_TREE_BAD_RANGE, key_at_low },
	{ "another signpost", BLINK_TREE_BAD_SIGN, sign_changed },
	{ "another precision of signposts", BLINK_TREE_BAD_SIGN,
	  shift_changed },
	{ "a key above the high key", BLINK_TREE_BAD_RANGE, key_above_high },
	{ "a gap to the neighbour", BLINK_TREE_BAD_CHAIN, gap },
	{ "no neighbour", BLINK_TREE_BAD_CHAIN, chain_cut },
	{ "a key in a slot not in use", BLINK_TREE_BAD_COUNT, unused_key },
	{ "a leaf of another level", BLINK_TREE_BAD_LEVEL, leaf_raised },
	{ "a neighbour of another level", BLINK_TREE_BAD_LEVEL,
	  right_is_inner },
	{ "a dead leaf", BLINK_TREE_BAD_DEAD, leaf_died },
	{ "a second first leaf", BLINK_TREE_BAD_ROUTE, leaf_first },
};

static const struct damage to_inner[] = {
	{ "another signpost of an inner node", BLINK_TREE_BAD_SIGN,
	  sign_changed },
	{ "a separator at the high key", BLINK_TREE_BAD_RANGE,
	  separator_at_high },
	{ "first separator not the low key", BLINK_TREE_BAD_RANGE,
	  separator_not_low },
	{ "a separator not the child's", BLINK_TREE_BAD_ROUTE,
	  other_separator },
	{ "a child missing", BLINK_TREE_BAD_ROUTE, child_missing },
	{ "two children swapped", BLINK_TREE_BAD_ROUTE, children_swapped },
};

static const struct damage to_last_leaf = {
	"an end before the greatest key",
	BLINK_TREE_BAD_CHAIN,
	end_too_low,
};

static const struct damage to_last_inner = {
	"an inner node without entries",
	BLINK_TREE_BAD_COUNT,
	inner_empty,
};

static const struct damage to_first_inner = {
	"the first child missing",
	BLINK_TREE_BAD_ROUTE,
	first_child_missing,
};

static const struct damage to_copy[] = {
	{ "a copy with another key", BLINK_TREE_BAD_COPY, other_key },
	{ "a copy with another value", BLINK_TREE_BAD_COPY, other_value },
};

static void seen(const struct damage *damage, struct blink_node *node)
{
	size_t bytes = blink_node_bytes(!node->level);
	struct blink_tree_ioc_verify report;
	void *saved = malloc(bytes);

	if (!saved)
		shim_die(__FILE__, __LINE__, "no memory");
	memcpy(saved, node, bytes);
	damage->inflict(node);
	if (!EXPECT_EQ(blink_tree_verify(tree, &report), -EUCLEAN) ||
	    !EXPECT_EQ(report.violation, damage->violation))
		printf("# %s\n", damage->what);
	memcpy(node, saved, bytes);
	free(saved);
	expect_sound(tree);
}

static void damage_seen(void)
{
	unsigned int i;

	tree = tree_create();
	for (i = 1; i <= KEYS; i++)
		EXPECT_INSERT(tree, i * KEY_STEP, i);
	EXPECT(blink_tree_height(tree) >= 3);
	for (i = 0; i < ARRAY_SIZE(to_leaf); i++)
		seen(&to_leaf[i], a_leaf());
	for (i = 0; i < ARRAY_SIZE(to_inner); i++)
		seen(&to_inner[i], an_inner());
	seen(&to_last_leaf, last_of(0));
	seen(&to_last_inner, last_of(1));
	seen(&to_first_inner, first_of(tree->index, 1));
	for (i = 0; tree->copied && i < ARRAY_SIZE(to_copy); i++)
		seen(&to_copy[i], blink_member(a_leaf())->next);
	blink_tree_destroy(tree);
}

const struct test TESTS(verify)[] = { { "verify: every kind of damage is seen",
					damage_seen, .plain = true },
				      {} };
