// SPDX-License-Identifier: GPL-2.0
/*
 * Two trees, of which one is created, used and destroyed again and again beside
 * the other one, for as long as the parameter seconds says. Their writers meet at
 * the gates of cohort locks, which trees share (I9): the brief tree has one leaf,
 * and writers of the lasting tree always write to one that shares its gate.
 *
 * A KUnit case may take minutes only, so that it is run for a *slice* at a time.
 */
#include <linux/cpumask.h>
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
#define GATE_BITS 8
#define GATES BIT(GATE_BITS)
/* Writes between two rounds, each with another brief tree. */
#define WRITES 100
#define KEYS 120000

/**
 * struct pair - two trees and their writers
 * @lasting: the one that stays
 * @leaf_at: for each gate, a leaf of it
 * @brief: the one that goes
 * @met: the leaf of @lasting that meets @brief at its gate, or NULL
 * @round: grows with each brief tree
 * @arrived: writers of @brief that have seen @round
 * @at: the leaf that each writer of @lasting is writing to, or NULL
 * @joined: writers that are done with the last one, or never had one
 * @writers: of the brief tree
 * @can_pass: see can_pass()
 * @end: in jiffies
 * @passed: how often locks of brief trees were passed on
 */
struct pair {
	struct blink_tree *lasting;
	struct blink_node *leaf_at[GATES];
	struct blink_tree *brief;
	struct blink_node *met;
	unsigned long round;
	atomic_t arrived;
	struct blink_node *at[THREADS_MAX];
	atomic_t joined;
	unsigned int writers;
	bool can_pass;
	unsigned long end;
	u64 passed;
};

static struct blink_lock *lock_of_leaf(struct blink_node *leaf)
{
	return &blink_node_primary(leaf)->lock;
}

static unsigned int gate_of_leaf(struct blink_node *leaf)
{
	return hash_ptr(lock_of_leaf(leaf), GATE_BITS);
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
static void find_leaves(struct kunit *test, struct pair *pair)
{
	struct blink_node *leaf = first_leaf(pair->lasting);
	unsigned int nr = 0;

	for (; leaf; leaf = rcu_access_pointer(leaf->right)) {
		struct blink_node **at = &pair->leaf_at[gate_of_leaf(leaf)];

		nr += !*at;
		*at = leaf;
	}
	KUNIT_EXPECT_GT(test, nr, GATES * 9 / 10);
}

/* How many of the first @nr CPUs, each of which has one thread, are on a NUMA node. */
static unsigned int cpus_of(int nid, unsigned int nr)
{
	unsigned int i, sum = 0;

	for (i = 0; i < nr; i++)
		sum += cpu_to_node(cpumask_nth(i, cpu_online_mask)) == nid;
	return sum;
}

/*
 * A lock is passed on only if two writers of a NUMA node wait at a gate at once.
 * Returns whether there are two, wherever the writer is that makes them wait.
 */
static bool can_pass(const struct pair *pair)
{
	unsigned int nr, twos = 0, threes = 0;
	int nid;

	if (IS_ENABLED(CONFIG_PREEMPT_RT) || num_online_nodes() == 1 ||
	    num_online_cpus() < 2 * pair->writers)
		return false;
	for (nid = 0; nid < (int)nr_node_ids; nid++) {
		nr = cpus_of(nid, 2 * pair->writers);
		twos += nr >= 2;
		threes += nr >= 3;
	}
	return twos >= 2 || threes;
}

/* A round without a tree is the end. */
static void begin_round(struct pair *pair, struct blink_tree *tree)
{
	pair->brief = tree;
	if (tree)
		WRITE_ONCE(pair->met,
			   pair->leaf_at[gate_of_leaf(first_leaf(tree))]);
	atomic_set(&pair->joined, 0);
	atomic_set(&pair->arrived, 0);
	/* Pairs with next_round(). */
	smp_store_release(&pair->round, pair->round + 1);
}

/* Whether all others of a round want the lock of their leaf, or have it already. */
static bool all_arrived(struct pair *pair, const struct blink_node *other)
{
	unsigned int i;

	for (i = 0; i < pair->writers; i++)
		if (READ_ONCE(pair->at[i]) != other)
			return false;
	return atomic_read(&pair->arrived) == (int)pair->writers - 1;
}

/*
 * Begin a round with the locks of both leaves held until all other writers are about
 * to want them. On a busy host writers may not meet for very long otherwise.
 */
static void begin_together(struct thread *me, struct pair *pair,
			   struct blink_tree *tree)
{
	struct blink_node *leaf = first_leaf(tree);
	struct blink_node *other = pair->leaf_at[gate_of_leaf(leaf)];
	unsigned int i;

	if (!other) {
		begin_round(pair, tree);
		return;
	}
	preempt_disable();
	arch_spin_lock(&lock_of_leaf(leaf)->raw);
	arch_spin_lock(&lock_of_leaf(other)->raw);
	begin_round(pair, tree);
	while (!all_arrived(pair, other) && !thread_is_stopped(me))
		cpu_relax();
	for (i = 0; i < 1000; i++)
		cpu_relax();
	arch_spin_unlock(&lock_of_leaf(other)->raw);
	arch_spin_unlock(&lock_of_leaf(leaf)->raw);
	preempt_enable();
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

/*
 * The last writer destroys the tree at once, and makes another one, also after the
 * end if no lock was passed on yet.
 */
static void end_round(struct thread *me, struct pair *pair)
{
	struct blink_tree *next = NULL;
	bool wanted;

	pair->passed += fixture_stats(pair->brief).gate_passes;
	blink_tree_destroy(pair->brief);
	wanted = pair->can_pass && !pair->passed && !thread_is_stopped(me);
	if (wanted || time_before(jiffies, pair->end)) {
		next = brief_create();
		if (!next)
			thread_fail(me, "no memory for a tree");
	}
	if (wanted && next)
		begin_together(me, pair, next);
	else
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
		atomic_inc(&pair->arrived);
		for (i = 0; i < WRITES; i++)
			blink_tree_replace(pair->brief, 0, i, NULL);
		if (atomic_inc_return(&pair->joined) == pair->writers)
			end_round(me, pair);
	}
}

static void write_lasting(struct thread *me)
{
	struct pair *pair = me->arg;
	/* Every other thread is a writer of this tree. */
	struct blink_node **at = &pair->at[(me - me->threads->thread) / 2];
	struct blink_node *leaf;
	unsigned int number = 0, i;

	while (thread_goes_on(me)) {
		leaf = READ_ONCE(pair->met);
		WRITE_ONCE(*at, leaf);
		for (i = 0; i < 16 && leaf; i++)
			if (blink_tree_replace(pair->lasting, leaf->slot[0],
					       number++, NULL))
				thread_fail(me, "key %llu is lost",
					    leaf->slot[0]);
		WRITE_ONCE(*at, NULL);
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
	pair->lasting = fixture_tree_with(test, &params);
	fixture_fill(test, pair->lasting, 0, 1, KEYS);
	find_leaves(test, pair);
	pair->writers = max(world_cpus() / 2, 2U);
	pair->can_pass = can_pass(pair);
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
	if (pair->can_pass)
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
