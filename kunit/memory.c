// SPDX-License-Identifier: GPL-2.0
/*
 * No memory: if an allocation fails, whichever it is, the operation either fails and
 * changes nothing, or succeeds. The tree is sound, and makes up for postponed work as
 * soon as there is memory.
 */
#include <linux/err.h>

#include "inject.h"
#include "short.h"
#include "reader_checks.h"

struct kind {
	const char *name;
	gfp_t gfp;
	enum order order;
};

static const struct kind kinds[] = {
	{ "GFP_NOWAIT, random", GFP_NOWAIT, ORDER_RANDOM },
	{ "GFP_NOWAIT, ascending", GFP_NOWAIT, ORDER_ASCENDING },
	{ "GFP_ATOMIC, descending", GFP_ATOMIC, ORDER_DESCENDING },
	{ "GFP_KERNEL, random", GFP_KERNEL, ORDER_RANDOM },
	{ "GFP_KERNEL, ascending", GFP_KERNEL, ORDER_ASCENDING },
};

KUNIT_ARRAY_PARAM_DESC(kind, kinds, name);

static void need_injection(struct kunit *test, gfp_t gfp)
{
	if (!inject_possible(gfp))
		kunit_skip(test, "no armed failslab, see kunit/run");
}

/* Overwrite everything: writers that come by put into the index what is not. */
static void repair(struct kunit *test, struct blink_tree *tree)
{
	struct blink_cursor cursor;
	struct blink_tree_entry entry;

	blink_tree_for_each(&cursor, tree, &entry) {
		if (blink_tree_store(tree, entry.key, entry.value, NULL,
				     GFP_KERNEL) != 1)
			fixture_fail_at(test, entry.key, "not there");
		cond_resched();
	}
}

/* All that is certain while memory is short: unindexed nodes are no error. */
static void check_entries(struct kunit *test, struct blink_tree *tree,
			  u64 entries)
{
	KUNIT_ASSERT_EQ(test, fixture_verified(test, tree).entries, entries);
	KUNIT_ASSERT_EQ(test, blink_tree_count(tree), entries);
}

/*
 * Insert a key, failing the first allocation, then the second, and so on until
 * there is none more to fail. Returns how many failed.
 */
static unsigned int insert_failing_each(struct kunit *test,
					struct blink_tree *tree, u64 key,
					gfp_t gfp)
{
	unsigned int n = 0;
	bool injected;
	u64 value;
	int ret;

	do {
		inject_nth(++n);
		ret = blink_tree_insert(tree, key, fixture_value(key), NULL,
					gfp | __GFP_NOWARN);
		injected = inject_end();
		if (ret && (ret != -ENOMEM || !injected))
			fixture_fail_at(test, key, "insert: %d", ret);
		if (!blink_tree_lookup(tree, key, &value) != !ret)
			fixture_fail_at(test, key, "half inserted");
		/* It may do without: take it out to fail the next one. */
		if (injected && !ret && blink_tree_erase(tree, key, NULL))
			fixture_fail_at(test, key, "not erased");
	} while (injected);
	return n - 1;
}

/* One allocation at a time fails: it is asked for again, or done without. */
static void each_allocation_fails(struct kunit *test)
{
	const unsigned int nr = fixture_three_levels(test);
	const struct kind *kind = test->param_value;
	struct blink_tree *tree = fixture_tree(test);
	unsigned int i, failures = 0;
	u64 *keys;

	need_injection(test, kind->gfp);
	keys = order_keys(test, kind->order, nr);
	for (i = 0; i < nr; i++) {
		failures += insert_failing_each(test, tree, keys[i], kind->gfp);
		if (i % 200 == 0)
			check_entries(test, tree, i + 1);
		cond_resched();
	}
	/* Each split takes a leaf at least. */
	KUNIT_EXPECT_GT(test, failures, 50);
	repair(test, tree);
	fixture_sound(test, tree, nr);
}

/* No memory at all: an operation that needs a node fails, and changes nothing. */
static void nothing_to_be_had(struct kunit *test)
{
	const unsigned int nr = fixture_three_levels(test);
	const struct kind *kind = test->param_value;
	struct blink_tree *tree = fixture_tree(test);
	unsigned int i, failures = 0;
	u64 *keys, value;
	int ret;

	short_need_arms(test);
	keys = order_keys(test, kind->order, nr);
	for (i = 0; i < nr; i++) {
		inject_from(1);
		ret = blink_tree_store(tree, keys[i], fixture_value(keys[i]),
				       NULL, kind->gfp | __GFP_NOWARN);
		inject_end();
		if (!ret)
			continue;
		if (ret != -ENOMEM || !blink_tree_lookup(tree, keys[i], &value))
			fixture_fail_at(test, keys[i], "store: %d", ret);
		if (failures++ % 20 == 0)
			check_entries(test, tree, i);
		fixture_fill(test, tree, keys[i], 1, 1);
	}
	KUNIT_EXPECT_GT(test, failures, 50);
	fixture_sound(test, tree, nr);
}

static void check_all_readers(struct kunit *test, struct blink_tree *tree,
			      unsigned int nr)
{
	struct blink_tree_entry entry;
	struct blink_cursor cursor;
	u64 key, value, n = 0;

	for (key = 0; key < nr; key++) {
		if (blink_tree_lookup(tree, key, &value) ||
		    value != fixture_value(key))
			fixture_fail_at(test, key, "lost");
		if (blink_tree_floor(tree, key, &entry) || entry.key != key)
			fixture_fail_at(test, key, "no floor");
	}
	blink_tree_for_each_reverse(&cursor, tree, &entry)
		n++;
	KUNIT_EXPECT_EQ(test, n, nr);
}

/*
 * Leaves, but no inner node: they are a list without an index. Or an inner node for its
 * split, but none for the level above: no third level.
 */
static void check_waiting(struct kunit *test, enum order order,
			  unsigned int inner)
{
	const unsigned int nr = fixture_three_levels(test);
	struct blink_tree *tree = fixture_plain_tree(test);
	struct blink_tree_ioc_verify report;
	u64 nodes;

	short_need_arms(test);
	short_need_one_index(test, tree);
	short_hold(tree);
	short_of_inner(test, tree, order, nr, inner);
	check_entries(test, tree, nr);
	KUNIT_ASSERT_EQ(test, blink_tree_verify(tree, &report), 0);
	KUNIT_EXPECT_EQ(test, report.height, 1 + inner);
	nodes = inner ? report.inner : report.leaves;
	KUNIT_EXPECT_GT(test, nodes, inner ? 1 : nr / 65);
	KUNIT_EXPECT_EQ(test, report.unindexed, nodes - 1);
	KUNIT_EXPECT_GT(test, fixture_stats(tree).posts_deferred, 0);
	check_all_readers(test, tree, nr);

	repair(test, tree);
	fixture_sound(test, tree, nr);
	KUNIT_EXPECT_GE(test, blink_tree_height(tree), 3);
	check_all_readers(test, tree, nr);
}

static void leaves_wait_for_memory(struct kunit *test)
{
	check_waiting(test, ORDER_RANDOM, 0);
}

static void inner_nodes_wait_for_memory(struct kunit *test)
{
	check_waiting(test, ORDER_DESCENDING, 1);
}

/* Nodes that the level above does not know of merge and die like others. */
static void erase_while_they_wait(struct kunit *test)
{
	const unsigned int nr = fixture_three_levels(test);
	static const enum order orders[] = { ORDER_RANDOM, ORDER_DESCENDING,
					     ORDER_ASCENDING };
	unsigned int inner, i, n;
	struct blink_tree *tree;
	u64 *keys;

	short_need_arms(test);
	for (i = 0; i < 2 * ARRAY_SIZE(orders); i++) {
		inner = i % 2;
		tree = fixture_tree(test);
		short_need_one_index(test, tree);
		short_hold(tree);
		short_of_inner(test, tree, ORDER_DESCENDING, nr, inner);
		check_entries(test, tree, nr);
		keys = order_keys(test, orders[i / 2], nr);
		for (n = 0; n < nr; n++)
			if (blink_tree_erase(tree, keys[n], NULL))
				fixture_fail_at(test, keys[n], "not erased");
		fixture_emptied(test, tree);
	}
}

/* A failed insertion does not count towards the limit of the tree. */
static void limit_is_not_eaten(struct kunit *test)
{
	struct blink_tree_params params = { .max_entries = 200 };
	struct blink_tree *tree = fixture_tree_with(test, &params);
	unsigned int failures = 0;
	u64 key;
	int ret;

	short_need_arms(test);
	for (key = 0; key < 200; key++) {
		inject_from(1);
		ret = blink_tree_insert(tree, key, fixture_value(key), NULL,
					GFP_NOWAIT | __GFP_NOWARN);
		inject_end();
		if (!ret)
			continue;
		failures++;
		fixture_fill(test, tree, key, 1, 1);
	}
	KUNIT_EXPECT_GT(test, failures, 0);
	KUNIT_EXPECT_EQ(test, blink_tree_insert(tree, key, 0, NULL, GFP_KERNEL),
			-ENOSPC);
	fixture_sound(test, tree, 200);
}

static void batch_without_memory(struct kunit *test)
{
	struct blink_tree *tree = fixture_plain_tree(test);
	struct blink_tree_ioc_op *ops;
	unsigned int i, failures = 0;
	const unsigned int nr = 200;

	short_need_arms(test);
	ops = fixture_alloc(test, nr, sizeof(*ops));
	for (i = 0; i < nr; i++) {
		ops[i].opcode = i % 2 ? BLINK_TREE_OP_LOOKUP :
					BLINK_TREE_OP_INSERT;
		ops[i].key = i / 2;
	}
	inject_from(1);
	blink_tree_batch(tree, ops, nr, GFP_NOWAIT | __GFP_NOWARN);
	inject_end();
	for (i = 0; i < nr; i += 2) {
		if (ops[i].result && ops[i].result != -ENOMEM)
			fixture_fail_at(test, i / 2, "%d", ops[i].result);
		if (!ops[i].result != !ops[i + 1].result)
			fixture_fail_at(test, i / 2, "%d, then %d",
					ops[i].result, ops[i + 1].result);
		failures += !!ops[i].result;
	}
	KUNIT_EXPECT_GT(test, failures, 0);
	fixture_sound(test, tree, nr / 2 - failures);
}

static void create_fails(struct kunit *test)
{
	struct blink_tree_params params = world_params(test);
	struct blink_tree *tree;
	unsigned int n = 0;
	bool injected;

	need_injection(test, GFP_NOWAIT);
	do {
		inject_nth(++n);
		tree = blink_tree_create(&params, GFP_NOWAIT | __GFP_NOWARN);
		injected = inject_end();
		KUNIT_ASSERT_NOT_NULL(test, tree);
		if (!IS_ERR(tree)) {
			blink_tree_destroy(tree);
			continue;
		}
		KUNIT_EXPECT_EQ(test, PTR_ERR(tree), -ENOMEM);
		KUNIT_ASSERT_TRUE(test, injected);
	} while (injected);
	/* The tree itself and its first leaf, at least. */
	KUNIT_EXPECT_GT(test, n, 2);
}

static void verify_fails(struct kunit *test)
{
	struct blink_tree *tree = fixture_tree(test);
	struct blink_tree_level_stats row;
	struct blink_tree_ioc_verify report;
	unsigned int nr;
	int ret;

	short_need_arms(test);
	fixture_fill(test, tree, 0, 1, 100);
	inject_from(1);
	ret = blink_tree_verify(tree, &report);
	nr = blink_tree_levels(tree, &row, 1);
	inject_end();
	KUNIT_EXPECT_EQ(test, ret, -ENOMEM);
	KUNIT_EXPECT_EQ(test, nr, 0);
}

/*
 * Everybody's allocations fail at random: nodes stay out of the index for a
 * while, and others find, post, split and merge them.
 */
static void churn_short_of_memory(struct thread *me)
{
	const struct key_groups *groups = me->arg;
	unsigned long n;
	u64 key;
	int ret;

	for (n = 0; n < groups->waves && thread_goes_on(me); n++) {
		key = fixture_below(&me->rnd, groups_keys(groups));
		if (key_is_kept(key) || key_is_never(key))
			continue;
		inject_nth(1 + fixture_below(&me->rnd, 3));
		if (n / 2000 % 2)
			ret = blink_tree_erase(me->threads->tree, key, NULL);
		else
			ret = blink_tree_insert(me->threads->tree, key,
						fixture_value(key), NULL,
						GFP_NOWAIT | __GFP_NOWARN);
		inject_end();
		if (ret && ret != -ENOMEM && ret != -EEXIST && ret != -ENOENT)
			thread_fail(me, "key %llu: %d", key, ret);
	}
}

static void storm_short_of_memory(struct kunit *test)
{
	struct key_groups groups = { .nr = 24, .waves = world_work(10000) };
	struct blink_tree *tree = fixture_tree(test);
	struct threads *threads;
	u64 key;

	need_injection(test, GFP_NOWAIT);
	threads = threads_create(test, tree);
	groups_fill(test, tree, &groups);
	threads_lead(threads, world_cpus() - 1, churn_short_of_memory, &groups);
	threads_follow(threads, 1, check_lookups, &groups);
	threads_follow(threads, 1, check_scans, &groups);
	threads_follow(threads, 1, check_verify, &groups);
	threads_run(threads);
	repair(test, tree);
	check_entries(test, tree, blink_tree_count(tree));
	for (key = 0; key < groups_keys(&groups) + KEPT_PER_GROUP; key++)
		blink_tree_erase(tree, key, NULL);
	fixture_emptied(test, tree);
}

FIXTURE_SUITE("memory",
	      FIXTURE_PARAM_SLOW(each_allocation_fails, kind_gen_params),
	      FIXTURE_PARAM_SLOW(nothing_to_be_had, kind_gen_params),
	      KUNIT_CASE_SLOW(leaves_wait_for_memory),
	      KUNIT_CASE_SLOW(inner_nodes_wait_for_memory),
	      KUNIT_CASE_SLOW(erase_while_they_wait),
	      KUNIT_CASE(limit_is_not_eaten), KUNIT_CASE(batch_without_memory),
	      KUNIT_CASE(create_fails), KUNIT_CASE(verify_fails),
	      KUNIT_CASE_SLOW(storm_short_of_memory));

/* The one test of these to which the mode makes a difference. */
#define EACH FIXTURE_PARAM_SLOW(each_allocation_fails, kind_gen_params)

FIXTURE_SUITE("memory-inner", EACH);
FIXTURE_SUITE("memory-full", EACH);
FIXTURE_SUITE("memory-compress", EACH);
FIXTURE_SUITE("memory-u128-inner", EACH);
FIXTURE_SUITE("memory-bytes-full", EACH);
