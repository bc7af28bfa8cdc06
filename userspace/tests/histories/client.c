// SPDX-License-Identifier: GPL-2.0
/*
 * The operations of clients: single ones mostly; batches, small ones where there are
 * floors, ceilings and commits; loads, scans; now and then an index is rebuilt. Half of the
 * operations are on a *spot* of few keys, the same for all clients, which moves. The
 * mix leans towards inserting, then towards erasing, so that leaves split and merge.
 */
#include <errno.h>
#include <sched.h>

#include "client.h"
#include "target.h"

#define SPOT_KEYS 6U
#define SPOT_STAYS 32U
#define BATCH_MAX 8U
#define BATCH_NEAREST 3U
#define SCAN_KEYS 12U
#define COMMIT_OPS 4U
/* The keys of a commit are among so many neighbours, which fit a window of the checker. */
#define COMMIT_SPAN 16U

/**
 * struct client - one of them, in one round
 * @id: its number
 * @random: state of its random choices
 * @part: where it records
 * @writes: values it has made up
 * @seen: the value it saw last of each key, for comparing
 */
struct client {
	unsigned int id;
	__u64 random;
	struct history_part *part;
	__u64 writes;
	__u64 seen[CLIENT_KEYS];
};

struct round current;

static __u64 key_of(unsigned int i)
{
	return current.head.key_base + i * current.head.key_step;
}

static unsigned int index_of(__u64 key)
{
	return (key - current.head.key_base) / current.head.key_step;
}

static struct history_record *begin(struct client *c,
				    const struct blink_tree_ioc_op *op)
{
	struct history_record *r = &c->part->record[c->part->records];

	r->asked = *op;
	r->client = c->id;
	r->batch = 0;
	r->place = 0;
	r->entries = 0;
	r->start = history_clock();
	if (c->part->records && r->start < r[-1].end)
		history_die("the clock goes back", ERANGE);
	return r;
}

static void end(struct client *c, struct history_record *r,
		const struct blink_tree_ioc_op *op)
{
	r->end = history_clock();
	r->got = *op;
	c->part->records++;
}

/* Remember a value that this key had. */
static void learn(struct client *c, const struct blink_tree_ioc_op *op)
{
	unsigned int i = index_of(op->key);
	bool found = op->opcode == BLINK_TREE_OP_LOOKUP ||
		     op->opcode == BLINK_TREE_OP_FLOOR ||
		     op->opcode == BLINK_TREE_OP_CEILING;

	if (i >= current.head.keys)
		return;
	if (op->result == -EEXIST || op->result == -ESTALE ||
	    (op->result == 1 && op->opcode == BLINK_TREE_OP_GET_OR_INSERT))
		c->seen[i] = op->old;
	else if (op->result == 1 && op->opcode == BLINK_TREE_OP_ADD)
		c->seen[i] = op->old + op->value;
	else if (op->result >= 0 && (found || op->value))
		c->seen[i] = op->value;
}

static void do_op(struct client *c, struct blink_tree_ioc_op *op)
{
	struct history_record *r = begin(c, op);

	target_op(op);
	end(c, r, op);
	learn(c, op);
}

static struct history_record *begin_all(struct client *c,
					const struct blink_tree_ioc_op *ops,
					unsigned int nr)
{
	struct history_record *r = begin(c, &ops[0]);
	unsigned int i;

	for (i = 1; i < nr; i++)
		r[i].asked = ops[i];
	return r;
}

static void end_all(struct client *c, struct history_record *r,
		    const struct blink_tree_ioc_op *ops, unsigned int nr)
{
	unsigned int i, batch = ++c->part->batches;
	struct history_record first;

	end(c, r, &ops[0]);
	first = *r;
	for (i = 0; i < nr; i++) {
		first.asked = r[i].asked;
		first.got = ops[i];
		first.batch = batch;
		first.place = i;
		r[i] = first;
		learn(c, &ops[i]);
	}
	c->part->records += nr - 1;
}

static void do_batch(struct client *c, struct blink_tree_ioc_op *ops,
		     unsigned int nr)
{
	struct history_record *r = begin_all(c, ops, nr);

	target_batch(ops, nr);
	end_all(c, r, ops, nr);
}

/* A gap can have too many leaves, which changes nothing. */
static void do_commit(struct client *c, struct blink_tree_ioc_op *ops,
		      unsigned int nr)
{
	struct history_record *r = begin_all(c, ops, nr);
	int ret = target_commit(ops, nr);
	unsigned int i;

	if (ret == -E2BIG)
		return;
	if (ret && ret != -ESTALE)
		history_die("a commit fails", -ret);
	end_all(c, r, ops, nr);
	for (i = 0; i < nr; i++)
		r[i].asked.flags |= HISTORY_COMMIT;
}

/* Each entry that was added is a record, and the one that was there already. */
static void do_load(struct client *c, const struct blink_tree_entry *entries,
		    unsigned int nr)
{
	unsigned int i, done, batch = ++c->part->batches;
	struct blink_tree_ioc_op op = {
		.opcode = BLINK_TREE_OP_INSERT,
		.key = entries[0].key,
		.value = entries[0].value,
		.old = HISTORY_UNTOLD,
	};
	struct history_record *r = begin(c, &op), first;
	int ret = target_load(entries, nr, &done);

	if (ret && ret != -EEXIST)
		history_die("a load fails", -ret);
	end(c, r, &op);
	first = *r;
	for (i = 0; i < done + !!ret; i++) {
		r[i] = first;
		r[i].asked.key = entries[i].key;
		r[i].asked.value = entries[i].value;
		r[i].got = r[i].asked;
		r[i].got.old = 0;
		r[i].got.result = i < done ? 0 : ret;
		r[i].batch = batch;
		r[i].place = i;
		if (i < done)
			learn(c, &r[i].got);
	}
	c->part->records += i - 1;
}

/* One record for each call: it is to say what of the range that one read. */
static void do_scan(struct client *c, struct range *range, unsigned int room)
{
	struct blink_tree_ioc_op op = {
		.opcode = range->desc ? HISTORY_SCAN_DESC : HISTORY_SCAN,
		.old = target_scans_at_once(room) ? HISTORY_ONE_CALL : 0,
	};
	struct history_part *part = c->part;
	struct range before;
	struct history_record *r;

	do {
		if (part->entries + current.head.keys > HISTORY_ENTRIES ||
		    part->records == HISTORY_RECORDS)
			return;
		before = *range;
		r = begin(c, &op);
		r->entries =
			target_scan(range, &part->entry[part->entries], room);
		end(c, r, &op);
		part->entries += r->entries;
		r->asked.key = before.first;
		r->asked.value = before.last;
		if (!range->done && range->desc)
			r->asked.key = range->last + 1;
		else if (!range->done)
			r->asked.value = range->first - 1;
	} while (!range->done);
}

/* Where all clients go to at a time. */
static unsigned int spot_at(unsigned int step)
{
	__u64 state = current.head.seed + current.head.round * 0x10001 +
		      step / SPOT_STAYS * 0x1000003ULL;

	return random_below(&state, current.head.keys);
}

static unsigned int random_index(struct client *c, unsigned int step)
{
	unsigned int spot = spot_at(step);

	if (random_below(&c->random, 2))
		return random_below(&c->random, current.head.keys);
	return (spot + random_below(&c->random, SPOT_KEYS)) % current.head.keys;
}

/* An operation with the value that was seen last, or with a new one. */
static struct blink_tree_ioc_op op_on(struct client *c, unsigned int i,
				      __u16 opcode)
{
	static const unsigned int compares = 1u << BLINK_TREE_OP_CMPXCHG |
					     1u << BLINK_TREE_OP_CMPERASE |
					     1u << BLINK_TREE_OP_EXPECT;
	static const unsigned int without_value =
		1u << BLINK_TREE_OP_LOOKUP | 1u << BLINK_TREE_OP_ERASE |
		1u << BLINK_TREE_OP_CMPERASE | 1u << BLINK_TREE_OP_EXPECT |
		1u << BLINK_TREE_OP_ABSENT;
	struct blink_tree_ioc_op op = { .opcode = opcode, .key = key_of(i) };

	if (compares >> opcode & 1)
		op.old = c->seen[i];
	if (!(without_value >> opcode & 1))
		op.value = (__u64)(c->id + 1) << 32 | ++c->writes;
	return op;
}

static struct blink_tree_ioc_op random_op(struct client *c, unsigned int step)
{
	static const __u16 mix[2][11] = {
		{ BLINK_TREE_OP_LOOKUP, BLINK_TREE_OP_LOOKUP,
		  BLINK_TREE_OP_INSERT, BLINK_TREE_OP_INSERT,
		  BLINK_TREE_OP_STORE, BLINK_TREE_OP_REPLACE,
		  BLINK_TREE_OP_CMPXCHG, BLINK_TREE_OP_ERASE,
		  BLINK_TREE_OP_CMPERASE, BLINK_TREE_OP_GET_OR_INSERT,
		  BLINK_TREE_OP_ADD },
		{ BLINK_TREE_OP_LOOKUP, BLINK_TREE_OP_LOOKUP,
		  BLINK_TREE_OP_ERASE, BLINK_TREE_OP_ERASE,
		  BLINK_TREE_OP_CMPERASE, BLINK_TREE_OP_ERASE,
		  BLINK_TREE_OP_REPLACE, BLINK_TREE_OP_CMPXCHG,
		  BLINK_TREE_OP_INSERT, BLINK_TREE_OP_GET_OR_INSERT,
		  BLINK_TREE_OP_ADD },
	};
	bool shrinking = step * 4 / current.operations % 2;
	unsigned int i = random_index(c, step);

	return op_on(c, i, mix[shrinking][random_below(&c->random, 11)]);
}

static struct blink_tree_ioc_op random_nearest(struct client *c,
					       unsigned int step)
{
	static const __u16 opcodes[] = {
		BLINK_TREE_OP_FLOOR,   BLINK_TREE_OP_CEILING,
		BLINK_TREE_OP_FLOOR,   BLINK_TREE_OP_CEILING,
		BLINK_TREE_OP_POP_MIN, BLINK_TREE_OP_POP_MAX,
	};
	unsigned int i = random_index(c, step);
	struct blink_tree_ioc_op op = {
		.opcode = opcodes[random_below(&c->random, 6)],
		.key = key_of(i),
	};

	/* Between two keys, where there is room. */
	if (i + 1 < current.head.keys)
		op.key += random_below(&c->random, current.head.key_step);
	return op;
}

static void random_batch(struct client *c, unsigned int step)
{
	unsigned int most = current.head.nearest ? BATCH_NEAREST : BATCH_MAX;
	unsigned int nr = 2 + random_below(&c->random, most - 1), i;
	struct blink_tree_ioc_op ops[BATCH_MAX];

	for (i = 0; i < nr; i++)
		ops[i] = random_op(c, step);
	if (current.head.nearest)
		ops[random_below(&c->random, nr)] = random_nearest(c, step);
	do_batch(c, ops, nr);
}

/* Of most commits no operation fails, so that they take effect. A key is changed once. */
static __u16 random_commit_opcode(struct client *c, bool changed)
{
	static const __u16 opcodes[] = {
		BLINK_TREE_OP_LOOKUP,	BLINK_TREE_OP_EXPECT,
		BLINK_TREE_OP_ABSENT,	BLINK_TREE_OP_STORE,
		BLINK_TREE_OP_STORE,	BLINK_TREE_OP_ADD,
		BLINK_TREE_OP_ADD,	BLINK_TREE_OP_GET_OR_INSERT,
		BLINK_TREE_OP_ERASE,	BLINK_TREE_OP_ERASE,
		BLINK_TREE_OP_CMPERASE, BLINK_TREE_OP_CMPXCHG,
		BLINK_TREE_OP_INSERT,	BLINK_TREE_OP_REPLACE,
	};

	return opcodes[random_below(&c->random, changed ? 3 : 14)];
}

/* The gap behind one of the keys has to be empty, or is cleared; the last key has none. */
static void random_gap(struct client *c, struct blink_tree_ioc_op *ops,
		       unsigned int nr)
{
	struct blink_tree_ioc_op *op = &ops[random_below(&c->random, nr)];
	unsigned int i;

	for (i = 0; i < nr && ops[i].key <= op->key; i++)
		;
	if (i < nr)
		op->flags = random_below(&c->random, 2) ?
				    BLINK_TREE_COMMIT_EMPTY :
				    BLINK_TREE_COMMIT_CLEAR;
}

static void random_commit(struct client *c, unsigned int step)
{
	unsigned int nr = 2 + random_below(&c->random, COMMIT_OPS - 1);
	unsigned int span = current.head.keys, first = 0, changed = 0, i, k;
	struct blink_tree_ioc_op ops[COMMIT_OPS];
	__u16 opcode;

	if (span > COMMIT_SPAN) {
		first = random_index(c, step) * (span - COMMIT_SPAN) / span;
		span = COMMIT_SPAN;
	}
	for (i = 0; i < nr; i++) {
		k = random_below(&c->random, span);
		opcode = random_commit_opcode(c, changed >> k & 1);
		ops[i] = op_on(c, first + k, opcode);
		if (opcode != BLINK_TREE_OP_LOOKUP &&
		    opcode != BLINK_TREE_OP_EXPECT &&
		    opcode != BLINK_TREE_OP_ABSENT)
			changed |= 1u << k;
	}
	if (!random_below(&c->random, 4))
		random_gap(c, ops, nr);
	do_commit(c, ops, nr);
}

/* Keys that follow each other; some may be there. */
static void random_load(struct client *c, unsigned int step)
{
	unsigned int most = current.head.nearest ? BATCH_NEAREST : BATCH_MAX;
	unsigned int first = random_index(c, step), nr;
	struct blink_tree_entry entries[BATCH_MAX];

	for (nr = 0; nr < most && first + nr < current.head.keys; nr++) {
		entries[nr].key = key_of(first + nr);
		entries[nr].value = (__u64)(c->id + 1) << 32 | ++c->writes;
	}
	do_load(c, entries, nr);
}

static void random_scan(struct client *c, unsigned int step)
{
	unsigned int first = random_index(c, step);
	unsigned int last = first + random_below(&c->random, SCAN_KEYS);
	struct range range = { .desc = random_below(&c->random, 2) };

	if (last >= current.head.keys)
		last = current.head.keys - 1;
	range.first = key_of(first);
	range.last = key_of(last);
	do_scan(c, &range, random_below(&c->random, SCAN_KEYS));
}

static void one_step(struct client *c, unsigned int step)
{
	unsigned int dice = random_below(&c->random, 16);
	struct blink_tree_ioc_op op;

	if (!random_below(&c->random, 128))
		target_rebuild(random_below(&c->random, 16));
	if (dice == 15 && !random_below(&c->random, 2)) {
		random_load(c, step);
	} else if (!dice) {
		random_scan(c, step);
	} else if (dice < 3) {
		random_batch(c, step);
	} else if (dice > 12 && current.head.nearest) {
		random_commit(c, step);
	} else {
		op = dice < 6 && current.head.nearest ?
			     random_nearest(c, step) :
			     random_op(c, step);
		do_op(c, &op);
	}
}

/* All begin at once, as far as there are CPUs. */
static void wait_for_others(void)
{
	__atomic_add_fetch(current.ready, 1, __ATOMIC_ACQ_REL);
	while (__atomic_load_n(current.ready, __ATOMIC_ACQUIRE) <
	       current.head.clients)
		sched_yield();
}

void client_work(unsigned int id)
{
	struct client c = {
		.id = id,
		.random = random_stream(random_stream(current.head.seed,
						      current.head.round),
					id),
		.part = &current.parts[id],
	};
	unsigned int step;

	wait_for_others();
	for (step = 0; step < current.operations; step++)
		one_step(&c, step);
}

void client_look_at_all(void)
{
	struct client c = { .part = &current.parts[0] };
	unsigned int i, last = current.head.keys - 1;
	struct range range = { .first = key_of(0), .last = key_of(last) };

	for (i = 0; i <= last; i++) {
		struct blink_tree_ioc_op op = {
			.opcode = BLINK_TREE_OP_LOOKUP,
			.key = key_of(i),
		};

		do_op(&c, &op);
	}
	do_scan(&c, &range, 0);
}
