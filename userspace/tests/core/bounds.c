// SPDX-License-Identifier: GPL-2.0
/*
 * What one call does at most, whatever others do meanwhile: each test has the
 * others do as much as they can, at every point where they could.
 */
#include <linux/topology.h>

#include "core/index/queue.h"
#include "core/index/tell.h"
#include "core/node/locking.h"
#include "test.h"

#ifdef SHIM_POINTS
static struct blink_tree *tree;

#define KEYS 200

static void fill(void)
{
	u64 key;

	tree = tree_create();
	for (key = 0; key < KEYS; key++)
		EXPECT_EQ(blink_tree_insert(tree, key, ~key, NULL, GFP_KERNEL),
			  0);
}

/* A producer that does not come to an end by itself has done so many. */
#define PRODUCED_MAX 100000

static struct blink_node *second_leaf;
static unsigned int produced, at_a_time;

/*
 * A producer, wherever the thread holds no lock: it tells the indexes of a leaf
 * that they have, which changes nothing.
 */
static void produce(void)
{
	const struct blink_record record = {
		.leaf = second_leaf,
		.low = second_leaf->low,
	};
	static bool inside;
	unsigned int n;

	if (inside || shim_holds_locks())
		return;
	inside = true;
	for (n = at_a_time; n && produced < PRODUCED_MAX; n--) {
		if (!blink_queue_tell(tree, &record))
			break;
		produced++;
	}
	inside = false;
}

static void begin_to_produce(unsigned int nr)
{
	struct blink_node *leaf = rcu_access_pointer(tree->index->root);

	while (leaf->level)
		leaf = blink_inner_child(leaf, 0);
	second_leaf = blink_node_primary(rcu_access_pointer(leaf->right));
	produced = 0;
	at_a_time = nr;
	shim_hooks.point = produce;
}

static void end_producing(void)
{
	shim_hooks.point = NULL;
	EXPECT(produced);
	EXPECT(produced < PRODUCED_MAX);
}

/*
 * The interleaving: each time that the applier has applied a burst and let go of
 * its lock, a producer adds a record. What is applied is what was told when the
 * call began: it ends.
 */
static void applies_what_was_told(void)
{
	struct blink_index *idx;
	unsigned long head;

	fill();
	if (tree->queue) {
		begin_to_produce(1);
		head = READ_ONCE(tree->queue->head);
		blink_tell_all(tree, GFP_KERNEL);
		end_producing();
		for_each_blink_index(idx, tree)
			EXPECT(blink_queue_reader(tree, idx)->applied - head <
			       BLINK_QUEUE_RECORDS);
	}
	expect_sound(tree);
	blink_tree_destroy(tree);
}

/*
 * The interleaving: producers fill the queue each time that an eraser has let the
 * indexes catch up, before it has locked the two leaves again that it would merge.
 * The key is gone, and merging can wait: the call ends.
 */
static void merge_waits_for_no_room(void)
{
	struct blink_tree_ioc_stats stats;
	u64 key;

	fill();
	if (tree->queue) {
		begin_to_produce(BLINK_QUEUE_RECORDS);
		for (key = KEYS / 2; key < KEYS / 2 + 20; key++)
			EXPECT_EQ(blink_tree_erase(tree, key, NULL), 0);
		end_producing();
		blink_tree_stats(tree, &stats);
		EXPECT(stats.merges_deferred);
	}
	expect_sound(tree);
	blink_tree_destroy(tree);
}

#define MANY 1000

static u64 split_key, most_locks, most_hops;
static unsigned int splits;

static u64 hops(void)
{
	struct blink_tree_ioc_stats stats;

	blink_tree_stats(tree, &stats);
	return stats.right_hops;
}

/* Add keys at the end, where the builder comes last; count the locks and hops. */
static void split_far_away(void)
{
	static bool inside;
	u64 locks, before;

	if (inside || shim_self->atomic || shim_self->rcu_depth ||
	    random_below(&shim_self->random, 8))
		return;
	inside = true;
	locks = shim_self->locks;
	before = hops();
	EXPECT_EQ(blink_tree_insert(tree, split_key, ~split_key, NULL,
				    GFP_KERNEL),
		  0);
	split_key++;
	splits++;
	most_locks = max(most_locks, shim_self->locks - locks);
	most_hops = max(most_hops, hops() - before);
	inside = false;
}

/*
 * The interleaving: an index is rebuilt and up again, so that splits are told to
 * it, but its builder has entered the first leaves only. A writer splits the last
 * leaf then. It must not pass all leaves in between to find where to enter the new
 * one, whether it locks them or reads them only: softirqs are off.
 */
static void split_during_rebuild(void)
{
	struct blink_tree_ioc_verify report;
	u64 key, value;
	int nid;

	tree = tree_create();
	for (key = 0; key < MANY; key++)
		EXPECT_EQ(blink_tree_insert(tree, key, ~key, NULL, GFP_KERNEL),
			  0);
	split_key = MANY;
	splits = 0;
	most_locks = 0;
	most_hops = 0;
	for (nid = 0; tree->nr_indexes > 1 && nid < shim_nodes; nid++) {
		shim_hooks.point = split_far_away;
		EXPECT_EQ(blink_tree_rebuild(tree, nid, GFP_KERNEL), 0);
		shim_hooks.point = NULL;
	}
	EXPECT(tree->nr_indexes == 1 || splits > 50);
	/* Those of each level and index, or of all records that one call applies. */
	EXPECT(most_locks < (tree->queue ? 8 * BLINK_QUEUE_RECORDS : 100));
	EXPECT(most_hops < 100);
	EXPECT_EQ(blink_tree_verify(tree, &report), 0);
	EXPECT_EQ(report.unindexed, 0);
	for (nid = 0; nid < shim_nodes; nid++) {
		shim_stay(nid);
		for (key = 0; key < split_key; key += 97)
			EXPECT_EQ(blink_tree_lookup(tree, key, &value), 0);
	}
	shim_stay(NUMA_NO_NODE);
	expect_sound(tree);
	blink_tree_destroy(tree);
}

/* Leaves without a key that a floor or ceiling has to pass, and more than it sees. */
#define EMPTY 40

/* Empty leaves as erasers do that have not merged them yet. */
static void empty_leaves(struct blink_node *leaf, unsigned int nr)
{
	unsigned long flags;

	for (; nr; nr--) {
		leaf = blink_node_primary(rcu_access_pointer(leaf->right));
		flags = blink_writer_begin(tree);
		blink_lock(&leaf->lock);
		while (leaf->count) {
			blink_node_remove(leaf, 0, 1);
			blink_stat_inc(tree, erases);
		}
		blink_node_unlock(tree, leaf);
		blink_writer_end(tree, flags);
	}
}

static int (*const beyond[])(struct blink_tree *tree, blink_key_t key,
			     struct blink_tree_entry *entry) = {
	blink_tree_ceiling,
	blink_tree_floor,
	blink_tree_pop_min,
	blink_tree_pop_max,
};

/*
 * The interleaving: many erasers have each emptied a leaf, and none of them runs,
 * or merging was put off because the queue of records was full. A floor or ceiling
 * sees sixteen leaves at a time, or locks two: neither comes to the other end. It
 * takes the empty leaves out of its way, and so does a pop.
 */
static void nearest_beyond_empty_leaves(void)
{
	struct blink_tree_entry entry;
	struct blink_node *leaf;
	unsigned int round;
	u64 last;

	for (round = 0; round < 4; round++) {
		fill();
		leaf = rcu_access_pointer(tree->index->root);
		while (leaf->level)
			leaf = blink_inner_child(leaf, 0);
		leaf = blink_node_primary(leaf);
		last = leaf->high;
		empty_leaves(leaf, EMPTY);
		EXPECT_EQ(beyond[round](tree,
					last + (round % 2 ? 2 * EMPTY : 1),
					&entry),
			  0);
		EXPECT(round % 2 ? entry.key == last :
				   entry.key > last + EMPTY);
		EXPECT_EQ(entry.value, ~entry.key);
		expect_sound(tree);
		blink_tree_destroy(tree);
	}
}

static struct blink_index *taken_down;
static unsigned int points, down_at;

/* As blink_tree_rebuild() does on another CPU, and an eraser on a third one. */
static void take_down_and_erase(void)
{
	static bool inside;
	u64 key;

	if (inside || !shim_self->rcu_depth || shim_self->atomic ||
	    ++points != down_at)
		return;
	inside = true;
	WRITE_ONCE(taken_down->down, true);
	for (key = 20; key < 100; key++)
		EXPECT_EQ(blink_tree_erase(tree, key, NULL), 0);
	inside = false;
}

/*
 * The interleaving: a verification is in an RCU read section and goes through an
 * index, which is then set down, so that it is not told that a leaf dies; the leaf
 * dies. What still leads to it is no violation.
 */
static bool verified_while_taken_down(unsigned int at)
{
	struct blink_tree_ioc_verify report;
	bool was_down = false;

	fill();
	points = 0;
	down_at = at;
	if (tree->nr_indexes > 1 && !tree->queue) {
		shim_stay(0);
		taken_down = &tree->index[1];
		shim_hooks.point = take_down_and_erase;
		EXPECT_EQ(blink_tree_verify(tree, &report), 0);
		shim_hooks.point = NULL;
		was_down = taken_down->down;
		EXPECT_EQ(blink_tree_rebuild(tree, taken_down->nid, GFP_KERNEL),
			  0);
		shim_stay(NUMA_NO_NODE);
	}
	expect_sound(tree);
	blink_tree_destroy(tree);
	return was_down;
}

static void verify_during_rebuild(void)
{
	unsigned int at = 1;

	while (verified_while_taken_down(at) && !test_failed())
		at += 7;
}
#endif

const struct test TESTS(bounds)[] = {
#ifdef SHIM_POINTS
	{ "bounds: a split while an index is rebuilt", split_during_rebuild,
	  .plain = true },
	{ "bounds: the nearest key beyond empty leaves",
	  nearest_beyond_empty_leaves, .plain = true },
	{ "bounds: a verification while an index goes down",
	  verify_during_rebuild },
	{ "bounds: records are applied as far as told", applies_what_was_told },
	{ "bounds: a merge waits for no room in the queue",
	  merge_waits_for_no_room, .plain = true },
#endif
	{}
};
