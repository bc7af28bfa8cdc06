// SPDX-License-Identifier: GPL-2.0
/*
 * Two trees, of which one is created, used and destroyed again and again beside
 * the other one, for as long as the parameter seconds says. Their writers meet at
 * the gates of cohort locks, which trees share (I9): the brief tree has one leaf,
 * and writers of the lasting tree always write to one that shares its gate.
 *
 * A KUnit case may take minutes only, so that it is run for a *slice* at a time.
 */
#include <linux/hash.h>
#include <linux/jiffies.h>
#include <linux/math.h>
#include <linux/module.h>
#include <linux/nodemask.h>

#include "../../module/core/node/node.h"
#include "../../module/core/tree/tree.h"
#include "../threads.h"

static unsigned int seconds = 2;
module_param(seconds, uint, 0444);
MODULE_PARM_DESC(seconds, "how long two trees are hammered, one of them brief");

#define SLICE 60U
#define PATIENCE (30 * HZ)
#define GATE_BITS 8
#define GATES BIT(GATE_BITS)
/* Writes between two rounds, each with another brief tree. */
#define WRITES 100
#define KEYS 120000

/**
 * struct pair - two trees and their writers
 * @lasting: the one that stays
 * @key_at: for each gate, the key of a leaf of it
 * @brief: the one that goes
 * @met: the key of @lasting that meets @brief at its gate
 * @round: grows with each brief tree
 * @joined: writers that are done with the last one, or never had one
 * @writers: of the brief tree
 * @end: in jiffies
 * @passed: how often locks of brief trees were passed on
 */
struct pair {
	struct blink_tree *lasting;
	u64 key_at[GATES];
	struct blink_tree *brief;
	u64 met;
	unsigned long round;
	atomic_t joined;
	unsigned int writers;
	unsigned long end;
	u64 passed;
};

static unsigned int gate_of_leaf(struct blink_node *leaf)
{
	return hash_ptr(&blink_node_primary(leaf)->lock, GATE_BITS);
}

/* The caller is still the only user of the tree. */
static struct blink_node *first_leaf(struct blink_tree *tree)
{
	struct blink_node *node = rcu_access_pointer(tree->index[0].root);

	while (node->level)
		node = blink_inner_child(node, 0);
	return node;
}

/* A leaf of the lasting tree for each gate, or for nearly all. */
static void find_keys(struct kunit *test, struct pair *pair)
{
	struct blink_node *leaf = first_leaf(pair->lasting);
	unsigned int nr = 0;

	for (; leaf; leaf = rcu_access_pointer(leaf->right)) {
		u64 *key = &pair->key_at[gate_of_leaf(leaf)];

		nr += *key == U64_MAX;
		*key = leaf->slot[0];
	}
	KUNIT_EXPECT_GT(test, nr, GATES * 9 / 10);
}

/* A lock is passed on within a NUMA node only if another one waits, too. */
static bool can_pass(void)
{
	return !IS_ENABLED(CONFIG_PREEMPT_RT) && num_online_nodes() > 1;
}

/* A round without a tree is the end. */
static void begin_round(struct pair *pair, struct blink_tree *tree)
{
	pair->brief = tree;
	if (tree)
		WRITE_ONCE(pair->met,
			   pair->key_at[gate_of_leaf(first_leaf(tree))]);
	atomic_set(&pair->joined, 0);
	/* Pairs with next_round(). */
	smp_store_release(&pair->round, pair->round + 1);
}

static struct blink_tree *brief_create(void)
{
	static const struct blink_tree_params cohort = {
		.locking = BLINK_TREE_LOCKING_COHORT,
	};
	struct blink_tree *tree = blink_tree_create(&cohort, GFP_KERNEL);

	if (IS_ERR(tree))
		return NULL;
	blink_tree_insert(tree, 0, 0, NULL, GFP_KERNEL);
	return tree;
}

/* The last writer destroys the tree at once, and makes another one. */
static void end_round(struct thread *me, struct pair *pair)
{
	struct blink_tree *next = NULL;

	pair->passed += fixture_stats(pair->brief).gate_passes;
	blink_tree_destroy(pair->brief);
	/* On a busy host it may take longer until writers of one NUMA node meet. */
	if (time_before(jiffies, pair->end) ||
	    (can_pass() && !pair->passed &&
	     time_before(jiffies, pair->end + PATIENCE))) {
		next = brief_create();
		if (!next)
			thread_fail(me, "no memory for a tree");
	}
	begin_round(pair, next);
}

/* The number of the next round; the same one if there is to be none. */
static unsigned long next_round(struct thread *me, struct pair *pair,
				unsigned long round)
{
	unsigned long next;

	do {
		cpu_relax();
		/* Pairs with begin_round(). */
		next = smp_load_acquire(&pair->round);
	} while (next == round && thread_goes_on(me));
	return next;
}

static void write_brief(struct thread *me)
{
	struct pair *pair = me->arg;
	unsigned long round = 0, next;
	unsigned int i;

	while ((next = next_round(me, pair, round)) != round && pair->brief) {
		round = next;
		for (i = 0; i < WRITES; i++)
			blink_tree_replace(pair->brief, 0, i, NULL);
		if (atomic_inc_return(&pair->joined) == pair->writers)
			end_round(me, pair);
	}
}

static void write_lasting(struct thread *me)
{
	struct pair *pair = me->arg;
	unsigned int i;
	u64 key;

	while (thread_goes_on(me)) {
		key = READ_ONCE(pair->met);
		for (i = 0; i < 16 && key != U64_MAX; i++)
			if (blink_tree_replace(pair->lasting, key, i, NULL))
				thread_fail(me, "key %llu is lost", key);
	}
}

/* The writers of each tree are on every NUMA node, if there are four CPUs. */
static void two_trees(struct kunit *test)
{
	const unsigned int *slice = test->param_value;
	const struct blink_tree_params params = {
		.locking = BLINK_TREE_LOCKING_COHORT,
	};
	struct pair *pair = fixture_alloc(test, 1, sizeof(*pair));
	struct threads *threads = threads_create(test, NULL);
	unsigned int i;

	if (keys_kind)
		kunit_skip(test, "this reads nodes with keys of 64 bits");
	memset(pair->key_at, 0xff, sizeof(pair->key_at));
	pair->lasting = fixture_tree_with(test, &params);
	fixture_fill(test, pair->lasting, 0, 1, KEYS);
	find_keys(test, pair);
	pair->writers = max(world_cpus() / 2, 2U);
	for (i = 0; i < pair->writers; i++) {
		threads_lead(threads, 1, write_brief, pair);
		threads_follow(threads, 1, write_lasting, pair);
	}
	pair->end = jiffies + *slice * HZ;
	begin_round(pair, brief_create());
	KUNIT_ASSERT_NOT_NULL(test, pair->brief);
	threads_run(threads);
	kunit_info(test, "%lu trees, %llu locks passed on\n", pair->round - 1,
		   pair->passed);
	if (can_pass())
		KUNIT_EXPECT_GT(test, pair->passed, 0);
}

static const void *next_slice(BLINK_KUNIT_GENERATOR const void *last,
			      char *name)
{
	static unsigned int slice, begun;

	if (!last)
		begun = 0;
	if (begun >= max(seconds, 1U))
		return NULL;
	slice = min(max(seconds, 1U) - begun, SLICE);
	begun += slice;
	snprintf(name, KUNIT_PARAM_DESC_SIZE, "%u s", slice);
	return &slice;
}

FIXTURE_SUITE("lifetime", FIXTURE_PARAM_SLOW(two_trees, next_slice));
