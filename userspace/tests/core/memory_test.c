// SPDX-License-Identifier: GPL-2.0
/* How much memory the keys take, whatever was done before. */
#include "core/node/node.h"
#include "test.h"

#define LOAD_MAX 100

static struct blink_tree *tree;

/* Bytes, when all that is dead was freed. */
static u64 bytes(void)
{
	struct blink_tree_ioc_stats stats;

	rcu_barrier();
	blink_tree_stats(tree, &stats);
	return stats.bytes;
}

/* A key for each number, in no order. */
static u64 scattered(u64 i)
{
	return i * 0x9e3779b97f4a7c15ULL;
}

static void insert_all(u64 nr)
{
	u64 i;

	tree = tree_create();
	for (i = 0; i < nr; i++)
		EXPECT_EQ(blink_tree_insert(tree, scattered(i), i, NULL,
					    GFP_KERNEL),
			  0);
}

/* The bytes that so many keys take if they are loaded in order. */
static u64 loaded_bytes(u64 nr)
{
	struct blink_tree_entry run[LOAD_MAX];
	unsigned int n, done;
	u64 key = 0, total;

	tree = tree_create();
	while (key < nr) {
		for (n = 0; n < LOAD_MAX && key < nr; n++)
			run[n] = (struct blink_tree_entry){ .key = key++ };
		EXPECT_EQ(blink_tree_load(tree, run, n, 100, GFP_KERNEL, &done),
			  0);
	}
	total = bytes();
	blink_tree_destroy(tree);
	return total;
}

/*
 * Nine tenths are erased, at random: leaves merge, and what is left takes at most
 * two and a half times what it would take if it were loaded.
 */
static void most_erased(void)
{
	u64 nr = test_scale(100000), i, left, loaded;

	/* Small nodes are headers for the most part. */
	if (BLINK_LEAF_SLOTS < 32)
		return;
	insert_all(nr);
	for (i = 0; i < nr; i++)
		if (i % 10)
			EXPECT_EQ(blink_tree_erase(tree, scattered(i), NULL),
				  0);
	expect_sound(tree);
	left = bytes();
	blink_tree_destroy(tree);
	loaded = loaded_bytes((nr + 9) / 10);
	if (!EXPECT(left * 2 <= loaded * 5))
		printf("# %.1f bytes a key, %.1f if loaded\n", 10.0 * left / nr,
		       10.0 * loaded / nr);
}

const struct test memory_tests[] = {
	{ "memory: most is erased", most_erased },
	{},
};
