// SPDX-License-Identifier: GPL-2.0
/* Indexes that are dropped and built again, at rest and in use. */
#include <linux/atomic.h>
#include <linux/rcupdate.h>
#include <stdlib.h>
#include <string.h>

#include "core/index/walk.h"
#include "core/node/node.h"
#include "core/tree/tree.h"
#include "fiber.h"
#include "test.h"

#define KEYS 3000
#define THREADS 4

static struct blink_tree *tree;
static atomic_t finished;

static void none_to_rebuild(void)
{
	EXPECT_EQ(blink_tree_rebuild(tree, 0, GFP_KERNEL), -ENODEV);
	blink_tree_destroy(tree);
}

/* A rebuild adds the entries that an index lacks because there was no memory. */
static void at_rest(void)
{
	u64 key, nr = max(test_scale(20000), 5000ULL);
	int nid;

	tree = tree_create();
	EXPECT_EQ(blink_tree_rebuild(tree, MAX_NUMNODES, GFP_KERNEL), -ENODEV);
	if (tree->nr_indexes == 1) {
		none_to_rebuild();
		return;
	}
	shim_self->fail_one_in = 2;
	for (key = 0; key < nr; key++)
		while (blink_tree_insert(tree, key, ~key, NULL, GFP_KERNEL) ==
		       -ENOMEM)
			;
	shim_self->fail_one_in = 0;
	/* Where inner nodes are large they are seldom wanted. */
	if (BLINK_INNER_SLOTS < 8)
		EXPECT(tree_verified(tree).unindexed);
	shim_stay(0);
	for (key = nr / 2; key < nr; key++)
		EXPECT_ERASE(tree, key);
	shim_stay(NUMA_NO_NODE);
	nr /= 2;
	for (nid = 0; nid < shim_nodes; nid++)
		EXPECT_EQ(blink_tree_rebuild(tree, nid, GFP_KERNEL), 0);
	EXPECT_EQ(tree_verified(tree).unindexed, 0);
	expect_sound(tree);
	for (nid = 0; nid < shim_nodes; nid++) {
		shim_stay(nid);
		for (key = 0; key < nr; key++)
			EXPECT_FOUND(tree, key, ~key);
	}
	shim_stay(NUMA_NO_NODE);
	for (key = 0; key < nr; key++)
		EXPECT_ERASE(tree, key);
	expect_one_leaf(tree);
	blink_tree_destroy(tree);
}

/* All the memory there is takes some sleep to get. */
static void without_nowait(void)
{
	u64 nr = max(test_scale(20000), 5000ULL);
	int nid;

	tree = tree_filled(nr);
	shim_self->fail_nowait = true;
	for (nid = 0; tree->nr_indexes > 1 && nid < shim_nodes; nid++)
		EXPECT_EQ(blink_tree_rebuild(tree, nid, GFP_KERNEL), 0);
	EXPECT_EQ(tree_verified(tree).unindexed, 0);
	shim_self->fail_nowait = false;
	tree_end(tree);
}

static void rebuild_all_the_time(void)
{
	int nid = 0, ret;

	while (atomic_read(&finished) < THREADS - 1) {
		ret = blink_tree_rebuild(tree, nid, GFP_KERNEL);
		if (!EXPECT_EQ(ret, 0))
			return;
		nid = (nid + 1) % shim_nodes;
	}
}

/* A batch that takes several RCU read sections: the index may go in between. */
static void lookup_all(unsigned int id)
{
	static struct blink_tree_ioc_op ops[THREADS][KEYS];
	u64 n;

	for (n = 0; n < KEYS; n++)
		ops[id][n] = (struct blink_tree_ioc_op){
			.opcode = BLINK_TREE_OP_LOOKUP, .key = n * THREADS
		};
	blink_tree_batch(tree, ops[id], KEYS, GFP_KERNEL);
	for (n = 0; n < KEYS; n++) {
		EXPECT_EQ(ops[id][n].result, 0);
		EXPECT_EQ(ops[id][n].value, ~ops[id][n].key);
	}
}

/* Thread @id adds and removes the keys that are @id modulo THREADS. */
static void rebuild_or_mix(unsigned int id)
{
	u64 random = test_seed() + id, rounds = test_scale(100000), i, n, key;
	static bool present[THREADS][KEYS];
	int ret;

	if (!id) {
		rebuild_all_the_time();
		return;
	}
	memset(present[id], 0, sizeof(present[id]));
	for (i = 0; i < rounds && !test_failed(); i++) {
		n = random_below(&random, KEYS);
		key = n * THREADS + id;
		ret = present[id][n] ? blink_tree_erase(tree, key, NULL) :
				       blink_tree_insert(tree, key, ~key, NULL,
							 GFP_KERNEL);
		EXPECT_EQ(ret, 0);
		present[id][n] = !present[id][n];
		/* A key that no thread modifies is always found. */
		key = random_below(&random, KEYS) * THREADS;
		EXPECT_EQ(blink_tree_lookup(tree, key, &n), 0);
		EXPECT_EQ(n, ~key);
		if (!(i % 500))
			lookup_all(id);
	}
	test_did(2 * i);
	for (n = 0; n < KEYS; n++) {
		key = n * THREADS + id;
		ret = blink_tree_erase(tree, key, NULL);
		EXPECT_EQ(ret, present[id][n] ? 0 : -ENOENT);
	}
	atomic_inc(&finished);
}

static void in_use(void)
{
	u64 n;

	tree = tree_create();
	if (tree->nr_indexes == 1) {
		none_to_rebuild();
		return;
	}
	atomic_set(&finished, 0);
	for (n = 0; n < KEYS; n++)
		EXPECT_INSERT(tree, n * THREADS, ~(n * THREADS));
	run_threads(THREADS, rebuild_or_mix);
	expect_sound(tree);
	for (n = 0; n < KEYS; n++)
		EXPECT_ERASE(tree, n * THREADS);
	expect_one_leaf(tree);
	blink_tree_destroy(tree);
}

#ifdef SHIM_POINTS
#define FEW 40

static u64 points, stop_at;
static bool stopped;

/* Leaves die and are born, all memory is given back, and all keys looked for. */
static void live_on(void)
{
	struct blink_tree_ioc_verify report;
	u64 key, value;
	int nid;

	for (key = 0; key < FEW; key++)
		if (key % 8)
			EXPECT_ERASE(tree, key);
	EXPECT_EQ(blink_tree_verify(tree, &report), 0);
	rcu_barrier();
	for (nid = 0; nid < shim_nodes; nid++) {
		shim_stay(nid);
		for (key = 0; key < FEW; key++)
			EXPECT_EQ(blink_tree_lookup(tree, key, &value),
				  key % 8 ? -ENOENT : 0);
	}
	shim_stay(NUMA_NO_NODE);
	for (key = 0; key < FEW; key++)
		if (key % 8)
			EXPECT_INSERT(tree, key, ~key);
}

/* Where a thread may be preempted, all this may happen. */
static void at_point(void)
{
	if (stopped || shim_self->atomic || shim_self->rcu_depth ||
	    ++points != stop_at)
		return;
	stopped = true;
	live_on();
}

/* Rebuild an index, and be preempted at a point. False: there are not so many. */
static bool preempted_at(int nid, u64 point)
{
	u64 key, value;
	int ret;

	tree = tree_filled(FEW);
	points = 0;
	stop_at = point;
	stopped = tree->nr_indexes == 1;
	shim_hooks.point = at_point;
	ret = blink_tree_rebuild(tree, nid, GFP_KERNEL);
	shim_hooks.point = NULL;
	EXPECT_EQ(ret, tree->nr_indexes == 1 ? -ENODEV : 0);
	for (key = 0; key < FEW; key++)
		EXPECT_EQ(blink_tree_lookup(tree, key, &value), 0);
	tree_end(tree);
	return stop_at <= points;
}

static void preempted(void)
{
	u64 point;
	int nid;

	for (nid = 0; nid < shim_nodes; nid++)
		for (point = 1; preempted_at(nid, point); point++)
			;
}

#define RUNS 1500

/*
 * Two rebuild an index each. A search that is sent to an index finds it up until
 * its read section ends, whatever the two are at. It would not if the first one
 * let the second one begin before it has sent all searches home: the second one
 * sends those of its index elsewhere, and the first one sends them back.
 */
static void rebuild_or_ask(unsigned int id)
{
	struct blink_index *idx;
	unsigned int i;
	int ret;

	for (i = 0; id < 2 && i < 3; i += !ret) {
		ret = blink_tree_rebuild(tree, id, GFP_KERNEL);
		if (!EXPECT(!ret || ret == -EBUSY))
			break;
		cpu_relax();
	}
	if (id < 2)
		atomic_inc(&finished);
	while (atomic_read(&finished) < 2) {
		rcu_read_lock();
		idx = blink_tree_index(tree);
		cpu_relax();
		EXPECT(!blink_index_down(idx));
		rcu_read_unlock();
		cpu_relax();
	}
}

static void two_at_once(void)
{
	u64 random = test_seed(), points = 300, i;
	u64 runs = test_scale(RUNS);
	struct fiber_run run;

	tree = tree_filled(12);
	for (i = 0; tree->nr_indexes > 1 && i < runs && !test_failed(); i++) {
		atomic_set(&finished, 0);
		fibers_run(4, rebuild_or_ask, points, &random, &run);
		points = (points * 7 + run.points) / 8;
	}
	tree_end(tree);
}
#endif

static atomic_t reached;

/* Ascending keys, of which the lower halves descend. */
static blink_key_t nth_reached(u64 i)
{
	return blink_key_join(i, ~i);
}

static void reach_or_read(unsigned int id)
{
	unsigned int rounds = test_scale(2000000), i;
	struct blink_index *idx = &tree->index[0];
	/* The readers have begun by then. */
	bool rebuilds = id == THREADS - 1;

	for (i = 1; rebuilds && i <= rounds; i++) {
		blink_index_set_built(tree, idx, nth_reached(i));
		atomic_set_release(&reached, i);
	}
	if (rebuilds)
		atomic_set(&finished, 1);
	while (!atomic_read(&finished) && !test_failed()) {
		i = atomic_read_acquire(&reached);
		EXPECT(blink_index_built(idx) >= nth_reached(i));
	}
}

/*
 * The interleaving: a reader loads one half of the key before the rebuild goes on, and
 * the other half after it.
 */
static void read_meanwhile(void)
{
	tree = tree_create();
	atomic_set(&finished, 0);
	atomic_set(&reached, 0);
	run_threads(THREADS, reach_or_read);
	blink_index_set_built(tree, &tree->index[0], BLINK_BOUND_LAST);
	tree_end(tree);
}

const struct test TESTS(rebuild)[] = {
	{ "rebuild: what an index lacks is there again", at_rest,
	  .plain = true },
	{ "rebuild: memory is there for who sleeps only", without_nowait },
	{ "rebuild: indexes in use", in_use },
	{ "rebuild: readers see no less than was reached", read_meanwhile },
#ifdef SHIM_POINTS
	{ "rebuild: preempted at any point", preempted },
	{ "rebuild: two at once", two_at_once },
#endif
	{},
};
