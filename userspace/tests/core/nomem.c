// SPDX-License-Identifier: GPL-2.0
/*
 * Allocations that fail where only this program can make them: those of indexes
 * that several NUMA nodes have, all that may not sleep, those of one cache. The
 * others are in kunit/memory.c.
 */
#include <linux/err.h>
#include <linux/topology.h>

#include "core/core.h"
#include "core/node/node.h"
#include "test.h"

static u64 nth_key(unsigned int i)
{
	u64 state = i + 1;

	return random_next(&state);
}

/* Writers that come by with memory enter what the index of here lacks. */
static void repair_here(struct blink_tree *tree, unsigned int nr)
{
	unsigned int i;
	u64 key;

	for (i = 0; i < nr; i++) {
		key = nth_key(i);
		EXPECT_EQ(blink_tree_store(tree, key, ~key, NULL, GFP_KERNEL),
			  1);
	}
}

static void repair(struct blink_tree *tree, unsigned int nr)
{
	int nid;

	for (nid = 0; nid < shim_nodes; nid++) {
		shim_stay(nid);
		repair_here(tree, nr);
	}
	shim_stay(NUMA_NO_NODE);
	EXPECT_EQ(tree_verified(tree).unindexed, 0);
	expect_sound(tree);
}

static void erase_all(struct blink_tree *tree, unsigned int nr)
{
	unsigned int i;
	u64 old;

	for (i = 0; i < nr; i++) {
		EXPECT_EQ(blink_tree_erase(tree, nth_key(i), &old), 0);
		EXPECT_EQ(old, ~nth_key(i));
	}
	expect_one_leaf(tree);
}

/*
 * No memory for inner nodes: leaves split, no index gets an entry, and every key is
 * still found. A batch with memory then mends the index.
 */
static void no_memory_for_the_index(void)
{
	/* Enough for inner nodes to be split again and again. */
	const unsigned int least =
		max(test_scale(20000), 320ULL * BLINK_INNER_SLOTS);
	struct blink_tree *tree = tree_create();
	unsigned int nr, i;
	int ret;

	/* Inner nodes split seldom: by chance, each of them found memory. */
	for (nr = 0; nr < least || !tree_stats(tree).posts_deferred; nr++) {
		/* The first allocation is the leaf's. */
		do {
			shim_self->fail_one_in = 2;
			ret = blink_tree_insert(tree, nth_key(nr), ~nth_key(nr),
						NULL, GFP_KERNEL);
			shim_self->fail_one_in = 0;
		} while (ret == -ENOMEM);
		EXPECT_EQ(ret, 0);
	}
	for (i = 0; i < nr; i++)
		EXPECT_FOUND(tree, nth_key(i), ~nth_key(i));
	repair(tree, nr);
	erase_all(tree, nr);
	blink_tree_destroy(tree);
}

/* Add keys while memory fails: the indexes lack entries, searches hop a lot. */
static void insert_unindexed(struct blink_tree *tree, unsigned int first,
			     unsigned int end)
{
	shim_self->fail_one_in = 2;
	for (; first < end; first++)
		while (blink_tree_insert(tree, nth_key(first), ~nth_key(first),
					 NULL, GFP_KERNEL) == -ENOMEM)
			;
	shim_self->fail_one_in = 0;
}

/* Only allocations that may sleep succeed: no insertion that may sleep fails. */
static void sleeping_suffices(void)
{
	const unsigned int nr = test_scale(2000);
	struct blink_tree *tree = tree_create();
	unsigned int i;

	shim_self->fail_nowait = true;
	for (i = 0; i < nr; i++)
		EXPECT_INSERT(tree, nth_key(i), ~nth_key(i));
	EXPECT_EQ(tree_verified(tree).unindexed, 0);
	shim_self->fail_nowait = false;
	erase_all(tree, nr);
	blink_tree_destroy(tree);
}

#define BATCH_KEYS 20

/* A batch that adds each key, changes its value and looks it up, in any order. */
static void make_batch(struct blink_tree_ioc_op *ops, unsigned int first,
		       u64 *random)
{
	static const u16 opcodes[] = { BLINK_TREE_OP_INSERT,
				       BLINK_TREE_OP_REPLACE,
				       BLINK_TREE_OP_LOOKUP };
	unsigned int step[BATCH_KEYS] = {};
	unsigned int i, n;

	for (n = 0; n < 3 * BATCH_KEYS; n++) {
		do
			i = random_below(random, BATCH_KEYS);
		while (step[i] == 3);
		ops[n] = (struct blink_tree_ioc_op){
			.opcode = opcodes[step[i]++],
			.key = nth_key(first + i),
		};
		if (ops[n].opcode == BLINK_TREE_OP_REPLACE)
			ops[n].value = ~ops[n].key;
	}
}

/*
 * The same for a batch. An insertion that has to wait for its memory waits until all
 * operations under way have ended, and these overtake each other. Later operations on
 * the same key come after the insertion.
 */
static void sleeping_suffices_in_batches(void)
{
	const unsigned int nr = test_scale(200) * BATCH_KEYS;
	struct blink_tree *tree = tree_create();
	struct blink_tree_ioc_op ops[3 * BATCH_KEYS];
	u64 random = test_seed();
	unsigned int first, i;

	insert_unindexed(tree, nr, 2 * nr);
	for (first = 0; first < nr; first += BATCH_KEYS) {
		make_batch(ops, first, &random);
		shim_self->fail_nowait = true;
		blink_tree_batch(tree, ops, ARRAY_SIZE(ops), GFP_KERNEL);
		shim_self->fail_nowait = false;
		for (i = 0; i < ARRAY_SIZE(ops); i++) {
			EXPECT_EQ(ops[i].result, 0);
			if (ops[i].opcode == BLINK_TREE_OP_LOOKUP)
				EXPECT_EQ(ops[i].value, ~ops[i].key);
		}
	}
	expect_sound(tree);
	erase_all(tree, 2 * nr);
	blink_tree_destroy(tree);
}

/* Right links that a lookup of each key follows, the most of one. */
static u64 most_hops(struct blink_tree *tree, u64 nr)
{
	u64 key, value, before, most = 0;
	struct blink_tree_ioc_stats stats;

	blink_tree_stats(tree, &stats);
	for (key = 0; key < nr; key++) {
		before = stats.right_hops;
		EXPECT_EQ(blink_tree_lookup(tree, key, &value), 0);
		most = max(most, (u64)(tree_stats(tree).right_hops - before));
	}
	return most;
}

/*
 * A batch enters what it splits off, with the memory that its caller may wait for.
 * The interleaving: a descent ends in the RCU read section, where the allocator
 * has a leaf for it but no inner node without sleeping; the leaf is split, its
 * parent is full, the result is 0, and the section ends. Unless the batch asks
 * again with the caller's gfp then, no operation ever does, and a lookup passes
 * each such leaf by its right link, all in one RCU read section.
 */
static void batches_post(void)
{
	const unsigned int batch = 64;
	u64 key, nr = max(test_scale(20000), 320ULL * BLINK_INNER_SLOTS);
	struct blink_tree *tree = tree_create();
	struct blink_tree_ioc_op ops[64];
	unsigned int i;

	nr -= nr % batch;
	for (key = 0; key < nr; key += batch) {
		for (i = 0; i < batch; i++)
			ops[i] = (struct blink_tree_ioc_op){
				.opcode = BLINK_TREE_OP_INSERT,
				.key = key + i,
			};
		shim_self->fail_nowait_in =
			test_strings() ? "blink_inner_bytes" :
					 "blink_inner" BLINK_KIND_SUFFIX;
		blink_tree_batch(tree, ops, batch, GFP_KERNEL);
		shim_self->fail_nowait_in = NULL;
		for (i = 0; i < batch; i++)
			EXPECT_EQ(ops[i].result, 0);
	}
	EXPECT_EQ(tree_verified(tree).unindexed, 0);
	EXPECT(most_hops(tree, nr) <= 2);
	tree_end(tree);
}

/* Only a new key asks for memory. */
static void others_never_allocate(void)
{
	const unsigned int nr = test_scale(1000);
	struct blink_tree *tree = tree_create();
	u64 i, old, allocs;

	/* In this order all leaves but the last are full. */
	for (i = 0; i < nr; i++)
		EXPECT_INSERT(tree, i, i);
	expect_sound(tree);
	allocs = shim_self->allocs;
	for (i = 0; i < nr; i++) {
		old = ~i;
		EXPECT_EQ(blink_tree_store(tree, i, ~i, NULL, GFP_KERNEL), 1);
		EXPECT_EQ(blink_tree_insert(tree, i, i, NULL, GFP_KERNEL),
			  -EEXIST);
		EXPECT_EQ(blink_tree_cmpxchg(tree, i, &old, i), 0);
		EXPECT_EQ(blink_tree_replace(tree, i, i, NULL), 0);
	}
	for (i = 0; i < nr; i++)
		EXPECT_ERASE(tree, i);
	/* The string of each insert and store is made first. */
	allocs += test_strings() ? 2 * nr : 0;
	EXPECT_EQ(shim_self->allocs, allocs);
	expect_one_leaf(tree);
	blink_tree_destroy(tree);
}

static void init_fails(void)
{
	u64 nth;
	int ret;

	for (nth = 1;; nth++) {
		blink_core_exit();
		shim_self->fail_nth = nth;
		ret = blink_core_init();
		if (shim_self->fail_nth)
			break;
		EXPECT_EQ(ret, -ENOMEM);
		EXPECT_EQ(blink_core_init(), 0);
	}
	shim_self->fail_nth = 0;
	EXPECT(nth > 1);
	EXPECT_EQ(ret, 0);
}

const struct test TESTS(nomem)[] = {
	{ "nomem: index entries wait for memory", no_memory_for_the_index },
	{ "nomem: GFP_KERNEL does without GFP_NOWAIT", sleeping_suffices },
	{ "nomem: a batch with GFP_KERNEL does so, too",
	  sleeping_suffices_in_batches },
	{ "nomem: a batch posts what it splits off", batches_post },
	{ "nomem: only a new key allocates", others_never_allocate,
	  .plain = true },
	{ "nomem: initialisation fails", init_fails },
	{}
};
