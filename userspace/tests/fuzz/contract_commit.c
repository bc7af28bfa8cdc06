// SPDX-License-Identifier: GPL-2.0
/*
 * Commits: of records, with keys and values of each kind, and of a batch. They have all their
 * effects, or fail and have none.
 */
#include <string.h>

#define TAP_ELSEWHERE
#include "contract_kinds.h"
#include "memory.h"

/* Room for the largest results of any commit here. */
#define ROOM 200000
/* Results that are looked at. */
#define RESULTS 4

/* No address of user space. */
#define NOWHERE 4096

static struct rec results[RESULTS];

/* Execute the stream as a commit; its results are in @results. */
static long commit_room(int tree, size_t room,
			struct blink_tree_ioc_records *arg)
{
	unsigned int i;
	size_t at = 0;
	long ret;

	*arg = (struct blink_tree_ioc_records){
		.flags = BLINK_TREE_RECORDS_COMMIT,
	};
	ret = stream_execute(tree, room, arg);
	stream_size = 0;
	memset(results, 0, sizeof(results));
	for (i = 0; i < RESULTS && at < arg->output_used; i++)
		at += rec_get(output + at, arg->output_used - at, &results[i]);
	return ret;
}

static long commit(int tree, struct blink_tree_ioc_records *arg)
{
	return commit_room(tree, ROOM, arg);
}

static struct string x(void)
{
	return value_nr(1, 11);
}

static struct string y(void)
{
	return value_nr(2, 222);
}

/* All operations take effect, and find what was there before. */
static void takes_effect(int tree)
{
	struct blink_tree_ioc_records arg;
	struct rec r;

	ADD(INSERT, .key = key_nr(1), .value = x());
	ADD(LOOKUP, .key = key_nr(1));
	ADD(ABSENT, .key = key_nr(2));
	ADD(GET_OR_INSERT, .key = key_nr(3), .value = y());
	tap_check(!commit(tree, &arg) && arg.done == 4);
	tap_check(arg.input_used == arg.input_size);
	tap_check(bare(&results[0], 0) && bare(&results[1], -ENOENT));
	tap_check(bare(&results[2], 0) && bare(&results[3], 0));
	tap_check(entries_of(tree) == 2);

	ADD(CMPXCHG, .key = key_nr(1), .old = x(), .value = y());
	ADD(EXPECT, .key = key_nr(1), .old = x());
	ADD(LOOKUP, .key = key_nr(3));
	ADD(STORE, .key = key_nr(2), .value = x());
	tap_check(!commit(tree, &arg) && arg.done == 4);
	tap_check(has_old(&results[0], 0, x()) && bare(&results[1], 0));
	tap_check(has_value(&results[2], y()) && bare(&results[3], 0));

	ADD(GET_OR_INSERT, .key = key_nr(3), .value = x());
	ADD(STORE, .key = key_nr(1), .value = x());
	ADD(REPLACE, .key = key_nr(2), .value = y());
	ADD(LOOKUP, .key = key_nr(2));
	tap_check(!commit(tree, &arg) && arg.done == 4);
	tap_check(has_old(&results[0], 1, y()) && has_old(&results[1], 1, y()));
	tap_check(has_old(&results[2], 0, x()) && has_value(&results[3], x()));

	ADD(ERASE, .key = key_nr(3));
	ADD(CMPERASE, .key = key_nr(2), .old = y());
	tap_check(!commit(tree, &arg) && arg.done == 2);
	tap_check(has_old(&results[0], 0, y()) && has_old(&results[1], 0, y()));
	tap_check(has_value(OP(LOOKUP, .key = key_nr(1)), x()));
	tap_check(entries_of(tree) == 1);

	stream_size = 0;
	tap_check(!commit(tree, &arg) && !arg.done);
}

/* The condition of the operation at 1 fails: with an errno, and what it finds. */
static void refused(int tree, const struct rec *rec, int result,
		    struct string old)
{
	struct blink_tree_ioc_records arg;
	struct rec r;

	stream_size = 0;
	ADD(STORE, .key = key_nr(1), .value = y());
	stream_add(rec);
	ADD(INSERT, .key = key_nr(7), .value = y());
	tap_check(commit(tree, &arg) == -ESTALE);
	tap_check(arg.done == 1 && !arg.input_used);
	tap_check(bare(&results[0], -ECANCELED));
	tap_check(has_old(&results[1], result, old));
	tap_check(bare(&results[2], -ECANCELED));
	tap_check(has_value(OP(LOOKUP, .key = key_nr(1)), x()));
	tap_check(bare(OP(LOOKUP, .key = key_nr(7)), -ENOENT));
}

#define REFUSED(tree, result, old, op, ...)                  \
	refused(tree,                                        \
		&(struct rec){ .opcode = BLINK_TREE_OP_##op, \
			       .key = key_nr(4),             \
			       __VA_ARGS__ },                \
		result, old)

static void fails(int tree)
{
	ONE(tree, STORE, .key = key_nr(1), .value = x());
	REFUSED(tree, -ENOENT, NO_STRING, ERASE);
	REFUSED(tree, -ENOENT, NO_STRING, CMPERASE, .old = x());
	REFUSED(tree, -ENOENT, NO_STRING, REPLACE, .value = x());
	REFUSED(tree, -ENOENT, NO_STRING, CMPXCHG, .old = x(), .value = y());
	REFUSED(tree, -ENOENT, NO_STRING, EXPECT, .old = x());
	ONE(tree, STORE, .key = key_nr(4), .value = y());
	REFUSED(tree, -EEXIST, y(), INSERT, .value = x());
	REFUSED(tree, -EEXIST, y(), ABSENT);
	REFUSED(tree, -ESTALE, y(), CMPXCHG, .old = x(), .value = x());
	REFUSED(tree, -ESTALE, y(), CMPERASE, .old = x());
	REFUSED(tree, -ESTALE, y(), EXPECT, .old = x());
	tap_check(entries_of(tree) == 2);
}

/* Calls that do nothing, and have no result. */
static void nothing_done(int tree, long error, size_t room)
{
	struct blink_tree_ioc_records arg;

	tap_check(commit_room(tree, room, &arg) == error);
	tap_check(!arg.done && !arg.input_used && !arg.output_used);
}

/* Numbers are taken off one key, and added to others. */
static void sums(int tree)
{
	struct blink_tree_ioc_records arg;

	ONE(tree, STORE, .key = key_nr(1), .value = WORD(5));
	stream_size = 0;
	ADD(ADD, .key = key_nr(1), .value = WORD(-2ULL));
	ADD(ADD, .key = key_nr(2), .value = WORD(2));
	ADD(ADD_SATURATE, .key = key_nr(3), .value = WORD(-2ULL));
	ADD(EXPECT, .key = key_nr(1), .old = WORD(5));
	if (has_bytes()) {
		nothing_done(tree, -EOPNOTSUPP, ROOM);
		return;
	}
	tap_check(!commit(tree, &arg) && arg.done == 4);
	tap_check(has_old(&results[0], 1, WORD(5)) && bare(&results[1], 0));
	tap_check(bare(&results[2], 0) && bare(&results[3], 0));
	ADD(LOOKUP, .key = key_nr(1));
	ADD(LOOKUP, .key = key_nr(2));
	ADD(LOOKUP, .key = key_nr(3));
	tap_check(!commit(tree, &arg));
	tap_check(has_value(&results[0], WORD(3)));
	tap_check(has_value(&results[1], WORD(2)));
	tap_check(has_value(&results[2], WORD(0)));
}

/* Gaps between keys: one that has to be empty, and one that is cleared. */
static void gaps(int tree)
{
	struct blink_tree_ioc_records arg;
	struct rec r;
	unsigned int i;

	for (i = 0; i < 200; i++)
		ONE(tree, STORE, .key = key_short(i), .value = x());
	stream_size = 0;
	ADD(EXPECT, .key = key_short(7), .old = x(),
	    .flags = BLINK_TREE_COMMIT_EMPTY);
	ADD(LOOKUP, .key = key_short(8));
	tap_check(!commit(tree, &arg));
	ADD(STORE, .key = key_short(180), .value = y());
	ADD(STORE, .key = key_short(7), .value = y(),
	    .flags = BLINK_TREE_COMMIT_EMPTY);
	tap_check(commit(tree, &arg) == -ESTALE && arg.done == 1);
	tap_check(bare(&results[0], -ECANCELED));
	tap_check(bare(&results[1], -ENOTEMPTY));
	ADD(STORE, .key = key_short(180), .value = y());
	ADD(LOOKUP, .key = key_short(7), .flags = BLINK_TREE_COMMIT_CLEAR);
	tap_check(!commit(tree, &arg));
	tap_check(has_old(&results[0], 1, x()) && has_value(&results[1], x()));
	tap_check(entries_of(tree) == 28);
	tap_check(bare(OP(LOOKUP, .key = key_short(8)), -ENOENT));
	tap_check(has_value(OP(LOOKUP, .key = key_short(181)), x()));
}

static void malformed(int tree)
{
	unsigned int i;

	ADD(STORE, .key = key_nr(1), .value = x());
	ADD(FLOOR, .key = key_nr(2));
	nothing_done(tree, -EINVAL, ROOM);
	ADD(POP_MIN, .key = key_nr(2));
	nothing_done(tree, -EINVAL, ROOM);
	ADD(STORE, .key = key_nr(1), .value = x());
	ADD(ERASE, .key = key_nr(1));
	nothing_done(tree, -EINVAL, ROOM);
	ADD(STORE, .key = key_nr(1), .value = x());
	ADD(EXPECT, .key = key_nr(1), .old = x(), .value = x());
	nothing_done(tree, -EINVAL, ROOM);
	/* Flags: of the last key, unknown, two at once. */
	for (i = 1; i < 16; i++) {
		ADD(LOOKUP, .key = key_nr(1), .flags = i < 4 ? 0 : i);
		ADD(STORE, .key = key_nr(2), .value = x(),
		    .flags = i < 4 ? i : 0);
		if (i != 4 + 1 && i != 4 + 2)
			nothing_done(tree, -EINVAL, ROOM);
		stream_size = 0;
	}
	ADD(LOOKUP, .key = key_nr(1),
	    .flags = BLINK_TREE_COMMIT_EMPTY | BLINK_TREE_COMMIT_CLEAR);
	ADD(LOOKUP, .key = key_nr(2));
	nothing_done(tree, -EINVAL, ROOM);
	ADD(STORE, .key = key_nr(1), .value = x());
	stream_size -= 8;
	nothing_done(tree, -EINVAL, ROOM);
	for (i = 0; i <= BLINK_TREE_COMMIT_MAX; i++)
		ADD(LOOKUP, .key = key_short(i));
	nothing_done(tree, -E2BIG, ROOM);
	ADD(STORE, .key = key_nr(1), .value = x());
	ADD(LOOKUP, .key = key_nr(2));
	nothing_done(tree, -EMSGSIZE, 2 * room_of(false) - 1);
	tap_check(!entries_of(tree));
	ADD(STORE, .key = key_nr(1), .value = x());
	ADD(LOOKUP, .key = key_nr(2));
	commit_room(tree, 2 * room_of(false),
		    &(struct blink_tree_ioc_records){});
	tap_check(entries_of(tree) == 1);
}

/* A commit whose results cannot be written has taken effect, and says so. */
static void results_nowhere(int tree)
{
	struct blink_tree_ioc_records arg = {
		.flags = BLINK_TREE_RECORDS_COMMIT,
		.output = NOWHERE,
		.output_size = ROOM,
	};

	ADD(STORE, .key = key_nr(1), .value = x());
	memcpy(array(stream_size), stream, stream_size);
	arg.input = array_address();
	arg.input_size = stream_size;
	stream_size = 0;
	tap_check(call(tree, BLINK_TREE_IOC_RECORDS, &arg) == -EFAULT);
	tap_check(arg.done == 1 && arg.input_used && !arg.output_used);
	tap_check(entries_of(tree) == 1);
	arg.input = NOWHERE;
	tap_check(call(tree, BLINK_TREE_IOC_RECORDS, &arg) == -EFAULT);
	tap_check(!arg.done && !arg.input_used);
}

/* As many as there may be, of which each adds an entry. */
static void longest(int tree)
{
	struct blink_tree_ioc_records arg;
	unsigned int i, round;

	for (round = 0; round < 8; round++) {
		for (i = 0; i < BLINK_TREE_COMMIT_MAX; i++)
			ADD(INSERT, .key = key_short((i * 37 % 32) * 8 + round),
			    .value = value_nr(i, 8));
		tap_check(!commit(tree, &arg));
		tap_check(arg.done == BLINK_TREE_COMMIT_MAX);
	}
	tap_check(entries_of(tree) == 8 * BLINK_TREE_COMMIT_MAX);
}

void commits_of_records(void)
{
	stream_size = 0;
	with_each_kind(KIND_UNIQUE, 0, 0, takes_effect);
	with_each_kind(KIND_UNIQUE, 0, 0, sums);
	with_each_kind(KIND_UNIQUE, 0, 0, fails);
	with_each_kind(KIND_UNIQUE, 0, 0, gaps);
	with_each_kind(KIND_UNIQUE, 0, 0, malformed);
	with_each_kind(KIND_ALL, 0, 0, results_nowhere);
	with_each_kind(KIND_ALL, 0, 0, longest);
	tap_case("a commit of records has all effects or none");
}

/* Pairs: of the same key, too. */
static void pairs(int tree)
{
	struct blink_tree_ioc_records arg;

	ADD(INSERT, .key = key_nr(1), .value = x());
	ADD(INSERT, .key = key_nr(1), .value = y());
	ADD(ABSENT, .key = key_nr(2), .value = y());
	tap_check(!commit(tree, &arg) && arg.done == 3);
	tap_check(entries_of(tree) == 2);
	ADD(CMPERASE, .key = key_nr(1), .old = x());
	ADD(STORE, .key = key_nr(2), .value = x());
	ADD(ABSENT, .key = key_nr(1), .value = y());
	tap_check(commit(tree, &arg) == -ESTALE && arg.done == 2);
	tap_check(bare(&results[0], -ECANCELED) && bare(&results[2], -EEXIST));
	tap_check(entries_of(tree) == 2);
	ADD(LOOKUP, .key = key_nr(1));
	nothing_done(tree, -EINVAL, ROOM);
	ADD(ERASE, .key = key_nr(1));
	nothing_done(tree, -EINVAL, ROOM);
	ADD(EXPECT, .key = key_nr(1), .old = x());
	nothing_done(tree, -EOPNOTSUPP, ROOM);
	tap_check(entries_of(tree) == 2);
	ADD(STORE, .key = key_nr(1), .value = x(),
	    .flags = BLINK_TREE_COMMIT_CLEAR);
	ADD(STORE, .key = key_nr(9), .value = x());
	tap_check(!commit(tree, &arg) && entries_of(tree) == 2);
}

void commits_of_pairs(void)
{
	stream_size = 0;
	with_each_kind(KIND_PAIRS, 0, 0, pairs);
	tap_case("a commit of pairs");
}

static long commit_batch(int tree, const struct blink_tree_ioc_op *ops,
			 unsigned int nr, struct blink_tree_ioc_op **out,
			 __u32 *done)
{
	struct blink_tree_ioc_batch arg = {
		.flags = BLINK_TREE_BATCH_COMMIT,
		.count = nr,
		.ops = array_address(),
		.op_size = sizeof(*ops),
		.done = 99,
	};
	long ret;

	*out = array(nr * sizeof(*ops));
	memcpy(*out, ops, nr * sizeof(*ops));
	ret = call(tree, BLINK_TREE_IOC_BATCH, &arg);
	*done = arg.done;
	return ret;
}

#define NUMBER(op, k, v, o) \
	{ .opcode = BLINK_TREE_OP_##op, .key = k, .value = v, .old = o }

static void batch(int tree)
{
	static const struct blink_tree_ioc_op all[] = {
		NUMBER(STORE, 9, 90, 0), NUMBER(INSERT, 5, 50, 0),
		NUMBER(ABSENT, 6, 0, 0)
	};
	static const struct blink_tree_ioc_op none[] = {
		NUMBER(ERASE, 9, 0, 0), NUMBER(EXPECT, 5, 0, 51),
		NUMBER(LOOKUP, 9, 0, 0)
	};
	struct blink_tree_ioc_op many[BLINK_TREE_COMMIT_MAX + 1] = {}, *ops;
	struct blink_tree_ioc_batch flags = { .flags = 2, .op_size = 32 };
	__u32 done;

	tap_check(!commit_batch(tree, all, 3, &ops, &done) && done == 3);
	tap_check(!ops[0].result && !ops[1].result && !ops[2].result);
	tap_check(commit_batch(tree, none, 3, &ops, &done) == -ESTALE);
	tap_check(done == 1 && ops[0].result == -ECANCELED);
	tap_check(ops[1].result == -ESTALE && ops[1].old == 50);
	tap_check(ops[2].result == -ECANCELED && !ops[2].value);
	tap_check(entries_of(tree) == 2);
	tap_check(!commit_batch(tree, &none[2], 1, &ops, &done) && done == 1);
	tap_check(!ops[0].result && ops[0].value == 90);
	tap_check(commit_batch(tree, many, ARRAY_SIZE(many), &ops, &done) ==
		  -E2BIG);
	tap_check(!done);
	tap_check(!commit_batch(tree, many, 0, &ops, &done) && !done);
	tap_check(call(tree, BLINK_TREE_IOC_BATCH, &flags) == -EINVAL);
}

static void in_writing(void)
{
	static const struct blink_tree_ioc_op ops[][2] = {
		{ NUMBER(STORE, 9, 91, 0), NUMBER(LOOKUP, 9, 0, 0) },
		{ NUMBER(STORE, 9, 91, 0), NUMBER(EXPECT, 9, 0, 90) },
		{ NUMBER(STORE, 9, 91, 0), NUMBER(ABSENT, 8, 0, 0) },
		{ NUMBER(STORE, 9, 91, 0), NUMBER(CMPERASE, 9, 0, 90) },
		{ { .opcode = BLINK_TREE_OP_STORE,
		    .flags = BLINK_TREE_COMMIT_EMPTY },
		  NUMBER(STORE, 9, 91, 0) },
	};
	static const struct blink_tree_ioc_op clear[] = {
		{ .opcode = BLINK_TREE_OP_LOOKUP,
		  .flags = BLINK_TREE_COMMIT_CLEAR },
		NUMBER(LOOKUP, 20, 0, 0)
	};
	static const struct blink_tree_ioc_op store = NUMBER(STORE, 9, 92, 7);
	struct blink_tree_ioc_op *out;
	int all = create("w", 0600), tree, reader;
	unsigned int i;
	__u32 done;

	tap_check(!commit_batch(all, &store, 1, &out, &done));
	tree = open_tree("w", BLINK_TREE_OPEN_WRITE);
	for (i = 0; i < ARRAY_SIZE(ops); i++)
		tap_check(commit_batch(tree, ops[i], 2, &out, &done) ==
				  -EBADF &&
			  !done);
	/* It stores, and does not tell what was there. */
	tap_check(!commit_batch(tree, &store, 1, &out, &done) && done == 1);
	tap_check(out->result == 1 && !out->old);
	reader = open_tree("w", BLINK_TREE_OPEN_READ);
	tap_check(commit_batch(reader, &store, 1, &out, &done) == -EBADF);
	tap_check(!commit_batch(reader, &ops[0][1], 1, &out, &done));
	tap_check(out->value == 92);
	tap_check(commit_batch(reader, clear, 2, &out, &done) == -EBADF);
	tap_check(commit_batch(tree, clear, 2, &out, &done) == -EBADF);
	tap_check(entries_of(all) == 1);
	tap_check(!commit_batch(all, clear, 2, &out, &done));
	tap_check(!entries_of(all));
	fuzz_close(reader);
	fuzz_close(tree);
	fuzz_close(all);
	tap_check(!unlink_tree("w"));
}

void commits_of_batches(void)
{
	int tree = create("", 0600);

	batch(tree);
	fuzz_close(tree);
	in_writing();
	tap_case("a commit of a batch, also of a descriptor for writing");
}
