// SPDX-License-Identifier: GPL-2.0
/*
 * Two trees, one of which is destroyed while the other one is in use (I9). They share
 * the gates of cohort locks: a writer of one tree may wait where the lock of the other
 * tree's leaf is passed on.
 */
#include <linux/hash.h>
#include <string.h>

#include "core/index/walk.h"
#include "fiber.h"
#include "test.h"

#define GATES 256
#define WRITERS 2
/* Where threads are held up at random points, fibers show more. */
#ifdef SHIM_POINTS
#define ROUNDS 10
#else
#define ROUNDS 200
#endif

/* The tree that stays, and a key of one of its leaves for each gate. */
static struct blink_tree *lasting;
static u64 key_at[GATES];
static bool at_gate[GATES];

/* The tree that goes, and the key of the other one that meets it at a gate. */
static struct blink_tree *brief;
static u64 met;
static atomic_t using;

static struct blink_tree *cohort_create(void)
{
	struct blink_tree_params params = test_params;

	params.locking = BLINK_TREE_LOCKING_COHORT;
	return blink_tree_create(&params, GFP_KERNEL);
}

static unsigned int gate_of_leaf(const struct blink_node *leaf)
{
	return hash_ptr(&leaf->lock, 8);
}

static void lasting_create(void)
{
	struct blink_node *leaf;
	u64 key, left = GATES;

	memset(at_gate, 0, sizeof(at_gate));
	lasting = cohort_create();
	for (key = 0; left; key++) {
		blink_tree_insert(lasting, key, key, NULL, GFP_KERNEL);
		rcu_read_lock();
		leaf = blink_node_primary(
			blink_descend_leaf(lasting, key, NULL));
		if (!at_gate[gate_of_leaf(leaf)]) {
			at_gate[gate_of_leaf(leaf)] = true;
			key_at[gate_of_leaf(leaf)] = key;
			left--;
		}
		rcu_read_unlock();
	}
}

static void brief_create(void)
{
	brief = cohort_create();
	blink_tree_insert(brief, 0, 0, NULL, GFP_KERNEL);
	met = key_at[gate_of_leaf(
		blink_node_primary(rcu_access_pointer(brief->index[0].root)))];
	atomic_set(&using, WRITERS);
}

/* The last writer that leaves the brief tree destroys it. */
static void leave_brief(void)
{
	if (atomic_dec_and_test(&using))
		blink_tree_destroy(brief);
}

/*
 * T1 and T2 write the brief tree's leaf A, T3 and T4 the lasting tree's leaf B,
 * which shares a gate with A:
 *
 *   T1 has A   T2 owns the gate, waits for A   T4 has B   T3 waits at the gate
 *   T1 unlocks A
 *              T2 gets A, and passes it to T3
 *              T2 was the last one: it destroys the tree, and A is freed
 *                                              T3 inherits A, and unlocks it
 */
static void write_one(unsigned int id, unsigned int times)
{
	bool of_brief = id < WRITERS;
	unsigned int i;

	shim_stay(0);
	for (i = 0; i < times; i++)
		EXPECT_EQ(blink_tree_replace(of_brief ? brief : lasting,
					     of_brief ? 0 : met, i, NULL),
			  0);
	if (of_brief)
		leave_brief();
}

static void write_often(unsigned int id)
{
	write_one(id, 20);
}

static void destroyed_beside_another(void)
{
	u64 i, runs = test_scale(ROUNDS);

	lasting_create();
	for (i = 0; i < runs; i++) {
		brief_create();
		run_threads(2 * WRITERS, write_often);
	}
	tree_end(lasting);
}

#ifdef SHIM_POINTS
#define RUNS 4000

static void write_a_little(unsigned int id)
{
	write_one(id, 2);
}

/* The same in thousands of orders. */
static void destroyed_in_any_order(void)
{
	u64 random = test_seed(), points = 0, i, runs = test_scale(RUNS);
	struct fiber_run run;

	lasting_create();
	for (i = 0; i < runs && !test_failed(); i++) {
		brief_create();
		fibers_run(2 * WRITERS, write_a_little, points, &random, &run);
		points = run.points;
	}
	blink_tree_destroy(lasting);
}
#endif

const struct test TESTS(lifetime)[] = {
	{ "lifetime: a tree is destroyed beside another",
	  destroyed_beside_another },
#ifdef SHIM_POINTS
	{ "lifetime: and so it is in any order", destroyed_in_any_order },
#endif
	{},
};
