// SPDX-License-Identifier: GPL-2.0
/*
 * Several processes do random operations on one tree at once. Keys belong to
 * processes in turn, so that neighbours share leaves, and a process knows of
 * each of its own keys whether it must be there and with what value: every
 * result is checked exactly. Of a scan, a floor or a ceiling, what it says of
 * the process's own keys is.
 *
 * The mix leans towards inserting, then towards erasing, and so on, so that
 * leaves split and merge all the time.
 */
#include "kselftest_harness.h"

#include "blink_test.h"
#include "modes.h"

#define PROCESSES 6
#define OWN_KEYS 700
#define KEYS (PROCESSES * OWN_KEYS)
#define SECONDS 2
#define PHASE 500

/* The model that a process has of its own keys. */
struct model {
	int id;
	int tree;
	__u64 state;
	__u64 operations;
	bool *present;
	__u64 *values;
};

/* The state that all processes share. */
struct stage {
	int tree;
	__u64 seed;
	bool *present;
	__u64 *values;
	__u64 *operations;
};

FIXTURE(stress)
{
	struct stage stage;
};

FIXTURE_VARIANT(stress)
{
	struct blink_tree_ioc_create how;
};

ADD_MODES(stress);

FIXTURE_SETUP(stress)
{
	const struct blink_tree_ioc_create how = how_to(&variant->how);
	struct stage *stage = &self->stage;

	stage->tree = tree_new_as(&how);
	ASSERT_GE(stage->tree, 0);
	stage->seed = seed_get();
	stage->present = shared_alloc(KEYS * sizeof(*stage->present));
	stage->values = shared_alloc(KEYS * sizeof(*stage->values));
	stage->operations = shared_alloc(sizeof(*stage->operations));
	ASSERT_TRUE(stage->present && stage->values && stage->operations);
}

FIXTURE_TEARDOWN(stress)
{
	close(self->stage.tree);
}

static __u64 own_key(struct model *m)
{
	return random_next(&m->state) % OWN_KEYS * PROCESSES + m->id;
}

/* Predict the results and the output of an operation; the model follows. */
static void expect(struct model *m, struct blink_tree_ioc_op *op)
{
	bool *present = &m->present[op->key], was = *present;
	__u64 *value = &m->values[op->key];

	op->result = was ? 0 : -ENOENT;
	if (op->opcode == BLINK_TREE_OP_INSERT)
		op->result = was ? -EEXIST : 0;
	else if (op->opcode == BLINK_TREE_OP_STORE)
		op->result = was;
	else if (op->opcode == BLINK_TREE_OP_CMPXCHG && was &&
		 *value != op->old)
		op->result = -ESTALE;

	if (op->opcode == BLINK_TREE_OP_LOOKUP) {
		if (was)
			op->value = *value;
		return;
	}
	if (was)
		op->old = *value;
	if (op->result < 0)
		return;
	*present = op->opcode != BLINK_TREE_OP_ERASE;
	*value = op->value;
}

static struct blink_tree_ioc_op random_op(struct model *m, bool growing)
{
	static const __u16 growing_mix[8] = {
		BLINK_TREE_OP_LOOKUP,  BLINK_TREE_OP_INSERT,
		BLINK_TREE_OP_INSERT,  BLINK_TREE_OP_INSERT,
		BLINK_TREE_OP_STORE,   BLINK_TREE_OP_REPLACE,
		BLINK_TREE_OP_CMPXCHG, BLINK_TREE_OP_ERASE,
	};
	static const __u16 shrinking_mix[8] = {
		BLINK_TREE_OP_LOOKUP,  BLINK_TREE_OP_ERASE,
		BLINK_TREE_OP_ERASE,   BLINK_TREE_OP_ERASE,
		BLINK_TREE_OP_ERASE,   BLINK_TREE_OP_REPLACE,
		BLINK_TREE_OP_CMPXCHG, BLINK_TREE_OP_INSERT,
	};
	unsigned int i = random_next(&m->state) % 8;

	return (struct blink_tree_ioc_op){
		.opcode = growing ? growing_mix[i] : shrinking_mix[i],
		.key = own_key(m),
		.value = random_next(&m->state) % 4,
		.old = random_next(&m->state) % 4,
	};
}

/* A single operation, the same as any number of them. */
static bool do_ops(struct model *m, unsigned int nr, bool growing)
{
	struct blink_tree_ioc_op ops[64], want[64];
	unsigned int i;
	int ret;

	m->operations += nr;
	for (i = 0; i < nr; i++) {
		ops[i] = random_op(m, growing);
		want[i] = ops[i];
	}
	if (nr == 1) {
		ret = op_call(m->tree, ops);
		if (ret != ops[0].result)
			return false;
	} else if (batch_all(m->tree, ops, nr)) {
		return false;
	}
	for (i = 0; i < nr; i++) {
		expect(m, &want[i]);
		if (memcmp(&want[i], &ops[i], sizeof(want[i]))) {
			fprintf(stderr,
				"# opcode %u key %llu: result %d value %llu old %llu, not %d %llu %llu\n",
				ops[i].opcode, ops[i].key, ops[i].result,
				ops[i].value, ops[i].old, want[i].result,
				want[i].value, want[i].old);
			return false;
		}
	}
	return true;
}

/* Whether no key of ours is in a range that is said to have none. */
static bool none_between(const struct model *m, __u64 first, __u64 last)
{
	for (__u64 key = first; key <= last && key < KEYS; key++) {
		if (key % PROCESSES == (__u64)m->id && m->present[key]) {
			fprintf(stderr, "# key %llu was passed over\n", key);
			return false;
		}
	}
	return true;
}

/* Whether an entry may be in the tree, as far as we can tell. */
static bool plausible(const struct model *m, __u64 key, __u64 value)
{
	if (key >= KEYS)
		return false;
	if (key % PROCESSES != (__u64)m->id)
		return value < 4;
	return m->present[key] && m->values[key] == value;
}

static bool do_nearest(struct model *m)
{
	bool floor = random_next(&m->state) % 2;
	__u64 from = random_next(&m->state) % KEYS;
	struct blink_tree_ioc_op op = {
		.opcode = floor ? BLINK_TREE_OP_FLOOR : BLINK_TREE_OP_CEILING,
		.key = from,
	};
	int ret = op_call(m->tree, &op);

	m->operations++;
	if (ret == -ENOENT)
		return floor ? none_between(m, 0, from) :
			       none_between(m, from, KEYS - 1);
	if (ret || !plausible(m, op.key, op.value))
		return false;
	if (floor)
		return op.key <= from && none_between(m, op.key + 1, from);
	return op.key >= from &&
	       (op.key == from || none_between(m, from, op.key - 1));
}

/* Entries in pieces of any size, in one direction: they are in order, and ours are there. */
static bool do_scan(struct model *m)
{
	struct blink_tree_entry entries[100];
	const bool desc = random_next(&m->state) % 2;
	const __u64 first = random_next(&m->state) % KEYS;
	struct blink_tree_ioc_scan arg = {
		.flags = desc ? BLINK_TREE_SCAN_DESC : 0,
		.first = first,
		.last = first +
			random_next(&m->state) %
				(random_next(&m->state) % 8 ? 200 : KEYS),
		.capacity = 1 + random_next(&m->state) % ARRAY_SIZE(entries),
		.entries = ptr_to_u64(entries),
		.entry_size = sizeof(struct blink_tree_entry),
	};
	/* The rest of the range, from the last entry on. */
	__u64 low = first, high = arg.last, i;

	m->operations++;
	do {
		if (call(m->tree, BLINK_TREE_IOC_SCAN, &arg))
			return false;
		for (i = 0; i < arg.count; i++) {
			const __u64 key = entries[i].key;

			if (key < low || key > high ||
			    !plausible(m, key, entries[i].value))
				return false;
			if (desc ? !none_between(m, key + 1, high) :
				   key > low && !none_between(m, low, key - 1))
				return false;
			/* Behind the ends of the range there is nothing to come. */
			if (desc && !key)
				return true;
			low = desc ? low : key + 1;
			high = desc ? key - 1 : high;
		}
	} while (!(arg.flags & BLINK_TREE_SCAN_DONE));
	return low > high || none_between(m, low, high);
}

static bool do_step(struct model *m, bool growing)
{
	unsigned int what = random_next(&m->state) % 16;

	if (what == 0)
		return do_scan(m);
	if (what < 3)
		return do_nearest(m);
	if (what < 6)
		return do_ops(m, 1 + random_next(&m->state) % 64, growing);
	return do_ops(m, 1, growing);
}

/* One process: until the time is over or something is wrong. */
static int work(int id, void *arg)
{
	const struct stage *stage = arg;
	struct model m = {
		.id = id,
		.tree = stage->tree,
		.state = random_stream(stage->seed, id),
		.present = stage->present,
		.values = stage->values,
	};
	__u64 end = now_ms() + 1000 * seconds_get(SECONDS), step;

	for (step = 0; now_ms() < end; step++) {
		if (!do_step(&m, step / PHASE % 2 == 0)) {
			fprintf(stderr, "# process %d, step %llu\n", id, step);
			return 1;
		}
	}
	__atomic_add_fetch(stage->operations, m.operations, __ATOMIC_RELAXED);
	return 0;
}

/* Everybody's keys, from one point of view, when all is quiet. */
static __u64 count_all(const struct stage *stage)
{
	__u64 key, value, there = 0;
	int ret;

	for (key = 0; key < KEYS; key++) {
		bool present = stage->present[key];

		ret = lookup(stage->tree, key, &value);
		if (ret != (present ? 0 : -ENOENT) ||
		    (present && value != stage->values[key]))
			return U64_MAX;
		there += present;
	}
	return there;
}

static int erase_own(int id, void *arg)
{
	const struct stage *stage = arg;
	__u64 key;
	int ret;

	for (key = id; key < KEYS; key += PROCESSES) {
		ret = erase(stage->tree, key);
		if (ret != (stage->present[key] ? 0 : -ENOENT))
			return 1;
	}
	return 0;
}

TEST_F(stress, exact_and_sound)
{
	struct stage *stage = &self->stage;
	struct blink_tree_ioc_stats stats;
	__u64 there;

	ASSERT_EQ(0, in_children(PROCESSES, work, stage));
	ASSERT_EQ(0, tree_stats(stage->tree, &stats));
	fprintf(stderr, "# %llu splits, %llu merges\n# operations %llu\n",
		stats.splits, stats.merges, *stage->operations);
	there = count_all(stage);
	ASSERT_NE(U64_MAX, there);
	ASSERT_EQ(0, tree_check(stage->tree, there));
	ASSERT_EQ(0, in_children(PROCESSES, erase_own, stage));
	EXPECT_EQ(0, tree_check(stage->tree, 0));
	EXPECT_EQ(1, height_of(stage->tree));
}

TEST_HARNESS_MAIN
