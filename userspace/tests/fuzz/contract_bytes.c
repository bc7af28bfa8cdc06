// SPDX-License-Identifier: GPL-2.0
/* Trees whose keys are byte strings: lying lengths, and calls that end half-way. */
#include <stdlib.h>
#include <string.h>

#define TAP_ELSEWHERE
#include "../common/tap.h"
#include "contract_bytes.h"
#include "memory.h"
#include "random.h"

#define HEADER sizeof(struct blink_tree_record)

/* The memory of user space is of three pages, and the first has a structure. */
#define INPUT 5000

static char input[INPUT];
char bytes_output[BYTES_OUTPUT];
static size_t size;

int bytes_create(__u64 max_entries)
{
	struct blink_tree_ioc_create arg = {
		.key = BLINK_TREE_KEY_BYTES,
		.max_entries = max_entries,
	};

	return call(device, BLINK_TREE_IOC_CREATE, &arg);
}

static void add(const struct bytes_rec *rec)
{
	size += bytes_put(input + size, rec);
}

#define ADD(op, ...) \
	add(&(struct bytes_rec){ .opcode = BLINK_TREE_OP_##op, __VA_ARGS__ })

/* Execute a stream of which @room bytes of results are wanted. */
static long execute(int tree, size_t room, struct blink_tree_ioc_records *arg)
{
	return call_records(tree, input, size, bytes_output, room, arg);
}

struct bytes_rec bytes_one(int tree, const struct bytes_rec *rec)
{
	struct blink_tree_ioc_records arg = {};
	struct bytes_rec result = {};

	size = 0;
	add(rec);
	tap_check(!execute(tree, BYTES_RESULT_MAX, &arg));
	tap_check(arg.done == 1 && arg.input_used == size);
	tap_check(bytes_get(bytes_output, arg.output_used, &result) ==
		  arg.output_used);
	tap_check(result.opcode == rec->opcode);
	return result;
}

__u64 bytes_entries(int tree)
{
	struct blink_tree_ioc_stats stats = {};
	struct blink_tree_ioc_verify verify = {};

	tap_check(!call(tree, BLINK_TREE_IOC_STATS, &stats));
	tap_check(!call(tree, BLINK_TREE_IOC_VERIFY, &verify));
	tap_check(!verify.violation && verify.entries == stats.entries);
	return stats.entries;
}

/* Keys ascend with their number, and have all lengths from 2 on. */
static struct string numbered(unsigned int number)
{
	static unsigned char bytes[BYTES_KEY_MAX];

	memset(bytes, 0xff, sizeof(bytes));
	bytes[0] = number >> 8;
	bytes[1] = number;
	return (struct string){ 2 + number * 37 % (BYTES_KEY_MAX - 1), bytes };
}

/* The second record has the longest key; only the first record is executed. */
static void refused(int tree, const struct blink_tree_record *second,
		    size_t more)
{
	static const char ones[BYTES_KEY_MAX];
	struct blink_tree_ioc_records arg = {};
	struct bytes_rec r;
	size_t half;

	size = 0;
	ADD(STORE, .key = STRING("first"), VALUE(1));
	half = size;
	ADD(STORE, .key = { sizeof(ones) - 5, ones }, VALUE(1));
	memset(input + half + HEADER, 0xff, BYTES_KEY_MAX - 5);
	memset(input + size, 0, more);
	size += more;
	memcpy(input + half, second, HEADER);
	tap_check(execute(tree, 2000, &arg) == -EINVAL);
	tap_check(arg.done == 1 && arg.input_used == half);
	tap_check(bytes_get(bytes_output, arg.output_used, &r) ==
		  arg.output_used);
	tap_check(bytes_entries(tree) == 1);
}

void bytes_malformed(void)
{
	const struct blink_tree_record good = {
		.length = HEADER + BYTES_KEY_MAX + 8,
		.opcode = BLINK_TREE_OP_STORE,
		.key_length = BYTES_KEY_MAX - 5,
		.value_length = 8,
	};
	int tree = bytes_create(0);
	struct blink_tree_record bad;

#define BAD(change, more)                  \
	do {                               \
		bad = good;                \
		change;                    \
		refused(tree, &bad, more); \
	} while (0)
	BAD(bad.length = 0, 0);
	BAD(bad.length -= 8, 0);
	BAD(bad.length += 8, 8);
	BAD(bad.length += 4, 8);
	BAD(bad.length = -8, 0);
	BAD(bad.flags = 1, 0);
	BAD(bad.__reserved[2] = 1, 0);
	BAD(bad.key_length = 0, 0);
	BAD(bad.key_length--, 0);
	BAD(bad.key_length -= 8, 0);
	BAD(bad.key_length = 0xffff, 0);
	BAD(bad.value_length = 0xffff, 0);
	BAD(bad.old_length = 1, 0);
	BAD((bad.key_length = BYTES_KEY_MAX + 1, bad.length += 8), 8);
	BAD((bad.key_length = BYTES_KEY_MAX + 8, bad.length += 8), 8);
	/* The record ends behind the stream. */
	BAD((bad.value_length = 16, bad.length += 8), 0);
	fuzz_close(tree);
	tap_case("malformed records of byte strings are not executed");
}

/* However much is missing, the records before it are executed. */
static void truncated(int tree)
{
	struct blink_tree_ioc_records arg = {};
	size_t ends[5], all, i;

	size = 0;
	for (i = 0; i < 5; i++) {
		ends[i] = size;
		ADD(STORE, .key = numbered(i), VALUE(i));
	}
	for (all = size; size; size--) {
		for (i = 4; ends[i] > size; i--)
			;
		if (size == all || ends[i] == size) {
			tap_check(!execute(tree, 1000, &arg));
			tap_check(arg.input_used == size);
		} else {
			tap_check(execute(tree, 1000, &arg) == -EINVAL);
			tap_check(arg.done == i && arg.input_used == ends[i]);
		}
	}
}

/* The results come by as many calls as their room needs, each as it should be. */
static void full_outputs(int tree)
{
	struct blink_tree_ioc_records arg = {};
	unsigned int i, k, seen;
	size_t room, at, length;
	struct bytes_rec r;

	for (i = 0; i < 40; i++)
		ONE(tree, STORE, .key = numbered(i), VALUE(i));
	for (room = BYTES_RESULT_MAX; room < BYTES_OUTPUT; room += room / 7) {
		for (seen = 0; seen < 40;) {
			size = 0;
			for (k = seen; k < 40 && size < 3000; k++)
				ADD(FLOOR, .key = numbered(k));
			tap_check(!execute(tree, room, &arg));
			if (!tap_check(arg.done && arg.output_used <= room))
				return;
			for (at = 0; at < arg.output_used; at += length) {
				length = bytes_get(bytes_output + at,
						   arg.output_used - at, &r);
				if (!tap_check(length))
					return;
				tap_check(!r.result && r.value == seen &&
					  string_same(r.key, numbered(seen)));
				seen++;
			}
		}
	}
	tap_check(execute(tree, BYTES_RESULT_MAX - 1, &arg) == -EMSGSIZE);
	tap_check(!arg.done && !arg.input_used && !arg.output_used);
}

/* Memory fails at any allocation: nothing is done, or the record says so. */
static void without_memory(int tree)
{
	struct blink_tree_ioc_records arg = {};
	unsigned int nth;
	struct bytes_rec r = {};
	long ret;

	for (nth = 1; nth < 30; nth++) {
		__u64 before = bytes_entries(tree);

		size = 0;
		ADD(INSERT, .key = numbered(1000 + nth), VALUE(1));
		fail_allocation(nth);
		ret = execute(tree, BYTES_RESULT_MAX, &arg);
		fail_allocation(0);
		if (ret) {
			tap_check(ret == -ENOMEM && !arg.done);
			tap_check(bytes_entries(tree) == before);
			continue;
		}
		tap_check(bytes_get(bytes_output, arg.output_used, &r));
		tap_check(!r.result || r.result == -ENOMEM);
		tap_check(bytes_entries(tree) == before + !r.result);
	}
}

/* The input is there up to a page, and the bytes_output too. */
static void faults(int tree)
{
	__u64 end = memory_address(0, PLACE_END, 0, true);
	struct blink_tree_ioc_records arg = {};
	size_t bytes = MEMORY_WRITABLE;
	__u64 before = bytes_entries(tree);
	char *to;

	size = 0;
	ADD(STORE, .key = numbered(2001), VALUE(1));
	ADD(STORE, .key = numbered(2002), VALUE(1));
	to = memory_alias(end - size, &bytes);
	memcpy(to, input, size);
	arg.input = end - size + 1;
	arg.input_size = size;
	arg.output = array_address();
	arg.output_size = 1000;
	tap_check(call(tree, BLINK_TREE_IOC_RECORDS, &arg) == -EFAULT);
	tap_check(!arg.done && bytes_entries(tree) == before);
	arg.input = end - size;
	arg.output = end - HEADER;
	tap_check(call(tree, BLINK_TREE_IOC_RECORDS, &arg) == -EFAULT);
	tap_check(arg.done == 2 && arg.input_used == size && !arg.output_used);
	tap_check(bytes_entries(tree) == before + 2);
	/* The results in the place of the operations. */
	memcpy(to, input, size);
	arg.output = arg.input + 8;
	arg.output_size = size - 8;
	tap_check(!call(tree, BLINK_TREE_IOC_RECORDS, &arg) && arg.done == 2);
}

void bytes_cut(void)
{
	int tree = bytes_create(0);

	truncated(tree);
	full_outputs(tree);
	without_memory(tree);
	faults(tree);
	fuzz_close(tree);
	tap_case("a call with byte strings that ends early tells what it did");
}

void bytes_loaded(void)
{
	struct blink_tree_ioc_records arg = {
		.flags = BLINK_TREE_RECORDS_LOAD,
		.fill = 70,
	};
	int tree = bytes_create(25);
	unsigned int first, i;
	size_t end = 0;

	for (first = 0; first < 20; first += 5) {
		size = 0;
		for (i = 0; i < 5; i++)
			ADD(INSERT, .key = numbered(first + i), VALUE(i));
		tap_check(!execute(tree, 0, &arg) && arg.done == 5);
		tap_check(arg.input_used == size);
	}
	/* The third is present. */
	size = 0;
	ADD(INSERT, .key = numbered(20), VALUE(1));
	ADD(INSERT, .key = numbered(21), VALUE(1));
	end = size;
	ADD(INSERT, .key = numbered(19), VALUE(1));
	ADD(INSERT, .key = numbered(22), VALUE(1));
	tap_check(execute(tree, 0, &arg) == -EEXIST && arg.done == 2);
	tap_check(arg.input_used == end && bytes_entries(tree) == 22);
	/* There is room for three. */
	size = 0;
	for (i = 0; i < 5; i++) {
		end = i == 3 ? size : end;
		ADD(INSERT, .key = numbered(30 + i), VALUE(i));
	}
	tap_check(execute(tree, 0, &arg) == -ENOSPC && arg.done == 3);
	tap_check(arg.input_used == end && bytes_entries(tree) == 25);
	fuzz_close(tree);
	tap_case("a load of byte strings tells which entry it did not add");
}
