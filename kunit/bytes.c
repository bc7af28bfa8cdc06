// SPDX-License-Identifier: GPL-2.0
/*
 * Trees whose keys are strings of bytes: random operations on sets of strings that are
 * hard to tell apart, each compared with a plain model; ranges with open and closed
 * ends; and that all memory comes back.
 */
#include <linux/errno.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "strings.h"

#define SET_SIZE 3000
#define BATCH_MAX 24
#define ROOM_MAX 16

/**
 * struct course - a test of one kind of strings
 * @name: for the report
 * @kind: the kind
 */
struct course {
	const char *name;
	enum strings_kind kind;
};

static const struct course courses[] = {
	{ "short, with NUL", STRINGS_SHORT },
	{ "paths", STRINGS_PATHS },
	{ "a prefix of 290 bytes", STRINGS_LONG_PREFIX },
	{ "each begins the next", STRINGS_ZEROES },
	{ "1,024 bytes that differ at the end", STRINGS_LAST_BYTE },
	{ "random", STRINGS_RANDOM },
};

KUNIT_ARRAY_PARAM_DESC(course, courses, name);

/**
 * struct trial - a tree, and what it must contain
 * @test: the test
 * @tree: the tree
 * @set: the keys that it may contain
 * @value: the value of each of them that is present
 * @present: which ones are
 * @count: how many are
 * @rnd: random numbers
 * @found: a buffer for a key
 */
struct trial {
	struct kunit *test;
	struct blink_tree *tree;
	struct strings *set;
	u64 *value;
	bool *present;
	u64 count;
	struct rnd_state rnd;
	u8 found[BLINK_BYTES_MAX];
};

static struct trial *trial_create(struct kunit *test, enum strings_kind kind)
{
	struct trial *trial = kunit_kzalloc(test, sizeof(*trial), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, trial);
	trial->test = test;
	fixture_seed(test, &trial->rnd);
	trial->set = strings_create(test, kind, SET_SIZE, &trial->rnd);
	trial->value = kunit_kzalloc(
		test, trial->set->nr * sizeof(*trial->value), GFP_KERNEL);
	trial->present = kunit_kzalloc(
		test, trial->set->nr * sizeof(*trial->present), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, trial->value);
	KUNIT_ASSERT_NOT_NULL(test, trial->present);
	trial->tree = strings_tree(test);
	return trial;
}

/* Report a wrong answer for the string at this position. */
static void trial_fail(struct trial *trial, int i, const char *what, int ret)
{
	KUNIT_FAIL_AND_ABORT(trial->test, "key %d: %s: %d", i, what, ret);
}

static void trial_set(struct trial *trial, int i, bool present, u64 value)
{
	trial->count += present - trial->present[i];
	trial->present[i] = present;
	trial->value[i] = value;
}

/* The nearest key that is present, from @i on; -ENOENT if there is none. */
static int trial_near(const struct trial *trial, int i, bool below)
{
	while (i >= 0 && i < (int)trial->set->nr && !trial->present[i])
		i += below ? -1 : 1;
	return i >= 0 && i < (int)trial->set->nr ? i : -ENOENT;
}

/* Whether an entry is that of a position. */
static bool trial_is(const struct trial *trial, int i, const u8 *data,
		     u32 length, u64 value)
{
	return trial->set->key[i].length == length &&
	       !memcmp(trial->set->key[i].data, data, length) &&
	       trial->value[i] == value;
}

/* The result that an operation must have, from which the model follows. */
static int trial_apply(struct trial *trial,
		       const struct blink_tree_bytes_op *op, int i)
{
	bool present = trial->present[i];

	switch (op->opcode) {
	case BLINK_TREE_OP_INSERT:
		if (!present)
			trial_set(trial, i, true, op->value);
		return present ? -EEXIST : 0;
	case BLINK_TREE_OP_STORE:
		trial_set(trial, i, true, op->value);
		return present;
	case BLINK_TREE_OP_REPLACE:
		if (present)
			trial->value[i] = op->value;
		return present ? 0 : -ENOENT;
	case BLINK_TREE_OP_ERASE:
		if (present)
			trial_set(trial, i, false, 0);
		return present ? 0 : -ENOENT;
	default:
		return present ? 0 : -ENOENT;
	}
}

/* A batch of random operations: each has the result of the model. */
static void random_batch(struct trial *trial)
{
	static const u16 opcodes[] = {
		BLINK_TREE_OP_LOOKUP,  BLINK_TREE_OP_LOOKUP,
		BLINK_TREE_OP_INSERT,  BLINK_TREE_OP_STORE,
		BLINK_TREE_OP_REPLACE, BLINK_TREE_OP_ERASE,
	};
	unsigned int nr = 1 + fixture_below(&trial->rnd, BATCH_MAX), i;
	struct blink_tree_bytes_op op[BATCH_MAX] = {}, ask;
	int at[BATCH_MAX], ret;
	u64 before;

	for (i = 0; i < nr; i++) {
		at[i] = fixture_below(&trial->rnd, trial->set->nr);
		op[i].opcode =
			opcodes[fixture_below(&trial->rnd, ARRAY_SIZE(opcodes))];
		op[i].key = trial->set->key[at[i]];
		op[i].value = fixture_random(&trial->rnd);
	}
	ask = op[0];
	blink_tree_bytes_batch(trial->tree, op, nr, GFP_KERNEL);
	for (i = 0; i < nr; i++) {
		ask = op[i];
		before = trial->value[at[i]];
		ret = trial_apply(trial, &ask, at[i]);
		if (op[i].result != ret)
			trial_fail(trial, at[i], "batch", op[i].result);
		if (op[i].opcode == BLINK_TREE_OP_LOOKUP && !ret &&
		    op[i].value != before)
			trial_fail(trial, at[i], "value in a batch", 0);
	}
}

/* Floor, ceiling and pops. The first two also begin at the place beside a key. */
static void random_nearest(struct trial *trial, bool pop)
{
	int i = fixture_below(&trial->rnd, trial->set->nr), want, ret;
	struct blink_tree_bytes_entry entry = { .key = trial->found };
	struct blink_bytes_key key = trial->set->key[i];
	bool below = fixture_below(&trial->rnd, 2);

	if (!pop && fixture_below(&trial->rnd, 2))
		key.side = below ? -1 : 1;
	want = trial_near(trial, i + key.side, below);
	if (pop)
		ret = below ? blink_tree_bytes_pop_max(trial->tree, key,
						       &entry) :
			      blink_tree_bytes_pop_min(trial->tree, key,
						       &entry);
	else
		ret = below ? blink_tree_bytes_floor(trial->tree, key, &entry) :
			      blink_tree_bytes_ceiling(trial->tree, key,
						       &entry);
	if (ret != min(want, 0))
		trial_fail(trial, i, "nearest", ret);
	if (!ret &&
	    !trial_is(trial, want, entry.key, entry.length, entry.value))
		trial_fail(trial, i, "another entry", want);
	if (!ret && pop)
		trial_set(trial, want, false, 0);
}

static void random_single(struct trial *trial)
{
	int i = fixture_below(&trial->rnd, trial->set->nr), ret;
	u64 value = fixture_random(&trial->rnd), old = 0;
	const struct blink_bytes_key key = trial->set->key[i];

	switch (fixture_below(&trial->rnd, 4)) {
	case 0:
		ret = blink_tree_bytes_insert(trial->tree, key, value, &old,
					      GFP_KERNEL);
		if (ret != (trial->present[i] ? -EEXIST : 0) ||
		    (ret && old != trial->value[i]))
			trial_fail(trial, i, "insert", ret);
		if (!ret)
			trial_set(trial, i, true, value);
		break;
	case 1:
		ret = blink_tree_bytes_erase(trial->tree, key, &old);
		if (ret != (trial->present[i] ? 0 : -ENOENT) ||
		    (!ret && old != trial->value[i]))
			trial_fail(trial, i, "erase", ret);
		trial_set(trial, i, false, 0);
		break;
	case 2:
		ret = blink_tree_bytes_lookup(trial->tree, key, &old);
		if (ret != (trial->present[i] ? 0 : -ENOENT) ||
		    (!ret && old != trial->value[i]))
			trial_fail(trial, i, "lookup", ret);
		break;
	default:
		old = trial->value[i] + fixture_below(&trial->rnd, 2);
		ret = blink_tree_bytes_cmpxchg(trial->tree, key, &old, value);
		if (!trial->present[i] ?
			    ret != -ENOENT :
			    ret && (ret != -ESTALE || old != trial->value[i]))
			trial_fail(trial, i, "cmpxchg", ret);
		if (!ret)
			trial->value[i] = value;
	}
}

/* A random range of the set, with open or closed ends. */
static void range_init(struct trial *trial, struct blink_bytes_scan *scan,
		       int *first, int *last)
{
	*first = fixture_below(&trial->rnd, trial->set->nr);
	*last = *first + fixture_below(&trial->rnd, trial->set->nr - *first);
	memset(scan, 0, offsetof(struct blink_bytes_scan, passed));
	scan->first = trial->set->key[*first];
	scan->last = trial->set->key[*last];
	scan->first.side = fixture_below(&trial->rnd, 2);
	scan->last.side = -(int)fixture_below(&trial->rnd, 2);
	scan->desc = fixture_below(&trial->rnd, 2);
	*first += scan->first.side;
	*last += scan->last.side;
}

static u64 range_count(const struct trial *trial, int first, int last)
{
	u64 count = 0;

	for (; first <= last; first++)
		count += trial->present[first];
	return count;
}

/* Compare the entries of a scan with the next ones that are present. */
static void random_scan(struct trial *trial, struct blink_bytes_scan *scan)
{
	struct blink_tree_bytes_entry entries[ROOM_MAX];
	int first, last, at, i, nr;
	u64 count = 0;

	range_init(trial, scan, &first, &last);
	scan->size = 2 * BLINK_BYTES_MAX;
	scan->buffer = kunit_kzalloc(trial->test, scan->size, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(trial->test, scan->buffer);
	at = scan->desc ? last : first;
	while (!scan->done) {
		nr = blink_tree_bytes_scan(trial->tree, scan, entries,
					   1 + fixture_below(&trial->rnd,
							     ROOM_MAX));
		if (nr < 0)
			trial_fail(trial, at, "scan", nr);
		for (i = 0; i < nr; i++, count++) {
			at = trial_near(trial, at, scan->desc);
			if (at < 0 ||
			    !trial_is(trial, at, entries[i].key,
				      entries[i].length, entries[i].value))
				trial_fail(trial, at, "scanned", i);
			at += scan->desc ? -1 : 1;
		}
	}
	if (count != range_count(trial, first, last))
		trial_fail(trial, first, "entries of a scan", count);
}

/* Count a range, or erase it. */
static void random_range(struct trial *trial, struct blink_bytes_scan *scan,
			 bool erase)
{
	int first, last, ret;
	u64 count = 0, want;

	range_init(trial, scan, &first, &last);
	want = range_count(trial, first, last);
	while (!scan->done) {
		ret = erase ? blink_tree_bytes_erase_range(trial->tree, scan,
							   NULL, 50) :
			      blink_tree_bytes_count_range(trial->tree, scan,
							   50);
		if (ret < 0)
			trial_fail(trial, first, "range", ret);
		count += ret;
	}
	if (count != want)
		trial_fail(trial, first, "entries of a range", count);
	for (; erase && first <= last; first++)
		if (trial->present[first])
			trial_set(trial, first, false, 0);
}

static void random_operations(struct kunit *test)
{
	const struct course *course = test->param_value;
	unsigned long ops = world_work(8000), i;
	struct blink_bytes_scan *scan;
	struct trial *trial;

	trial = trial_create(test, course->kind);
	scan = kunit_kzalloc(test, sizeof(*scan), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, scan);
	for (i = 0; i < ops; i++) {
		random_single(trial);
		if (!fixture_below(&trial->rnd, 4))
			random_batch(trial);
		random_nearest(trial, !fixture_below(&trial->rnd, 16));
		if (!fixture_below(&trial->rnd, 1000))
			random_scan(trial, scan);
		if (!fixture_below(&trial->rnd, 1000))
			random_range(trial, scan,
				     !fixture_below(&trial->rnd, 4));
		cond_resched();
	}
	fixture_content(test, trial->tree, trial->count);
}

/* Load all keys, find each, and erase them. */
static void load_and_empty(struct kunit *test)
{
	const struct course *course = test->param_value;
	struct trial *trial = trial_create(test, course->kind);
	struct blink_tree_bytes_entry *entries;
	const struct strings *set = trial->set;
	unsigned int i, done;
	u64 value;

	entries = kunit_kzalloc(test, set->nr * sizeof(*entries), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, entries);
	for (i = 0; i < set->nr; i++) {
		entries[i].key = (u8 *)set->key[i].data;
		entries[i].length = set->key[i].length;
		entries[i].value = fixture_value(i);
	}
	KUNIT_ASSERT_EQ(test,
			blink_tree_bytes_load(trial->tree, entries, set->nr, 70,
					      GFP_KERNEL, &done),
			0);
	KUNIT_ASSERT_EQ(test, done, set->nr);
	fixture_content(test, trial->tree, set->nr);
	KUNIT_EXPECT_EQ(test,
			blink_tree_bytes_load(trial->tree, entries, 2, 70,
					      GFP_KERNEL, &done),
			-EEXIST);
	KUNIT_EXPECT_EQ(test, done, 0);
	for (i = 0; i < set->nr; i++)
		if (blink_tree_bytes_lookup(trial->tree, set->key[i], &value) ||
		    value != fixture_value(i))
			trial_fail(trial, i, "lookup of a loaded key", 0);
	for (i = 0; i < set->nr; i++)
		if (blink_tree_bytes_erase(trial->tree, set->key[i], &value) ||
		    value != fixture_value(i))
			trial_fail(trial, i, "erase of a loaded key", 0);
	fixture_emptied(test, trial->tree);
}

/* A key that is too long cannot be added, and is not found. */
static void lengths(struct kunit *test)
{
	u8 *data = kunit_kzalloc(test, BLINK_BYTES_MAX + 1, GFP_KERNEL);
	struct blink_tree *tree = strings_tree(test);
	u64 value;

	KUNIT_ASSERT_NOT_NULL(test, data);
	KUNIT_EXPECT_EQ(test,
			blink_tree_bytes_insert(
				tree,
				blink_bytes_key(data, BLINK_BYTES_MAX + 1), 1,
				NULL, GFP_KERNEL),
			-EINVAL);
	KUNIT_EXPECT_EQ(test,
			blink_tree_bytes_insert(
				tree, blink_bytes_key(data, BLINK_BYTES_MAX), 2,
				NULL, GFP_KERNEL),
			0);
	KUNIT_EXPECT_EQ(test,
			blink_tree_bytes_insert(tree, blink_bytes_key("", 0), 3,
						NULL, GFP_KERNEL),
			0);
	KUNIT_EXPECT_EQ(test,
			blink_tree_bytes_lookup(tree, blink_bytes_key("", 0),
						&value),
			0);
	KUNIT_EXPECT_EQ(test, value, 3);
	KUNIT_EXPECT_EQ(test,
			blink_tree_bytes_lookup(
				tree,
				blink_bytes_key(data, BLINK_BYTES_MAX + 1),
				&value),
			-ENOENT);
	fixture_content(test, tree, 2);
}

#define CASES                                                          \
	FIXTURE_PARAM_SLOW(random_operations, course_gen_params),      \
		FIXTURE_PARAM_SLOW(load_and_empty, course_gen_params), \
		KUNIT_CASE(lengths)

FIXTURE_SUITE("bytes", CASES);
FIXTURE_SUITE("bytes-inner", CASES);
FIXTURE_SUITE("bytes-full", CASES);
