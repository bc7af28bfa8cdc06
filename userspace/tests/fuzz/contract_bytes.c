// SPDX-License-Identifier: GPL-2.0
/*
 * Trees whose keys are byte strings: lying lengths, calls that end half-way, ranges, and
 * random operations, of which a sorted array tells the results.
 */
#include <stdlib.h>
#include <string.h>

#define TAP_ELSEWHERE
#include "../common/bytes.h"
#include "../common/tap.h"
#include "contract.h"
#include "memory.h"
#include "random.h"
#include "shim/chardev.h"
#include "shim/files.h"

#define HEADER sizeof(struct blink_tree_record)

/* The memory of user space is of three pages, and the first has a structure. */
#define INPUT 5000
#define OUTPUT 6000

static char input[INPUT];
static char output[OUTPUT];
static size_t size;

static int create_strings(__u64 max_entries)
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
#define VALUE(number) .has_value = true, .value = (number)

/* Execute a stream of which @room bytes of results are wanted. */
static long execute(int tree, size_t room, struct blink_tree_ioc_records *arg)
{
	return call_records(tree, input, size, output, room, arg);
}

static struct bytes_rec one(int tree, const struct bytes_rec *rec)
{
	struct blink_tree_ioc_records arg = {};
	struct bytes_rec result = {};

	size = 0;
	add(rec);
	tap_check(!execute(tree, BYTES_RESULT_MAX, &arg));
	tap_check(arg.done == 1 && arg.input_used == size);
	tap_check(bytes_get(output, arg.output_used, &result) ==
		  arg.output_used);
	tap_check(result.opcode == rec->opcode);
	return result;
}

#define ONE(tree, op, ...) \
	one(tree,          \
	    &(struct bytes_rec){ .opcode = BLINK_TREE_OP_##op, __VA_ARGS__ })

static __u64 entries_of(int tree)
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
	tap_check(bytes_get(output, arg.output_used, &r) == arg.output_used);
	tap_check(entries_of(tree) == 1);
}

void bytes_malformed(void)
{
	const struct blink_tree_record good = {
		.length = HEADER + BYTES_KEY_MAX + 8,
		.opcode = BLINK_TREE_OP_STORE,
		.key_length = BYTES_KEY_MAX - 5,
		.value_length = 8,
	};
	int tree = create_strings(0);
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
	for (room = BYTES_RESULT_MAX; room < OUTPUT; room += room / 7) {
		for (seen = 0; seen < 40;) {
			size = 0;
			for (k = seen; k < 40 && size < 3000; k++)
				ADD(FLOOR, .key = numbered(k));
			tap_check(!execute(tree, room, &arg));
			if (!tap_check(arg.done && arg.output_used <= room))
				return;
			for (at = 0; at < arg.output_used; at += length) {
				length = bytes_get(output + at,
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
		__u64 before = entries_of(tree);

		size = 0;
		ADD(INSERT, .key = numbered(1000 + nth), VALUE(1));
		shim_self->fail_nth = nth;
		ret = execute(tree, BYTES_RESULT_MAX, &arg);
		shim_self->fail_nth = 0;
		if (ret) {
			tap_check(ret == -ENOMEM && !arg.done);
			tap_check(entries_of(tree) == before);
			continue;
		}
		tap_check(bytes_get(output, arg.output_used, &r));
		tap_check(!r.result || r.result == -ENOMEM);
		tap_check(entries_of(tree) == before + !r.result);
	}
}

/* The input is there up to a page, and the output too. */
static void faults(int tree)
{
	__u64 end = memory_address(0, PLACE_END, 0, true);
	struct blink_tree_ioc_records arg = {};
	size_t bytes = MEMORY_WRITABLE;
	__u64 before = entries_of(tree);
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
	tap_check(!arg.done && entries_of(tree) == before);
	arg.input = end - size;
	arg.output = end - HEADER;
	tap_check(call(tree, BLINK_TREE_IOC_RECORDS, &arg) == -EFAULT);
	tap_check(arg.done == 2 && arg.input_used == size && !arg.output_used);
	tap_check(entries_of(tree) == before + 2);
	/* The results in the place of the operations. */
	memcpy(to, input, size);
	arg.output = arg.input + 8;
	arg.output_size = size - 8;
	tap_check(!call(tree, BLINK_TREE_IOC_RECORDS, &arg) && arg.done == 2);
}

void bytes_cut(void)
{
	int tree = create_strings(0);

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
	int tree = create_strings(25);
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
	tap_check(arg.input_used == end && entries_of(tree) == 22);
	/* There is room for three. */
	size = 0;
	for (i = 0; i < 5; i++) {
		end = i == 3 ? size : end;
		ADD(INSERT, .key = numbered(30 + i), VALUE(i));
	}
	tap_check(execute(tree, 0, &arg) == -ENOSPC && arg.done == 3);
	tap_check(arg.input_used == end && entries_of(tree) == 25);
	fuzz_close(tree);
	tap_case("a load of byte strings tells which entry it did not add");
}

#define FIRST_OPEN BLINK_TREE_RECORD_SCAN_FIRST_OPEN
#define LAST_OPEN BLINK_TREE_RECORD_SCAN_LAST_OPEN
#define PREFIX BLINK_TREE_RECORD_SCAN_PREFIX
#define DESC BLINK_TREE_RECORD_SCAN_DESC
#define COUNT BLINK_TREE_RECORD_SCAN_COUNT
#define DONE BLINK_TREE_RECORD_SCAN_DONE

struct range {
	struct blink_tree_ioc_record_scan arg;
	char first[BYTES_KEY_MAX];
	char last[BYTES_KEY_MAX];
};

static struct range range_of(__u32 flags, struct string first,
			     struct string last)
{
	struct range range = {
		.arg.flags = flags,
		.arg.first_length = first.length,
		.arg.last_length = last.length,
	};

	memcpy(range.first, first.data, first.length);
	memcpy(range.last, last.data, last.length);
	return range;
}

/* A call with a range, of which the memory of user space has the bounds. */
static long call_range(int tree, unsigned int cmd, struct range *range,
		       size_t room)
{
	const size_t bounds = 2 * BYTES_KEY_MAX;
	char *to = array(bounds + room);
	long ret;

	memcpy(to, range->first, bounds);
	range->arg.first = array_address();
	range->arg.last = array_address() + BYTES_KEY_MAX;
	if (room) {
		range->arg.output = array_address() + bounds;
		range->arg.output_size = room;
	}
	ret = call(tree, cmd, &range->arg);
	memcpy(range->first, to, bounds);
	memcpy(output, to + bounds, room);
	return ret;
}

static long count(int tree, __u32 flags, struct string first,
		  struct string last)
{
	struct range range = range_of(flags | COUNT, first, last);
	long ret = call_range(tree, BLINK_TREE_IOC_RECORD_SCAN, &range, 0);

	if (ret)
		return ret;
	tap_check(range.arg.flags & DONE);
	return range.arg.count;
}

static long erase(int tree, __u32 flags, struct string first,
		  struct string last)
{
	struct range range = range_of(flags, first, last);
	struct blink_tree_ioc_record_erase arg = {
		.flags = flags,
		.first = array_address(),
		.last = array_address() + BYTES_KEY_MAX,
		.first_length = first.length,
		.last_length = last.length,
	};
	long ret;

	memcpy(array(2 * BYTES_KEY_MAX), range.first, 2 * BYTES_KEY_MAX);
	ret = call(tree, BLINK_TREE_IOC_RECORD_ERASE, &arg);
	tap_check(ret || arg.flags & DONE);
	return ret ? ret : (long)arg.count;
}

/* Bounds that are keys and no more, and prefixes. */
static void bounds(int tree)
{
	const struct string none = STRING(""), ab = STRING("ab");
	static const struct string keys[] = {
		STRING(""),   STRING("a"),    STRING("a\0"),
		STRING("ab"), STRING("abc"),  STRING("ab\xff"),
		STRING("b"),  STRING("\xff"), STRING("\xff\xff"),
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(keys); i++)
		ONE(tree, STORE, .key = keys[i], VALUE(i));
	tap_check(count(tree, 0, none, none) == 9);
	tap_check(count(tree, FIRST_OPEN, none, none) == 8);
	tap_check(count(tree, LAST_OPEN, none, none) == 0);
	tap_check(count(tree, 0, none, ab) == 4);
	tap_check(count(tree, LAST_OPEN, none, ab) == 3);
	tap_check(count(tree, 0, ab, ab) == 1);
	tap_check(count(tree, FIRST_OPEN, ab, ab) == 0);
	tap_check(count(tree, FIRST_OPEN, ab, none) == 5);
	tap_check(count(tree, 0, STRING("b"), ab) == -EINVAL);
	tap_check(count(tree, 0, STRING("abc"), ab) == -EINVAL);
	tap_check(count(tree, PREFIX, none, none) == 9);
	tap_check(count(tree, PREFIX, ab, none) == 3);
	tap_check(count(tree, PREFIX, STRING("ab\xff"), none) == 1);
	tap_check(count(tree, PREFIX, STRING("\xff"), none) == 2);
	tap_check(count(tree, PREFIX | DESC, STRING("\xff"), none) == 2);
	tap_check(count(tree, PREFIX | FIRST_OPEN, ab, none) == -EINVAL);
	tap_check(count(tree, PREFIX, ab, ab) == -EINVAL);
	tap_check(erase(tree, LAST_OPEN, none, none) == 0);
	tap_check(erase(tree, DESC, none, none) == -EINVAL);
	tap_check(erase(tree, PREFIX, ab, none) == 3);
	tap_check(erase(tree, 0, none, STRING("a")) == 2);
	tap_check(erase(tree, PREFIX, STRING("\xff"), none) == 2);
	tap_check(erase(tree, 0, none, none) == 2 && !entries_of(tree));
}

/* The longest bound must be there to be written, and the longest entry must fit. */
static void bad_memory(int tree)
{
	const size_t late = BYTES_KEY_MAX - 1;
	struct range range = range_of(0, STRING("a"), STRING("b"));
	struct blink_tree_ioc_record_erase arg = {
		.first = memory_address(0, PLACE_END, late, true),
		.last = array_address(),
	};

	ONE(tree, STORE, .key = STRING("b"), VALUE(1));
	tap_check(call(tree, BLINK_TREE_IOC_RECORD_ERASE, &arg) == -EFAULT);
	arg.first = array_address();
	arg.last = memory_address(0, PLACE_READ_ONLY, BYTES_KEY_MAX, true);
	tap_check(call(tree, BLINK_TREE_IOC_RECORD_ERASE, &arg) == -EFAULT);
	arg.first_length = BYTES_KEY_MAX + 1;
	tap_check(call(tree, BLINK_TREE_IOC_RECORD_ERASE, &arg) == -EINVAL);
	tap_check(call_range(tree, BLINK_TREE_IOC_RECORD_SCAN, &range,
			     BYTES_RESULT_MAX - 1) == -EMSGSIZE);
	tap_check(!call_range(tree, BLINK_TREE_IOC_RECORD_SCAN, &range,
			      BYTES_RESULT_MAX));
	tap_check(range.arg.count == 1 && range.arg.flags & DONE);
	tap_check(entries_of(tree) == 1);
}

void bytes_in_ranges(void)
{
	int tree = create_strings(0);

	bounds(tree);
	bad_memory(tree);
	fuzz_close(tree);
	tap_case("ranges of byte strings are scanned, counted and erased");
}

/* A model of a tree: keys in order, each present or not. */
#define KEYS 60

static struct string keys[KEYS];
static bool present[KEYS];
static __u64 random_state = 7;

static unsigned int any(unsigned int below)
{
	return random_below(&random_state, below);
}

static int by_key(const void *a, const void *b)
{
	return string_compare(*(const struct string *)a,
			      *(const struct string *)b);
}

/* Keys that begin with each other, and differ in their last bytes. */
static void make_keys(void)
{
	static unsigned char bytes[KEYS][BYTES_KEY_MAX];
	unsigned int i;

	for (i = 0; i < KEYS; i++) {
		memset(bytes[i], i % 3 ? 'x' : 0xff, BYTES_KEY_MAX);
		keys[i].data = bytes[i];
		keys[i].length = i < 40 ? i * 26 : BYTES_KEY_MAX;
		if (i >= 40)
			bytes[i][BYTES_KEY_MAX - 1] = i;
	}
	qsort(keys, KEYS, sizeof(keys[0]), by_key);
}

static bool is_in(const struct range *c, struct string key)
{
	const struct string first = { c->arg.first_length, c->first };
	const struct string last = { c->arg.last_length, c->last };
	int order = string_compare(key, first);

	if (c->arg.flags & PREFIX)
		return string_begins(key, first);
	if (order < 0 || (!order && c->arg.flags & FIRST_OPEN))
		return false;
	order = string_compare(key, last);
	return (!last.length && !(c->arg.flags & LAST_OPEN)) || order < 0 ||
	       (!order && !(c->arg.flags & LAST_OPEN));
}

/* Each key of the range comes once and in order. */
static void scan_at_random(int tree)
{
	unsigned int a = any(KEYS), b = a + any(KEYS - a), nr;
	const __u32 flags = any(2) * FIRST_OPEN | any(2) * LAST_OPEN;
	struct range range, c;
	struct bytes_rec r;
	int at, step, desc = any(2);
	size_t from, length;

	c = range_of(flags, keys[a], any(4) ? keys[b] : STRING(""));
	if (!any(3))
		c = range_of(PREFIX, keys[a], STRING(""));
	range = c;
	range.arg.flags |= desc ? DESC : 0;
	step = desc ? -1 : 1;
	at = desc ? KEYS - 1 : 0;
	do {
		tap_check(!call_range(tree, BLINK_TREE_IOC_RECORD_SCAN, &range,
				      BYTES_RESULT_MAX + any(3000)));
		nr = 0;
		for (from = 0; from < range.arg.output_used; nr++) {
			length = bytes_get(output + from,
					   range.arg.output_used - from, &r);
			if (!tap_check(length))
				return;
			from += length;
			while (at >= 0 && at < KEYS &&
			       (!present[at] || !is_in(&c, keys[at])))
				at += step;
			if (!tap_check(at >= 0 && at < KEYS &&
				       string_same(r.key, keys[at])))
				return;
			at += step;
		}
		if (!tap_check(nr == range.arg.count))
			return;
	} while (nr && !(range.arg.flags & DONE));
	for (; at >= 0 && at < KEYS; at += step)
		tap_check(!present[at] || !is_in(&c, keys[at]));
}

void bytes_at_random(void)
{
	int tree = create_strings(0);
	unsigned int round, i;
	struct bytes_rec r;

	make_keys();
	for (round = 0; round < 4000; round++) {
		i = any(KEYS);
		switch (any(4)) {
		case 0:
			r = ONE(tree, ERASE, .key = keys[i]);
			tap_check(r.result == (present[i] ? 0 : -ENOENT));
			present[i] = false;
			break;
		case 1:
			scan_at_random(tree);
			break;
		default:
			r = ONE(tree, STORE, .key = keys[i], VALUE(i));
			tap_check(r.result == present[i]);
			present[i] = true;
		}
	}
	for (i = 0, round = 0; i < KEYS; i++)
		round += present[i];
	tap_check(entries_of(tree) == round);
	fuzz_close(tree);
	tap_case("random operations on byte strings are those on an array");
}
