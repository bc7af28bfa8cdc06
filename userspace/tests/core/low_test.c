// SPDX-License-Identifier: GPL-2.0
/* References to low keys that are strings, beside what ends others to the same one. */
#define KEYS_OWN_NAMES
#include <linux/blink_tree.h>
#include <linux/blink_tree_bytes.h>
#include <linux/blink_tree_value.h>
#include <stdio.h>

#include "test.h"

#define BLINK_COMPILE_BYTES
#define BLINK_NAME(name) blink_bytes_##name
#define BLINK_TREE_NAME(name) blink_tree_bytes_##name
#include "core/kind/names.h"

#include "core/index/apply.h"
#include "core/index/queue.h"
#include "core/index/walk.h"

/* Enough for several leaves of production's size. */
#define KEYS 500

static struct blink_tree *tree;

static struct blink_bytes_key key_of(char *to, unsigned int i)
{
	return blink_bytes_key((u8 *)to, sprintf(to, "key %06u", i));
}

static void add_all(void)
{
	char key[16];
	unsigned int i;

	for (i = 0; i < KEYS; i++)
		EXPECT_EQ(blink_tree_insert(tree, key_of(key, i), i, NULL,
					    GFP_KERNEL),
			  0);
}

static void erase_all(void)
{
	char key[16];
	unsigned int i;

	for (i = 0; i < KEYS; i++)
		EXPECT_EQ(blink_tree_erase(tree, key_of(key, i), NULL), 0);
	/* This lets the indexes catch up. */
	expect_sound(tree);
	rcu_barrier();
	rcu_barrier();
}

/* The low key of the leaf that covers the last key, with a reference. */
static blink_bound_t last_low(void)
{
	struct blink_node *leaf;
	blink_bound_t low;
	char key[16];

	rcu_read_lock();
	leaf = blink_descend_leaf(tree, key_of(key, KEYS - 1), NULL);
	low = blink_bound_get(leaf->low);
	rcu_read_unlock();
	return low;
}

/*
 * An operation met a leaf without an entry, which died meanwhile, and no record
 * of the queue has its low key any more. The reference of the walk is the last
 * one, and applying the records of other leaves ends it.
 */
static void mended_late(void)
{
	struct blink_index *last = &tree->index[tree->nr_indexes - 1];
	struct blink_post post = { .tree = tree, .gfp = GFP_KERNEL };
	unsigned int rounds = 0;

	add_all();
	post.walk.low = last_low();
	erase_all();
	while (atomic_read(&post.walk.low->refs) > 1 &&
	       rounds++ < BLINK_QUEUE_RECORDS) {
		add_all();
		erase_all();
	}
	EXPECT_EQ(atomic_read(&post.walk.low->refs), 1);
	add_all();
	EXPECT(blink_queue_lag(tree, last));
	blink_apply_mend(&post, last, 0, post.walk.low);
	EXPECT(!blink_queue_lag(tree, last));
	blink_post_end(&post);
	erase_all();
}

/* Writers of one NUMA node, so that the other indexes lag behind. */
static void in_a_queue(void)
{
	tree = tree_create();
	shim_stay(0);
	if (tree->queue)
		mended_late();
	shim_stay(-1);
	blink_tree_destroy(tree);
}

const struct test low_tests[] = { { "low: a mend after records", in_a_queue },
				  {} };
