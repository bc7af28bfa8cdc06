// SPDX-License-Identifier: GPL-2.0
/* The fixture of all suites; see fixture.h. */
#include <linux/err.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "fixture.h"
#include "keys_bytes.h"

/* Zeroed memory that is freed with the test. */
void *fixture_alloc(struct kunit *test, size_t nr, size_t size)
{
	void *p = kunit_kcalloc(test, nr, size, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, p);
	return p;
}

struct owned_tree {
	struct kunit *test;
	struct blink_tree *tree;
};

static void verify_and_destroy(void *data)
{
	struct owned_tree *own = data;
	struct blink_tree_ioc_verify report;
	int ret;

	ret = blink_tree_verify(own->tree, &report);
	if (ret)
		KUNIT_FAIL(own->test,
			   "verify: %d, violation %u, level %u, low key %llu",
			   ret, report.violation, report.level, report.key);
	blink_tree_destroy(own->tree);
}

static struct blink_tree *tree_of(struct kunit *test,
				  const struct blink_tree_params *params)
{
	struct owned_tree *own;
	int ret;

	own = fixture_alloc(test, 1, sizeof(*own));
	own->test = test;
	own->tree = blink_tree_create(params, GFP_KERNEL);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, own->tree);
	ret = kunit_add_action_or_reset(test, verify_and_destroy, own);
	KUNIT_ASSERT_EQ(test, ret, 0);
	return own->tree;
}

/*
 * A tree with these parameters, but for what the mode says, which is verified and
 * destroyed with the test.
 */
struct blink_tree *fixture_tree_with(struct kunit *test,
				     const struct blink_tree_params *params)
{
	struct blink_tree_params all = world_params(test);

	all.flags |= params->flags;
	all.key = params->key;
	all.release = params->release;
	/* Only leaves with keys and values of 64 bits can be compressed. */
	if (all.key != BLINK_TREE_KEY_U64 || all.flags & BLINK_TREE_BYTE_VALUES)
		all.flags &= ~BLINK_TREE_COMPRESS;
	all.max_entries = params->max_entries;
	all.max_bytes = params->max_bytes;
	all.locking = max(all.locking, params->locking);
	return tree_of(test, &all);
}

/* The same with the defaults. */
struct blink_tree *fixture_tree(struct kunit *test)
{
	struct blink_tree_params params = world_params(test);

	return tree_of(test, &params);
}

/* The same whose leaves all have the same number of slots. */
struct blink_tree *fixture_plain_tree(struct kunit *test)
{
	struct blink_tree_params params = world_params(test);

	params.flags &= ~BLINK_TREE_COMPRESS;
	return tree_of(test, &params);
}

/* Add up the rows of one level from blink_tree_levels(), over the NUMA nodes. */
void fixture_level(struct kunit *test, struct blink_tree *tree,
		   unsigned int level, struct blink_tree_level_stats *sum)
{
	struct blink_tree_level_stats *rows;
	unsigned int nr, i;

	rows = fixture_alloc(test, FIXTURE_LEVEL_ROWS, sizeof(*rows));
	nr = blink_tree_levels(tree, rows, FIXTURE_LEVEL_ROWS);
	KUNIT_ASSERT_GT(test, nr, 0);
	*sum = (struct blink_tree_level_stats){ .level = level };
	for (i = 0; i < nr; i++) {
		if (rows[i].level != level)
			continue;
		sum->nodes += rows[i].nodes;
		sum->bytes += rows[i].bytes;
		sum->used += rows[i].used;
		sum->slots += rows[i].slots;
	}
	kunit_kfree(test, rows);
}

/* Find out how large nodes are. */
void fixture_shape(struct kunit *test, struct fixture_shape *shape)
{
	struct blink_tree *tree = fixture_plain_tree(test);
	struct blink_tree_level_stats leaf, inner;
	u64 key = 0;

	while (blink_tree_height(tree) < 2 && key < 4096)
		fixture_fill(test, tree, key++, 1, 1);
	fixture_level(test, tree, 0, &leaf);
	fixture_level(test, tree, 1, &inner);
	KUNIT_ASSERT_GT(test, inner.nodes, 0);
	shape->leaf_slots = leaf.slots / leaf.nodes;
	shape->leaf_bytes = leaf.bytes / leaf.nodes;
	shape->inner_slots = inner.slots / inner.nodes;
	shape->inner_bytes = inner.bytes / inner.nodes;
}

/*
 * Keys that are enough for three levels: full leaves would fill an inner node, and a
 * bit; more where nodes are tiny.
 */
unsigned int fixture_three_levels(struct kunit *test)
{
	struct fixture_shape shape;

	fixture_shape(test, &shape);
	return max((shape.inner_slots + 3) * shape.leaf_slots, 800U);
}

/* Insert @nr keys with their fixture_value(); they wrap modulo 2^64. */
void fixture_fill(struct kunit *test, struct blink_tree *tree, u64 first,
		  u64 step, u64 nr)
{
	u64 key = first;
	int ret;

	for (; nr; nr--, key += step) {
		ret = blink_tree_insert(tree, key, fixture_value(key), NULL,
					GFP_KERNEL);
		if (ret)
			fixture_fail_at(test, key, "insert: %d", ret);
		cond_resched();
	}
}

static void call_pop(struct blink_tree *tree, struct blink_tree_ioc_op *op)
{
	struct blink_tree_entry entry = { op->key, op->old };

	if (op->opcode == BLINK_TREE_OP_POP_MIN)
		op->result = blink_tree_pop_min(tree, op->key, &entry);
	else
		op->result = blink_tree_pop_max(tree, op->key, &entry);
	op->key = entry.key;
	op->old = entry.value;
}

/* Execute an operation, as blink_tree_op() does, by the function made for it. */
void fixture_call(struct blink_tree *tree, struct blink_tree_ioc_op *op)
{
	struct blink_tree_entry entry = { op->key, op->value };
	u64 value = op->value;

	switch (op->opcode) {
	case BLINK_TREE_OP_LOOKUP:
		op->result = blink_tree_lookup(tree, op->key, &op->value);
		return;
	case BLINK_TREE_OP_INSERT:
		op->result = blink_tree_insert(tree, op->key, op->value,
					       &op->old, GFP_KERNEL);
		return;
	case BLINK_TREE_OP_STORE:
		op->result = blink_tree_store(tree, op->key, op->value,
					      &op->old, GFP_KERNEL);
		return;
	case BLINK_TREE_OP_ADD:
		op->result = blink_tree_add(tree, op->key, op->value, &op->old,
					    GFP_KERNEL);
		return;
	case BLINK_TREE_OP_ADD_SATURATE:
		op->result = blink_tree_add_saturate(tree, op->key, op->value,
						     &op->old, GFP_KERNEL);
		return;
	case BLINK_TREE_OP_REPLACE:
		op->result =
			blink_tree_replace(tree, op->key, op->value, &op->old);
		return;
	case BLINK_TREE_OP_ERASE:
		op->result = blink_tree_erase(tree, op->key, &op->old);
		return;
	case BLINK_TREE_OP_CMPXCHG:
		op->result =
			blink_tree_cmpxchg(tree, op->key, &op->old, op->value);
		return;
	case BLINK_TREE_OP_GET_OR_INSERT:
		op->result = blink_tree_get_or_insert(tree, op->key, &value,
						      GFP_KERNEL);
		if (op->result == 1)
			op->old = value;
		return;
	case BLINK_TREE_OP_FLOOR:
		op->result = blink_tree_floor(tree, op->key, &entry);
		break;
	case BLINK_TREE_OP_CEILING:
		op->result = blink_tree_ceiling(tree, op->key, &entry);
		break;
	case BLINK_TREE_OP_POP_MIN:
	case BLINK_TREE_OP_POP_MAX:
		call_pop(tree, op);
		return;
	default:
		blink_tree_op(tree, op, GFP_KERNEL);
		return;
	}
	op->key = entry.key;
	op->value = entry.value;
}

/* The report of a tree without violations. */
struct blink_tree_ioc_verify fixture_verified(struct kunit *test,
					      struct blink_tree *tree)
{
	struct blink_tree_ioc_verify report;

	KUNIT_ASSERT_EQ(test, blink_tree_verify(tree, &report), 0);
	return report;
}

static u64 bytes_of_levels(struct kunit *test, struct blink_tree *tree)
{
	unsigned int level = blink_tree_height(tree);
	struct blink_tree_level_stats sum;
	u64 bytes = 0;

	while (level--) {
		fixture_level(test, tree, level, &sum);
		bytes += sum.bytes;
	}
	return bytes;
}

/* Check a tree at rest by each call that reports on it. */
void fixture_content(struct kunit *test, struct blink_tree *tree, u64 entries)
{
	struct blink_tree_ioc_verify report;
	struct blink_tree_ioc_stats stats;

	KUNIT_ASSERT_EQ(test, blink_tree_verify(tree, &report), 0);
	KUNIT_EXPECT_EQ(test, report.violation, BLINK_TREE_OK);
	KUNIT_EXPECT_EQ(test, report.entries, entries);
	KUNIT_EXPECT_EQ(test, report.height, blink_tree_height(tree));
	KUNIT_EXPECT_EQ(test, blink_tree_count(tree), entries);

	blink_tree_barrier();
	blink_tree_stats(tree, &stats);
	KUNIT_EXPECT_EQ(test, report.unindexed, 0);
	KUNIT_EXPECT_EQ(test, stats.entries, entries);
	KUNIT_EXPECT_EQ(test, stats.inserts - stats.erases, entries);
	KUNIT_EXPECT_EQ(test, stats.limbo_bytes, 0);
}

/* Compare the memory of a tree with that of its nodes; the rest has strings. */
static void expect_bytes(struct kunit *test,
			 const struct blink_tree_ioc_stats *stats, u64 nodes)
{
	if (stats->key != BLINK_TREE_KEY_BYTES) {
		KUNIT_EXPECT_EQ(test, stats->bytes, nodes);
		return;
	}
	KUNIT_EXPECT_GE(test, stats->bytes,
			nodes + stats->entries * FIXTURE_STRING_MIN);
	if (!stats->entries)
		KUNIT_EXPECT_LE(test, stats->bytes,
				nodes + keys_bytes_kept(stats));
}

/* fixture_content(), and that all memory is in nodes and strings. */
void fixture_sound(struct kunit *test, struct blink_tree *tree, u64 entries)
{
	struct blink_tree_ioc_stats stats;

	fixture_content(test, tree, entries);
	blink_tree_stats(tree, &stats);
	expect_bytes(test, &stats, bytes_of_levels(test, tree));
}

/* Check that a tree without keys is one leaf again. */
void fixture_emptied(struct kunit *test, struct blink_tree *tree)
{
	struct blink_tree_level_stats leaf;
	struct blink_tree_ioc_verify report;
	struct blink_tree_ioc_stats stats;

	fixture_sound(test, tree, 0);
	KUNIT_ASSERT_EQ(test, blink_tree_verify(tree, &report), 0);
	KUNIT_EXPECT_EQ(test, report.height, 1);
	KUNIT_EXPECT_EQ(test, report.leaves, 1);
	KUNIT_EXPECT_EQ(test, report.inner, 0);

	fixture_level(test, tree, 0, &leaf);
	blink_tree_stats(tree, &stats);
	/* Its copies are nodes too. */
	if (stats.replication == BLINK_TREE_REPLICATE_FULL)
		KUNIT_EXPECT_EQ(test, leaf.nodes, stats.indexes);
	else
		KUNIT_EXPECT_EQ(test, leaf.nodes, 1);
	expect_bytes(test, &stats, leaf.bytes);
	KUNIT_EXPECT_EQ(test, stats.splits, stats.merges);
	KUNIT_EXPECT_EQ(test, stats.root_grows, stats.root_shrinks);
}

/*
 * Begin a reproducible sequence of random numbers; the log of the test has the seed.
 */
u64 fixture_seed(struct kunit *test, struct rnd_state *rnd)
{
	u64 chosen = world_seed(test);

	prandom_seed_state(rnd, chosen);
	return chosen;
}

/* Put keys in random order. */
void fixture_shuffle(struct rnd_state *rnd, u64 *keys, unsigned int nr)
{
	unsigned int i, j;

	for (i = nr; i > 1; i--) {
		j = fixture_below(rnd, i);
		swap(keys[i - 1], keys[j]);
	}
}
