// SPDX-License-Identifier: GPL-2.0
/*
 * Ranges with keys of each kind: bounds and prefixes, and random operations, of which a
 * sorted array tells the results.
 */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#define TAP_ELSEWHERE
#include "contract_kinds.h"
#include "memory.h"
#include "random.h"

#define FIRST_OPEN BLINK_TREE_RECORD_SCAN_FIRST_OPEN
#define LAST_OPEN BLINK_TREE_RECORD_SCAN_LAST_OPEN
#define PREFIX BLINK_TREE_RECORD_SCAN_PREFIX
#define DESC BLINK_TREE_RECORD_SCAN_DESC
#define COUNT BLINK_TREE_RECORD_SCAN_COUNT
#define DONE BLINK_TREE_RECORD_SCAN_DONE

/* A call with a range, of which the memory of user space has the bounds. */
static long call_range(int tree, unsigned int cmd, struct range *range,
		       size_t room)
{
	const size_t bounds = 2 * RECORD_KEY_MAX;
	char *to = array(bounds);
	size_t bytes = STREAM_BYTES;
	long ret;

	memcpy(to, range->first, bounds);
	range->arg.first = array_address();
	range->arg.last = array_address() + RECORD_KEY_MAX;
	range->arg.output = room ? output_address() : 0;
	range->arg.output_size = room;
	ret = call(tree, cmd, &range->arg);
	memcpy(range->first, to, bounds);
	if (room)
		memcpy(output, memory_alias(output_address(), &bytes), room);
	return ret;
}

static long count(int tree, __u32 flags, struct string first,
		  struct string last)
{
	struct range range;
	long ret;

	range_init(&range, flags | COUNT, first, last);
	ret = call_range(tree, BLINK_TREE_IOC_RECORD_SCAN, &range, 0);
	tap_check(ret || range.arg.flags & DONE);
	return ret ? ret : (long)range.arg.count;
}

static long erase(int tree, __u32 flags, struct string first,
		  struct string last)
{
	struct range range;
	struct blink_tree_ioc_record_erase arg = {
		.flags = flags,
		.first = array_address(),
		.last = array_address() + RECORD_KEY_MAX,
		.first_length = first.length,
		.last_length = last.length,
	};
	long ret;

	range_init(&range, flags, first, last);
	memcpy(array(2 * RECORD_KEY_MAX), range.first, 2 * RECORD_KEY_MAX);
	ret = call(tree, BLINK_TREE_IOC_RECORD_ERASE, &arg);
	tap_check(ret || arg.flags & DONE);
	return ret ? ret : (long)arg.count;
}

/* The entries of a range, or an error. */
struct bound {
	__u32 flags;
	struct string first;
	struct string last;
	long count;
};

static void check_bounds(int tree, const struct bound *bounds, unsigned int nr)
{
	const struct bound *b;

	for (b = bounds; b < bounds + nr; b++)
		if (!tap_check(count(tree, b->flags, b->first, b->last) ==
			       b->count))
			printf("# bounds %u\n", (unsigned int)(b - bounds));
}

#define S(text) { sizeof(text) - 1, (text) }
#define NONE { 0, NULL }

static const struct bound string_bounds[] = {
	{ 0, NONE, NONE, 9 },
	{ FIRST_OPEN, NONE, NONE, 8 },
	{ LAST_OPEN, NONE, NONE, 0 },
	{ 0, NONE, S("ab"), 4 },
	{ LAST_OPEN, NONE, S("ab"), 3 },
	{ 0, S("ab"), S("ab"), 1 },
	{ FIRST_OPEN, S("ab"), S("ab"), 0 },
	{ FIRST_OPEN, S("ab"), NONE, 5 },
	{ 0, S("b"), S("ab"), -EINVAL },
	{ 0, S("abc"), S("ab"), -EINVAL },
	{ PREFIX, NONE, NONE, 9 },
	{ PREFIX, S("ab"), NONE, 3 },
	{ PREFIX, S("ab\xff"), NONE, 1 },
	{ PREFIX, S("\xff"), NONE, 2 },
	{ PREFIX | DESC, S("\xff"), NONE, 2 },
};

/* The key of no bytes is all that is left, and is no missing bound. */
static void downwards_to_the_empty_key(int tree)
{
	static const unsigned char zeroes[RECORD_KEY_MAX];
	const struct string longest = { RECORD_KEY_MAX, zeroes };
	struct range range;
	unsigned int i;

	ONE(tree, STORE, .key = NO_STRING, .value = value_nr(1, value_max()));
	ONE(tree, STORE, .key = longest, .value = value_nr(2, value_max()));
	range_init(&range, DESC, NO_STRING, NO_STRING);
	for (i = 0; i < 2; i++) {
		tap_check(!call_range(tree, BLINK_TREE_IOC_RECORD_SCAN, &range,
				      room_of(true)));
		tap_check(range.arg.count == 1);
		tap_check(!!(range.arg.flags & DONE) == i);
	}
	tap_check(erase(tree, 0, NO_STRING, NO_STRING) == 2);
}

/* Bounds that are keys and no more, and prefixes. */
static void bounds_of_strings(int tree)
{
	static const struct string keys[] = {
		S(""),	     S("a"), S("a\0"),	S("ab"),       S("abc"),
		S("ab\xff"), S("b"), S("\xff"), S("\xff\xff"),
	};
	unsigned int i;

	if (!has_strings())
		return;
	for (i = 0; i < ARRAY_SIZE(keys); i++)
		ONE(tree, STORE, .key = keys[i], .value = value_nr(i, i));
	check_bounds(tree, string_bounds, ARRAY_SIZE(string_bounds));
	tap_check(erase(tree, LAST_OPEN, NO_STRING, NO_STRING) == 0);
	tap_check(erase(tree, PREFIX, STRING("ab"), NO_STRING) == 3);
	tap_check(erase(tree, 0, NO_STRING, STRING("a")) == 2);
	tap_check(erase(tree, PREFIX, STRING("\xff"), NO_STRING) == 2);
	tap_check(erase(tree, 0, NO_STRING, NO_STRING) == 2);
	tap_check(!entries_of(tree));
	downwards_to_the_empty_key(tree);
}

#define FIVE "\0\0\0\0\0\0\0\5"
#define SIX "\0\0\0\0\0\0\0\6"
#define ONES "\xff\xff\xff\xff\xff\xff\xff\xff"
#define PAIR FIVE "\0\0\0\0\0\0\0\1"

/* Three pairs with the key five, and two with the key six. */
static const struct bound pair_bounds[] = {
	{ 0, NONE, NONE, 5 },
	{ PREFIX, NONE, NONE, 5 },
	{ PREFIX, S(FIVE), NONE, 3 },
	{ PREFIX, S("\0\0\0\0\0\0\0"), NONE, 5 },
	{ PREFIX, S(PAIR), NONE, 1 },
	{ 0, S(FIVE), S(FIVE), 3 },
	{ FIRST_OPEN, S(FIVE), NONE, 2 },
	{ LAST_OPEN, NONE, S(SIX), 3 },
	{ FIRST_OPEN, S(PAIR), NONE, 3 },
	{ LAST_OPEN, NONE, S(PAIR), 1 },
	{ FIRST_OPEN | LAST_OPEN, S(FIVE), S(SIX), 0 },
	{ FIRST_OPEN, S(FIVE), S(FIVE), 0 },
	{ FIRST_OPEN, NONE, NONE, 0 },
	{ LAST_OPEN, NONE, NONE, 0 },
	{ FIRST_OPEN, S(ONES), NONE, 0 },
	/* Bounds of different length: each stands for all keys that begin with it. */
	{ 0, S(PAIR), S(FIVE), 2 },
	{ 0, S(SIX), S("\0\0\0\0\0\0\0"), 2 },
	{ FIRST_OPEN, S(FIVE), S(PAIR), 0 },
	{ LAST_OPEN, S(PAIR), S(FIVE), 0 },
	{ 0, S(SIX), S(PAIR), -EINVAL },
	{ 0, S(SIX), S(FIVE), -EINVAL },
};

static void bounds_of_pairs(int tree)
{
	unsigned int i;

	for (i = 0; i < 5; i++)
		ONE(tree, INSERT, .key = { 8, i < 3 ? FIVE : SIX },
		    .value = value_nr(i % 3, 8));
	check_bounds(tree, pair_bounds, ARRAY_SIZE(pair_bounds));
}

/* The longest bound must be there to be written, and the longest entry must fit. */
static void bad_memory(int tree)
{
	const size_t late = key_max() - 1;
	struct blink_tree_ioc_record_erase arg = {
		.first = memory_address(0, PLACE_END, late, true),
		.last = array_address(),
	};
	struct range range;

	array(2 * RECORD_KEY_MAX);
	ONE(tree, STORE, .key = key_nr(7), .value = value_nr(1, 1));
	tap_check(call(tree, BLINK_TREE_IOC_RECORD_ERASE, &arg) == -EFAULT);
	arg.first = array_address();
	arg.last = memory_address(0, PLACE_READ_ONLY, key_max(), true);
	tap_check(call(tree, BLINK_TREE_IOC_RECORD_ERASE, &arg) == -EFAULT);
	arg.first_length = RECORD_KEY_MAX + 1;
	tap_check(call(tree, BLINK_TREE_IOC_RECORD_ERASE, &arg) == -EINVAL);
	range_init(&range, 0, NO_STRING, NO_STRING);
	tap_check(call_range(tree, BLINK_TREE_IOC_RECORD_SCAN, &range,
			     room_of(true) - 1) == -EMSGSIZE);
	tap_check(!call_range(tree, BLINK_TREE_IOC_RECORD_SCAN, &range,
			      room_of(true)));
	tap_check(range.arg.count == 1 && range.arg.flags & DONE);
	tap_check(entries_of(tree) == 1);
}

void ranges_bounded(void)
{
	with_each_kind(KIND_ALL, 0, 0, bounds_of_strings);
	with_each_kind(KIND_PAIRS, 0, 0, bounds_of_pairs);
	with_each_kind(KIND_ALL, 0, 0, bad_memory);
	tap_case("ranges are bounded by keys, shorter strings, and prefixes");
}

/* A model of a tree: keys in order, each present or not, with its value. */
#define KEYS 150
#define ROUNDS 2000

static struct string keys[KEYS];
static bool present[KEYS];
static unsigned int number[KEYS];
static size_t length[KEYS];
static __u64 random_state;

static unsigned int any(unsigned int below)
{
	return random_below(&random_state, below);
}

static int by_key(const void *a, const void *b)
{
	return string_compare(*(const struct string *)a,
			      *(const struct string *)b);
}

/* Strings begin with each other, and differ in their last bytes. */
static void make_keys(void)
{
	static unsigned char bytes[KEYS][RECORD_KEY_MAX];
	unsigned int i;

	for (i = 0; i < KEYS; i++) {
		keys[i] = key_short(i);
		if (has_strings()) {
			memset(bytes[i], i % 3 ? 'x' : 0xff, RECORD_KEY_MAX);
			keys[i].length = i < 40 ? i * 26 : RECORD_KEY_MAX;
			bytes[i][RECORD_KEY_MAX - 1] = i;
		} else {
			memcpy(bytes[i], keys[i].data, keys[i].length);
		}
		keys[i].data = bytes[i];
		present[i] = false;
	}
	qsort(keys, KEYS, sizeof(keys[0]), by_key);
}

static struct string value_of(unsigned int i)
{
	return value_nr(number[i], length[i]);
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

/* A range between two keys, or from one on, or of those that begin with it. */
static void any_range(struct range *range)
{
	const unsigned int a = any(KEYS), b = a + any(KEYS - a);
	const __u32 flags = any(2) * FIRST_OPEN | any(2) * LAST_OPEN;

	if (!any(3))
		range_init(range, PREFIX, keys[a], NO_STRING);
	else if (any(4))
		range_init(range, flags, keys[a], keys[b]);
	else
		range_init(range, flags & FIRST_OPEN, keys[a], NO_STRING);
}

/* Where a scan is in the model, and in which direction it goes. */
struct walk {
	const struct range *range;
	int at;
	int step;
};

/* The next key of the range that is present, or -1. */
static int walk_next(struct walk *walk)
{
	int at;

	for (; walk->at >= 0 && walk->at < KEYS; walk->at += walk->step) {
		at = walk->at;
		if (!present[at] || !is_in(walk->range, keys[at]))
			continue;
		walk->at += walk->step;
		return at;
	}
	return -1;
}

static struct walk walk_of(const struct range *range, bool desc)
{
	return (struct walk){ range, desc ? KEYS - 1 : 0, desc ? -1 : 1 };
}

/* Each key of the range comes once and in order, with its value. */
static void scan_at_random(int tree)
{
	const bool desc = any(2);
	struct range range, whole;
	struct walk walk = walk_of(&whole, desc);
	size_t from, size;
	unsigned int nr;
	struct rec r;
	int at;

	any_range(&whole);
	range = whole;
	range.arg.flags |= desc ? DESC : 0;
	do {
		tap_check(!call_range(tree, BLINK_TREE_IOC_RECORD_SCAN, &range,
				      room_of(true) + any(5000)));
		nr = 0;
		for (from = 0; from < range.arg.output_used; from += size) {
			size = rec_get(output + from,
				       range.arg.output_used - from, &r);
			at = walk_next(&walk);
			if (!tap_check(size && at >= 0 &&
				       found(&r, keys[at], value_of(at))))
				return;
			nr++;
		}
		if (!tap_check(nr == range.arg.count))
			return;
	} while (nr && !(range.arg.flags & DONE));
	tap_check(walk_next(&walk) < 0);
	/* After DONE, as after the end. */
	tap_check(!call_range(tree, BLINK_TREE_IOC_RECORD_SCAN, &range,
			      room_of(true)) &&
		  !range.arg.count);
}

static __u64 word_at(const void *from)
{
	__u64 word;

	memcpy(&word, from, sizeof(word));
	return be64toh(word);
}

/* The same by SCAN, whose bounds are keys. The end that moves is behind the last entry. */
static void scan_words_at_random(int tree)
{
	const bool desc = any(2);
	struct blink_tree_ioc_scan arg = {
		.flags = desc ? BLINK_TREE_SCAN_DESC : 0,
		.entries = output_address(),
		.entry_size = sizeof(struct blink_tree_entry),
	}, before;
	size_t bytes = STREAM_BYTES;
	const struct blink_tree_entry *entry =
		memory_alias(output_address(), &bytes);
	struct range range;
	struct walk walk = walk_of(&range, desc);
	char bounds[2][8];
	unsigned int i;
	int at;

	/* Each bound before, on, or behind a key. */
	at = any(KEYS);
	arg.first = word_at(keys[at].data) + any(3) - 1;
	arg.last = word_at(keys[at + any(KEYS - at)].data) + any(3) - 1;
	arg.last = arg.last < arg.first ? arg.first : arg.last;
	range_init(&range, 0,
		   number_put(bounds[0], BLINK_TREE_KEY_U64, 0, arg.first),
		   number_put(bounds[1], BLINK_TREE_KEY_U64, 0, arg.last));
	do {
		arg.capacity = 1 + any(100);
		before = arg;
		tap_check(!call(tree, BLINK_TREE_IOC_SCAN, &arg));
		for (i = 0; i < arg.count; i++) {
			at = walk_next(&walk);
			if (!tap_check(at >= 0 &&
				       entry[i].key == word_at(keys[at].data) &&
				       entry[i].value == number[at]))
				return;
		}
		if (arg.flags & BLINK_TREE_SCAN_DONE)
			break;
		/* Nothing but the room ends it earlier. */
		if (!tap_check(arg.count == arg.capacity &&
			       arg.flags == before.flags &&
			       (desc ? arg.first == before.first &&
						arg.last < entry[i - 1].key :
				       arg.last == before.last &&
						arg.first > entry[i - 1].key)))
			return;
	} while (true);
	tap_check(walk_next(&walk) < 0);
}

/* Nothing is behind the keys that end the key space. */
static void scan_to_the_ends(int tree, bool desc, unsigned int capacity)
{
	struct blink_tree_entry *entries = array(3 * sizeof(*entries));
	struct blink_tree_ioc_scan arg = {
		.flags = desc ? BLINK_TREE_SCAN_DESC : 0,
		.last = ~0ULL,
		.capacity = capacity,
		.entry_size = sizeof(*entries),
	};
	unsigned int nr = 0;

	while (!(arg.flags & BLINK_TREE_SCAN_DONE) && nr < 3) {
		arg.entries = array_address() + nr * sizeof(*entries);
		tap_check(!call(tree, BLINK_TREE_IOC_SCAN, &arg));
		nr += arg.count;
	}
	tap_check(nr == 2 && entries[desc].key == 0 &&
		  entries[!desc].key == ~0ULL);
}

static void words_at_the_ends(int tree)
{
	struct blink_tree_ioc_op op = { .opcode = BLINK_TREE_OP_STORE };
	unsigned int i;

	if (!is_u64())
		return;
	tap_check(!call(tree, BLINK_TREE_IOC_OP, &op));
	op.key = ~0ULL;
	tap_check(!call(tree, BLINK_TREE_IOC_OP, &op));
	for (i = 1; i <= 3; i++) {
		scan_to_the_ends(tree, false, i);
		scan_to_the_ends(tree, true, i);
	}
}

static void erase_at_random(int tree)
{
	struct range range;
	struct string bounds[2] = { { 0, range.first }, { 0, range.last } };
	struct walk walk = walk_of(&range, false);
	unsigned int nr = 0;
	int at;

	any_range(&range);
	bounds[0].length = range.arg.first_length;
	bounds[1].length = range.arg.last_length;
	while ((at = walk_next(&walk)) >= 0) {
		present[at] = false;
		nr++;
	}
	tap_check(count(tree, range.arg.flags, bounds[0], bounds[1]) == nr);
	tap_check(erase(tree, range.arg.flags, bounds[0], bounds[1]) == nr);
}

/* A pair has the value of its key. */
static void store_at_random(int tree, unsigned int i)
{
	const bool pair = kind->group == KIND_PAIRS;
	const unsigned int nr = pair ? i : any(1000);
	const size_t new = any(3) ? any(600) : RECORD_VALUE_MAX - any(3);
	struct rec r;

	r = ONE(tree, STORE, .key = keys[i], .value = value_nr(nr, new));
	tap_check(has_old(&r, present[i],
			  present[i] && !pair ? value_of(i) : NO_STRING));
	present[i] = true;
	number[i] = nr;
	length[i] = new;
}

static void at_random(int tree)
{
	unsigned int round, i, nr = 0;
	struct rec r;

	random_state = 7;
	make_keys();
	for (round = 0; round < ROUNDS; round++) {
		tap_check(round != ROUNDS / 2 || entries_of(tree) > KEYS / 2);
		i = any(KEYS);
		way = any(WAYS);
		switch (any(8)) {
		case 0:
			r = ONE(tree, ERASE, .key = keys[i]);
			tap_check(r.result ==
				  (!present[i] ? -ENOENT :
						 kind->group == KIND_PAIRS));
			present[i] = false;
			break;
		case 1:
			scan_at_random(tree);
			break;
		case 2:
			if (is_u64())
				scan_words_at_random(tree);
			break;
		case 3:
			if (round > ROUNDS / 2 && !any(16))
				erase_at_random(tree);
			break;
		case 4:
			r = ONE(tree, LOOKUP, .key = keys[i]);
			tap_check(present[i] ? has_value(&r, value_of(i)) :
					       bare(&r, -ENOENT));
			break;
		default:
			store_at_random(tree, i);
		}
	}
	way = BY_RECORDS;
	for (i = 0; i < KEYS; i++)
		nr += present[i];
	tap_check(entries_of(tree) == nr);
}

void operations_at_random(void)
{
	with_each_kind(KIND_WORDS, 0, 0, words_at_the_ends);
	with_each_kind(KIND_ALL, 0, 0, at_random);
	tap_case("random operations are those on an array");
}
