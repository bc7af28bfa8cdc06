// SPDX-License-Identifier: GPL-2.0
/*
 * Rare states, made to happen: a node that is being written for as long as a reader
 * that must not wait looks at it, leaves that merge one after the other, NUMA nodes
 * of many kinds.
 */
#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/irqflags.h>
#include <linux/topology.h>
#include <unistd.h>

#include "core/index/alloc.h"
#include "core/index/root.h"
#include "core/inspect/visit.h"
#include "core/op/batch.h"
#include "core/tree/topology.h"
#include "nodes.h"
#include "test.h"

/* Enough for three levels of production's nodes. */
#define KEYS 20000

static struct blink_tree *tree;

/* More than a batch does in one RCU read section. */
#define BATCH_OPS 2100

/* Which operations are invalid: some, and those around the end of an RCU read section. */
static bool op_is_invalid(unsigned int i, unsigned int nr)
{
	return i % 37 == 36 || (i + 2) % 1024 < 3 || i + 1 == nr;
}

/* Operations on few keys: each finds what those before it have left. */
static void batch_in_order(unsigned int nr)
{
	static struct blink_tree_ioc_op ops[BATCH_OPS];
	u64 value[5], before[5], i, key;

	for (i = 0; i < ARRAY_SIZE(value); i++)
		EXPECT_EQ(blink_tree_lookup(tree, i, &value[i]), 0);
	memcpy(before, value, sizeof(value));
	for (i = 0; i < nr; i++)
		ops[i] = (struct blink_tree_ioc_op){
			.opcode = op_is_invalid(i, nr) ? BLINK_TREE_OP_NR :
				  i & 1		       ? BLINK_TREE_OP_ADD :
							 BLINK_TREE_OP_LOOKUP,
			.key = i * i % ARRAY_SIZE(value),
			.value = 1,
		};
	blink_tree_batch(tree, ops, nr, GFP_KERNEL);
	for (i = 0; i < nr; i++) {
		key = ops[i].key;
		if (op_is_invalid(i, nr)) {
			EXPECT_EQ(ops[i].result, -EINVAL);
		} else if (i & 1) {
			EXPECT_EQ(ops[i].result, 1);
			EXPECT_EQ(ops[i].old, value[key]++);
		} else {
			EXPECT_EQ(ops[i].result, 0);
			EXPECT_EQ(ops[i].value, value[key]);
		}
	}
	EXPECT(nr < 10 || memcmp(before, value, sizeof(value)));
}

/* With each width of the ring, as few operations as it has descents, and many. */
static void batch_widths(void)
{
	unsigned int width = blink_batch_width, i;

	tree = tree_filled(KEYS);
	for (i = 0; i < BLINK_BATCH_WIDTH_MAX + 2; i++) {
		blink_batch_width = i;
		batch_in_order(2);
		batch_in_order(i + 1);
		batch_in_order(BATCH_OPS);
	}
	blink_batch_width = width;
	blink_tree_destroy(tree);
}

/* All searches for one key, by a caller that must not wait. */
static void ask(u64 key, int ret)
{
	struct blink_tree_ioc_op op[] = {
		{ .opcode = BLINK_TREE_OP_LOOKUP, .key = key },
		{ .opcode = BLINK_TREE_OP_FLOOR, .key = key },
	};
	struct blink_scan scan = { .first = key, .last = key };
	struct blink_tree_entry entry;
	unsigned long flags;
	u64 value;

	local_irq_save(flags);
	EXPECT_EQ(blink_tree_lookup(tree, key, &value), ret);
	EXPECT_EQ(blink_tree_floor(tree, key, &entry), ret);
	EXPECT_EQ(blink_tree_ceiling(tree, key, &entry), ret);
	EXPECT_EQ(blink_tree_scan(tree, &scan, &entry, 1), ret ?: 1);
	blink_tree_batch(tree, op, ARRAY_SIZE(op), GFP_NOWAIT);
	EXPECT_EQ(op[0].result, ret);
	EXPECT_EQ(op[1].result, ret);
	local_irq_restore(flags);
}

/* While a node is being written, for ever as far as the reader can tell. */
static void ask_while_written(struct blink_node *node, u64 key)
{
	WRITE_ONCE(node->seq, node->seq + 1);
	ask(key, -EAGAIN);
	WRITE_ONCE(node->seq, node->seq - 1);
	ask(key, 0);
}

/* A scan that has got something before it meets such a leaf hands that over. */
static void scan_until_written(void)
{
	struct blink_node *leaf =
		rcu_access_pointer(first_of(blink_tree_index(tree), 0)->right);
	struct blink_scan scan = { .last = U64_MAX };
	struct blink_tree_entry entry[2 * BLINK_LEAF_SLOTS + 1];
	u64 before = blink_node_primary(leaf)->low + 1;
	unsigned long flags;

	local_irq_save(flags);
	WRITE_ONCE(leaf->seq, leaf->seq + 1);
	EXPECT_EQ(blink_tree_scan(tree, &scan, entry, ARRAY_SIZE(entry)),
		  before);
	EXPECT_EQ(blink_tree_scan(tree, &scan, entry, ARRAY_SIZE(entry)),
		  -EAGAIN);
	WRITE_ONCE(leaf->seq, leaf->seq - 1);
	EXPECT(blink_tree_scan(tree, &scan, entry, ARRAY_SIZE(entry)) > 0);
	EXPECT_EQ(entry[0].key, before);
	local_irq_restore(flags);
}

static void written_for_ever(void)
{
	unsigned int level;

	tree = tree_filled(KEYS);
	EXPECT(blink_tree_height(tree) >= 3);
	shim_stay(0);
	/* Of leaves with copies readers go to the primary, if theirs is odd. */
	for (level = tree->copied ? 1 : 0; level < blink_tree_height(tree);
	     level++)
		ask_while_written(first_of(blink_tree_index(tree), level), 0);
	if (!tree->copied)
		scan_until_written();
	shim_stay(NUMA_NO_NODE);
	tree_end(tree);
}

static void count_bytes(void *data, const void *node, size_t bytes,
			unsigned int level)
{
	const struct blink_node *found = node;
	u64 *sum = data;

	EXPECT_EQ(found->level, level);
	*sum += bytes;
}

/* Each node is visited once: their bytes are those that are accounted for. */
static void visits(void)
{
	u64 sum = 0;

	tree = tree_filled(KEYS);
	expect_sound(tree);
	EXPECT_EQ(blink_tree_visit(tree, count_bytes, &sum), 0);
	EXPECT_EQ(sum, tree_stats(tree).bytes);
	shim_self->fail_nth = 1;
	EXPECT_EQ(blink_tree_visit(tree, count_bytes, &sum), -ENOMEM);
	EXPECT_EQ(shim_self->fail_nth, 0);
	blink_tree_destroy(tree);
}

/* The entries of the rows add up to the keys; slots are those that the nodes have. */
static void levels_add_up(void)
{
	struct blink_tree_level_stats rows[64];
	unsigned int nr, i;
	u64 used = 0;

	tree = tree_filled(KEYS);
	nr = blink_tree_levels(tree, rows, ARRAY_SIZE(rows));
	for (i = 0; i < nr; i++) {
		EXPECT_EQ(rows[i].slots,
			  rows[i].nodes * (rows[i].level ? BLINK_INNER_SLOTS :
							   BLINK_LEAF_SLOTS));
		EXPECT(rows[i].used && rows[i].used <= rows[i].slots);
		used += rows[i].level ? 0 : rows[i].used;
	}
	EXPECT_EQ(used, KEYS * (tree->copied ? tree->nr_indexes : 1));
	blink_tree_destroy(tree);
}

static void load_every(u64 step, unsigned int nr, unsigned int fill)
{
	struct blink_tree_entry entry;
	unsigned int done;
	u64 key;

	tree = tree_create();
	for (key = 0; key < nr * step; key += step) {
		entry.key = key;
		entry.value = key;
		EXPECT_EQ(blink_tree_load(tree, &entry, 1, fill, GFP_KERNEL,
					  &done),
			  0);
	}
}

/*
 * Key 0 fills a leaf of its own: the low key of the next one is 0, and is not
 * the end.
 */
static void low_key_zero(void)
{
	struct blink_scan scan = { .last = 9, .desc = true };
	struct blink_tree_entry entry[4] = {};

	load_every(10, 3, 1);
	EXPECT_EQ(blink_tree_floor(tree, 5, &entry[0]), 0);
	EXPECT_EQ(entry[0].key, 0);
	EXPECT_EQ(blink_tree_scan(tree, &scan, entry, 4), 1);
	EXPECT(scan.done);
	EXPECT_EQ(entry[0].key, 0);
	EXPECT_ERASE(tree, 0);
	EXPECT_EQ(blink_tree_floor(tree, 5, &entry[0]), -ENOENT);
	tree_end(tree);
}

/*
 * A scan with room for BLINK_CURSOR_ENTRIES ends between two leaves, so that what
 * comes from each was there at one moment. Leaves have @fill keys.
 */
static void scan_to_end(unsigned int fill, bool desc)
{
	struct blink_tree_entry entry[BLINK_CURSOR_ENTRIES];
	struct blink_scan scan = { .last = U64_MAX, .desc = desc };
	int n;

	while (!scan.done) {
		n = blink_tree_scan(tree, &scan, entry, ARRAY_SIZE(entry));
		if (!EXPECT(n > 0 || scan.done))
			break;
		if (!scan.done)
			EXPECT_EQ(entry[n - 1].key % fill, desc ? 0 : fill - 1);
	}
}

static void scan_whole_leaves(void)
{
	unsigned int fill = BLINK_LEAF_SLOTS * 3 / 4;

	load_every(1, 50 * fill, 75);
	/* A buffer is not full by whole leaves. */
	EXPECT(BLINK_CURSOR_ENTRIES % fill);
	scan_to_end(fill, false);
	scan_to_end(fill, true);
	blink_tree_destroy(tree);
}

#define LEAVES 2000U

/* Two leaves that are merged may go on to be, as may their parents. */
static void merges_cascade(void)
{
	const unsigned int limit = BLINK_LEAF_SLOTS * 3 / 4;
	struct blink_tree_ioc_verify report;
	u64 key;

	load_every(1, LEAVES, 1);
	EXPECT_EQ(tree_verified(tree).leaves, LEAVES);
	/* As many go into this one as it takes to be no more underfull. */
	EXPECT_ERASE(tree, LEAVES / 2);
	EXPECT_EQ(tree_verified(tree).leaves, LEAVES - limit / 2 - 1);
	for (key = 1; key < LEAVES - 1; key++)
		EXPECT_EQ(blink_tree_erase(tree, key, NULL),
			  key == LEAVES / 2 ? -ENOENT : 0);
	EXPECT_EQ(blink_tree_verify(tree, &report), 0);
	EXPECT_EQ(report.leaves, 1);
	EXPECT_EQ(report.height, 1);
	EXPECT_EQ(report.inner, 0);
	blink_tree_destroy(tree);
}

/* While an index is being rebuilt, no other of that tree is. */
static void rebuilt_once(void)
{
	tree = tree_filled(KEYS);
	if (tree->nr_indexes > 1) {
		atomic_set(&tree->rebuilding, 1);
		EXPECT_EQ(blink_tree_rebuild(tree, 1, GFP_KERNEL), -EBUSY);
		atomic_set(&tree->rebuilding, 0);
		EXPECT_EQ(blink_tree_rebuild(tree, 1, GFP_KERNEL), 0);
	}
	EXPECT_EQ(blink_tree_rebuild(tree, shim_nodes, GFP_KERNEL), -ENODEV);
	tree_end(tree);
}

/* While an index is rebuilt, the leaves are found through any other. */
static void index_down(void)
{
	struct blink_index *idx;
	struct blink_tree_ioc_verify report;
	struct blink_tree_ioc_stats stats;
	u64 sum = 0;

	tree = tree_filled(KEYS);
	if (tree->nr_indexes > 1) {
		/* Leaves are counted in the first one that there is. */
		idx = tree->index;
		WRITE_ONCE(idx->down, true);
		EXPECT_EQ(blink_tree_verify(tree, &report), 0);
		EXPECT_EQ(report.entries, KEYS);
		EXPECT_EQ(report.unindexed, 0);
		EXPECT_EQ(blink_index_height(idx), 1);
		EXPECT(blink_tree_height(tree) >= 3);
		EXPECT_EQ(blink_tree_visit(tree, count_bytes, &sum), 0);
		blink_tree_stats(tree, &stats);
		EXPECT(sum > stats.bytes / 4 && sum < stats.bytes);
		WRITE_ONCE(idx->down, false);
	}
	tree_end(tree);
}

/* Where there is one NUMA node there is one index, whatever is asked for. */
static void one_node(void)
{
	static const struct blink_tree_params asked[] = {
		{ .replication = BLINK_TREE_REPLICATE_FULL },
		{ .replication = BLINK_TREE_REPLICATE_INNER },
	};
	int nodes = shim_nodes;
	unsigned int i;

	shim_nodes = 1;
	for (i = 0; i < ARRAY_SIZE(asked); i++) {
		tree = blink_tree_create(&asked[i], GFP_KERNEL);
		EXPECT_EQ(tree_stats(tree).indexes, 1);
		EXPECT(!tree->copied);
		tree_end(tree);
	}
	shim_nodes = nodes;
}

/* More NUMA nodes than there is room for. */
static void homes_without_room(void)
{
	int nids[2] = { -1, -1 };
	int nodes = shim_nodes;

	shim_nodes = 3;
	EXPECT_EQ(blink_topology_homes(nids, 1), 1);
	shim_nodes = nodes;
	EXPECT_EQ(nids[0], 0);
	EXPECT_EQ(nids[1], -1);
}

/* Nodes of memory alone get leaves that are spread, and no index. */
static void far_memory(void)
{
	struct blink_tree_params params = {
		.replication = BLINK_TREE_REPLICATE_INNER,
		.placement = BLINK_TREE_PLACE_INTERLEAVE,
	};
	unsigned int nid, far = 0, i;
	int nodes = shim_nodes;

	shim_nodes = 2;
	shim_far = 2;
	tree = blink_tree_create(&params, GFP_KERNEL);
	EXPECT_EQ(PTR_ERR_OR_ZERO(tree), 0);
	EXPECT_EQ(tree->nr_indexes, 2);
	for (nid = 0; nid < nr_node_ids; nid++)
		EXPECT_EQ(tree->home[nid], nid == 1);
	for (i = 0; i < nr_node_ids; i++)
		far += blink_leaf_nid(tree) >= shim_nodes;
	EXPECT_EQ(far, 2);
	blink_tree_destroy(tree);
	shim_far = 0;
	shim_nodes = nodes;
}

const struct test TESTS(edge)[] = {
	{ "edge: batches of each width", batch_widths },
	{ "edge: a node that is written for ever", written_for_ever,
	  .plain = true },
	{ "edge: every node is visited once", visits },
	{ "edge: levels add up", levels_add_up, .plain = true },
	{ "edge: a low key of 0", low_key_zero },
	{ "edge: a scan ends between leaves", scan_whole_leaves,
	  .plain = true },
	{ "edge: merges cascade", merges_cascade, .plain = true },
	{ "edge: one rebuild at a time", rebuilt_once },
	{ "edge: an index that is being rebuilt", index_down, .plain = true },
	{ "edge: one NUMA node", one_node },
	{ "edge: NUMA nodes without room", homes_without_room },
	{ "edge: NUMA nodes of memory alone", far_memory },
	{}
};
