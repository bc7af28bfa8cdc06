// SPDX-License-Identifier: GPL-2.0
/* Ranges of keys with one value each, by BLINK_TREE_IOC_RANGE. */
#include <string.h>

#define TAP_ELSEWHERE
#include "contract_kinds.h"
#include "memory.h"

static bool wide;

/* A key of the tests, which are small numbers: across the halves, if it has 128 bits. */
static void put(__u64 key, __u64 *high, __u64 *low)
{
	const unsigned __int128 number =
		wide ? (((unsigned __int128)1 << 64) - 50) + key :
		       (unsigned __int128)key << 64;

	*high = number >> 64;
	*low = number;
}

static __u64 get(__u64 high, __u64 low)
{
	return wide ? ((unsigned __int128)high << 64 | low) -
			       (((unsigned __int128)1 << 64) - 50) :
		      high;
}

static long range(int tree, unsigned int op, __u64 first, __u64 last,
		  __u64 size, __u64 value, struct blink_tree_ioc_range *arg)
{
	*arg = (struct blink_tree_ioc_range){ .op = op, .value = value };
	put(first, &arg->first, &arg->first_low);
	put(last, &arg->last, &arg->last_low);
	if (wide)
		arg->size_low = size;
	else
		arg->size = size;
	return call(tree, BLINK_TREE_IOC_RANGE, arg);
}

/* Whether an answer is this range. */
static bool is(const struct blink_tree_ioc_range *arg, __u64 first, __u64 last,
	       __u64 value)
{
	return get(arg->first, arg->first_low) == first &&
	       get(arg->last, arg->last_low) == last && arg->value == value;
}

#define RANGE(op, ...) range(tree, BLINK_TREE_RANGE_##op, __VA_ARGS__, &arg)

static void one_of_each(int tree)
{
	struct blink_tree_ioc_range arg;

	tap_check(!RANGE(STORE, 10, 19, 0, 1));
	tap_check(!RANGE(INSERT, 20, 29, 0, 2) && is(&arg, 20, 29, 2));
	tap_check(RANGE(INSERT, 29, 30, 0, 3) == -EEXIST);
	tap_check(is(&arg, 29, 30, 3));
	tap_check(!RANGE(LOOKUP, 15, 0, 0, 0) && is(&arg, 10, 19, 1));
	tap_check(!RANGE(NEXT, 0, 0, 0, 0) && is(&arg, 10, 19, 1));
	tap_check(RANGE(NEXT, 30, 0, 0, 0) == -ENOENT);
	tap_check(!RANGE(PREV, 60, 0, 0, 0) && is(&arg, 20, 29, 2));
	tap_check(RANGE(PREV, 9, 0, 0, 0) == -ENOENT);
	tap_check(!RANGE(GAP, 5, 60, 3, 0) && is(&arg, 5, 7, 0));
	tap_check(!RANGE(GAP, 8, 60, 3, 0) && is(&arg, 30, 32, 0));
	tap_check(RANGE(GAP, 8, 31, 3, 0) == -EBUSY);
	tap_check(!RANGE(ALLOC, 8, 60, 3, 4) && is(&arg, 30, 32, 4));
	tap_check(!RANGE(STORE, 15, 30, 0, 4));
	tap_check(!RANGE(LOOKUP, 20, 0, 0, 0) && is(&arg, 15, 32, 4));
	tap_check(entries_of(tree) == 3);
	tap_check(!RANGE(STORE, 0, 60, 0, 0) && !entries_of(tree));

	arg = (struct blink_tree_ioc_range){
		.op = BLINK_TREE_RANGE_ALLOC,
		.flags = BLINK_TREE_RANGE_HIGHEST,
		.value = 5,
	};
	put(10, &arg.first, &arg.first_low);
	put(19, &arg.last, &arg.last_low);
	put(0, &arg.size, &arg.size_low);
	arg.size = !wide;
	arg.size_low = wide;
	tap_check(!call(tree, BLINK_TREE_IOC_RANGE, &arg));
	tap_check(is(&arg, 19, 19, 5));
}

static long with(int tree, struct blink_tree_ioc_range arg)
{
	return call(tree, BLINK_TREE_IOC_RANGE, &arg);
}

#define BAD(...)                                                              \
	tap_check(with(tree, (struct blink_tree_ioc_range){ __VA_ARGS__ }) == \
		  -EINVAL)

static void invalid(int tree)
{
	unsigned int op;

	BAD(.op = BLINK_TREE_RANGE_NR);
	BAD(.op = 64);
	BAD(.op = ~0u);
	BAD(.op = BLINK_TREE_RANGE_STORE, .first = 1);
	BAD(.op = BLINK_TREE_RANGE_INSERT, .last = 1);
	BAD(.op = BLINK_TREE_RANGE_INSERT, .first = 1, .value = 1);
	BAD(.op = BLINK_TREE_RANGE_GAP, .last = 1);
	BAD(.op = BLINK_TREE_RANGE_GAP, .first = 1, .size = 1);
	BAD(.op = BLINK_TREE_RANGE_ALLOC, .last = 1, .size = 1);
	BAD(.op = BLINK_TREE_RANGE_ALLOC, .first = 1, .size = 1, .value = 1);
	BAD(.op = BLINK_TREE_RANGE_ALLOC, .last = 1, .value = 1);
	for (op = 0; op < BLINK_TREE_RANGE_NR; op++) {
		BAD(.op = op, .flags = 4, .last = 1, .size = 1, .value = 1);
		BAD(.op = op, .flags = 3, .last = 1, .size = 1, .value = 1);
		if (op != BLINK_TREE_RANGE_GAP && op != BLINK_TREE_RANGE_ALLOC)
			BAD(.op = op, .size = 1, .last = 1, .value = 1);
		if (wide)
			continue;
		BAD(.op = op, .first_low = 1, .value = 1);
		BAD(.op = op, .last_low = 1, .value = 1);
		BAD(.op = op, .size_low = 1, .last = 1, .value = 1);
	}
	tap_check(!entries_of(tree));
}

static void many_ranges(int tree)
{
	struct blink_tree_ioc_range arg;
	__u64 i;

	for (i = 0; i < 6000; i++)
		tap_check(!RANGE(STORE, 2 * i, 2 * i, 0, i + 1));
}

/* ERESTARTSYS, which is EINTR for a program where a handler without SA_RESTART runs. */
#define RESTARTS 512

/* A signal comes after each part. Only a descriptor that reads learns where the rest begins. */
static void parts_by(int all, unsigned int access)
{
	struct blink_tree_ioc_range arg, asked;
	int tree = open_tree("parts", access);
	const bool pieces = interrupt(true);
	unsigned int calls = 0;
	long ret;

	many_ranges(all);
	range(tree, BLINK_TREE_RANGE_NR, 1, 11999, 0, 7, &arg);
	arg.op = BLINK_TREE_RANGE_STORE;
	arg.flags = BLINK_TREE_RANGE_PARTS;
	do {
		asked = arg;
		ret = call(tree, BLINK_TREE_IOC_RANGE, &arg);
		tap_check(!ret || ret == -RESTARTS);
		tap_check(!memcmp(&arg, &asked, sizeof(arg)) ==
			  (!ret || !(access & BLINK_TREE_OPEN_READ)));
	} while (ret == -RESTARTS && ++calls < 100);
	interrupt(false);
	tap_check(!ret && calls >= pieces);
	tap_check(entries_of(all) == 3);
	fuzz_close(tree);
}

void parts_of_ranges(void)
{
	int all = create("parts", 0600);

	wide = false;
	parts_by(all, BLINK_TREE_OPEN_READ | BLINK_TREE_OPEN_WRITE);
	parts_by(all, BLINK_TREE_OPEN_WRITE);
	fuzz_close(all);
	tap_check(!unlink_tree("parts"));
	tap_case("a range in parts, with a signal after each");
}

/* A range over more ranges than a commit can remove: not at once, but in parts. */
static void parts(int tree)
{
	struct blink_tree_ioc_range arg;

	many_ranges(tree);
	tap_check(RANGE(STORE, 1, 11999, 0, 7) == -E2BIG);
	tap_check(entries_of(tree) == 12000);
	arg.flags = BLINK_TREE_RANGE_PARTS;
	tap_check(!call(tree, BLINK_TREE_IOC_RANGE, &arg));
	tap_check(is(&arg, 1, 11999, 7) && entries_of(tree) == 3);
}

/* A structure that cannot be read, or not be written: nothing changes. */
static void nowhere(int tree)
{
	struct blink_tree_ioc_range arg = {
		.op = BLINK_TREE_RANGE_STORE,
		.value = 1,
	};

	tap_check(fuzz_ioctl(tree, BLINK_TREE_IOC_RANGE, 4096, false) ==
		  -EFAULT);
	tap_check(call_at(PLACE_READ_ONLY, tree, BLINK_TREE_IOC_RANGE, &arg) ==
		  -EFAULT);
	tap_check(!entries_of(tree));
}

static void ranges(int tree)
{
	const bool pairs = kind->group == KIND_PAIRS;

	wide = kind->how.key == BLINK_TREE_KEY_U128;
	if (pairs || has_bytes() || kind->how.key == BLINK_TREE_KEY_BYTES) {
		tap_check(with(tree, (struct blink_tree_ioc_range){}) ==
			  -EOPNOTSUPP);
		return;
	}
	nowhere(tree);
	invalid(tree);
	one_of_each(tree);
	parts(tree);
}

void ranges_of_keys(void)
{
	with_each_kind(KIND_ALL, 0, 0, ranges);
	tap_case("ranges of keys with one value each");
}

/* Neighbours that are full refuse what they have no room for, and lose nothing. */
static void full(int tree)
{
	struct blink_tree_ioc_range arg;

	wide = kind->how.key == BLINK_TREE_KEY_U128;
	if (kind->how.key == BLINK_TREE_KEY_BYTES)
		return;
	tap_check(!RANGE(STORE, 10, 19, 0, 1));
	tap_check(RANGE(STORE, 30, 39, 0, 1) == -ENOSPC);
	tap_check(RANGE(STORE, 12, 13, 0, 2) == -ENOSPC);
	tap_check(!RANGE(STORE, 20, 39, 0, 1) && entries_of(tree) == 2);
	tap_check(!RANGE(LOOKUP, 12, 0, 0, 0) && is(&arg, 10, 39, 1));
	tap_check(!RANGE(STORE, 10, 14, 0, 2));
	tap_check(!RANGE(STORE, 0, 60, 0, 0) && !entries_of(tree));
}

void ranges_of_a_full_tree(void)
{
	with_each_kind(KIND_WORDS, 3, 0, full);
	tap_case("a range in a tree without room changes nothing");
}
