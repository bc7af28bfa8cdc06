// SPDX-License-Identifier: GPL-2.0
/* Running a scenario (scenario.h). */
#ifdef SHIM_POINTS
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <stdlib.h>
#include <string.h>

#include "core/tree/tree.h"
#include "scenario.h"
#include "test.h"

#define RACE_RUNS 4000
#define RECORDS_MAX \
	(FIBERS_MAX * (SCENARIO_OPS * (1 + SCENARIO_LOAD) + SCENARIO_KEYS))

static struct scenario *scenario;
static struct blink_tree *tree;
static u64 *dice;
static struct record records[RECORDS_MAX];
static unsigned int nr_records;
static struct model final;
static bool final_present[SCENARIO_KEYS];
static u64 final_value[SCENARIO_KEYS];

void scenario_init(struct scenario *s, unsigned int nr, u64 base, u64 step)
{
	unsigned int i;

	*s = (struct scenario){ .keys.nr = nr };
	s->keys.key = s->key;
	s->keys.value = s->value;
	s->keys.present = s->present;
	for (i = 0; i < nr; i++)
		s->key[i] = base + i * step;
}

void scenario_add(struct scenario *s, unsigned int position)
{
	s->setup[s->nr_setup++] = position;
}

void scenario_erase(struct scenario *s, unsigned int position)
{
	s->setup[s->nr_setup++] = position | SETUP_ERASE;
}

void scenario_op(struct scenario *s, unsigned int fiber, unsigned int opcode,
		 unsigned int position)
{
	struct blink_tree_ioc_op *op = &s->op[fiber][s->nr_ops[fiber]++];

	memset(op, 0, sizeof(*op));
	op->opcode = opcode;
	op->key = s->keys.key[position];
	op->value = op->key + 1000 * (fiber + 1) + s->nr_ops[fiber];
	s->nr_fibers = max(s->nr_fibers, fiber + 1);
}

void scenario_scan(struct scenario *s, unsigned int fiber, bool desc,
		   unsigned int first, unsigned int last, unsigned int room)
{
	struct blink_tree_ioc_op *op = &s->op[fiber][s->nr_ops[fiber]];

	scenario_op(s, fiber, desc ? OP_SCAN_DESC : OP_SCAN, first);
	op->value = s->keys.key[last];
	op->old = room;
}

void scenario_range(struct scenario *s, unsigned int fiber, unsigned int opcode,
		    unsigned int position, unsigned int nr)
{
	struct blink_tree_ioc_op *op = &s->op[fiber][s->nr_ops[fiber]];

	scenario_op(s, fiber, opcode, position);
	op->old = min(min(nr, SCENARIO_LOAD), s->keys.nr - position);
}

void scenario_load(struct scenario *s, unsigned int fiber,
		   unsigned int position, unsigned int nr)
{
	scenario_range(s, fiber, OP_LOAD, position, nr);
}

/* A commit of several operations that only reads makes a leaf strict. */
static void make_strict(void)
{
	struct blink_tree_ioc_op op[2] = {};
	unsigned int i;

	for (i = 0; i < scenario->keys.nr; i++) {
		op[0].key = scenario->keys.key[i];
		op[1].key = op[0].key;
		EXPECT_EQ(blink_tree_commit(tree, op, 2, NULL, GFP_KERNEL), 0);
	}
}

static void set_up(unsigned int id)
{
	unsigned int i, position;

	(void)id;
	memset(scenario->present, 0, sizeof(scenario->present));
	scenario->keys.count = 0;
	for (i = 0; i < scenario->nr_setup; i++) {
		struct blink_tree_ioc_op op = { .opcode = BLINK_TREE_OP_STORE };

		position = scenario->setup[i] & ~SETUP_ERASE;
		op.key = scenario->keys.key[position];
		op.value = op.key;
		if (scenario->setup[i] & SETUP_ERASE)
			op.opcode = BLINK_TREE_OP_ERASE;
		blink_tree_op(tree, &op, GFP_KERNEL);
		op.value = op.key;
		model_apply(&scenario->keys, &op);
	}
	if (scenario->strict)
		make_strict();
}

/* Whether an operation may add or remove a key. */
static bool touches(const struct blink_tree_ioc_op *op, u64 key)
{
	if (op->flags & BLINK_TREE_COMMIT_CLEAR && op->key <= key)
		return true;
	switch (op->opcode) {
	case OP_LOAD:
	case OP_ERASE_RANGE:
	case BLINK_TREE_OP_POP_MIN:
		return op->key <= key;
	case BLINK_TREE_OP_POP_MAX:
		return op->key >= key;
	case BLINK_TREE_OP_INSERT:
	case BLINK_TREE_OP_GET_OR_INSERT:
	case BLINK_TREE_OP_STORE:
	case BLINK_TREE_OP_ADD:
	case BLINK_TREE_OP_ADD_SATURATE:
	case BLINK_TREE_OP_ERASE:
	case BLINK_TREE_OP_CMPERASE:
		return op->key == key;
	default:
		return false;
	}
}

/* A key that no operation adds or removes. */
static bool untouched(u64 key)
{
	unsigned int f, i;

	for (f = 0; f < scenario->nr_fibers; f++)
		for (i = 0; i < scenario->nr_ops[f]; i++)
			if (touches(&scenario->op[f][i], key))
				return false;
	return true;
}

static void check_scanned(const struct blink_tree_ioc_op *op, const bool *seen)
{
	unsigned int i;
	u64 key;

	for (i = 0; i < scenario->keys.nr; i++) {
		key = scenario->keys.key[i];
		if (key < op->key || key > op->value)
			EXPECT(!seen[i]);
		else if (untouched(key))
			EXPECT_EQ(seen[i], scenario->keys.present[i]);
	}
}

static void do_scan(const struct blink_tree_ioc_op *op)
{
	struct blink_scan scan = { .first = op->key, .last = op->value };
	struct blink_tree_entry entries[SCENARIO_KEYS];
	bool seen[SCENARIO_KEYS] = {};
	u64 last = 0;
	int ret, i;

	scan.desc = op->opcode == OP_SCAN_DESC;
	while (!scan.done) {
		ret = blink_tree_scan(tree, &scan, entries, op->old);
		if (!EXPECT(ret > 0 || (!ret && scan.done)))
			return;
		for (i = 0; i < ret; i++) {
			unsigned int rank =
				model_rank(&scenario->keys, entries[i].key);

			if (!EXPECT(rank < scenario->keys.nr) ||
			    !EXPECT_EQ(entries[i].key,
				       scenario->keys.key[rank]) ||
			    !EXPECT(!seen[rank]))
				return;
			if (last)
				EXPECT(scan.desc ? rank + 1 < last :
						   rank + 1 > last);
			last = rank + 1;
			seen[rank] = true;
		}
	}
	check_scanned(op, seen);
}

static void do_verify(void)
{
	struct blink_tree_ioc_verify report;

	if (blink_tree_verify(tree, &report) == -EUCLEAN)
		test_fail(__FILE__, __LINE__,
			  "violation %u at level %u, low key 0x%llx",
			  report.violation, report.level, report.key);
}

/* Any of the indexes, if there are several. */
static void do_rebuild(void)
{
	int nid = random_below(dice, shim_nodes);
	int ret = blink_tree_rebuild(tree, nid, GFP_KERNEL);

	EXPECT(tree->nr_indexes == 1 ? ret == -ENODEV : !ret || ret == -EBUSY);
}

/* An operation on several keys is an operation of its own on each of them. */
static struct record *begin_each(const struct record *all, unsigned int opcode)
{
	unsigned int first = model_rank(&scenario->keys, all->asked.key), i;
	struct record *r = &records[nr_records];

	nr_records += all->asked.old;
	for (i = 0; i < all->asked.old; i++) {
		r[i].asked = (struct blink_tree_ioc_op){
			.opcode = opcode,
			.key = scenario->keys.key[first + i],
			.value = all->asked.value + i,
		};
		r[i].got = r[i].asked;
		r[i].fiber = all->fiber;
		r[i].begin = all->begin;
		r[i].end = U64_MAX;
		r[i].behind = i;
		r[i].with = false;
		r[i].any = false;
		r[i].done = false;
	}
	return r;
}

static void do_erase_range(const struct record *range)
{
	struct record *r = begin_each(range, BLINK_TREE_OP_ERASE);
	unsigned int nr = range->asked.old, i, n = 0;
	struct blink_scan scan = {
		.first = range->asked.key,
		.last = r[nr - 1].asked.key,
	};
	struct blink_tree_entry entries[SCENARIO_LOAD];
	int ret;

	while (!scan.done && n < nr) {
		ret = blink_tree_erase_range(tree, &scan, entries + n, nr - n);
		if (!EXPECT(ret >= 0 && (ret || scan.done)))
			break;
		n += ret;
	}
	for (i = nr; i--;) {
		r[i].got.result = -ENOENT;
		if (n && entries[n - 1].key == r[i].asked.key) {
			r[i].got.result = 0;
			r[i].got.old = entries[--n].value;
		}
		r[i].end = fiber_clock();
	}
	EXPECT_EQ(n, 0);
}

/* At most all keys are counted, and at least those that stay. */
static void do_count_range(const struct blink_tree_ioc_op *op)
{
	unsigned int first = model_rank(&scenario->keys, op->key), i;
	const struct model *keys = &scenario->keys;
	struct blink_scan scan = {
		.first = op->key,
		.last = keys->key[first + op->old - 1],
	};
	u64 least = 0, n = 0;
	int ret;

	while (!scan.done) {
		ret = blink_tree_count_range(tree, &scan, 1);
		if (!EXPECT(ret >= 0))
			return;
		n += ret;
	}
	for (i = first; i < first + op->old; i++)
		least += keys->present[i] && untouched(keys->key[i]);
	EXPECT(n >= least);
	EXPECT(n <= op->old);
}

/* The entries of a load take effect in their order. */
static void do_load(const struct record *load)
{
	struct record *r = begin_each(load, BLINK_TREE_OP_INSERT);
	unsigned int nr = load->asked.old, done, i;
	struct blink_tree_entry entries[SCENARIO_LOAD];

	for (i = 0; i < nr; i++) {
		entries[i].key = r[i].asked.key;
		entries[i].value = r[i].asked.value;
	}
	EXPECT_EQ(blink_tree_load(tree, entries, nr, 100, GFP_KERNEL, &done),
		  0);
	for (i = 0; i < nr; i++)
		r[i].end = fiber_clock();
}

/* As a batch: another operation goes with it, which is none. */
static void do_batch(struct blink_tree_ioc_op *op)
{
	struct blink_tree_ioc_op ops[2] = { *op,
					    { .opcode = BLINK_TREE_OP_NR } };

	blink_tree_batch(tree, ops, ARRAY_SIZE(ops), GFP_KERNEL);
	EXPECT_EQ(ops[1].result, -EINVAL);
	*op = ops[0];
}

static void do_record(struct record *r)
{
	r->got = r->asked;
	r->behind = false;
	r->with = false;
	r->any = false;
	r->begin = fiber_clock();
	if (r->asked.opcode < BLINK_TREE_OP_NR && scenario->batched[r->fiber])
		do_batch(&r->got);
	else if (r->asked.opcode < BLINK_TREE_OP_NR)
		blink_tree_op(tree, &r->got, GFP_KERNEL);
	else if (r->asked.opcode == OP_LOAD)
		do_load(r);
	else if (r->asked.opcode == OP_ERASE_RANGE)
		do_erase_range(r);
	else if (r->asked.opcode == OP_COUNT_RANGE)
		do_count_range(&r->asked);
	else if (r->asked.opcode == OP_VERIFY)
		do_verify();
	else if (r->asked.opcode == OP_REBUILD)
		do_rebuild();
	else
		do_scan(&r->asked);
	r->end = fiber_clock();
	r->done = r->asked.opcode >= BLINK_TREE_OP_NR ||
		  r->got.result == -ENOMEM;
}

/* The condition that an operation has in a commit, as an operation that only reads. */
static bool condition_of(const struct blink_tree_ioc_op *op, u16 *opcode)
{
	switch (op->opcode) {
	case BLINK_TREE_OP_INSERT:
	case BLINK_TREE_OP_ABSENT:
		*opcode = BLINK_TREE_OP_ABSENT;
		return true;
	case BLINK_TREE_OP_CMPXCHG:
	case BLINK_TREE_OP_CMPERASE:
	case BLINK_TREE_OP_EXPECT:
		*opcode = BLINK_TREE_OP_EXPECT;
		return true;
	default:
		return false;
	}
}

/*
 * A gap that has to be empty looks up each of its keys, and one that is cleared erases them,
 * and does not tell what it has erased.
 */
static void begin_gap(const struct record *op, u64 end)
{
	const struct model *keys = &scenario->keys;
	unsigned int i = model_rank(keys, op->asked.key) + 1;

	for (; op->asked.flags && i < keys->nr && keys->key[i] < end; i++) {
		struct record *r = &records[nr_records++];

		*r = *op;
		r->with = true;
		r->any = op->asked.flags & BLINK_TREE_COMMIT_CLEAR;
		r->asked = (struct blink_tree_ioc_op){
			.opcode = r->any ? BLINK_TREE_OP_ERASE :
					   BLINK_TREE_OP_ABSENT,
			.key = keys->key[i],
		};
		r->got = r->asked;
	}
}

/* Returns how many records the gaps of a commit have, behind its @nr operations. */
static unsigned int begin_gaps(const struct record *r, unsigned int nr)
{
	unsigned int before = nr_records, i, k;

	for (i = 0; i < nr; i++) {
		u64 end = U64_MAX;

		for (k = 0; k < nr; k++)
			if (r[k].asked.key > r[i].asked.key)
				end = min(end, r[k].asked.key);
		begin_gap(&r[i], end);
	}
	return nr_records - before;
}

/* Nothing is known of an operation that took no effect. */
static void forget(struct record *r)
{
	r->asked.opcode = BLINK_TREE_OP_LOOKUP;
	r->any = true;
}

/* An operation of a commit that failed is as it was, but for its result. */
static bool cancelled(const struct record *r)
{
	struct blink_tree_ioc_op op = r->asked;

	op.result = -ECANCELED;
	return !memcmp(&op, &r->got, sizeof(op));
}

/*
 * A commit failed: its first operation whose condition was not true found this at the same
 * moment at which the conditions of those before it were true.
 */
static void commit_failed(struct record *r, unsigned int nr,
			  unsigned int failed)
{
	unsigned int i;
	u16 opcode;

	for (i = 0; i < nr; i++) {
		EXPECT(i == failed || cancelled(&r[i]));
		if (i < failed && condition_of(&r[i].asked, &opcode)) {
			r[i].asked.opcode = opcode;
			r[i].got = r[i].asked;
		} else {
			r[i].asked = r[failed].asked;
			r[i].got = r[failed].got;
			/* A key of its gap was present; no operation tells. */
			if (r[i].got.result == -ENOTEMPTY)
				forget(&r[i]);
		}
	}
}

/* All operations of a fiber at one moment. */
static void do_commit(unsigned int id)
{
	const unsigned int nr = scenario->nr_ops[id];
	struct blink_tree_ioc_op ops[SCENARIO_OPS];
	struct record *r = &records[nr_records];
	unsigned int failed = nr, all, i;
	int ret;

	nr_records += nr;
	for (i = 0; i < nr; i++) {
		ops[i] = scenario->op[id][i];
		r[i] = (struct record){
			.asked = ops[i],
			.got = ops[i],
			.fiber = id,
			.with = i,
			.begin = i ? r->begin : fiber_clock(),
			.end = U64_MAX,
		};
	}
	all = nr + begin_gaps(r, nr);
	ret = blink_tree_commit(tree, ops, nr, &failed, GFP_KERNEL);
	EXPECT(!ret || (ret == -ENOMEM && scenario->failing[id]) ||
	       ret == -ESTALE);
	for (i = 0; i < all; i++) {
		if (i < nr)
			r[i].got = ops[i];
		else if (ret)
			forget(&r[i]);
		r[i].end = fiber_clock();
		r[i].done = ret == -ENOMEM;
	}
	if (ret == -ESTALE && EXPECT(failed < nr))
		commit_failed(r, nr, failed);
}

/* The mender works while other fibers go on; its allocations fail at random, too. */
static void mend_some(void)
{
	shim_work_step();
	shim_jiffies += HZ;
}

static void fiber_body(unsigned int id)
{
	unsigned int i;

	shim_self->random = random_next(dice);
	shim_self->fail_one_in = scenario->failing[id] ? 2 : 0;
	if (scenario->committed[id])
		do_commit(id);
	for (i = 0; i < scenario->nr_ops[id] && !scenario->committed[id]; i++) {
		struct record *r = &records[nr_records++];

		r->asked = scenario->op[id][i];
		r->fiber = id;
		do_record(r);
		if (scenario->failing[id])
			mend_some();
	}
	shim_self->fail_one_in = 0;
}

static void empty_tree(unsigned int id)
{
	unsigned int i;

	(void)id;
	for (i = 0; i < final.nr; i++)
		if (final.present[i])
			EXPECT_ERASE(tree, final.key[i]);
}

static void tell(u64 tag)
{
	static const char *const more[] = {
		"scan", "scan down",	 "verify",	  "rebuild",
		"load", "erase a range", "count a range",
	};

	printf("# run %llu\n", tag);
	linear_print_map("at first", &scenario->keys);
	linear_print(records, nr_records, more);
	linear_print_map("at the end", &final);
}

static void check_run(void)
{
	EXPECT(linear_read(&final, tree));
	expect_sound(tree);
	if (!linear_explained(&scenario->keys, &final, records, nr_records))
		test_fail(__FILE__, __LINE__,
			  "no order of the operations explains the answers");
}

void scenario_run(struct scenario *s, u64 *random, u64 *points, u64 tag)
{
	struct fiber_run run;

	scenario = s;
	dice = random;
	final = s->keys;
	final.present = final_present;
	final.value = final_value;
	tree = tree_create();
	nr_records = 0;
	fibers_run(1, set_up, 1, random, &run);
	fibers_run(s->nr_fibers, fiber_body, *points, random, &run);
	*points = (*points * 7 + run.points) / 8;
	check_run();
	test_did(nr_records);
	if (test_failed())
		tell(tag);
	fibers_run(1, empty_tree, 1, random, &run);
	expect_one_leaf(tree);
	blink_tree_destroy(tree);
}

void scenario_race(void)
{
	const struct test *test = test_current();
	u64 random = test_seed(), points = 300, i, runs = test_scale(RACE_RUNS);
	struct scenario s;

	scenario_init(&s, test->nr, 0, 1);
	for (i = 0; i < runs && !test_failed(); i++) {
		s.nr_setup = 0;
		s.nr_fibers = 0;
		memset(s.nr_ops, 0, sizeof(s.nr_ops));
		memset(s.failing, 0, sizeof(s.failing));
		memset(s.batched, 0, sizeof(s.batched));
		memset(s.committed, 0, sizeof(s.committed));
		s.strict = false;
		test->fill(&s, random_below(&random, test->nr - 8), &random);
		scenario_run(&s, &random, &points, i);
	}
}
#endif
