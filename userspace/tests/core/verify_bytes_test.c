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

static struct rcu_head *waiting;
static bool in_callback;
static unsigned int nr_released;

static void released(struct blink_bytes_link *link)
{
	EXPECT(in_callback);
	nr_released++;
	kfree(link);
}

/* A grace period ends as soon as the only reader that there is does not read. */
static void end_grace_period(void)
{
	struct rcu_head *head;

	in_callback = true;
	while (!shim_self->rcu_depth && waiting) {
		head = waiting;
		waiting = head->next;
		head->func(head);
	}
	in_callback = false;
}

static void call_unread(struct rcu_head *head)
{
	head->next = waiting;
	waiting = head;
	end_grace_period();
}

static void link_each(void)
{
	struct blink_bytes_link *link;
	unsigned int i;

	for (i = 0; i < KEYS; i++) {
		link = kmalloc(sizeof(*link) + 9, GFP_KERNEL);
		snprintf((char *)link->key, 9, "%08d", i);
		EXPECT_EQ(blink_tree_bytes_link(tree, link, 8, GFP_KERNEL), 0);
	}
}

/* While an index is down, writers do not tell it which leaves have died. */
static void unlink_while_down(void)
{
	char key[9];
	unsigned int i;
	u64 value;

	if (!tree->index[1].down)
		return;
	for (i = 0; i < KEYS; i++) {
		snprintf(key, sizeof(key), "%08d", i);
		rcu_read_lock();
		EXPECT_EQ(blink_tree_bytes_lookup(tree, blink_bytes_key(key, 8),
						  &value),
			  0);
		EXPECT_EQ(blink_tree_bytes_unlink(tree,
						  blink_bytes_link(value)),
			  0);
		rcu_read_unlock();
		end_grace_period();
	}
}

/*
 * The low keys of the inner nodes of an index are the last references to the keys erased.
 * Readers of other indexes could have found these keys before.
 */
static void rebuild_releases_late(void)
{
	struct blink_tree_params params = {
		.key = BLINK_TREE_KEY_BYTES,
		.replication = BLINK_TREE_REPLICATE_INNER,
		.release = released,
	};
	int nodes = shim_nodes;

	shim_nodes = 2;
	tree = blink_tree_create(&params, GFP_KERNEL);
	shim_nodes = nodes;
	if (!EXPECT(!IS_ERR(tree)))
		return;
	link_each();
	nr_released = 0;
	shim_hooks.call_rcu = call_unread;
	shim_hooks.synchronized = unlink_while_down;
	EXPECT_EQ(blink_tree_rebuild(tree, tree->index[1].nid, GFP_KERNEL), 0);
	shim_hooks.call_rcu = NULL;
	shim_hooks.synchronized = NULL;
	EXPECT(nr_released > KEYS / 2);
	in_callback = true;
	tree_end(tree);
	EXPECT_EQ(nr_released, KEYS);
}
#endif

const struct test TESTS(verify_bytes)[] = {
	{ "verify: heads and prefixes of strings", heads_checked,
	  .plain = true },
#ifdef SHIM_POINTS
	{ "verify: copies lead to no freed string",
	  copies_lead_to_no_freed_string, .plain = true },
	{ "verify: a rebuild releases keys after a grace period",
	  rebuild_releases_late, .plain = true },
#endif
	{}
};
