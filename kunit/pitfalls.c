// SPDX-License-Identifier: GPL-2.0
/*
 * Bugs that other concurrent trees had, each as a test that would find it here.
 * Most of them are found by other suites as well; here each has its name, and
 * the least that it takes to make it happen.
 *
 * Elsewhere: memory.c has a split whose index entry is lost because there is no memory,
 * structure.c the leftmost leaf that is never freed, reclaim.c the freeing of a large
 * tree. Missing barriers need KCSAN or another CPU.
 */
#include <linux/delay.h>
#include <linux/rcupdate.h>

#include "orders.h"
#include "reader_checks.h"

/*
 * Key checks after every step
 */

#define FEW 90
/* A few leaves of them for each of some threads. */
#define MANY 900

/* Exactly the keys of which @there says so, seen by all kinds of readers. */
static void check_every_key(struct kunit *test, struct blink_tree *tree,
			    const bool *there, const char *when)
{
	struct blink_tree_entry entry;
	u64 key, value, last = 0;
	bool any = false;
	int ret;

	for (key = 0; key < FEW; key++) {
		if (!blink_tree_lookup(tree, key, &value) != there[key])
			fixture_fail_at(test, key, "wrong %s", when);
		if (there[key]) {
			any = true;
			last = key;
		}
		ret = blink_tree_floor(tree, key, &entry);
		if (!ret != any || (any && entry.key != last))
			fixture_fail_at(test, key, "wrong floor %s", when);
	}
}

/* Stale bounds or routes after a split: an insert goes to the wrong leaf. */
static void keys_around_every_separator(struct kunit *test)
{
	enum order order;

	for (order = 0; order < ORDER_NR; order++) {
		struct blink_tree *tree = fixture_tree(test);
		u64 *keys = order_keys(test, order, FEW);
		bool there[FEW] = {};
		unsigned int i;

		for (i = 0; i < FEW; i++) {
			fixture_fill(test, tree, keys[i], 1, 1);
			there[keys[i]] = true;
			check_every_key(test, tree, there, order_names[order]);
			cond_resched();
		}
	}
}

/* A low key that a merge left wrong: a reader takes the wrong node. */
static void keys_around_every_merge(struct kunit *test)
{
	enum order order;

	for (order = 0; order < ORDER_NR; order++) {
		struct blink_tree *tree = fixture_tree(test);
		u64 *keys = order_keys(test, order, FEW);
		bool there[FEW];
		unsigned int i;

		fixture_fill(test, tree, 0, 1, FEW);
		memset(there, true, sizeof(there));
		for (i = 0; i < FEW; i++) {
			blink_tree_erase(tree, keys[i], NULL);
			there[keys[i]] = false;
			check_every_key(test, tree, there, order_names[order]);
			cond_resched();
		}
		fixture_emptied(test, tree);
	}
}

/*
 * The last, and the first, child of an inner node dies. Mistakes are easy in two places:
 * the entry that is dropped, and the entry that gets the rest of the child's range.
 */
static void last_child_of_a_parent(struct kunit *test)
{
	static const enum order orders[] = { ORDER_DESCENDING, ORDER_ASCENDING,
					     ORDER_INSIDE_OUT };
	struct blink_tree_ioc_verify report;
	struct blink_tree_ioc_stats stats;
	struct fixture_shape shape;
	unsigned int i, n, keys;

	fixture_shape(test, &shape);
	/* Three levels, of half-full leaves. */
	keys = (shape.inner_slots / 2 + 2) * shape.leaf_slots;
	keys = max(keys, 400U);
	for (i = 0; i < ARRAY_SIZE(orders); i++) {
		struct blink_tree *tree = fixture_plain_tree(test);
		u64 *key = order_keys(test, orders[i], keys);
		u64 merges = 0;

		/* Descending: half-full leaves, so many of them. */
		fixture_fill(test, tree, keys - 1, -1, keys);
		KUNIT_ASSERT_GE(test, blink_tree_height(tree), 3);
		for (n = 0; n < keys; n++) {
			blink_tree_erase(tree, key[n], NULL);
			blink_tree_stats(tree, &stats);
			if (stats.merges == merges)
				continue;
			merges = stats.merges;
			if (blink_tree_verify(tree, &report))
				fixture_fail_at(test, key[n], "violation %u",
						report.violation);
			if (report.entries != keys - n - 1 || report.unindexed)
				fixture_fail_at(test, key[n],
						"%llu entries, %llu unindexed",
						report.entries,
						report.unindexed);
		}
		fixture_emptied(test, tree);
	}
}

/*
 * Readers beside merges and splits
 */

static void expect_work(struct kunit *test, struct blink_tree *tree,
			bool merges)
{
	struct blink_tree_ioc_stats stats;

	blink_tree_stats(tree, &stats);
	KUNIT_EXPECT_GT(test, stats.splits, 10);
	if (merges)
		KUNIT_EXPECT_GT(test, stats.merges, 10);
}

/*
 * A present key is reported absent, as its leaf was merged or its neighbour
 * borrowed from it; readers circle forever, as a node is dead before what
 * replaces it can be reached.
 */
static void reader_beside_merges(struct kunit *test)
{
	struct key_groups groups = {
		.nr = 2,
		.waves = max(world_work(120), 60UL),
	};
	struct blink_tree *tree = fixture_tree(test);
	struct threads *threads = threads_create(test, tree);

	groups_fill(test, tree, &groups);
	threads_lead(threads, 2, groups_churn, &groups);
	threads_follow(threads, world_cpus(), check_lookups, &groups);
	threads_run(threads);
	expect_work(test, tree, true);
}

static void insert_only(struct thread *me)
{
	const struct key_groups *groups = me->arg;
	u64 key, i;

	/* Each thread every nth key, in an order that hits every node. */
	for (i = 0; i < groups_keys(groups) && thread_goes_on(me); i++) {
		key = (i * 37 + me->id) % groups_keys(groups);
		if (!key_is_kept(key) && !key_is_never(key))
			blink_tree_insert(me->threads->tree, key,
					  fixture_value(key), NULL, GFP_KERNEL);
	}
}

static void run_inserts_only(struct kunit *test, thread_work_t reader)
{
	struct key_groups groups = { .nr = max(world_work(50), 50UL) };
	struct blink_tree *tree = fixture_tree(test);
	struct threads *threads = threads_create(test, tree);

	groups_fill(test, tree, &groups);
	threads_lead(threads, 2, insert_only, &groups);
	threads_follow(threads, world_cpus(), reader, &groups);
	threads_run(threads);
	expect_work(test, tree, false);
}

/* A present key is reported absent, as another one is being inserted. */
static void reader_beside_inserts(struct kunit *test)
{
	run_inserts_only(test, check_lookups);
}

/*
 * A scan goes on by the right link as it is now, not as it was when it read
 * the leaf: keys are seen twice. Small buffers make it resume in every leaf.
 */
static void scan_in_small_steps(struct thread *me)
{
	const struct key_groups *groups = me->arg;
	struct blink_tree_entry entries[3];
	u64 seen, expected;
	int n, i;

	while (thread_goes_on(me)) {
		struct blink_scan scan = { .first = 0, .last = U64_MAX };
		u64 last = 0;

		seen = 0;
		expected = groups_count(groups);
		while (!scan.done) {
			n = blink_tree_scan(me->threads->tree, &scan, entries,
					    1 + me->id % 3);
			for (i = 0; i < n; i++) {
				if (last && entries[i].key <= last)
					thread_fail(me, "%llu after %llu",
						    entries[i].key, last);
				last = entries[i].key;
				seen += key_is_kept(last);
			}
		}
		if (seen != expected)
			thread_fail(me, "%llu of %llu", seen, expected);
	}
}

static void scan_beside_splits(struct kunit *test)
{
	run_inserts_only(test, scan_in_small_steps);
}

/* Iterations over what changes all the time end, also in reverse. */
static void iterate_over_a_storm(struct thread *me)
{
	struct blink_cursor cursor;
	struct blink_tree_entry entry;
	unsigned int n = 0;

	while (thread_goes_on(me)) {
		n = 0;
		blink_tree_for_each_reverse(&cursor, me->threads->tree, &entry)
			n++;
		blink_tree_for_each(&cursor, me->threads->tree, &entry)
			n++;
		if (n > 2 * MANY)
			thread_fail(me, "%u keys of at most %u", n, 2 * MANY);
	}
}

/* Add every key of one's own, and erase it. */
static void come_and_go(struct thread *me)
{
	struct blink_tree *tree = me->threads->tree;
	u64 key;

	for (key = me->id; key < MANY; key += me->nr)
		blink_tree_insert(tree, key, fixture_value(key), NULL,
				  GFP_KERNEL);
	for (key = me->id; key < MANY; key += me->nr)
		if (blink_tree_erase(tree, key, NULL))
			thread_fail(me, "%llu lost", key);
}

/* On a busy host it may take long until threads meet. */
static bool merges_are_few(struct blink_tree *tree)
{
	struct blink_tree_ioc_stats stats;

	blink_tree_stats(tree, &stats);
	return stats.merges <= 10;
}

static void fill_and_empty(struct thread *me)
{
	const unsigned long *rounds = me->arg;
	unsigned long n;

	for (n = 0; thread_goes_on(me); n++) {
		if (n >= *rounds && !merges_are_few(me->threads->tree))
			break;
		if (n >= 50 * *rounds)
			break;
		come_and_go(me);
	}
}

static void iteration_ends(struct kunit *test)
{
	unsigned long rounds = world_work(120);
	struct blink_tree *tree = fixture_tree(test);
	struct threads *threads = threads_create(test, tree);

	threads_lead(threads, 2, fill_and_empty, &rounds);
	threads_follow(threads, world_cpus(), iterate_over_a_storm, NULL);
	threads_run(threads);
	fixture_emptied(test, tree);
	expect_work(test, tree, true);
}

/*
 * Writers beside merges and splits
 */

/**
 * struct visits - keys that come for a moment
 * @crowd: keys of each block that stay, enough to fill a leaf
 * @blocks: how many blocks there are
 * @rounds: visits of each thread
 */
struct visits {
	unsigned int crowd;
	unsigned int blocks;
	unsigned long rounds;
};

#define BLOCK 1000

static void visit(struct thread *me)
{
	const struct visits *visits = me->arg;
	struct blink_tree *tree = me->threads->tree;
	u64 key, value, old;
	unsigned long n;
	int ret;

	for (n = 0; n < visits->rounds && thread_goes_on(me); n++) {
		key = BLOCK * fixture_below(&me->rnd, visits->blocks) +
		      BLOCK / 2 + me->id;
		ret = blink_tree_insert(tree, key, n, NULL, GFP_KERNEL);
		if (ret)
			thread_fail(me, "insert %llu: %d", key, ret);
		ret = blink_tree_lookup(tree, key, &value);
		if (ret || value != n)
			thread_fail(me, "%llu was inserted: %d", key, ret);
		ret = blink_tree_erase(tree, key, &old);
		if (ret || old != n)
			thread_fail(me, "%llu was there: %d", key, ret);
		if (!blink_tree_lookup(tree, key, &value))
			thread_fail(me, "%llu was erased", key);
	}
}

static void run_visits(struct kunit *test, struct visits visits)
{
	struct blink_tree *tree = fixture_tree(test);
	struct threads *threads = threads_create(test, tree);
	unsigned int i;

	for (i = 0; i < visits.blocks; i++)
		fixture_fill(test, tree, BLOCK * i, 1, visits.crowd);
	threads_lead(threads, world_cpus(), visit, &visits);
	threads_run(threads);
	fixture_sound(test, tree, visits.blocks * visits.crowd);
}

/* A writer finds its leaf locked, waits, and modifies it when it is dead. */
static void writer_of_a_dead_node(struct kunit *test)
{
	run_visits(test, (struct visits){ .crowd = 3,
					  .blocks = 9,
					  .rounds = world_work(3000) });
}

/*
 * A leaf becomes empty between full ones, and is taken away, as a key comes to
 * it; or the writer stays in the left one of a split whose halves both empty.
 */
static void empty_leaf_beside_insert(struct kunit *test)
{
	struct fixture_shape shape;

	fixture_shape(test, &shape);
	run_visits(test, (struct visits){ .crowd = shape.leaf_slots,
					  .blocks = 3,
					  .rounds = world_work(3000) });
}

#define GROWN 5

/* It takes luck to find the tree empty: go on until there was some of it. */
static void fill_until_grown(struct thread *me)
{
	const unsigned long *rounds = me->arg;
	struct blink_tree_ioc_stats stats = {};
	unsigned long n;

	for (n = 0; n < *rounds || stats.root_grows < GROWN; n++) {
		if (n == 100 * *rounds || !thread_goes_on(me))
			break;
		come_and_go(me);
		if (n % 64 == 0)
			blink_tree_stats(me->threads->tree, &stats);
	}
}

/* The root is replaced while others replace it, as the tree is small again. */
static void root_comes_and_goes(struct kunit *test)
{
	unsigned long rounds = world_work(150);
	struct blink_tree *tree = fixture_tree(test);
	struct threads *threads = threads_create(test, tree);
	struct blink_tree_ioc_stats stats;

	threads_lead(threads, world_cpus(), fill_until_grown, &rounds);
	threads_run(threads);
	fixture_emptied(test, tree);
	blink_tree_stats(tree, &stats);
	KUNIT_EXPECT_GE(test, stats.root_grows, GROWN);
}

static void overwrite(struct thread *me)
{
	const struct key_groups *groups = me->arg;
	u64 key, old, n;

	for (n = 1; thread_goes_on(me); n++) {
		if (n > groups->waves && !merges_are_few(me->threads->tree))
			break;
		if (n > 50 * max(groups->waves, 800UL))
			break;
		for (key = me->id; key < groups_keys(groups);
		     key += KEY_GROUP) {
			if (blink_tree_replace(me->threads->tree, key, n,
					       &old) ||
			    (n > 1 && old != n - 1))
				thread_fail(me, "%llu: %llu of %llu is lost",
					    key, old, n - 1);
		}
	}
}

static void churn_forever(struct thread *me)
{
	while (thread_goes_on(me))
		groups_wave(me, me->arg);
}

/* A value is overwritten in a leaf just as it is copied to another one. */
static void update_lost_in_a_split(struct kunit *test)
{
	struct key_groups groups = { .nr = 6, .waves = world_work(800) };
	struct blink_tree *tree = fixture_plain_tree(test);
	struct threads *threads = threads_create(test, tree);

	groups_fill(test, tree, &groups);
	threads_lead(threads, KEPT_PER_GROUP, overwrite, &groups);
	threads_follow(threads, 2, churn_forever, &groups);
	threads_run(threads);
	expect_work(test, tree, true);
}

/*
 * Costs that operations must not have
 */

static void overwrite_a_leaf(struct thread *me)
{
	const unsigned long *rounds = me->arg;
	unsigned long n;

	for (n = 0; n < *rounds && thread_goes_on(me); n++)
		blink_tree_replace(me->threads->tree, n % FIXTURE_ONE_LEAF, n,
				   NULL);
}

static void read_a_leaf(struct thread *me)
{
	u64 key, value;

	while (thread_goes_on(me))
		for (key = 0; key < FIXTURE_ONE_LEAF; key++)
			if (blink_tree_lookup(me->threads->tree, key, &value))
				thread_fail(me, "%llu lost", key);
}

/*
 * The bug: lock and version are one word, so that each holder of the lock stops all
 * readers. (Stores would split the leaf after a while, as two of them meet there; so
 * this test replaces.)
 */
static void overwriting_disturbs_nobody(struct kunit *test)
{
	unsigned long rounds = world_work(8000);
	struct blink_tree *tree = fixture_plain_tree(test);
	struct threads *threads = threads_create(test, tree);
	struct blink_tree_ioc_stats stats;

	blink_tree_stats(tree, &stats);
	if (stats.replication == BLINK_TREE_REPLICATE_FULL)
		kunit_skip(test, "readers retry while copies are written");
	fixture_fill(test, tree, 0, 1, FIXTURE_ONE_LEAF);
	threads_lead(threads, 2, overwrite_a_leaf, &rounds);
	threads_follow(threads, world_cpus(), read_a_leaf, NULL);
	threads_run(threads);
	blink_tree_stats(tree, &stats);
	KUNIT_EXPECT_EQ(test, stats.read_retries, 0);
	KUNIT_EXPECT_EQ(test, stats.read_locks, 0);
	KUNIT_EXPECT_EQ(test, stats.right_hops, 0);
}

/* Every store leaves something for RCU to free. */
static void overwriting_leaves_nothing(struct kunit *test)
{
	struct blink_tree *tree = fixture_tree(test);
	struct blink_tree_ioc_stats before, after;
	u64 n, limbo;

	fixture_fill(test, tree, 0, 1, 1000);
	fixture_sound(test, tree, 1000);
	blink_tree_stats(tree, &before);
	/* No grace period ends in here. */
	rcu_read_lock();
	for (n = 0; n < 2000; n++)
		if (n % 2)
			blink_tree_store(tree, n % 1000, n, NULL, GFP_NOWAIT);
		else
			blink_tree_replace(tree, n % 1000, n, NULL);
	limbo = blink_tree_limbo(tree);
	rcu_read_unlock();
	blink_tree_stats(tree, &after);
	KUNIT_EXPECT_EQ(test, limbo, 0);
	KUNIT_EXPECT_EQ(test, after.bytes, before.bytes);
	KUNIT_EXPECT_EQ(test, after.splits, before.splits);
	KUNIT_EXPECT_EQ(test, after.merges, before.merges);
}

/*
 * The bug: a tree claims to use RCU, and waits for no reader. Here a reader stays in its
 * read section, so the nodes that die have to stay as well. The test waits far longer
 * than a grace period takes elsewhere.
 */
static void reader_holds_dead_nodes(struct kunit *test)
{
	struct blink_tree *tree = fixture_tree(test);
	struct fixture_shape shape;
	u64 key, at_once, later;
	struct blink_tree_ioc_stats stats;

	fixture_shape(test, &shape);
	fixture_fill(test, tree, 0, 1, 300);
	rcu_barrier();
	rcu_read_lock();
	for (key = 0; key < 300; key++)
		blink_tree_erase(tree, key, NULL);
	at_once = blink_tree_limbo(tree);
	mdelay(200);
	later = blink_tree_limbo(tree);
	rcu_read_unlock();
	blink_tree_stats(tree, &stats);
	KUNIT_EXPECT_GE(test, at_once, stats.merges * shape.leaf_bytes);
	KUNIT_EXPECT_EQ(test, later, at_once);
	fixture_emptied(test, tree);
}

FIXTURE_SUITE("pitfalls", KUNIT_CASE_SLOW(keys_around_every_separator),
	      KUNIT_CASE_SLOW(keys_around_every_merge),
	      KUNIT_CASE_SLOW(last_child_of_a_parent),
	      KUNIT_CASE_SLOW(reader_beside_merges),
	      KUNIT_CASE_SLOW(reader_beside_inserts),
	      KUNIT_CASE_SLOW(scan_beside_splits),
	      KUNIT_CASE_SLOW(iteration_ends),
	      KUNIT_CASE_SLOW(writer_of_a_dead_node),
	      KUNIT_CASE_SLOW(empty_leaf_beside_insert),
	      KUNIT_CASE_SLOW(root_comes_and_goes),
	      KUNIT_CASE_SLOW(update_lost_in_a_split),
	      KUNIT_CASE_SLOW(overwriting_disturbs_nobody),
	      KUNIT_CASE(overwriting_leaves_nothing),
	      KUNIT_CASE(reader_holds_dead_nodes));
