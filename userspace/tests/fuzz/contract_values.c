// SPDX-License-Identifier: GPL-2.0
/*
 * Trees with values of bytes, for keys of each kind: lying lengths, operations on values
 * of all lengths, and calls that end half-way.
 */
#include <string.h>

#define TAP_ELSEWHERE
#include "../common/tap.h"
#include "contract_values.h"
#include "memory.h"

#define HEADER sizeof(struct blink_tree_record)

static const size_t lengths[] = { 0, 1, 7, 8, 9, 300, 4095, 4096 };

/* Only the first record is executed; the second one has this header, and these bytes. */
static void refused(int tree, const struct blink_tree_record *second, int byte)
{
	struct blink_tree_ioc_records arg = {};
	size_t half;

	values_size = 0;
	ADD(STORE, .key = values_key(1), .value = values_like(1, 30));
	half = values_size;
	memset(values_input + half, byte, VALUES_STREAM - half);
	memcpy(values_input + half, second, HEADER);
	values_size += second->length < VALUES_STREAM - half ? second->length :
							       HEADER;
	tap_check(values_execute(tree, 5000, &arg) == -EINVAL);
	tap_check(arg.done == 1 && arg.input_used == half);
	tap_check(values_entries(tree) == 1);
}

static void malformed(int tree)
{
	const size_t key = values_key(3).length;
	const struct blink_tree_record good = {
		.length = HEADER + bytes_padded(key) + 4096 + 2008,
		.opcode = BLINK_TREE_OP_CMPXCHG,
		.key_length = key,
		.value_length = 4090,
		.old_length = 2001,
	};
	struct blink_tree_record bad;

#define BAD(change, byte)                  \
	do {                               \
		bad = good;                \
		change;                    \
		refused(tree, &bad, byte); \
	} while (0)
	/* The padding of one field or the other. */
	BAD(bad.old_length = 2008, 1);
	BAD(bad.value_length = 4096, 1);
	BAD((bad.value_length = 4097, bad.length += 8), 0);
	BAD((bad.old_length = 4097, bad.length += 4104 - 2008), 0);
	BAD(bad.value_length = 0xffff, 0);
	BAD(bad.old_length = 0, 0);
	BAD(bad.value_length = 4088, 0);
	BAD(bad.length += 8, 0);
	BAD(bad.length = -8, 0);
	BAD(bad.result = 1, 0);
	BAD(bad.__reserved[0] = 1, 0);
}

void values_malformed(void)
{
	with_each_kind(malformed, 0, 0);
	tap_case("malformed records with values of bytes are not executed");
}

/* Each operation on values of all lengths. */
static void operations(int tree)
{
	struct values_rec r;
	unsigned int i, j;

#define OP(op, ...) (r = ONE(tree, op, .key = values_key(9), ##__VA_ARGS__), &r)
	for (i = 0; i < ARRAY_SIZE(lengths); i++) {
		for (j = 0; j < ARRAY_SIZE(lengths); j++) {
			const struct string x = values_like(1, lengths[i]);
			const struct string y = values_like(2, lengths[j]);
			const bool same = string_same(x, y);

			tap_check(OP(INSERT, .value = x)->result == 0);
			tap_check(has_old(OP(INSERT, .value = y), -EEXIST, x));
			tap_check(has_old(OP(GET_OR_INSERT, .value = y), 1, x));
			tap_check(has_old(OP(STORE, .value = y), 1, x));
			tap_check(has_value(OP(LOOKUP), 0, y));
			tap_check(has_old(OP(REPLACE, .value = x), 0, y));
			tap_check(has_value(OP(FLOOR), 0, x));
			tap_check(has_old(OP(CMPERASE, .old = y),
					  same ? 0 : -ESTALE, x));
			if (same)
				ONE(tree, STORE, .key = values_key(9),
				    .value = x);
			tap_check(has_old(OP(CMPXCHG, .value = y, .old = x), 0,
					  x));
			tap_check(has_value(OP(CEILING), 0, y));
			tap_check(has_old(OP(CMPERASE, .old = y), 0, y));
			tap_check(OP(CMPXCHG, .value = y)->result == -ENOENT);
			tap_check(OP(REPLACE, .value = y)->result == -ENOENT);
			tap_check(!OP(GET_OR_INSERT, .value = y)->result);
			tap_check(has_old(OP(POP_MIN), 0, y));
			tap_check(!OP(STORE, .value = x)->result);
			tap_check(has_old(OP(POP_MAX), 0, x));
			tap_check(!OP(STORE, .value = y)->result);
			tap_check(has_old(OP(ERASE), 0, y));
		}
	}
	tap_check(!values_entries(tree));
	/* Fields that an operation does not have. */
	tap_check(OP(LOOKUP, .value = STRING("x"))->result == -EINVAL);
	tap_check(OP(ERASE, .value = STRING("x"))->result == -EINVAL);
	tap_check(OP(STORE, .old = STRING("x"))->result == -EINVAL);
	tap_check(OP(POP_MIN, .old = STRING("x"))->result == -EINVAL);
	/* The values that remain are freed with their tree. */
	for (i = 0; i < ARRAY_SIZE(lengths); i++)
		ONE(tree, STORE, .key = values_key(i),
		    .value = values_like(i, lengths[i]));
}

void values_of_all_lengths(void)
{
	with_each_kind(operations, 0, 0);
	tap_case("operations replace and compare values as a whole");
}

/* The length of the value that a key has. */
static size_t length_of(unsigned int number)
{
	return number % 5 ? number * 29 : VALUES_MAX - number;
}

/* Which operations begin follows from the room that the results before them left. */
static void as_many_as_fit(int tree, bool floor, size_t room)
{
	struct blink_tree_ioc_records arg = {};
	unsigned int seen = 0, nr, i;
	size_t used, at, length;
	struct values_rec r;

	while (seen < 40) {
		values_size = 0;
		for (i = seen, nr = 0, used = 0; i < 40; i++) {
			struct values_rec rec = {
				.opcode = floor ? BLINK_TREE_OP_FLOOR :
						  BLINK_TREE_OP_LOOKUP,
				.key = values_key(i),
			};

			if (values_size + HEADER + BYTES_KEY_MAX >
			    VALUES_STREAM)
				break;
			values_add(&rec);
			if (used + values_room(floor) > room)
				continue;
			nr++;
			used += HEADER + bytes_padded(length_of(i)) +
				(floor ? bytes_padded(rec.key.length) : 0);
		}
		tap_check(!values_execute(tree, room, &arg));
		if (!tap_check(arg.done == nr && arg.output_used == used))
			return;
		for (at = 0; at < arg.output_used; at += length, seen++) {
			length = values_get(values_output + at,
					    arg.output_used - at, &r);
			if (!tap_check(length))
				return;
			tap_check(has_value(
				&r, 0, values_like(seen, length_of(seen))));
			tap_check(!floor ||
				  string_same(r.key, values_key(seen)));
		}
	}
}

/* The room that the first operation needs is enough, and no byte less. */
static void rooms(int tree)
{
	struct blink_tree_ioc_records arg = {};
	const bool floors[] = { false, true };
	unsigned int i;
	size_t room;

	for (i = 0; i < 40; i++)
		ONE(tree, STORE, .key = values_key(i),
		    .value = values_like(i, length_of(i)));
	for (i = 0; i < 2; i++) {
		for (room = values_room(floors[i]); room < 10000; room += 517)
			as_many_as_fit(tree, floors[i], room);
		values_size = 0;
		if (floors[i])
			ADD(FLOOR, .key = values_key(7));
		else
			ADD(LOOKUP, .key = values_key(7));
		tap_check(values_execute(tree, values_room(floors[i]) - 1,
					 &arg) == -EMSGSIZE);
		tap_check(!arg.done && !arg.input_used && !arg.output_used);
	}
}

/* Memory fails at any allocation: nothing is done, or the record says so. */
static void without_memory(int tree)
{
	static const unsigned int opcodes[] = {
		BLINK_TREE_OP_INSERT,  BLINK_TREE_OP_STORE,
		BLINK_TREE_OP_REPLACE, BLINK_TREE_OP_GET_OR_INSERT,
		BLINK_TREE_OP_CMPXCHG, BLINK_TREE_OP_ERASE,
	};
	const struct string old = STRING("old"), new = STRING("new value");
	struct blink_tree_ioc_records arg = {};
	struct values_rec r = {}, rec = {};
	unsigned int nth, i;
	long ret;

	for (i = 0; i < ARRAY_SIZE(opcodes) * 12; i++) {
		const bool absent = i / 6 % 2;

		nth = 1 + i / 12;
		rec.opcode = opcodes[i % 6];
		rec.key = values_key(100);
		rec.value = rec.opcode == BLINK_TREE_OP_ERASE ?
				    (struct string){} :
				    new;
		rec.old = rec.opcode == BLINK_TREE_OP_CMPXCHG ?
				  old :
				  (struct string){};
		if (absent)
			ONE(tree, ERASE, .key = rec.key);
		else
			ONE(tree, STORE, .key = rec.key, .value = old);
		values_size = 0;
		values_add(&rec);
		fail_allocation(nth);
		ret = values_execute(tree, VALUES_RESULT_MAX, &arg);
		fail_allocation(0);
		if (!ret)
			tap_check(
				values_get(values_output, arg.output_used, &r));
		tap_check(!ret || (ret == -ENOMEM && !arg.done));
		if (!ret && r.result != -ENOMEM)
			continue;
		r = ONE(tree, LOOKUP, .key = values_key(100));
		tap_check(absent ? r.result == -ENOENT : has_value(&r, 0, old));
	}
}

/* The results cannot be written, but what was executed is counted. */
static void faults(int tree)
{
	__u64 end = memory_address(1, PLACE_END, 0, true);
	struct blink_tree_ioc_records arg = {};
	__u64 before = values_entries(tree);
	unsigned int i;

	values_size = 0;
	for (i = 0; i < 3; i++)
		ADD(STORE, .key = values_key(120 + i),
		    .value = values_like(i, 500));
	memcpy(array(values_size), values_input, values_size);
	arg.input = array_address();
	arg.input_size = values_size;
	arg.output = end - HEADER;
	arg.output_size = 20000;
	tap_check(call(tree, BLINK_TREE_IOC_RECORDS, &arg) == -EFAULT);
	tap_check(arg.done == 3 && arg.input_used == values_size &&
		  !arg.output_used);
	tap_check(values_entries(tree) == before + 3);
	/* The results in the place of the operations. */
	arg.output = arg.input + 8;
	arg.output_size = 8000;
	tap_check(!call(tree, BLINK_TREE_IOC_RECORDS, &arg) && arg.done);
}

static void cut(int tree)
{
	rooms(tree);
	without_memory(tree);
	faults(tree);
}

void values_cut(void)
{
	with_each_kind(cut, 0, 0);
	tap_case(
		"a call with values of bytes that ends early tells what it did");
}

/* No byte of a value is in any result of a descriptor that cannot read. */
static void concealed(int tree)
{
	struct blink_tree_ioc_create arg = {
		.flags = BLINK_TREE_CREATE_BYTE_VALUES,
		.mode = 0600,
		.key = values_kind,
		.name = "values",
	};
	struct blink_tree_ioc_scan scan = {
		.capacity = 1,
		.entry_size = sizeof(struct blink_tree_entry),
	};
	struct values_rec r;
	unsigned int i;
	int named;

	named = call(device, BLINK_TREE_IOC_CREATE, &arg);
	tree = open_tree("values", BLINK_TREE_OPEN_WRITE);
	tap_check(named > 0 && tree > 0);
	tap_check(call(named, BLINK_TREE_IOC_SCAN, &scan) == -EOPNOTSUPP);
	for (i = 0; i < ARRAY_SIZE(lengths); i++) {
		const struct string x = values_like(1, lengths[i]);
		const struct string none = {};

		tap_check(!OP(INSERT, .value = x)->result);
		tap_check(has_old(OP(INSERT, .value = x), -EEXIST, none));
		tap_check(has_old(OP(STORE, .value = x), 1, none));
		tap_check(has_old(OP(REPLACE, .value = x), 0, none));
		tap_check(OP(CMPERASE, .old = x)->result == -EBADF);
		tap_check(OP(LOOKUP)->result == -EBADF);
		tap_check(has_old(OP(ERASE), 0, none));
	}
	fuzz_close(tree);
	fuzz_close(named);
	unlink_tree("values");
}

void values_concealed(void)
{
	with_each_kind(concealed, 0, 0);
	tap_case("who may only write is told no byte of a value");
}
