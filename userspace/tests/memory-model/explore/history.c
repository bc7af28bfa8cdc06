// SPDX-License-Identifier: GPL-2.0
/*
 * The answers of the operations of an execution; they must be linearizable (linear.h).
 * An operation that begins when another one has ended is told so: its fiber must find
 * all that the other fiber had found, as if the two had a channel of their own.
 */
#include <linux/blink_tree.h>
#include <linux/kernel.h>
#include <linux/slab.h>

#include "../../../../kunit/keys_names.h"
#include "../../common/linear.h"
#include "explore.h"

#define SECRET 0xc0ffee

static struct blink_tree *tree;
static struct record records[FIBERS_MAX * OPS_MAX];
static unsigned int nr_records;
static bool rebuilt;
/* The keys of the tree, before the execution and at the end; they are small. */
static u64 key[KEYS_MAX], value[2][KEYS_MAX];
static bool present[2][KEYS_MAX];
static struct model before = { KEYS_MAX, 0, 0, key, value[0], present[0] };
static struct model after = { KEYS_MAX, 0, 0, key, value[1], present[1] };

static void read_tree(struct model *model)
{
	if (!linear_read(model, tree))
		explore_fail("a key of no operation is in the tree");
}

void history_begin(struct blink_tree *t)
{
	unsigned int i;

	tree = t;
	for (i = 0; i < KEYS_MAX; i++)
		key[i] = i;
	read_tree(&before);
}

/* Something that was just allocated and is not known to anybody. */
static u64 make_secret(void)
{
	u64 *secret = kmalloc(sizeof(*secret), GFP_KERNEL);

	*secret = SECRET;
	return (uintptr_t)secret;
}

/*
 * The dependency orders a reader that follows a pointer. No compiler reports this order
 * to the runtime: the fence takes its place.
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
	if (step->op == (OP_CLEARED | OP_WITH))
		return BLINK_TREE_OP_ERASE;
	return step->op == OP_FOLLOW ? BLINK_TREE_OP_LOOKUP :
				       step->op & ~OP_WITH;
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

static void make_record(struct record *r, unsigned int fiber, unsigned int i,
			const struct step *step)
{
	*r = (struct record){ .fiber = fiber };
	r->asked.opcode = opcode_of(step);
	r->asked.key = step->key;
	r->asked.value = step->op == OP_PUBLISH ?
				 make_secret() :
				 step->key + 100 * (fiber + 1) + 50 * i;
	r->got = r->asked;
	r->any = step->op == (OP_CLEARED | OP_WITH);
}

/* As many steps as are one commit. */
static unsigned int steps_of(const struct step *step, unsigned int i)
{
	unsigned int nr = 1;

	while (i + nr < OPS_MAX && step[nr].op & OP_WITH)
		nr++;
	return nr;
}

/*
 * Operations of a commit. None of them has a condition that fails. A key that is cleared is in
 * the gap of the operation before, which is told nothing of it.
 */
static void commit_steps(struct record *r, unsigned int nr)
{
	struct blink_tree_ioc_op ops[OPS_MAX];
	unsigned int i, n = 0;

	for (i = 0; i < nr; i++) {
		if (r[i].any)
			ops[n - 1].flags = BLINK_TREE_COMMIT_CLEAR;
		else
			ops[n++] = r[i].asked;
	}
	if (blink_tree_commit(tree, ops, n, NULL, GFP_KERNEL))
		explore_fail("a commit fails");
	for (i = 0, n = 0; i < nr; i++) {
		if (r[i].any)
			continue;
		r[i].got = ops[n++];
		r[i].asked.flags = r[i].got.flags;
	}
}

unsigned int history_do(unsigned int fiber, unsigned int i,
			const struct step *step)
{
	struct record *r = &records[nr_records];
	unsigned int nr = steps_of(step, i), k;

	if (step->op == OP_REBUILD) {
		rebuild(step->key);
		return 1;
	}
	nr_records += nr;
	for (k = 0; k < nr; k++) {
		make_record(&r[k], fiber, i + k, &step[k]);
		r[k].with = k;
	}
	for (k = 0; k < nr; k++)
		r[k].begin = search_clock();
	memory_hear();
	if (nr > 1)
		commit_steps(r, nr);
	else
		blink_tree_op(tree, &r->got, GFP_KERNEL);
	if (step->op == OP_FOLLOW && !r->got.result)
		follow(r->got.value);
	memory_tell();
	for (k = 0; k < nr; k++)
		r[k].end = search_clock();
	return nr;
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
	read_tree(&after);
	if (!linear_explained(&before, &after, records, nr_records))
		explore_fail("no order of the operations explains the answers");
	nr_records = 0;
}

void history_tell(void)
{
	linear_print_map("before", &before);
	linear_print(records, nr_records, NULL);
}
