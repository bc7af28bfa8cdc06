// SPDX-License-Identifier: GPL-2.0
/*
 * The cost of one call without others under way: node locks, all of them and at once,
 * and RCU read sections (Documentation/design/bounds.rst).
 */
#include <linux/blink_range.h>

#include "core/node/node.h"
#include "core/tree/tree.h"
#include "test.h"

#ifdef SHIM_POINTS
/* Nodes are tiny: this makes a tree of five levels or so. */
#define KEYS 2000

static struct blink_tree *tree;

/* The counters at the time of begin(). */
static u64 locks_before, sections_before;

static void begin(void)
{
	locks_before = shim_self->locks;
	sections_before = shim_self->rcu_section;
	shim_self->most_held = 0;
}

static u64 locks(void)
{
	return shim_self->locks - locks_before;
}

static u64 sections(void)
{
	return shim_self->rcu_section - sections_before;
}

/* Every fourth key, each leaf half full. */
static void fill(void)
{
	u64 key;

	tree = tree_create();
	for (key = 0; key < KEYS; key++)
		EXPECT_INSERT(tree, 4 * key, key);
	for (key = 0; key < KEYS; key++)
		if (key % 4 > 1)
			EXPECT_ERASE(tree, 4 * key);
}

static void end(void)
{
	tree_end(tree);
}

/* With gates each lock is preceded by what lockdep is told of these. */
static unsigned int per_lock(void)
{
	return tree->gates ? 2 : 1;
}

/* The most that any call took. */
struct cost {
	u64 locks;
	unsigned int held;
	u64 sections;
};

static void grow(struct cost *cost)
{
	cost->locks = max(cost->locks, locks());
	cost->held = max(cost->held, shim_self->most_held);
	cost->sections = max(cost->sections, sections());
}

static u64 events(void)
{
	struct blink_tree_ioc_stats stats;

	blink_tree_stats(tree, &stats);
	return stats.splits + stats.merges + stats.root_shrinks;
}

static void readers(void)
{
	struct blink_tree_entry entry;
	struct blink_range range;
	u64 key, value;

	fill();
	for (key = 0; key < KEYS - 4; key += 4) {
		begin();
		EXPECT_EQ(blink_range_lookup(tree, 4 * key + 1, &range), 0);
		EXPECT_EQ(range.first, 4 * key);
		EXPECT_EQ(range.last, 4 * key + 3);
		EXPECT_EQ(locks(), 0);
		EXPECT_EQ(sections(), 1);
		begin();
		EXPECT_EQ(blink_tree_lookup(tree, 4 * key, &value), 0);
		EXPECT_EQ(blink_tree_floor(tree, 4 * key + 13, &entry), 0);
		EXPECT_EQ(blink_tree_ceiling(tree, 4 * key + 9, &entry), 0);
		EXPECT_EQ(locks(), 0);
		EXPECT_EQ(sections(), 3);
	}
	end();
}

static void updates(void)
{
	u64 key, old;

	fill();
	for (key = 0; key < KEYS; key += 4) {
		begin();
		old = key;
		EXPECT_EQ(blink_tree_replace(tree, 4 * key, 1, NULL), 0);
		EXPECT_EQ(blink_tree_cmpxchg(tree, 4 * key, &old, 1), -ESTALE);
		EXPECT_EQ(blink_tree_store(tree, 4 * key, 1, NULL, GFP_KERNEL),
			  1);
		EXPECT_EQ(locks(), 3 * per_lock());
		EXPECT_EQ(shim_self->most_held, 1);
		EXPECT_EQ(sections(), 3);
	}
	end();
}

static void additions(void)
{
	struct cost plain = {}, split = {};
	u64 key, before, most;

	fill();
	for (key = 0; key < 4 * KEYS; key++) {
		if (!(key % 4))
			continue;
		before = events();
		begin();
		EXPECT_INSERT(tree, key, 1);
		grow(events() == before ? &plain : &split);
	}
	most = tree->nr_indexes * blink_tree_height(tree);
	EXPECT(plain.held && split.held && split.held <= 3);
	EXPECT_EQ(plain.locks, per_lock());
	EXPECT_EQ(plain.sections, 1);
	/* A level is looked at again with memory for it. */
	EXPECT(split.locks <= 6 * most);
	EXPECT(split.sections <= 2 * most);
	end();
}

static void removals(void)
{
	struct cost plain = {}, merge = {};
	u64 key, before, most;

	fill();
	most = tree->nr_indexes * blink_tree_height(tree);
	for (key = 0; key < KEYS; key++) {
		if (key % 4 > 1)
			continue;
		before = events();
		begin();
		EXPECT_ERASE(tree, 4 * key);
		grow(events() == before ? &plain : &merge);
	}
	EXPECT_EQ(plain.held, 1);
	EXPECT_EQ(plain.sections, 1);
	EXPECT_EQ(merge.sections, 1);
	EXPECT(merge.held && merge.held <= 3);
	EXPECT(merge.locks <= 10 * most);
	end();
}

/* Two neighbours at most, until what became small is merged. */
static void pops(void)
{
	struct cost plain = {}, merge = {};
	struct blink_tree_entry entry;
	u64 n, before, most;

	fill();
	most = tree->nr_indexes * blink_tree_height(tree);
	for (n = 0; n < KEYS / 2; n++) {
		before = events();
		begin();
		if (n % 2)
			EXPECT_EQ(blink_tree_pop_max(tree, U64_MAX, &entry), 0);
		else
			EXPECT_EQ(blink_tree_pop_min(tree, 0, &entry), 0);
		grow(events() == before ? &plain : &merge);
	}
	EXPECT(plain.held && plain.held <= 2);
	EXPECT_EQ(plain.sections, 1);
	EXPECT_EQ(merge.sections, 1);
	EXPECT(merge.held && merge.held <= 3);
	EXPECT(merge.locks <= 12 * most);
	end();
}

/* Leaves that one read section of a scan may see; operations of a batch; nodes. */
#define SCAN_LEAVES 16
#define BATCH_OPS 1024
#define WALK_NODES 64

static void scan_all(u64 leaves)
{
	static struct blink_tree_entry entries[KEYS];
	struct blink_scan scan = { .last = U64_MAX };

	begin();
	EXPECT_EQ(blink_tree_scan(tree, &scan, entries, KEYS), KEYS / 2);
	EXPECT(scan.done);
	EXPECT(sections() >= leaves / SCAN_LEAVES);
}

static void count_all(u64 leaves)
{
	struct blink_scan scan = { .last = U64_MAX };

	begin();
	EXPECT_EQ(blink_tree_count_range(tree, &scan, KEYS), KEYS / 2);
	EXPECT(scan.done);
	EXPECT_EQ(locks(), 0);
	EXPECT(sections() >= leaves / SCAN_LEAVES);
}

/* Leaves that one read section of an erase may see. */
#define ERASE_LEAVES 4

static void erase_all(void)
{
	struct blink_scan scan = { .last = U64_MAX };
	struct blink_tree_ioc_verify report;
	unsigned int entries;

	EXPECT_EQ(blink_tree_verify(tree, &report), 0);
	entries = report.entries;
	begin();
	EXPECT_EQ(blink_tree_erase_range(tree, &scan, NULL, INT_MAX), entries);
	EXPECT(scan.done);
	EXPECT(sections() >= report.leaves / ERASE_LEAVES / 2);
	EXPECT(shim_self->most_held <= 3);
	EXPECT_EQ(blink_tree_count(tree), 0);
}

static u64 accesses;

static void count_access(void)
{
	accesses++;
}

/* Accesses to memory that others can change, and barriers. */
static u64 scan_accesses(bool desc)
{
	static struct blink_tree_entry entries[KEYS];
	struct blink_scan scan = { .last = U64_MAX, .desc = desc };

	accesses = 0;
	shim_hooks.point = count_access;
	EXPECT_EQ(blink_tree_scan(tree, &scan, entries, KEYS), KEYS / 2);
	shim_hooks.point = NULL;
	return accesses;
}

/* No descent for each leaf, although no link leads to the left. */
static void scan_both_ways(void)
{
	u64 up, down;

	fill();
	up = scan_accesses(false);
	down = scan_accesses(true);
	EXPECT(down <= up * 5 / 4);
	end();
}

static void look_all_up(void)
{
	static struct blink_tree_ioc_op ops[4 * BATCH_OPS];
	unsigned int i;

	for (i = 0; i < 4 * BATCH_OPS; i++)
		ops[i] = (struct blink_tree_ioc_op){
			.opcode = BLINK_TREE_OP_LOOKUP,
			.key = 4 * (i % KEYS),
		};
	begin();
	blink_tree_batch(tree, ops, 4 * BATCH_OPS, GFP_KERNEL);
	EXPECT(sections() >= 4);
}

static void load_more(void)
{
	static struct blink_tree_entry entries[KEYS];
	unsigned int done;
	u64 i;

	for (i = 0; i < KEYS; i++)
		entries[i].key = 4 * KEYS + i;
	begin();
	EXPECT_EQ(blink_tree_load(tree, entries, KEYS, 100, GFP_KERNEL, &done),
		  0);
	EXPECT(sections() >= KEYS / BLINK_LEAF_SLOTS);
	EXPECT(shim_self->most_held <= 3);
}

/* A walk of all nodes lets other tasks run, and can be killed. */
static void walk_all(void)
{
	struct blink_tree_level_stats levels[32];
	struct blink_tree_ioc_verify report;

	begin();
	EXPECT_EQ(blink_tree_verify(tree, &report), 0);
	EXPECT(sections() >= (report.leaves + report.inner) / WALK_NODES);
	begin();
	EXPECT(blink_tree_levels(tree, levels, ARRAY_SIZE(levels)) > 1);
	EXPECT(sections() >= (report.leaves + report.inner) / WALK_NODES);
	shim_self->killed = true;
	begin();
	EXPECT_EQ(blink_tree_verify(tree, &report), -EINTR);
	blink_tree_levels(tree, levels, ARRAY_SIZE(levels));
	EXPECT(sections() < 100);
	shim_self->killed = false;
}

/* Two looks at each leaf, or more; one lock at a time but to enter it. */
static void rebuild_all(u64 leaves)
{
	begin();
	EXPECT_EQ(blink_tree_rebuild(tree, 0, GFP_KERNEL), 0);
	EXPECT(sections() >= 2 * leaves);
	EXPECT(shim_self->most_held <= 3);
}

static void long_calls(void)
{
	struct blink_tree_ioc_verify report;

	fill();
	EXPECT_EQ(blink_tree_verify(tree, &report), 0);
	EXPECT(report.leaves > 20 * SCAN_LEAVES);
	scan_all(report.leaves);
	count_all(report.leaves);
	look_all_up();
	if (tree->nr_indexes > 1)
		rebuild_all(report.leaves);
	load_more();
	walk_all();
	erase_all();
	end();
}
#endif

const struct test TESTS(cost)[] = {
#ifdef SHIM_POINTS
	{ "cost: reading", readers },
	{ "cost: changing what is there", updates },
	{ "cost: adding", additions },
	{ "cost: removing", removals, .plain = true },
	{ "cost: popping", pops },
	{ "cost: calls that take long", long_calls, .plain = true },
	{ "cost: scans in both directions", scan_both_ways },
#endif
	{}
};
