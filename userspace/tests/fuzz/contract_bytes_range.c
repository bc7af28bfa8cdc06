// SPDX-License-Identifier: GPL-2.0
/*
 * Ranges of byte strings: bounds and prefixes, and random operations, of which a sorted
 * array tells the results.
 */
#include <stdlib.h>
#include <string.h>

#define TAP_ELSEWHERE
#include "../common/tap.h"
#include "contract_bytes.h"
#include "memory.h"
#include "random.h"

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
	memcpy(bytes_output, to + bounds, room);
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
	tap_check(erase(tree, 0, none, none) == 2 && !bytes_entries(tree));
}

/* The key of no bytes is all that is left, and is no missing bound. */
static void downwards_to_the_empty_key(int tree)
{
	static const unsigned char zeroes[BYTES_KEY_MAX];
	const struct string longest = { BYTES_KEY_MAX, zeroes };
	struct range range = range_of(DESC, STRING(""), STRING(""));
	unsigned int i;

	ONE(tree, STORE, .key = STRING(""), VALUE(1));
	ONE(tree, STORE, .key = longest, VALUE(2));
	for (i = 0; i < 2; i++) {
		tap_check(!call_range(tree, BLINK_TREE_IOC_RECORD_SCAN, &range,
				      BYTES_RESULT_MAX));
		tap_check(range.arg.count == 1);
		tap_check(!!(range.arg.flags & DONE) == i);
	}
	tap_check(erase(tree, 0, STRING(""), STRING("")) == 2);
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
	tap_check(bytes_entries(tree) == 1);
}

void bytes_in_ranges(void)
{
	int tree = bytes_create(0);

	bounds(tree);
	downwards_to_the_empty_key(tree);
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
			length = bytes_get(bytes_output + from,
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
	int tree = bytes_create(0);
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
	tap_check(bytes_entries(tree) == round);
	fuzz_close(tree);
	tap_case("random operations on byte strings are those on an array");
}
