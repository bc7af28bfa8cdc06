// SPDX-License-Identifier: GPL-2.0
/*
 * Calls with keys and values of each kind that end early, and what they tell: by the room
 * of the results, by signals, by memory that is short or not there; and loads.
 */
#include <string.h>

#define TAP_ELSEWHERE
#include "contract_kinds.h"
#include "memory.h"

#define KEYS 40
#define MANY 150

/* The length of the value that a key has. */
static size_t length_of(unsigned int number)
{
	if (!has_bytes())
		return 8;
	return number % 5 ? number * 29 : RECORD_VALUE_MAX - number;
}

static struct string value_of(unsigned int number)
{
	return value_nr(number, length_of(number));
}

/* Searches from one key on; returns how many results have room, and their bytes. */
static unsigned int plan(unsigned int first, bool floor, size_t room,
			 size_t *used)
{
	unsigned int nr = 0, i;

	stream_size = 0;
	*used = 0;
	for (i = first; i < KEYS; i++) {
		const struct string key = key_nr(i);

		if (stream_size + RECORD_HEADER + RECORD_KEY_MAX > STREAM_BYTES)
			break;
		stream_add(
			&(struct rec){ .opcode = floor ? BLINK_TREE_OP_FLOOR :
							 BLINK_TREE_OP_LOOKUP,
				       .key = key });
		if (*used + room_of(floor) > room)
			continue;
		nr++;
		*used += RECORD_HEADER + record_padded(length_of(i)) +
			 (floor ? record_padded(key.length) : 0);
	}
	return nr;
}

/* Which operations begin follows from the room that the results before them left. */
static void as_many_as_fit(int tree, bool floor, size_t room)
{
	struct blink_tree_ioc_records arg = {};
	unsigned int seen = 0, nr;
	size_t used, at, length;
	struct rec r;

	while (seen < KEYS) {
		nr = plan(seen, floor, room, &used);
		tap_check(!stream_execute(tree, room, &arg));
		if (!tap_check(arg.done == nr && arg.output_used == used))
			return;
		for (at = 0; at < arg.output_used; at += length, seen++) {
			length = rec_get(output + at, arg.output_used - at, &r);
			if (!tap_check(length))
				return;
			tap_check(has_fields(&r, 0,
					     floor ? key_nr(seen) : NO_STRING,
					     value_of(seen), NO_STRING));
		}
	}
}

/* The room that the first operation needs is enough, and no byte less. */
static void rooms(int tree)
{
	struct blink_tree_ioc_records arg = {};
	unsigned int i, floor;
	size_t room;

	for (i = 0; i < KEYS; i++)
		ONE(tree, STORE, .key = key_nr(i), .value = value_of(i));
	for (floor = 0; floor < 2; floor++) {
		for (room = room_of(floor); room < 10000; room += 517)
			as_many_as_fit(tree, floor, room);
		plan(7, floor, 0, &room);
		tap_check(stream_execute(tree, room_of(floor) - 1, &arg) ==
			  -EMSGSIZE);
		tap_check(!arg.done && !arg.input_used && !arg.output_used);
	}
}

/* A signal ends the call after a chunk, and before the first one it is no end. */
static void signals(int tree)
{
	struct blink_tree_ioc_records arg = {};

	if (!interrupt(true))
		return;
	stream_fill(BLINK_TREE_OP_STORE, MANY);
	tap_check(!stream_execute(tree, STREAM_BYTES, &arg));
	tap_check(arg.done && arg.done < MANY);
	tap_check(arg.input_used == arg.done * (stream_size / MANY));
	interrupt(false);
}

/* One operation for which an allocation fails: it did nothing, and says so. */
static void without_memory(int tree, unsigned int opcode, bool there,
			   unsigned int nth)
{
	const struct string old = value_nr(1, 3), new = value_nr(2, 9);
	const struct rec rec = {
		.opcode = opcode,
		.key = key_nr(100),
		.value = takes_value(opcode) ? new : NO_STRING,
		.old = takes_old(opcode) ? old : NO_STRING,
	};
	struct blink_tree_ioc_records arg = {};
	struct rec r = {};
	long ret;

	ONE(tree, ERASE, .key = rec.key);
	if (there)
		ONE(tree, STORE, .key = rec.key, .value = old);
	stream_size = 0;
	stream_add(&rec);
	fail_allocation(nth);
	ret = stream_execute(tree, RESULT_MAX, &arg);
	fail_allocation(0);
	if (!ret)
		tap_check(rec_get(output, arg.output_used, &r));
	tap_check(!ret || (ret == -ENOMEM && !arg.done));
	if (!ret && r.result != -ENOMEM)
		return;
	r = ONE(tree, LOOKUP, .key = rec.key);
	tap_check(there ? has_value(&r, old) : bare(&r, -ENOENT));
}

static void each_without_memory(int tree)
{
	static const unsigned int opcodes[] = {
		BLINK_TREE_OP_INSERT,  BLINK_TREE_OP_STORE,
		BLINK_TREE_OP_REPLACE, BLINK_TREE_OP_GET_OR_INSERT,
		BLINK_TREE_OP_CMPXCHG, BLINK_TREE_OP_ERASE,
	};
	struct blink_tree_ioc_records arg = {};
	unsigned int nth, i;
	__u64 before;
	long ret;

	for (i = 0; i < ARRAY_SIZE(opcodes); i++)
		for (nth = 1; nth <= 12; nth++) {
			without_memory(tree, opcodes[i], false, nth);
			without_memory(tree, opcodes[i], true, nth);
		}
	/* New keys, for which leaves are split. */
	for (nth = 1; nth < 30; nth++) {
		before = entries_of(tree);
		stream_size = 0;
		ADD(INSERT, .key = key_nr(1000 + nth), .value = value_of(1));
		fail_allocation(nth);
		ret = stream_execute(tree, RESULT_MAX, &arg);
		fail_allocation(0);
		tap_check(!ret || (ret == -ENOMEM && !arg.done));
		if (!ret)
			ret = ((struct blink_tree_record *)output)->result;
		tap_check(!ret || ret == -ENOMEM);
		tap_check(entries_of(tree) == before + !ret);
	}
}

/* The input is there up to a page, and the output too. */
static void faults(int tree)
{
	const __u64 end = memory_address(0, PLACE_END, 0, true);
	const __u64 results = memory_address(1, PLACE_END, 0, true);
	struct blink_tree_ioc_records arg = { .output = output_address(),
					      .output_size = 11000 };
	const __u64 before = entries_of(tree);
	size_t bytes = MEMORY_WRITABLE;
	char *to;

	stream_size = 0;
	ADD(STORE, .key = key_nr(2001), .value = value_nr(1, 500));
	ADD(STORE, .key = key_nr(2002), .value = value_nr(1, 500));
	to = memory_alias(end - stream_size, &bytes);
	memcpy(to, stream, stream_size);
	arg.input = end - stream_size + 1;
	arg.input_size = stream_size;
	tap_check(call(tree, BLINK_TREE_IOC_RECORDS, &arg) == -EFAULT);
	tap_check(!arg.done && entries_of(tree) == before);
	/* The results cannot be written, but what was executed is counted. */
	arg.input = end - stream_size;
	arg.output = results - RECORD_HEADER;
	tap_check(call(tree, BLINK_TREE_IOC_RECORDS, &arg) == -EFAULT);
	tap_check(arg.done == 2 && arg.input_used == stream_size &&
		  !arg.output_used);
	tap_check(entries_of(tree) == before + 2);
	/* The results in the place of the operations. */
	memcpy(array(stream_size), stream, stream_size);
	arg.input = array_address();
	arg.output = arg.input + 8;
	arg.output_size = 8000;
	tap_check(!call(tree, BLINK_TREE_IOC_RECORDS, &arg) && arg.done);
}

void records_cut(void)
{
	with_each_kind(KIND_ALL, 0, 0, rooms);
	with_each_kind(KIND_ALL, 0, 0, signals);
	with_each_kind(KIND_UNIQUE, 0, 0, each_without_memory);
	with_each_kind(KIND_ALL, 0, 0, faults);
	tap_case("a call of records that ends early tells what it did");
}

/* The first keys, by LOAD, where the tree takes it: else by a stream. */
static long load_entries(int tree, unsigned int first, unsigned int nr,
			 unsigned int fill, unsigned int *done)
{
	struct blink_tree_ioc_records arg = { .flags = BLINK_TREE_RECORDS_LOAD,
					      .fill = fill };
	struct blink_tree_ioc_load load = {
		.count = nr,
		.entries = array_address(),
		.fill = fill,
		.entry_size = sizeof(struct blink_tree_entry),
	};
	struct blink_tree_entry *entries;
	unsigned int i;
	size_t end = 0;
	long ret;

	if (way == BY_OP && is_u64()) {
		entries = array(nr * sizeof(*entries));
		for (i = 0; i < nr; i++)
			entries[i] = (struct blink_tree_entry){
				(__u64)(first + i) << 32 | 1, first + i
			};
		ret = call(tree, BLINK_TREE_IOC_LOAD, &load);
		*done = load.done;
		return ret;
	}
	stream_size = 0;
	for (i = 0; i < nr; i++)
		ADD(INSERT, .key = key_nr(first + i),
		    .value = value_nr(first + i, 40 * i));
	ret = stream_execute(tree, 0, &arg);
	*done = arg.done;
	for (i = 0; i < arg.done; i++)
		end += ((struct blink_tree_record *)(stream + end))->length;
	tap_check(arg.input_used == end);
	return ret;
}

/* A load of some keys, of which @done are added before it fails. */
static void load(int tree, unsigned int first, unsigned int nr, long err,
		 unsigned int done)
{
	const __u64 before = entries_of(tree);
	unsigned int i, loaded;
	struct rec r;

	tap_check(load_entries(tree, first, nr, 70, &loaded) == err);
	tap_check(loaded == done && entries_of(tree) == before + done);
	for (i = 0; i < done; i++)
		tap_check(has_value(OP(LOOKUP, .key = key_nr(first + i)),
				    value_nr(first + i, 40 * i)));
}

static void loads(int tree)
{
	/* A pair is in the way if it is the same one. */
	const unsigned int other = kind->group == KIND_PAIRS ? 15 : 99;
	struct rec r;

	load(tree, 0, 6, 0, 6);
	load(tree, 6, 6, 0, 6);
	ONE(tree, STORE, .key = key_nr(15), .value = value_nr(other, 120));
	load(tree, 12, 6, -EEXIST, 3);
	tap_check(
		has_value(OP(LOOKUP, .key = key_nr(15)), value_nr(other, 120)));
	load(tree, 16, 6, -ENOSPC, 4);
	load(tree, 40, 6, -ENOSPC, 0);
	ONE(tree, ERASE, .key = key_nr(3));
	load(tree, 50, 3, -ENOSPC, 1);
}

static void loads_by_load(int tree)
{
	way = BY_OP;
	if (is_u64())
		loads(tree);
	way = BY_RECORDS;
}

/* More entries than a chunk has; and records that are no entries. */
static void long_loads(int tree)
{
	struct blink_tree_ioc_records arg = {
		.flags = BLINK_TREE_RECORDS_LOAD,
		.fill = 100,
	};

	stream_fill(BLINK_TREE_OP_STORE, MANY);
	tap_check(stream_execute(tree, 0, &arg) == -EINVAL && !arg.done);
	stream_size = 0;
	ADD(INSERT, .key = key_nr(1));
	tap_check(has_bytes() ||
		  (stream_execute(tree, 0, &arg) == -EINVAL && !arg.done));
	stream_fill(BLINK_TREE_OP_INSERT, MANY);
	tap_check(!stream_execute(tree, 0, &arg) && arg.done == MANY);
	tap_check(arg.input_used == stream_size && entries_of(tree) == MANY);
	/* The same entries: the first one is present, then it is not. */
	tap_check(stream_execute(tree, 0, &arg) == -EEXIST && !arg.done);
	ONE(tree, ERASE, .key = key_short(0));
	stream_fill(BLINK_TREE_OP_INSERT, MANY);
	tap_check(stream_execute(tree, 0, &arg) == -EEXIST && arg.done == 1);
	tap_check(arg.input_used == stream_size / MANY);
}

/* Memory fails anywhere in a load: the entries that are counted are there. */
static void loads_without_memory(int tree)
{
	unsigned int nth, done;
	__u64 before;
	long ret;

	for (nth = 1; nth < 30; nth++) {
		before = entries_of(tree);
		fail_allocation(nth);
		ret = load_entries(tree, nth * 5, 5, 100, &done);
		fail_allocation(0);
		tap_check(!ret ? done == 5 : ret == -ENOMEM);
		tap_check(entries_of(tree) == before + done);
	}
}

static void loads_into_little_memory(int tree)
{
	struct blink_tree_ioc_records arg = {
		.flags = BLINK_TREE_RECORDS_LOAD,
		.fill = 100,
	};
	unsigned int first, done = 0;
	long ret;

	for (first = 0; first < 200; first += 2) {
		stream_size = 0;
		ADD(INSERT, .key = key_nr(first), .value = value_nr(1, 4000));
		ADD(INSERT, .key = key_nr(first + 1),
		    .value = value_nr(2, 4000));
		ret = stream_execute(tree, 0, &arg);
		done += arg.done;
		if (ret)
			break;
	}
	tap_check(ret == -ENOSPC && done > 5 && done < 25);
	tap_check(entries_of(tree) == done);
}

/* The bytes that a tree of so many keys has whose leaves are filled so. */
static __u64 bytes_filled(unsigned int fill)
{
	struct blink_tree_ioc_create how = kind->how;
	struct blink_tree_ioc_stats stats = {};
	int tree = call(device, BLINK_TREE_IOC_CREATE, &how);
	unsigned int first, done;

	for (first = 0; first < 40 * MANY; first += MANY)
		tap_check(!load_entries(tree, first, MANY, fill, &done) &&
			  done == MANY);
	tap_check(!call(tree, BLINK_TREE_IOC_STATS, &stats));
	fuzz_close(tree);
	return stats.bytes;
}

static void fills(int tree)
{
	(void)tree;
	if (has_strings())
		return;
	way = BY_OP;
	tap_check(19 * bytes_filled(100) < 10 * bytes_filled(50));
	way = BY_RECORDS;
}

void loads_cut(void)
{
	with_each_kind(KIND_ALL, 20, 0, loads);
	with_each_kind(KIND_WORDS, 20, 0, loads_by_load);
	with_each_kind(KIND_ALL, 0, 0, long_loads);
	with_each_kind(KIND_ALL, 0, 0, loads_without_memory);
	with_each_kind(KIND_BYTES, 0, 100000, loads_into_little_memory);
	with_each_kind(KIND_WORDS, 0, 0, fills);
	tap_case(
		"a load tells which entry it did not add, and fills leaves as told");
}
