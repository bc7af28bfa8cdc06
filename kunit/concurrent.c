// SPDX-License-Identifier: GPL-2.0
/*
 * Writers beside writers. Each knows exactly what must become of the keys that
 * are its own, or all of them together know what the sum must be.
 */
#include "threads.h"
#include "random_ops.h"

/*
 * Partitions: every thread has keys of its own, and works on them as if it were
 * alone. Interleaved, the keys of a leaf belong to all members; in blocks, the
 * members meet where blocks do.
 */
struct partition {
	const char *name;
	bool blocks;
	unsigned int keys;
	unsigned int tide;
	unsigned int ops;
};

static const struct partition partitions[] = {
	{ "interleaved, few keys", false, 12, 20, 12000 },
	{ "interleaved", false, 300, 1200, 12000 },
	{ "interleaved, many keys", false, 2500, 9000, 10000 },
	{ "blocks", true, 60, 150, 12000 },
};

KUNIT_ARRAY_PARAM_DESC(partition, partitions, name);

struct partition_worker {
	struct random_ops random;
	unsigned long ops;
};

/*
 * Neighbours found beside one's own keys may be others'. They are at least as
 * near, on the right side, and one's own only if that is right.
 */
static bool nearest_plausible(const struct blink_tree_ioc_op *asked,
			      const struct blink_tree_ioc_op *op,
			      const struct blink_tree_ioc_op *own)
{
	u64 distance, own_distance;

	if (op->result == -ENOENT)
		return own->result == -ENOENT;
	if (op->result)
		return false;
	distance = asked->opcode == BLINK_TREE_OP_FLOOR ? asked->key - op->key :
							  op->key - asked->key;
	own_distance = asked->opcode == BLINK_TREE_OP_FLOOR ?
			       asked->key - own->key :
			       own->key - asked->key;
	if (asked->opcode == BLINK_TREE_OP_FLOOR ? op->key > asked->key :
						   op->key < asked->key)
		return false;
	if (own->result)
		return true;
	if (op->key == own->key)
		return op->value == own->value;
	return distance < own_distance;
}

static bool plausible(const struct blink_tree_ioc_op *asked,
		      const struct blink_tree_ioc_op *op,
		      const struct blink_tree_ioc_op *own)
{
	if (asked->opcode == BLINK_TREE_OP_FLOOR ||
	    asked->opcode == BLINK_TREE_OP_CEILING)
		return nearest_plausible(asked, op, own);
	return op->result == own->result && op->value == own->value &&
	       op->old == own->old;
}

static void work_on_partition(struct thread *me)
{
	struct partition_worker *worker = me->arg;
	struct random_ops *random = &worker[me->id].random;
	struct blink_tree_ioc_op asked, op, own;

	while (random->n < worker[me->id].ops && thread_goes_on(me)) {
		random_ops_choose(random, &asked);
		op = asked;
		own = asked;
		blink_tree_op(me->threads->tree, &op, GFP_KERNEL);
		model_apply(&random->model, &own);
		if (!plausible(&asked, &op, &own))
			thread_fail(
				me,
				"opcode %u of key %llu: %d, key %llu, value %llu; expected %d, %llu, %llu",
				asked.opcode, asked.key, op.result, op.key,
				op.value, own.result, own.key, own.value);
	}
}

/* All that the models have, and no more. */
static void check_partitions(struct kunit *test, struct blink_tree *tree,
			     const struct partition_worker *worker,
			     unsigned int nr)
{
	unsigned int i, place;
	u64 count = 0, value;

	for (i = 0; i < nr; i++) {
		const struct model *model = &worker[i].random.model;

		for (place = 0; place < model->nr; place++) {
			u64 key = model->key[place];

			if (!model->present[place])
				continue;
			if (blink_tree_lookup(tree, key, &value) ||
			    value != model->value[place])
				fixture_fail_at(test, key, "lost");
		}
		count += model->count;
	}
	fixture_sound(test, tree, count);
}

static void partitioned(struct kunit *test)
{
	const struct partition *part = test->param_value;
	struct blink_tree *tree = fixture_tree(test);
	struct threads *threads = threads_create(test, tree);
	unsigned int nr = world_cpus(), i;
	struct partition_worker *worker;

	worker = fixture_alloc(test, nr, sizeof(*worker));
	for (i = 0; i < nr; i++) {
		struct random_ops *random = &worker[i].random;
		u64 base = part->blocks ? 1000 + i * part->keys : 1000 + i;

		model_init(test, &random->model, base, part->blocks ? 1 : nr,
			   part->keys);
		prandom_seed_state(&random->rnd, fixture_random(&threads->rnd));
		random->tide = part->tide;
		worker[i].ops = world_work(part->ops);
	}
	threads_lead(threads, nr, work_on_partition, worker);
	threads_run(threads);
	check_partitions(test, tree, worker, nr);
}

/*
 * Conservation: each key that a thread adds is in the tree at the end, or exactly one
 * thread took it out. Values are random, so their sums differ if one is lost or doubled.
 */
struct ledger {
	u64 keys;
	unsigned long ops;
	struct {
		u64 in;
		u64 out;
		u64 added;
		u64 removed;
	} member[THREADS_MAX];
};

/* Remove the key, or the nearest one. */
static int take_once(struct thread *me, u64 key, u64 *old)
{
	struct blink_tree *tree = me->threads->tree;
	struct blink_tree_entry entry = {};
	int ret;

	switch (fixture_below(&me->rnd, 4)) {
	case 0:
		ret = blink_tree_pop_min(tree, key, &entry);
		break;
	case 1:
		ret = blink_tree_pop_max(tree, key, &entry);
		break;
	default:
		return blink_tree_erase(tree, key, old);
	}
	*old = entry.value;
	return ret;
}

/* Remove all keys of a short range. */
static int take_range(struct thread *me, u64 key, struct ledger *ledger)
{
	struct blink_scan scan = { .first = key, .last = key + 10 };
	struct blink_tree_entry entries[4];
	int ret, i;

	while (!scan.done) {
		ret = blink_tree_erase_range(me->threads->tree, &scan, entries,
					     ARRAY_SIZE(entries));
		if (ret < 0)
			return ret;
		for (i = 0; i < ret; i++)
			ledger->member[me->id].out += entries[i].value;
		ledger->member[me->id].removed += ret;
	}
	return 0;
}

static int contend_once(struct thread *me, struct ledger *ledger)
{
	struct blink_tree *tree = me->threads->tree;
	u64 key = fixture_below(&me->rnd, ledger->keys);
	u64 value = fixture_random(&me->rnd), old = 0;
	int ret;

	if (!fixture_below(&me->rnd, 32))
		return take_range(me, key, ledger);
	switch (fixture_below(&me->rnd, 8)) {
	case 0:
		ret = blink_tree_insert(tree, key, value, NULL, GFP_KERNEL);
		if (!ret) {
			ledger->member[me->id].added++;
			ledger->member[me->id].in += value;
		}
		return ret == -EEXIST ? 0 : ret;
	case 1:
		ret = blink_tree_store(tree, key, value, &old, GFP_KERNEL);
		if (ret >= 0) {
			ledger->member[me->id].added += !ret;
			ledger->member[me->id].in += value;
			ledger->member[me->id].out += old;
		}
		return ret == 1 ? 0 : ret;
	case 2:
		ret = blink_tree_replace(tree, key, value, &old);
		break;
	case 3:
		ret = blink_tree_lookup(tree, key, &old);
		if (!ret)
			ret = blink_tree_cmpxchg(tree, key, &old, value);
		if (ret == -ESTALE)
			return 0;
		break;
	case 4:
		ret = blink_tree_get_or_insert(tree, key, &value, GFP_KERNEL);
		if (ret)
			return ret == 1 ? 0 : ret;
		ledger->member[me->id].added++;
		break;
	case 5:
		ret = blink_tree_add(tree, key, value, NULL, GFP_KERNEL);
		if (ret < 0)
			return ret;
		ledger->member[me->id].added += !ret;
		ret = 0;
		break;
	default:
		value = 0;
		ret = take_once(me, key, &old);
		ledger->member[me->id].removed += !ret;
	}
	if (!ret) {
		ledger->member[me->id].in += value;
		ledger->member[me->id].out += old;
	}
	return ret == -ENOENT ? 0 : ret;
}

static void contend(struct thread *me)
{
	struct ledger *ledger = me->arg;
	unsigned long n;
	int ret;

	for (n = 0; n < ledger->ops && thread_goes_on(me); n++) {
		ret = contend_once(me, ledger);
		if (ret)
			thread_fail(me, "an operation returned %d", ret);
	}
}

static void balance(struct kunit *test, struct blink_tree *tree,
		    const struct ledger *ledger)
{
	u64 in = 0, out = 0, added = 0, removed = 0, left = 0;
	struct blink_cursor cursor;
	struct blink_tree_entry entry;
	struct blink_tree_ioc_stats stats;
	unsigned int i;

	for (i = 0; i < THREADS_MAX; i++) {
		in += ledger->member[i].in;
		out += ledger->member[i].out;
		added += ledger->member[i].added;
		removed += ledger->member[i].removed;
	}
	blink_tree_for_each(&cursor, tree, &entry)
		left += entry.value;
	KUNIT_EXPECT_EQ(test, in - out, left);
	blink_tree_stats(tree, &stats);
	KUNIT_EXPECT_EQ(test, stats.inserts, added);
	KUNIT_EXPECT_EQ(test, stats.erases, removed);
	fixture_sound(test, tree, added - removed);
}

struct contest {
	const char *name;
	u64 keys;
};

static const struct contest contests[] = {
	{ "one key", 1 },
	{ "one leaf", 24 },
	{ "a few leaves", 120 },
	{ "many leaves", 2500 },
};

KUNIT_ARRAY_PARAM_DESC(contest, contests, name);

static void nothing_lost_nothing_doubled(struct kunit *test)
{
	const struct contest *contest = test->param_value;
	struct blink_tree *tree = fixture_tree(test);
	struct threads *threads = threads_create(test, tree);
	struct ledger *ledger;

	ledger = fixture_alloc(test, 1, sizeof(*ledger));
	ledger->keys = contest->keys;
	ledger->ops = world_work(10000);
	threads_lead(threads, world_cpus(), contend, ledger);
	threads_run(threads);
	balance(test, tree, ledger);
}

#define CASES                                                    \
	FIXTURE_PARAM_SLOW(partitioned, partition_gen_params),   \
		FIXTURE_PARAM_SLOW(nothing_lost_nothing_doubled, \
				   contest_gen_params)

FIXTURE_SUITE("concurrent", CASES);
FIXTURE_SUITE("concurrent-inner", CASES);
FIXTURE_SUITE("concurrent-full", CASES);
FIXTURE_SUITE("concurrent-compress", CASES);
FIXTURE_SUITE("concurrent-u128-inner", CASES);
FIXTURE_SUITE("concurrent-bytes-inner", CASES);
