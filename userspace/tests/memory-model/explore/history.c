// SPDX-License-Identifier: GPL-2.0
/*
 * What the operations of an execution answered, and the search for an order that
 * explains it (linearizability). An operation comes before another one if that
 * began when it had ended, and then it is told so: whatever the first one's fiber
 * had found, the second one's must find, as if the two had a channel of their
 * own.
 */
#include <linux/blink_tree.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <string.h>

#include "explore.h"

#define ABSENT (~0ULL)
#define SECRET 0xc0ffee

struct record {
	struct step step;
	unsigned int fiber;
	u64 value;
	struct blink_tree_ioc_op got;
	u64 begin;
	u64 end;
	bool done;
};

static struct blink_tree *tree;
static struct record records[FIBERS_MAX * OPS_MAX];
static unsigned int nr_records;
static bool rebuilt;
/* What is there: before the execution, while an order is tried, at the end. */
static u64 before[KEYS_MAX], map[KEYS_MAX], after[KEYS_MAX];

static void read_tree(u64 *values)
{
	struct blink_cursor cursor;
	struct blink_tree_entry entry;
	unsigned int i;

	for (i = 0; i < KEYS_MAX; i++)
		values[i] = ABSENT;
	blink_tree_for_each(&cursor, tree, &entry) {
		if (entry.key >= KEYS_MAX)
			explore_fail("key %llu is in the tree", entry.key);
		values[entry.key] = entry.value;
	}
}

void history_begin(struct blink_tree *t)
{
	tree = t;
	read_tree(before);
}

/* Something that was just allocated and is not known to anybody. */
static u64 make_secret(void)
{
	u64 *secret = kmalloc(sizeof(*secret), GFP_KERNEL);

	*secret = SECRET;
	return (uintptr_t)secret;
}

/*
 * Whoever follows a pointer is ordered by the dependency, which no compiler
 * tells: the fence is in its place.
 */
static void follow(u64 value)
{
	u64 secret;

	if (value < KEYS_MAX * 1000)
		return;
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	secret = READ_ONCE(*(u64 *)(uintptr_t)value);
	if (secret != SECRET)
		explore_fail("a value leads to what is not there yet");
}

static u8 opcode_of(const struct step *step)
{
	if (step->op == OP_PUBLISH)
		return BLINK_TREE_OP_STORE;
	return step->op == OP_FOLLOW ? BLINK_TREE_OP_LOOKUP : step->op;
}

/* Memory is not short: of what is split meanwhile no leaf may lack an entry. */
static void rebuild(int nid)
{
	memory_hear();
	if (blink_tree_rebuild(tree, nid, GFP_KERNEL))
		explore_fail("an index cannot be rebuilt");
	memory_tell();
	rebuilt = true;
}

void history_do(unsigned int fiber, unsigned int i, const struct step *step)
{
	struct record *r = &records[nr_records];

	if (step->op == OP_REBUILD) {
		rebuild(step->key);
		return;
	}
	nr_records++;
	*r = (struct record){ .step = *step, .fiber = fiber };
	r->value = step->op == OP_PUBLISH ?
			   make_secret() :
			   step->key + 100 * (fiber + 1) + 50 * i;
	r->got.opcode = opcode_of(step);
	r->got.key = step->key;
	r->got.value = r->value;
	r->begin = search_clock();
	memory_hear();
	blink_tree_op(tree, &r->got, GFP_KERNEL);
	if (step->op == OP_FOLLOW && !r->got.result)
		follow(r->got.value);
	memory_tell();
	r->end = search_clock();
}

/* What the map answers, and what becomes of it. */
static bool same_nearest(const struct record *r)
{
	int step = r->got.opcode == BLINK_TREE_OP_FLOOR ? -1 : 1, key;

	for (key = r->step.key; key >= 0 && key < KEYS_MAX; key += step)
		if (map[key] != ABSENT)
			return !r->got.result && r->got.key == (u64)key &&
			       r->got.value == map[key];
	return r->got.result == -ENOENT;
}

static bool same_change(const struct record *r)
{
	u64 *there = &map[r->step.key], old = *there;
	bool present = old != ABSENT;
	int result = 0;

	switch (r->got.opcode) {
	case BLINK_TREE_OP_INSERT:
		result = present ? -EEXIST : 0;
		break;
	case BLINK_TREE_OP_STORE:
		result = present;
		break;
	default:
		result = present ? 0 : -ENOENT;
	}
	if (r->got.result != result || (present && r->got.old != old))
		return false;
	if (result >= 0)
		*there = r->got.opcode == BLINK_TREE_OP_ERASE ? ABSENT :
								r->value;
	return true;
}

static bool same_answer(const struct record *r)
{
	u64 there = map[r->step.key];

	switch (r->got.opcode) {
	case BLINK_TREE_OP_LOOKUP:
		if (there == ABSENT)
			return r->got.result == -ENOENT;
		return !r->got.result && r->got.value == there;
	case BLINK_TREE_OP_FLOOR:
	case BLINK_TREE_OP_CEILING:
		return same_nearest(r);
	default:
		return same_change(r);
	}
}

/* Search for an order of the operations that are not done yet. */
static bool explained(void)
{
	u64 first_end = U64_MAX, old;
	struct record *r;

	for (r = records; r < records + nr_records; r++)
		if (!r->done)
			first_end = min(first_end, r->end);
	if (first_end == U64_MAX)
		return !memcmp(map, after, sizeof(map));
	for (r = records; r < records + nr_records; r++) {
		if (r->done || r->begin > first_end)
			continue;
		old = map[r->step.key];
		r->done = true;
		if (same_answer(r) && explained())
			return true;
		r->done = false;
		map[r->step.key] = old;
	}
	return false;
}

void history_check(void)
{
	struct blink_tree_ioc_verify report;
	int ret;

	ret = blink_tree_verify(tree, &report);
	if (ret)
		explore_fail(
			"verify: %d, violation %u at level %u, low key %llu",
			ret, report.violation, report.level, report.key);
	if (rebuilt && report.unindexed)
		explore_fail("a rebuilt index lacks an entry");
	read_tree(after);
	memcpy(map, before, sizeof(map));
	if (!explained())
		explore_fail("no order of the operations explains the answers");
	nr_records = 0;
}

static void tell_map(const char *when, const u64 *values)
{
	unsigned int i;

	printf("# %s:", when);
	for (i = 0; i < KEYS_MAX; i++)
		if (values[i] != ABSENT)
			printf(" %u=%llu", i, values[i]);
	printf("\n");
}

void history_tell(void)
{
	static const char *const names[] = {
		"lookup", "insert",  "store", "replace",
		"erase",  "cmpxchg", "floor", "ceiling",
	};
	const struct record *r;

	tell_map("before", before);
	for (r = records; r < records + nr_records; r++) {
		printf("# fiber %u [%llu, %llu] %s %u (%llu)", r->fiber,
		       r->begin, r->end, names[r->got.opcode], r->step.key,
		       r->value);
		if (!r->end)
			printf(": under way\n");
		else
			printf(" = %d: key %llu, value %llu, old %llu\n",
			       r->got.result, r->got.key, r->got.value,
			       r->got.old);
	}
}
