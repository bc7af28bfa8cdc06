// SPDX-License-Identifier: GPL-2.0
/*
 * The check of a scheme that promises LAB_MULTI, against an oracle: first by one thread,
 * then by several at the same time.
 *
 * There are few keys, each with up to VALUES entries, many times as many as a node has. A
 * thread *owns* each value that leaves its own number as the remainder when divided by the
 * number of threads, under all keys. Only the owner inserts and removes its entries, so it
 * knows which of them are there; the oracle has a bit for each value of each key. So all
 * threads have entries of each key.
 *
 * The entries of one more key, the *counted* one, are removed by any thread (erase()). All
 * threads insert entries with new values, and count: in the end there are as many entries
 * as insertions less removals.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "../keys.h"
#include "../threads.h"
#include "check.h"

#define KEYS 32U
#define VALUES 64U
/* A plain node has 8 entries then. */
#define NODE_BYTES 176
#define GAP 1000
#define COUNTED (KEYS * GAP)
#define PATIENCE 64

/**
 * struct stand - the data that the threads of a check share
 * @index: the index
 * @nr: number of threads
 * @stop: set to make them end early
 */
struct stand {
	struct lab_index index;
	u32 nr;
	bool stop;
};

/**
 * struct checker - a thread of a check
 * @stand: the stand
 * @id: its number
 * @ops: its operations
 * @random: state of its choices
 * @failure: the operation that was wrong, or NULL
 * @number: the number of its key
 * @has: the oracle: of each key a bit for each value of this thread that is there
 * @inserted: entries of the counted key that it inserted, ever
 * @balance: the same, less those that it removed
 * @entry: for scans
 */
struct checker {
	struct stand *stand;
	u32 id;
	u32 ops;
	u64 random;
	const char *failure;
	u32 number;
	u64 has[KEYS];
	u64 inserted;
	s64 balance;
	struct blink_tree_entry entry[LAB_SCAN_MAX];
};

static u64 key_of(u32 number)
{
	return number * GAP;
}

static bool owns(const struct checker *me, u64 value)
{
	return value % me->stand->nr == me->id;
}

/* Whether an entry may be found at all, and is there if this thread owns it. */
static bool is_sound(const struct checker *me,
		     const struct blink_tree_entry *entry)
{
	u64 number = entry->key / GAP;

	if (entry->key == COUNTED)
		return true;
	if (entry->key % GAP || number >= KEYS || entry->value >= VALUES)
		return false;
	return !owns(me, entry->value) || me->has[number] >> entry->value & 1;
}

/* The place of an entry among all that there can be. */
static u64 place_of(u64 key, u64 value)
{
	return min_t(u64, key / GAP, KEYS) * VALUES + min_t(u64, value, VALUES);
}

/* Whether this thread has no entry from a place up to another. */
static bool expects_none(const struct checker *me, u64 from, u64 to)
{
	for (; from < to && from < KEYS * VALUES; from++) {
		if (me->has[from / VALUES] >> from % VALUES & 1)
			return false;
	}
	return true;
}

static bool check_insert(struct checker *me, u32 number, u32 value)
{
	const struct lab_index *index = &me->stand->index;
	bool present = me->has[number] >> value & 1;

	me->has[number] |= 1ULL << value;
	return lab_check_insert(index, key_of(number), value) ==
	       (present ? -EEXIST : 0);
}

static bool check_store(struct checker *me, u32 number, u32 value)
{
	const struct lab_index *index = &me->stand->index;

	me->has[number] |= 1ULL << value;
	return !lab_check_store(index, key_of(number), value);
}

static bool check_erase_entry(struct checker *me, u32 number, u32 value)
{
	const struct lab_index *index = &me->stand->index;
	bool present = me->has[number] >> value & 1;

	me->has[number] &= ~(1ULL << value);
	return index->ops->erase_entry(index->data, key_of(number), value) ==
	       (present ? 0 : -ENOENT);
}

static bool check_lookup(struct checker *me, u32 number, u32 value)
{
	const struct lab_index *index = &me->stand->index;
	struct blink_tree_entry entry = { .key = key_of(number) };
	int ret;

	ret = index->ops->lookup(index->data, entry.key, &entry.value);
	if (ret)
		return ret == -ENOENT && !me->has[number];
	return is_sound(me, &entry);
}

/* Entries come in order, and all that this thread has are among them. */
static bool check_scan(struct checker *me, u32 number, u32 value)
{
	const struct lab_index *index = &me->stand->index;
	u64 at = place_of(key_of(number), 0), found;
	unsigned int got, i;

	got = index->ops->scan(index->data, key_of(number), me->entry,
			       LAB_SCAN_MAX);
	for (i = 0; i < got; i++) {
		if (!is_sound(me, &me->entry[i]))
			return false;
		if (me->entry[i].key == COUNTED)
			break;
		found = place_of(me->entry[i].key, me->entry[i].value);
		if (found < at || !expects_none(me, at, found))
			return false;
		at = found + 1;
	}
	return got == LAB_SCAN_MAX || expects_none(me, at, KEYS * VALUES);
}

/* Of the key, or of the place right after it. */
static bool check_floor(struct checker *me, u32 number, u32 value)
{
	const struct lab_index *index = &me->stand->index;
	u64 key = key_of(number) + value % 2, end = (number + 1) * VALUES;
	struct blink_tree_entry *entry = me->entry;
	int ret;

	ret = index->ops->floor(index->data, key, entry);
	if (ret)
		return ret == -ENOENT && expects_none(me, 0, end);
	return entry->key <= key && is_sound(me, entry) &&
	       expects_none(me, place_of(entry->key, entry->value) + 1, end);
}

/* The counted key: insert an entry with a new value, or remove any. */
static bool check_counted(struct checker *me, u32 number, u32 value)
{
	const struct lab_index *index = &me->stand->index;
	int ret;

	if (value % 4) {
		value = me->id + me->stand->nr * me->inserted++;
		me->balance++;
		return !lab_check_insert(index, COUNTED, value);
	}
	ret = index->ops->erase(index->data, COUNTED);
	me->balance -= !ret;
	return !ret || ret == -ENOENT;
}

static const struct {
	const char *name;
	bool (*check)(struct checker *me, u32 number, u32 value);
} steps[] = {
	{ "insert", check_insert },
	{ "insert", check_insert },
	{ "erase of an entry", check_erase_entry },
	{ "erase of an entry", check_erase_entry },
	{ "erase of an entry", check_erase_entry },
	{ "store", check_store },
	{ "lookup", check_lookup },
	{ "scan", check_scan },
	{ "floor", check_floor },
	{ "counted key", check_counted },
};

static int check_thread(void *arg)
{
	struct checker *me = arg;
	u32 i, step, number, value, nr = me->stand->nr;

	for (i = 0; i < me->ops && !READ_ONCE(me->stand->stop); i++) {
		step = lab_below(&me->random, ARRAY_SIZE(steps));
		number = lab_below(&me->random, KEYS);
		value = me->id + nr * lab_below(&me->random, VALUES / nr);
		if (!steps[step].check(me, number, value)) {
			me->failure = steps[step].name;
			me->number = number;
			WRITE_ONCE(me->stand->stop, true);
		}
		if (!(i % PATIENCE))
			cond_resched();
	}
	return me->failure ? -EUCLEAN : 0;
}

/* Remove all entries of the counted key: how many there were. */
static s64 drain(const struct lab_index *index)
{
	s64 nr = 0;

	while (!index->ops->erase(index->data, COUNTED)) {
		nr++;
		cond_resched();
	}
	return nr;
}

/* After the threads have ended: all entries, and the index's own verification. */
static int check_end(struct lab_check *check, struct checker *checkers)
{
	struct stand *stand = checkers->stand;
	s64 balance = 0;
	u32 i, number;

	for (i = 0; i < stand->nr && !check->failure; i++) {
		balance += checkers[i].balance;
		for (number = 0; number < KEYS; number++) {
			if (!check_scan(&checkers[i], number, 0))
				check->failure = "scan at the end";
		}
	}
	if (!check->failure && drain(&stand->index) != balance)
		check->failure = "counted key at the end";
	if (!check->failure && stand->index.ops->verify(stand->index.data))
		check->failure = "verify";
	return check->failure ? -EUCLEAN : 0;
}

static int run_threads(struct lab_check *check, struct stand *stand,
		       struct checker *checkers)
{
	u32 i;
	int ret;

	for (i = 0; i < stand->nr; i++) {
		checkers[i].stand = stand;
		checkers[i].id = i;
		checkers[i].ops = check->ops;
		checkers[i].random = ((u64)check->seed << 32) + i;
	}
	ret = lab_threads_run_spread(check_thread, checkers, sizeof(*checkers),
				     stand->nr, &stand->stop);
	for (i = 0; i < stand->nr && !check->failure; i++) {
		check->failure = checkers[i].failure;
		check->number = checkers[i].number;
	}
	return ret ?: check_end(check, checkers);
}

static int run_with(struct lab_check *check, u32 nr)
{
	const struct lab_params params = { .keys = KEYS * VALUES,
					   .node_bytes = NODE_BYTES };
	struct stand stand = { .nr = nr };
	struct checker *checkers;
	int ret;

	checkers = kvcalloc(nr, sizeof(*checkers), GFP_KERNEL);
	if (!checkers)
		return -ENOMEM;
	check->node_bytes = params.node_bytes;
	ret = lab_index_create(&stand.index, check->scheme, &params);
	if (!ret) {
		ret = run_threads(check, &stand, checkers);
		stand.index.ops->destroy(stand.index.data);
	}
	kvfree(checkers);
	return ret;
}

/* Check whether a scheme with LAB_MULTI keeps its promises; as lab_check(). */
int lab_check_multi(struct lab_check *check)
{
	int ret = run_with(check, 1);

	if (!ret && check->scheme->promises & LAB_CONCURRENT)
		ret = run_with(check, check->threads);
	return ret;
}
