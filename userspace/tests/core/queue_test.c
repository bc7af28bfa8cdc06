// SPDX-License-Identifier: GPL-2.0
/* The queue of records of a lazy tree, with an index that applies none. */
#include <linux/atomic.h>
#include <unistd.h>

#include "core/index/queue.h"
#include "core/index/tell.h"
#include "core/node/node.h"
#include "core/tree/writer.h"
#include "test.h"

/* Leaves for more records than there is room for, tiny or not. */
#define KEYS (BLINK_QUEUE_RECORDS * BLINK_LEAF_SLOTS * 2)

static struct blink_tree *tree;
static atomic_t stuck, full;

/* Hold up whoever would apply records to the last index. */
static void hold_up(void)
{
	struct blink_index *idx = &tree->index[tree->nr_indexes - 1];
	unsigned long flags = blink_writer_begin(tree);

	blink_lock(&blink_queue_reader(tree, idx)->applier);
	atomic_set(&stuck, 1);
	while (!atomic_read(&full))
		usleep(100);
	/* Who erases now finds no room for what dies, and has to wait. */
	usleep(20000);
	blink_unlock(&blink_queue_reader(tree, idx)->applier);
	blink_writer_end(tree, flags);
}

static void write_meanwhile(void)
{
	u64 key;

	shim_stay(0);
	while (!atomic_read(&stuck))
		usleep(100);
	for (key = 0; key < KEYS; key++)
		EXPECT_EQ(blink_tree_insert(tree, key, ~key, NULL, GFP_KERNEL),
			  0);
	atomic_set(&full, 1);
	for (key = 0; key < KEYS; key++)
		EXPECT_EQ(blink_tree_erase(tree, key, NULL), 0);
}

static void hold_up_or_write(unsigned int id)
{
	if (id)
		write_meanwhile();
	else
		hold_up();
}

/* A full queue takes no record: births are put off, deaths wait, none is lost. */
static void full_queue(void)
{
	struct blink_tree_ioc_stats stats;

	tree = tree_create();
	if (tree->queue) {
		atomic_set(&stuck, 0);
		atomic_set(&full, 0);
		run_threads(2, hold_up_or_write);
		blink_tree_stats(tree, &stats);
		EXPECT(stats.posts_deferred);
		expect_one_leaf(tree);
	}
	blink_tree_destroy(tree);
}

#define FEW 100

/* Keys come and go in tides, now here and now there, often without memory. */
static void change_one(u64 i, u64 *random)
{
	unsigned int percent = i / 64 % 2 ? 80 : 20;
	u64 key = random_below(random, FEW);
	/* Who may sleep gives up on a record, the other leaves it to him. */
	gfp_t gfp = random_chance(random, 50) ? GFP_KERNEL : GFP_NOWAIT;

	if (!(i % 16))
		shim_stay(random_below(random, shim_nodes));
	shim_self->fail_one_in = i / 8 % 2 ? 1 : 0;
	if (random_chance(random, percent))
		blink_tree_insert(tree, key, ~key, NULL, gfp);
	else
		blink_tree_erase(tree, key, NULL);
	shim_self->fail_one_in = 0;
}

/*
 * A leaf dies, another one with its low key is born, and a writer meets that
 * before its index knows of either, and lacks the memory to catch up.
 */
static void out_of_memory(void)
{
	u64 random = test_seed(), i, rounds = test_scale(3000000), key;

	tree = tree_create();
	for (i = 0; tree->queue && i < rounds; i++)
		change_one(i, &random);
	shim_stay(NUMA_NO_NODE);
	expect_sound(tree);
	for (key = 0; key < FEW; key++)
		blink_tree_erase(tree, key, NULL);
	expect_one_leaf(tree);
	blink_tree_destroy(tree);
}

/*
 * Trees are given back whose indexes lag by what they lack the memory for, and by
 * deaths after that. Whether all was freed is seen of every test.
 */
static void end_behind(void)
{
	u64 random = test_seed(), i, rounds = test_scale(1000);
	unsigned int n;

	for (i = 0; i < rounds; i++) {
		tree = tree_create();
		for (n = random_below(&random, 2000); tree->queue && n; n--)
			change_one(n, &random);
		blink_tree_destroy(tree);
	}
	shim_stay(NUMA_NO_NODE);
}

/* Tell the indexes of a leaf that they have, which changes nothing. */
static struct blink_record harmless(void)
{
	struct blink_node *leaf = rcu_access_pointer(tree->index->root);

	while (leaf->level)
		leaf = blink_inner_child(leaf, 0);
	leaf = blink_node_primary(rcu_access_pointer(leaf->right));
	return (struct blink_record){ .leaf = leaf, .low = leaf->low };
}

/*
 * The interleaving: erasers on many CPUs have reserved places, and have merged nothing
 * so far; others split leaves. The queue may be empty or not; each reserved place is
 * kept for its record.
 */
static void reserved_places(void)
{
	struct blink_record record;
	unsigned long flags;
	unsigned int told, i;
	u64 key;

	tree = tree_create();
	for (key = 0; tree->queue && key <= BLINK_LEAF_SLOTS; key++)
		blink_tree_insert(tree, key, key, NULL, GFP_KERNEL);
	for (told = 0; tree->queue && told < 3; told++) {
		blink_tell_all(tree, GFP_KERNEL);
		record = harmless();
		flags = blink_writer_begin(tree);
		for (i = 0; i < told; i++)
			EXPECT(blink_queue_tell(tree, &record));
		for (; i < BLINK_QUEUE_RECORDS; i++)
			EXPECT(blink_queue_begin(tree));
		EXPECT(!blink_queue_begin(tree));
		EXPECT(!blink_queue_tell(tree, &record));
		for (i = told; i < BLINK_QUEUE_RECORDS; i++)
			blink_queue_end(tree, &record);
		EXPECT(!blink_queue_begin(tree));
		blink_writer_end(tree, flags);
	}
	expect_sound(tree);
	blink_tree_destroy(tree);
}

const struct test TESTS(queue)[] = {
	{ "queue: places that are reserved", reserved_places, .plain = true },
	{ "queue: one index applies nothing for long", full_queue },
	{ "queue: indexes lag and lack memory", out_of_memory },
	{ "queue: trees end while indexes lag", end_behind },
	{},
};
