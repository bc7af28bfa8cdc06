// SPDX-License-Identifier: GPL-2.0
/*
 * The check of a scheme against an oracle: first by one thread, then, if the scheme
 * promises LAB_CONCURRENT, by several at the same time. The same source runs in the
 * module and natively, under sanitizers.
 *
 * Keys are numbered in their order. A thread *owns* each key whose number leaves its
 * own number as the remainder when divided by the number of threads. Only the owner
 * changes a key, so it knows the answer to each operation on it; the oracle has the
 * value of each key, or ABSENT. A value tells the number of its key: all threads
 * check the entries of other owners by this.
 *
 * Each 256th key is *shared* instead. All threads insert and erase half of these keys,
 * and count their successes: at the end a key is present if there was one more
 * insertion than erasures. They store and erase the other half, and a store may not
 * fail.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../keys.h"
#include "../threads.h"
#include "check.h"

#define KEYS_LOG 11
#define KEYS LAB_CHECK_KEYS
#define GAP_LOG (63 - KEYS_LOG)
#define SHARE_EACH 256
#define SHARED (KEYS / SHARE_EACH)
#define ABSENT U64_MAX
#define STAMPS 0x1000000000000ULL
/* An odd number: the order in which keys are loaded. */
#define LOAD_STRIDE 611
/* Operations between two offers to give up the CPU. */
#define PATIENCE 64

/**
 * struct stand - the data that the threads of a check share
 * @check: the check
 * @index: the index
 * @ops: operations of each thread
 * @nr: number of threads
 * @stop: set to make them end early
 * @value: the oracle: each number's element belongs to the thread that owns it
 */
struct stand {
	const struct lab_check *check;
	struct lab_index index;
	u32 ops;
	u32 nr;
	bool stop;
	u64 value[KEYS];
};

/**
 * struct checker - a thread of a check
 * @stand: the stand
 * @id: its number
 * @random: state of its choices
 * @failure: the operation that was wrong, or NULL
 * @number: the number of the key of that
 * @balance: of each shared key, its insertions less its erasures
 * @entry: for scans
 * @op: for batches
 */
struct checker {
	struct stand *stand;
	u32 id;
	u64 random;
	const char *failure;
	u32 number;
	s32 balance[SHARED];
	struct blink_tree_entry entry[LAB_SCAN_MAX];
	struct blink_tree_ioc_op op[LAB_BATCH_MAX];
};

/* Somewhere in the part of the key space that belongs to the number. */
static u64 key_of(const struct checker *me, u32 number)
{
	u64 place = lab_image(number + ((u64)me->stand->check->seed << 32));

	return (u64)number << GAP_LOG | (place & ((1ULL << GAP_LOG) - 2));
}

static u64 new_value(struct checker *me, u32 number)
{
	return lab_below(&me->random, STAMPS) << KEYS_LOG | number;
}

/* An operation of a batch. */
static void repeat(const struct lab_index *index, struct blink_tree_ioc_op *op)
{
	if (op->opcode == BLINK_TREE_OP_INSERT)
		op->result = lab_check_insert(index, op->key, op->value);
	else
		op->result =
			index->ops->lookup(index->data, op->key, &op->value);
}

static bool is_shared(u32 number)
{
	return number % SHARE_EACH == SHARE_EACH - 1;
}

static bool owns(const struct checker *me, u32 number)
{
	return number % me->stand->nr == me->id && !is_shared(number);
}

static bool expects(const struct checker *me, u32 number)
{
	return owns(me, number) && me->stand->value[number] != ABSENT;
}

/* Whether an entry may be found at all, and is up to date if this thread owns it. */
static bool is_sound(const struct checker *me,
		     const struct blink_tree_entry *entry)
{
	u32 number = entry->key >> GAP_LOG;

	if (number >= KEYS || entry->key != key_of(me, number))
		return false;
	if (owns(me, number))
		return entry->value == me->stand->value[number];
	return (entry->value & (KEYS - 1)) == number;
}

/* Whether this thread expects none of the keys from a number up to another. */
static bool expects_none(const struct checker *me, s32 from, s32 to, s32 step)
{
	for (; from != to; from += step) {
		if (expects(me, from))
			return false;
	}
	return true;
}

static bool check_lookup(struct checker *me, u32 number)
{
	const struct lab_index *index = &me->stand->index;
	struct blink_tree_entry entry = { .key = key_of(me, number) };
	int ret;

	ret = index->ops->lookup(index->data, entry.key, &entry.value);
	if (ret)
		return ret == -ENOENT && !expects(me, number);
	return is_sound(me, &entry);
}

/* A lookup of any key, of this thread or of another one. */
static bool check_lookup_any(struct checker *me, u32 number)
{
	return check_lookup(me, lab_below(&me->random, KEYS));
}

static bool check_insert(struct checker *me, u32 number)
{
	const struct lab_index *index = &me->stand->index;
	u64 value = new_value(me, number);
	bool present = expects(me, number);
	int ret;

	if (present && !(me->stand->check->scheme->promises & LAB_REFUSES))
		return true;
	ret = lab_check_insert(index, key_of(me, number), value);
	if (present)
		return ret == -EEXIST;
	me->stand->value[number] = value;
	return !ret;
}

static bool check_store(struct checker *me, u32 number)
{
	const struct lab_index *index = &me->stand->index;
	u64 value = new_value(me, number);

	me->stand->value[number] = value;
	return !lab_check_store(index, key_of(me, number), value);
}

static bool check_erase(struct checker *me, u32 number)
{
	const struct lab_index *index = &me->stand->index;
	bool present = expects(me, number);

	if (!index->ops->erase)
		return true;
	me->stand->value[number] = ABSENT;
	return lab_check_erase(index, key_of(me, number)) ==
	       (present ? 0 : -ENOENT);
}

/*
 * Whether the entries of a scan come in order, and no key that this thread expects is left
 * out.
 */
static bool scan_is_right(const struct checker *me, u32 number,
			  unsigned int got)
{
	bool down = me->stand->check->scheme->promises & LAB_DESCENDS;
	s32 step = down ? -1 : 1, at = number, found;
	unsigned int i;

	if (got > LAB_SCAN_MAX)
		return false;
	for (i = 0; i < got; i++) {
		found = me->entry[i].key >> GAP_LOG;
		if (!is_sound(me, &me->entry[i]) || (found - at) * step < 0 ||
		    !expects_none(me, at, found, step))
			return false;
		at = found + step;
	}
	return got == LAB_SCAN_MAX ||
	       expects_none(me, at, down ? -1 : KEYS, step);
}

static bool check_scan(struct checker *me, u32 number)
{
	const struct lab_index *index = &me->stand->index;

	if (!index->ops->scan)
		return true;
	return scan_is_right(me, number,
			     index->ops->scan(index->data, key_of(me, number),
					      me->entry, LAB_SCAN_MAX));
}

/* Of the key, or of the place right after it. */
static bool check_floor(struct checker *me, u32 number)
{
	const struct lab_index *index = &me->stand->index;
	u64 key = key_of(me, number) + lab_below(&me->random, 2);
	struct blink_tree_entry *entry = me->entry;
	int ret;

	if (!index->ops->floor)
		return true;
	ret = index->ops->floor(index->data, key, entry);
	if (ret)
		return ret == -ENOENT && expects_none(me, number, -1, -1);
	return entry->key <= key && is_sound(me, entry) &&
	       expects_none(me, number, entry->key >> GAP_LOG, -1);
}

/* Insertions of absent keys and lookups of present ones; no key occurs twice. */
static unsigned int fill_batch(struct checker *me, u32 number)
{
	u32 most = min(LAB_BATCH_MAX, (KEYS - number - 1) / me->stand->nr + 1);
	unsigned int nr = 0, i;

	most = 1 + lab_below(&me->random, most);
	for (i = 0; i < most; i++, number += me->stand->nr) {
		u64 *value = &me->stand->value[number];

		if (is_shared(number))
			continue;
		me->op[nr] = (struct blink_tree_ioc_op){
			.opcode = BLINK_TREE_OP_LOOKUP,
			.key = key_of(me, number),
		};
		if (*value == ABSENT) {
			*value = new_value(me, number);
			me->op[nr].opcode = BLINK_TREE_OP_INSERT;
			me->op[nr].value = *value;
		}
		nr++;
	}
	return nr;
}

/* A scan from the first key on, behind all others, if batches have scans and there is room. */
static bool add_scan(struct checker *me, u32 number, unsigned int nr)
{
	if (!(me->stand->check->scheme->promises & LAB_BATCH_SCANS) ||
	    nr == LAB_BATCH_MAX)
		return false;
	me->op[nr] = (struct blink_tree_ioc_op){
		.opcode = LAB_BATCH_SCAN,
		.key = key_of(me, number),
		.value = (uintptr_t)me->entry,
		.old = LAB_SCAN_MAX,
	};
	return true;
}

static bool check_batch(struct checker *me, u32 number)
{
	const struct lab_index *index = &me->stand->index;
	struct blink_tree_ioc_op *op = me->op;
	bool good = true, scans;
	unsigned int nr, i;

	if (!index->ops->batch)
		return true;
	nr = fill_batch(me, number);
	scans = add_scan(me, number, nr);
	index->ops->batch(index->data, op, nr + scans);
	for (i = 0; i < nr; i++) {
		if (op[i].result == -ENOMEM) {
			repeat(index, &op[i]);
			scans = false;
		}
		good &= !op[i].result &&
			op[i].value == me->stand->value[op[i].key >> GAP_LOG];
	}
	return good && (!scans || scan_is_right(me, number, op[nr].result));
}

/* Count the balance of a shared key. */
static bool check_counted(struct checker *me, u32 number, u64 key)
{
	const struct lab_index *index = &me->stand->index;
	s32 *balance = &me->balance[number / SHARE_EACH];
	int ret;

	if (lab_below(&me->random, 2)) {
		ret = lab_check_insert(index, key, new_value(me, number));
		*balance += !ret;
		return !ret || ret == -EEXIST;
	}
	ret = lab_check_erase(index, key);
	*balance -= !ret;
	return !ret || ret == -ENOENT;
}

/* A store adds the key or does not, so that there is no balance; it may not fail. */
static bool check_contended_store(struct checker *me, u32 number, u64 key)
{
	const struct lab_index *index = &me->stand->index;
	int ret;

	if (lab_below(&me->random, 2))
		return !lab_check_store(index, key, new_value(me, number));
	ret = lab_check_erase(index, key);
	return !ret || ret == -ENOENT;
}

static bool has_balance(u32 number)
{
	return number / SHARE_EACH % 2;
}

/* Any shared key, by a scheme that can tell who changed it. */
static bool check_shared(struct checker *me, u32 number)
{
	const u32 needs = LAB_LINEARIZABLE | LAB_REFUSES | LAB_ERASE;
	u64 key;

	if ((me->stand->check->scheme->promises & needs) != needs)
		return true;
	number = lab_below(&me->random, SHARED) * SHARE_EACH + SHARE_EACH - 1;
	key = key_of(me, number);
	if (has_balance(number))
		return check_counted(me, number, key);
	return check_contended_store(me, number, key);
}

static const struct {
	const char *name;
	bool (*check)(struct checker *me, u32 number);
	unsigned int weight;
} steps[] = {
	{ "insert", check_insert, 40 },
	{ "erase", check_erase, 50 },
	{ "lookup", check_lookup, 20 },
	{ "lookup of any key", check_lookup_any, 20 },
	{ "store", check_store, 20 },
	{ "scan", check_scan, 10 },
	{ "floor", check_floor, 10 },
	{ "shared key", check_shared, 30 },
	{ "batch", check_batch, 1 },
};

#define WEIGHTS 201

/* One of the steps, by weight. */
static unsigned int choose_step(struct checker *me)
{
	u32 at = lab_below(&me->random, WEIGHTS);
	unsigned int i = 0;

	while (at >= steps[i].weight)
		at -= steps[i++].weight;
	return i;
}

/* The number of a key that this thread owns. */
static u32 choose_number(struct checker *me)
{
	u32 nr = me->stand->nr, number;

	do {
		number = me->id + nr * lab_below(&me->random, KEYS / nr);
	} while (is_shared(number));
	return number;
}

static void take_steps(struct checker *me)
{
	unsigned int step;
	u32 i, number;

	for (i = 0; i < me->stand->ops; i++) {
		step = choose_step(me);
		number = choose_number(me);
		if (!steps[step].check(me, number)) {
			me->failure = steps[step].name;
			me->number = number;
			WRITE_ONCE(me->stand->stop, true);
		}
		if (READ_ONCE(me->stand->stop))
			return;
		if (!(i % PATIENCE))
			cond_resched();
	}
}

/* The index and the oracle agree on all keys that this thread owns. */
static void compare_all(struct checker *me)
{
	u32 number;

	for (number = 0; number < KEYS && !me->failure; number++) {
		if (owns(me, number) && !check_lookup(me, number)) {
			me->failure = "lookup at the end";
			me->number = number;
		}
	}
}

/* Whole branches of the tree become empty, while other threads empty theirs. */
static void erase_all(struct checker *me)
{
	u32 number;

	for (number = 0; number < KEYS && !me->failure; number++) {
		if (READ_ONCE(me->stand->stop))
			return;
		if (owns(me, number) && !check_erase(me, number)) {
			me->failure = "erasure of all keys";
			me->number = number;
		}
		cond_resched();
	}
}

static int check_thread(void *arg)
{
	struct checker *me = arg;
	const struct lab_index *index = &me->stand->index;

	take_steps(me);
	compare_all(me);
	if (index->ops->erase)
		erase_all(me);
	if (index->ops->leave)
		index->ops->leave(index->data);
	return me->failure ? -EUCLEAN : 0;
}

/* Whether a shared key is present just if it was inserted once more than erased. */
static bool is_balanced(struct checker *checkers, u32 number)
{
	const struct stand *stand = checkers->stand;
	u64 key = key_of(checkers, number), value;
	s32 balance = 0;
	u32 i;

	for (i = 0; i < stand->nr; i++)
		balance += checkers[i].balance[number / SHARE_EACH];
	return balance ==
	       !stand->index.ops->lookup(stand->index.data, key, &value);
}

/* After the threads have ended: the shared keys, and the index's own verification. */
static int check_end(struct lab_check *check, struct checker *checkers)
{
	const struct lab_index *index = &checkers->stand->index;
	u32 number;

	for (number = SHARE_EACH - 1; number < KEYS; number += SHARE_EACH) {
		if (!has_balance(number) || is_balanced(checkers, number))
			continue;
		check->failure = "shared key at the end";
		check->number = number;
		return -EUCLEAN;
	}
	if (!index->ops->verify || !index->ops->verify(index->data))
		return 0;
	check->failure = "verify";
	return -EUCLEAN;
}

/* Load every other key, in no order. These keys are not shared. */
static int load_keys(struct checker *me)
{
	const struct lab_index *index = &me->stand->index;
	u32 i, number;
	int ret = 0;

	for (i = 0; i < KEYS / 2 && !ret; i++) {
		number = 2 * LOAD_STRIDE * i % KEYS;
		me->stand->value[number] = new_value(me, number);
		ret = lab_check_load(index, key_of(me, number),
				     me->stand->value[number]);
	}
	return ret;
}

static int run_threads(struct lab_check *check, struct stand *stand,
		       struct checker *checkers)
{
	u32 i;
	int ret;

	for (i = 0; i < stand->nr; i++) {
		checkers[i].stand = stand;
		checkers[i].id = i;
		checkers[i].random = ((u64)check->seed << 32) + i;
	}
	ret = check->loads ? load_keys(checkers) : 0;
	if (ret)
		return ret;
	ret = lab_threads_run_spread(check_thread, checkers, sizeof(*checkers),
				     stand->nr, &stand->stop);
	for (i = 0; i < stand->nr && !check->failure; i++) {
		check->failure = checkers[i].failure;
		check->number = checkers[i].number;
	}
	return ret ?: check_end(check, checkers);
}

/* Nodes are not smaller than the size says, as far as the scheme knows its memory. */
static int check_size(struct lab_check *check, const struct lab_index *index)
{
	if (!index->ops->bytes ||
	    index->ops->bytes(index->data) >= check->node_bytes)
		return 0;
	check->failure = "size of nodes";
	return -EUCLEAN;
}

static int run_with(struct lab_check *check, struct stand *stand, u32 nr,
		    u32 node_bytes, u32 ops)
{
	struct checker *checkers;
	u32 i;
	int ret;

	memset(stand, 0, sizeof(*stand));
	stand->check = check;
	stand->ops = ops;
	stand->nr = nr;
	for (i = 0; i < KEYS; i++)
		stand->value[i] = ABSENT;
	checkers = kvcalloc(nr, sizeof(*checkers), GFP_KERNEL);
	if (!checkers)
		return -ENOMEM;
	ret = lab_check_create(check, &stand->index, node_bytes);
	if (!ret) {
		ret = check_size(check, &stand->index) ?:
			      run_threads(check, stand, checkers);
		stand->index.ops->destroy(stand->index.data);
	}
	kvfree(checkers);
	return ret;
}

/**
 * lab_check_size() - check a scheme with nodes of a size
 * @check: the scheme to check, and the outcome
 * @node_bytes: the size, or 0 for that of the scheme
 * @ops: operations of each thread
 *
 * Context: process; sleeps. A signal ends it.
 * Return: as lab_check(); -EINVAL if the scheme refuses the size.
 */
int lab_check_size(struct lab_check *check, u32 node_bytes, u32 ops)
{
	struct stand *stand = kvcalloc(1, sizeof(*stand), GFP_KERNEL);
	int ret;

	if (!stand)
		return -ENOMEM;
	ret = run_with(check, stand, 1, node_bytes, ops);
	if (!ret && check->scheme->promises & LAB_CONCURRENT)
		ret = run_with(check, stand, check->threads, node_bytes, ops);
	kvfree(stand);
	return ret;
}
