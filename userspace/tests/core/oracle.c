// SPDX-License-Identifier: GPL-2.0
/*
 * The differential test: random operations of all kinds, by one thread, each
 * answer compared with the oracle's.
 *
 * A *tide* fills the tree and empties it again, several times in a run, so that
 * it grows and gives up levels over and over.
 */
#include <linux/err.h>
#include <stdlib.h>
#include <string.h>

#include "../common/model.h"
#include "test.h"

#define BATCH_MAX 8
#define SCAN_MAX 40

struct run {
	struct blink_tree *tree;
	struct model model;
	u64 random;
	unsigned int add_percent;
	struct blink_tree_entry *expected;
	struct blink_tree_entry *found;
};

static u64 pick_key(struct run *run)
{
	return run->model.key[random_below(&run->random, run->model.nr)];
}

/* A key near the universe's, in it or not: floor and ceiling take any. */
static u64 pick_any_key(struct run *run)
{
	u64 key = pick_key(run);

	switch (random_below(&run->random, 8)) {
	case 0:
		return key + 1;
	case 1:
		return key - 1;
	case 2:
		return random_next(&run->random);
	case 3:
		return random_chance(&run->random, 50) ? 0 : U64_MAX;
	default:
		return key;
	}
}

static void pick_op(struct run *run, struct blink_tree_ioc_op *op)
{
	static const u16 adding[] = { BLINK_TREE_OP_INSERT,
				      BLINK_TREE_OP_STORE };
	static const u16 others[] = {
		BLINK_TREE_OP_LOOKUP,  BLINK_TREE_OP_REPLACE,
		BLINK_TREE_OP_CMPXCHG, BLINK_TREE_OP_FLOOR,
		BLINK_TREE_OP_CEILING, BLINK_TREE_OP_LOOKUP,
		BLINK_TREE_OP_CMPERASE
	};
	unsigned int percent = random_below(&run->random, 100);
	unsigned int i;

	memset(op, 0, sizeof(*op));
	if (percent >= 60)
		op->opcode =
			others[random_below(&run->random, ARRAY_SIZE(others))];
	else if (percent * 100 / 60 < run->add_percent)
		op->opcode = adding[random_below(&run->random, 2)];
	else
		op->opcode = BLINK_TREE_OP_ERASE;
	op->key = pick_key(run);
	if (op->opcode >= BLINK_TREE_OP_FLOOR)
		op->key = pick_any_key(run);
	op->value = random_next(&run->random);
	op->old = random_next(&run->random);
	if ((op->opcode == BLINK_TREE_OP_CMPXCHG ||
	     op->opcode == BLINK_TREE_OP_CMPERASE) &&
	    random_chance(&run->random, 70)) {
		i = model_rank(&run->model, op->key);
		op->old = run->model.value[i];
	}
}

/* The same operation by the function made for it. */
static void call_directly(struct blink_tree *tree, struct blink_tree_ioc_op *op)
{
	struct blink_tree_entry entry;

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
	case BLINK_TREE_OP_CMPERASE:
		op->result = blink_tree_cmperase(tree, op->key, &op->old);
		return;
	case BLINK_TREE_OP_FLOOR:
		op->result = blink_tree_floor(tree, op->key, &entry);
		break;
	default:
		op->result = blink_tree_ceiling(tree, op->key, &entry);
	}
	if (!op->result) {
		op->key = entry.key;
		op->value = entry.value;
	}
}

static void tell_op(const char *what, const struct blink_tree_ioc_op *op)
{
	printf("# %s: opcode %u key 0x%llx value 0x%llx old 0x%llx result %d\n",
	       what, op->opcode, op->key, op->value, op->old, op->result);
}

static void compare_op(const struct blink_tree_ioc_op *asked,
		       const struct blink_tree_ioc_op *expected,
		       const struct blink_tree_ioc_op *got)
{
	if (EXPECT(!memcmp(expected, got, sizeof(*got))))
		return;
	tell_op("asked", asked);
	tell_op("expected", expected);
	tell_op("got", got);
}

/* Some operations, one by one or as a batch. Returns how many. */
static unsigned int do_ops(struct run *run)
{
	struct blink_tree_ioc_op asked[BATCH_MAX], expected[BATCH_MAX],
		got[BATCH_MAX];
	unsigned int how = random_below(&run->random, 3), nr = 1, i;

	/* Which operations of a batch find the limit reached is not defined. */
	how += !how && run->model.limit;
	if (!how)
		nr = 1 + random_below(&run->random, BATCH_MAX);
	for (i = 0; i < nr; i++) {
		pick_op(run, &asked[i]);
		got[i] = asked[i];
		expected[i] = asked[i];
		model_apply(&run->model, &expected[i]);
	}
	if (!how)
		blink_tree_batch(run->tree, got, nr, GFP_KERNEL);
	else if (how == 1)
		blink_tree_op(run->tree, got, GFP_KERNEL);
	else
		call_directly(run->tree, got);
	for (i = 0; i < nr; i++)
		compare_op(&asked[i], &expected[i], &got[i]);
	test_did(nr);
	return nr;
}

static unsigned int read_by_scan(struct run *run, struct blink_scan *scan,
				 unsigned int room)
{
	unsigned int n = 0;
	int ret;

	while (!scan->done) {
		ret = blink_tree_scan(run->tree, scan, run->found + n, room);
		if (ret < 0 || ret > (int)room || (!ret && !scan->done)) {
			test_fail(__FILE__, __LINE__, "a scan returned %d",
				  ret);
			break;
		}
		n += ret;
	}
	return n;
}

static unsigned int read_by_cursor(struct run *run, u64 first, u64 last,
				   bool desc)
{
	struct blink_cursor cursor;
	unsigned int n = 0;

	if (desc)
		blink_cursor_init_desc(&cursor, run->tree, first, last);
	else
		blink_cursor_init(&cursor, run->tree, first, last);
	while (n <= run->model.nr &&
	       blink_cursor_next(&cursor, &run->found[n]) > 0)
		n++;
	EXPECT_EQ(blink_cursor_next(&cursor, &run->found[n]), 0);
	return n;
}

static void compare_range(struct run *run, u64 first, u64 last, bool desc,
			  unsigned int n)
{
	unsigned int i, nr;

	nr = model_range(&run->model, first, last, desc, run->expected);
	if (n == nr &&
	    !memcmp(run->expected, run->found, n * sizeof(*run->found)))
		return;
	for (i = 0; i < min(n, nr); i++)
		if (memcmp(&run->expected[i], &run->found[i],
			   sizeof(*run->found)))
			break;
	test_fail(__FILE__, __LINE__, "range 0x%llx..0x%llx %s", first, last,
		  desc ? "descending" : "ascending");
	printf("# %u entries, expected %u; they differ from number %u on\n", n,
	       nr, i);
}

static void do_range(struct run *run)
{
	unsigned int room = 1 + random_below(&run->random, SCAN_MAX), n;
	bool desc = random_chance(&run->random, 50);
	u64 first = pick_any_key(run), last = pick_any_key(run);
	struct blink_scan scan = { .desc = desc };

	/* Short ones as a rule; sometimes one that is empty by its bounds. */
	if (random_chance(&run->random, 80)) {
		n = model_rank(&run->model, first) +
		    random_below(&run->random, 100);
		last = run->model.key[min(n, run->model.nr - 1)];
	}
	scan.first = first;
	scan.last = last;
	if (random_chance(&run->random, 50))
		n = read_by_scan(run, &scan, room);
	else
		n = read_by_cursor(run, first, last, desc);
	compare_range(run, first, last, desc, n);
}

static void check_all(struct run *run)
{
	unsigned int n;

	expect_sound(run->tree);
	EXPECT_EQ(blink_tree_count(run->tree), run->model.count);
	n = read_by_cursor(run, 0, U64_MAX, false);
	compare_range(run, 0, U64_MAX, false, n);
	n = read_by_cursor(run, 0, U64_MAX, true);
	compare_range(run, 0, U64_MAX, true, n);
}

static void erase_all(struct run *run)
{
	unsigned int i;
	u64 old;

	for (i = 0; i < run->model.nr; i++) {
		if (!run->model.present[i])
			continue;
		EXPECT_EQ(blink_tree_erase(run->tree, run->model.key[i], &old),
			  0);
		EXPECT_EQ(old, run->model.value[i]);
	}
	model_clear(&run->model);
	expect_one_leaf(run->tree);
}

static void run_begin(struct run *run, unsigned int nr, enum layout layout,
		      unsigned int limit)
{
	struct blink_tree_params params = test_params;

	params.max_entries = limit;
	memset(run, 0, sizeof(*run));
	run->random = test_seed();
	model_init(&run->model, nr, layout, &run->random);
	run->model.limit = limit;
	run->tree = blink_tree_create(&params, GFP_KERNEL);
	run->expected = calloc(nr + 2, sizeof(*run->expected));
	run->found = calloc(nr + 2 + SCAN_MAX, sizeof(*run->found));
	if (IS_ERR(run->tree) || !run->expected || !run->found)
		shim_die(__FILE__, __LINE__, "no memory");
}

static void run_end(struct run *run)
{
	blink_tree_destroy(run->tree);
	model_exit(&run->model);
	free(run->expected);
	free(run->found);
}

static void differential(unsigned int nr, enum layout layout,
			 unsigned int limit, u64 ops)
{
	static const unsigned int tide[] = { 90, 60, 50, 40, 10 };
	u64 done = 0, checked = 0, total = test_scale(ops);
	struct run run;

	run_begin(&run, nr, layout, limit);
	while (done < total && !test_failed()) {
		run.add_percent = tide[done * 3 * ARRAY_SIZE(tide) / total %
				       ARRAY_SIZE(tide)];
		done += do_ops(&run);
		if (random_chance(&run.random, 2))
			do_range(&run);
		if (done - checked > total / 30) {
			check_all(&run);
			checked = done;
		}
	}
	check_all(&run);
	erase_all(&run);
	run_end(&run);
}

static void keys_low(void)
{
	differential(1000, LAYOUT_LOW, 0, 400000);
}

static void keys_high(void)
{
	differential(1000, LAYOUT_HIGH, 0, 400000);
}

static void keys_spread(void)
{
	differential(200, LAYOUT_SPREAD, 0, 300000);
}

static void keys_random(void)
{
	differential(20000, LAYOUT_RANDOM, 0, 600000);
}

static void keys_limited(void)
{
	differential(500, LAYOUT_SPREAD, 300, 200000);
}

/* In order, out of order, from both ends: add all, then remove all. */
static void in_order(void)
{
	const unsigned int nr = test_scale(3000);
	unsigned int order, i, at;
	struct run run;
	u64 key;

	run_begin(&run, nr, LAYOUT_SPREAD, 0);
	for (order = 0; order < 9 && !test_failed(); order++) {
		for (i = 0; i < 2 * nr; i++) {
			bool add = i < nr;

			at = i % nr;
			switch (add ? order % 3 : order / 3) {
			case 1:
				at = nr - 1 - at;
				break;
			case 2:
				at = at & 1 ? nr - 1 - at / 2 : at / 2;
				break;
			}
			key = run.model.key[at];
			if (add)
				EXPECT_EQ(blink_tree_insert(run.tree, key, ~key,
							    NULL, GFP_KERNEL),
					  0);
			else
				EXPECT_EQ(blink_tree_erase(run.tree, key, NULL),
					  0);
			run.model.present[at] = add;
			run.model.value[at] = ~key;
			run.model.count += add ? 1 : -1;
			if (!(i % (nr / 2)))
				check_all(&run);
		}
		expect_one_leaf(run.tree);
	}
	run_end(&run);
}

/* What a caller may get wrong. */
static void wrong_use(void)
{
	struct blink_tree_params params = { .flags = 1U << 31 };
	struct blink_scan scan = { .first = 5, .last = 4 };
	struct blink_tree *tree = tree_create();
	struct blink_tree_entry entry;
	struct blink_tree_ioc_op op = {};

	EXPECT_EQ(PTR_ERR_OR_ZERO(blink_tree_create(&params, GFP_KERNEL)),
		  -EINVAL);
	EXPECT_EQ(blink_tree_scan(tree, &scan, &entry, 0), -EINVAL);
	EXPECT_EQ(blink_tree_scan(tree, &scan, &entry, 1), 0);
	EXPECT(scan.done);
	op.opcode = BLINK_TREE_OP_NR;
	blink_tree_op(tree, &op, GFP_KERNEL);
	EXPECT_EQ(op.result, -EINVAL);
	op.opcode = BLINK_TREE_OP_LOOKUP;
	op.flags = 1;
	blink_tree_op(tree, &op, GFP_KERNEL);
	EXPECT_EQ(op.result, -EINVAL);
	blink_tree_destroy(tree);
	blink_tree_destroy(NULL);
}

/* The nodes that the levels are said to have are all the memory there is. */
static void levels_add_up(void)
{
	struct blink_tree_level_stats levels[32];
	struct blink_tree *tree = tree_create();
	bool full = test_params.replication == BLINK_TREE_REPLICATE_FULL;
	u64 key, bytes = 0, leaf_keys = 0, copies = full ? shim_nodes : 1;
	struct blink_tree_ioc_stats stats;
	unsigned int i, n;

	for (key = 0; key < 2000; key++)
		EXPECT_EQ(blink_tree_insert(tree, key * 7, key, NULL,
					    GFP_KERNEL),
			  0);
	n = blink_tree_levels(tree, levels, ARRAY_SIZE(levels));
	blink_tree_stats(tree, &stats);
	for (i = 0; i < n; i++) {
		bytes += levels[i].bytes;
		EXPECT(levels[i].used <= levels[i].slots);
		if (!levels[i].level)
			leaf_keys += levels[i].used;
	}
	/* All memory is on one NUMA node here, whatever is said. */
	EXPECT_EQ(n, blink_tree_height(tree));
	EXPECT_EQ(bytes, stats.bytes - stats.limbo_bytes);
	EXPECT_EQ(leaf_keys, 2000 * copies);
	EXPECT_EQ(stats.entries, 2000);
	EXPECT_EQ(stats.inserts, 2000);
	blink_tree_destroy(tree);
}

const struct test oracle_tests[] = {
	{ "oracle: keys from 0 up", keys_low },
	{ "oracle: keys up to the greatest", keys_high },
	{ "oracle: keys all over the range", keys_spread },
	{ "oracle: 20,000 random keys", keys_random },
	{ "oracle: limited number of entries", keys_limited },
	{ "oracle: added and removed in all orders", in_order },
	{ "oracle: wrong use is refused", wrong_use },
	{ "oracle: statistics of levels add up", levels_add_up },
	{}
};
