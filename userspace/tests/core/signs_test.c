// SPDX-License-Identifier: GPL-2.0
/*
 * Do signposts lead every search where a search of all keys ends? Nodes of all
 * fills, with keys near to each other and far away, and searches for their keys,
 * for the keys beside them, and for any other. And batches that read signposts while
 * nodes die, whose signposts RCU overwrites.
 */
#include <linux/errno.h>
#include <stdlib.h>

#include "core/node/entries.h"
#include "core/node/search.h"
#include "test.h"

#define ROUNDS 3000

static struct blink_tree *tree;
static u64 dice;
static unsigned int greatest_shift;

static int compare_keys(const void *a, const void *b)
{
	blink_key_t x = *(const blink_key_t *)a, y = *(const blink_key_t *)b;

	return x < y ? -1 : x > y;
}

/* Distances of many sizes: the low bits tell keys apart, or the high ones do. */
static blink_key_t any_distance(void)
{
	u64 head = random_next(&dice), tail = random_next(&dice);

	return blink_key_join(head, tail) >>
	       random_below(&dice, BLINK_KEY_BITS);
}

/* Ascending keys above @low, none twice; their number. */
static unsigned int make_keys(blink_key_t *key, unsigned int most,
			      blink_key_t low)
{
	unsigned int nr = random_below(&dice, most + 1), i, n = 0;
	blink_key_t base = 0;

	for (i = 0; i < nr; i++) {
		if (!random_below(&dice, 4))
			base = any_distance();
		if (!random_below(&dice, 32))
			base = (blink_key_t)1 << (BLINK_KEY_BITS - 1);
		key[i] = low + base + any_distance() % 64;
	}
	qsort(key, nr, sizeof(*key), compare_keys);
	for (i = 0; i < nr; i++)
		if (key[i] > low && (!n || key[i] > key[n - 1]))
			key[n++] = key[i];
	return n;
}

static void fill(struct blink_node *node, const blink_key_t *key,
		 unsigned int nr, blink_key_t low)
{
	unsigned int level = node->level, i;

	blink_node_init(tree, node, level);
	blink_lock(&node->lock);
	node->low = low;
	if (level)
		blink_node_insert(node, 0, low, 0);
	for (i = 0; i < nr; i++)
		blink_node_insert(node, node->count, key[i], i);
}

/* A search begins behind its key only if it cannot tell from the signposts. */
static void expect_group(const struct blink_node *node, unsigned int from,
			 blink_key_t key)
{
	blink_key_t first = node->slot[from];

	if (from && first > key)
		EXPECT((first - node->low) >> node->shift ==
		       (key - node->low) >> node->shift);
}

static void search(struct blink_node *node, blink_key_t key)
{
	unsigned int group;

	if (key <= node->low && node->low)
		return;
	if (node->level) {
		group = blink_group_of(node, key, false);
		expect_group(node, group, key);
		EXPECT_EQ(blink_inner_search_group(node, group, key),
			  blink_inner_search(node, key));
	} else {
		group = blink_group_of(node, key, true);
		expect_group(node, group, key);
		EXPECT_EQ(blink_search_group(node, group, key, true),
			  blink_leaf_search(node, 0, key));
	}
}

static void search_all(struct blink_node *node)
{
	unsigned int i;

	for (i = 0; i < node->count; i++) {
		search(node, node->slot[i] - 1);
		search(node, node->slot[i]);
		search(node, node->slot[i] + 1);
		search(node, node->low + any_distance());
		search(node, node->slot[i] + ((blink_key_t)1 << random_below(
						      &dice, BLINK_KEY_BITS)));
	}
	search(node, BLINK_KEY_GREATEST);
}

static void try_node(struct blink_node *node, unsigned int slots)
{
	blink_key_t low = random_below(&dice, 2) ? any_distance() : 0;
	blink_key_t *key = calloc(slots, sizeof(*key));
	unsigned int nr;

	if (!key)
		shim_die(__FILE__, __LINE__, "no memory");
	nr = make_keys(key, slots - !!node->level, low);
	fill(node, key, nr, low);
	greatest_shift = max(greatest_shift, node->shift + 0U);
	search_all(node);
	while (node->count > 1U) {
		blink_node_remove(node,
				  1 + random_below(&dice, node->count - 1), 1);
		if (!random_below(&dice, 8))
			search_all(node);
	}
	blink_unlock(&node->lock);
	free(key);
}

static struct blink_node *make_node(unsigned int level)
{
	struct blink_node *node =
		aligned_alloc(L1_CACHE_BYTES, blink_node_bytes(!level));

	if (!node)
		shim_die(__FILE__, __LINE__, "no memory");
	node->level = level;
	return node;
}

static void all_found(void)
{
	static const struct blink_tree_params plain;
	struct blink_node *leaf = make_node(0), *inner = make_node(1);
	u64 i;

	dice = test_seed();
	tree = blink_tree_create(&plain, GFP_KERNEL);
	for (i = 0; i < test_scale(ROUNDS); i++) {
		try_node(leaf, BLINK_LEAF_SLOTS);
		try_node(inner, BLINK_INNER_SLOTS);
	}
	/* There were distances of all sizes. */
	EXPECT_EQ(greatest_shift, BLINK_KEY_BITS - BLINK_SIGN_BITS);
	blink_tree_destroy(tree);
	free(leaf);
	free(inner);
}

#define LOOKUPS 64
#define RUN 16
#define CHURNED 256

static void look_up_all(u64 first)
{
	struct blink_tree_ioc_op ops[LOOKUPS];
	unsigned int i;

	for (i = 0; i < LOOKUPS; i++)
		ops[i] = (struct blink_tree_ioc_op){
			.opcode = BLINK_TREE_OP_LOOKUP,
			.key = (first + 7 * i) % CHURNED,
		};
	blink_tree_batch(tree, ops, LOOKUPS, GFP_KERNEL);
	for (i = 0; i < LOOKUPS; i++)
		EXPECT(ops[i].result == -ENOENT || ops[i].value == ops[i].key);
}

static void churn(u64 first, bool erase)
{
	u64 key;

	for (key = first; key < first + RUN; key++)
		if (erase)
			blink_tree_erase(tree, key, NULL);
		else
			blink_tree_insert(tree, key, key, NULL, GFP_KERNEL);
}

static void read_or_churn(unsigned int id)
{
	u64 random = test_seed() + id, i;

	for (i = 0; i < test_scale(6000); i++)
		if (id < 2)
			look_up_all(random_below(&random, CHURNED));
		else
			churn(random_below(&random, CHURNED), i & 1);
}

static void read_while_nodes_die(void)
{
	tree = tree_create();
	run_threads(4, read_or_churn);
	tree_end(tree);
}

const struct test TESTS(signs)[] = {
	{ "signs: searches of a group find what searches of all keys do",
	  all_found },
	{ "signs: batches read them while nodes die", read_while_nodes_die },
	{}
};
