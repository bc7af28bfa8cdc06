// SPDX-License-Identifier: GPL-2.0
/*
 * Looks into nodes of strings. Does the verification see what it is there to see, as in
 * verify_test.c, of what only such nodes have? Do nodes lead to no string that is freed?
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

#ifdef SHIM_POINTS
#define GONE_MAX 64

static struct rcu_head *gone[GONE_MAX];
static unsigned int nr_gone;

/* A string, or a node, is given to RCU: no value of any member of a leaf may lead to it. */
static void string_gone(struct rcu_head *head)
{
	const u64 address =
		(uintptr_t)container_of(head, struct blink_string, block.rcu);
	struct blink_node *leaf, *member;
	unsigned int i;

	for (leaf = first_leaf(tree); leaf; leaf = next_leaf(leaf)) {
		member = leaf;
		do {
			for (i = 0; i < BLINK_LEAF_SLOTS; i++)
				EXPECT(blink_values(member, true)[i] !=
				       address);
			member = blink_member(member)->next;
		} while (member != leaf);
	}
	if (EXPECT(nr_gone < GONE_MAX))
		gone[nr_gone++] = head;
}

/* A reader that begins now, and finds a copy odd, may follow what it finds there. */
static void copies_lead_to_no_freed_string(void)
{
	struct blink_tree_params params = test_params;
	struct blink_tree_bytes_op ops[] = {
		{ .opcode = BLINK_TREE_OP_LOOKUP,
		  .flags = BLINK_TREE_COMMIT_CLEAR,
		  .key = blink_bytes_key("prefix/00000010", 15) },
		{ .opcode = BLINK_TREE_OP_LOOKUP,
		  .key = blink_bytes_key("prefix/00000030", 15) },
	};
	int nodes = shim_nodes;
	unsigned int i;

	params.key = BLINK_TREE_KEY_BYTES;
	params.flags = 0;
	params.replication = BLINK_TREE_REPLICATE_FULL;
	shim_nodes = 2;
	tree = blink_tree_create(&params, GFP_KERNEL);
	shim_nodes = nodes;
	if (!EXPECT(!IS_ERR(tree)))
		return;
	fill();
	nr_gone = 0;
	shim_hooks.call_rcu = string_gone;
	EXPECT_EQ(blink_tree_bytes_commit(tree, ops, 2, NULL, GFP_KERNEL), 0);
	shim_hooks.call_rcu = NULL;
	EXPECT(nr_gone >= 19);
	for (i = 0; i < nr_gone; i++)
		gone[i]->func(gone[i]);
	tree_end(tree);
	rcu_barrier();
	rcu_barrier();
}
#endif

const struct test TESTS(verify_bytes)[] = {
	{ "verify: heads and prefixes of strings", heads_checked,
	  .plain = true },
#ifdef SHIM_POINTS
	{ "verify: copies lead to no freed string",
	  copies_lead_to_no_freed_string, .plain = true },
#endif
	{}
};
