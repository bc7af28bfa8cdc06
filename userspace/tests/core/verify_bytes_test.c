// SPDX-License-Identifier: GPL-2.0
/*
 * Does the verification see what it is there to see in trees of strings? As
 * verify_test.c, for what only such nodes have.
 */
#define KEYS_OWN_NAMES
#include <linux/blink_tree.h>
#include <linux/blink_tree_bytes.h>
#include <linux/blink_tree_value.h>

#include "test.h"

#define BLINK_COMPILE_BYTES
#define BLINK_NAME(name) blink_bytes_##name
#define BLINK_TREE_NAME(name) blink_tree_bytes_##name
#include "core/kind/names.h"

#include "core/node/strings.h"
#include "nodes.h"

/* Enough for two levels of production's nodes. */
#define KEYS 5000

static struct blink_tree *tree;

/* Keys with a prefix in common, so that leaves leave it out. */
static void fill(void)
{
	char key[32];
	int i;

	for (i = 0; i < KEYS; i++) {
		snprintf(key, sizeof(key), "prefix/%08d", i);
		EXPECT_INSERT(tree, blink_bytes_key(key, strlen(key)), i);
	}
}

static void expect_seen(const struct blink_node *node)
{
	struct blink_tree_ioc_verify report;

	EXPECT_EQ(blink_tree_verify(tree, &report), -EUCLEAN);
	EXPECT_EQ(report.violation, BLINK_TREE_BAD_HEAD);
	EXPECT_EQ(report.level, node->level);
}

/* A greater head than that of the key, and not that of the next one. */
static void head_damaged(struct blink_node *node)
{
	blink_slot_t head = node->slot[1];

	node->slot[1] = head + 1;
	expect_seen(node);
	node->slot[1] = head;
}

static void prefix_damaged(struct blink_node *node)
{
	unsigned int prefix = node->form;

	EXPECT(prefix > 0);
	node->form = prefix - 1;
	expect_seen(node);
	node->form = prefix;
}

static void heads_checked(void)
{
	struct blink_tree_params params = test_params;

	params.key = BLINK_TREE_KEY_BYTES;
	params.flags &= ~BLINK_TREE_COMPRESS;
	tree = blink_tree_create(&params, GFP_KERNEL);
	if (!EXPECT(!IS_ERR(tree)))
		return;
	fill();
	head_damaged(first_of(tree->index, 0));
	head_damaged(first_of(tree->index, 1));
	prefix_damaged(rcu_access_pointer(first_of(tree->index, 0)->right));
	tree_end(tree);
	rcu_barrier();
	rcu_barrier();
}

const struct test
	TESTS(verify_bytes)[] = { { "verify: heads and prefixes of strings",
				    heads_checked, .plain = true },
				  {} };
