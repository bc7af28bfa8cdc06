// SPDX-License-Identifier: GPL-2.0
/* Streams of records: lying lengths, calls that end half-way, pairs, ranges. */
#include <string.h>

#define TAP_ELSEWHERE
#include "../common/tap.h"
#include "contract_records.h"
#include "memory.h"

/* A record after a good one ends the call, and only the good one is executed. */
static void refused_after_one(int tree, enum blink_tree_key kind, size_t size)
{
	struct blink_tree_ioc_records arg = {};
	size_t first = ((struct blink_tree_record *)input)->length;

	tap_check(execute(tree, size, RECORD_BYTES * 3, &arg) == -EINVAL);
	tap_check(arg.done == 1 && arg.input_used == first);
	tap_check(arg.output_used == HEADER && entries_of(tree) == 1);
	ONE(tree, kind, BLINK_TREE_OP_ERASE, .key = key_of(kind, 0));
}

#define SECOND(change)                               \
	do {                                         \
		size = put_stores(kind, 2);          \
		second = (void *)(input + size / 2); \
		change;                              \
		refused_after_one(tree, kind, size); \
	} while (0)

static void malformed(enum blink_tree_key kind)
{
	static const size_t missing[] = { 1, 8, HEADER };
	int tree = create_kind("", kind);
	struct blink_tree_record *second;
	unsigned int i;
	size_t size;

	SECOND(second->length = 0);
	SECOND(second->length = HEADER - 8);
	SECOND(second->length = second->length - 8);
	SECOND(second->length = second->length + 8);
	SECOND(second->length = second->length + 4);
	SECOND(second->length = 1u << 31);
	SECOND(second->length = -8);
	SECOND(second->flags = 1);
	SECOND(second->result = 1);
	SECOND(second->key_length = 0xffff);
	SECOND(second->value_length = 16);
	SECOND(second->old_length = 1);
	SECOND(second->__reserved[2] = 1);
	/* Padding that is not zero. */
	SECOND(second->key_length = second->key_length - 1);
	for (i = 0; i < ARRAY_SIZE(missing); i++) {
		size = put_stores(kind, 2);
		refused_after_one(tree, kind, size - missing[i]);
	}
	fuzz_close(tree);
}

void records_malformed(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		malformed(kinds[i]);
	tap_case(
		"a malformed record ends the call, and nothing of it is executed");
}

/* Each call ends where the output is full, and the next one continues there. */
static void full_outputs(int tree, enum blink_tree_key kind)
{
	size_t size = put_stores(kind, MANY), left = size;
	struct blink_tree_ioc_records arg = {};
	unsigned int calls;

	for (calls = 0; left; calls++, left -= arg.input_used) {
		put_stores(kind, MANY);
		memmove(input, input + size - left, left);
		tap_check(!execute(tree, left, RECORD_BYTES * 10, &arg));
		tap_check(arg.output_used <= RECORD_BYTES * 10);
		if (!tap_check(arg.done))
			break;
	}
	tap_check(calls > 5 && entries_of(tree) == MANY);
	put_stores(kind, MANY);
	tap_check(execute(tree, size, HEADER - 1, &arg) == -EMSGSIZE);
	tap_check(!arg.done && !arg.input_used && !arg.output_used);
}

/* A signal ends the call after a chunk, and before the first one it is no end. */
static void signals(int tree, enum blink_tree_key kind)
{
	size_t size = put_stores(kind, MANY);
	struct blink_tree_ioc_records arg = {};

	if (!interrupt(true))
		return;
	tap_check(!execute(tree, size, sizeof(output), &arg));
	tap_check(arg.done && arg.done < MANY);
	tap_check(arg.input_used == arg.done * (size / MANY));
	interrupt(false);
}

/* The input is there up to a page, and the output too. */
static void faults(int tree, enum blink_tree_key kind)
{
	size_t size = put_stores(kind, 2), bytes = MEMORY_WRITABLE;
	__u64 end = memory_address(0, PLACE_END, 0, true);
	struct blink_tree_ioc_records arg = {
		.input = end - size + 1,
		.input_size = size,
		.output = array_address(),
		.output_size = sizeof(output),
	};
	__u64 before = entries_of(tree);

	memcpy(memory_alias(end - size, &bytes), input, size);
	tap_check(call(tree, BLINK_TREE_IOC_RECORDS, &arg) == -EFAULT);
	tap_check(!arg.done && entries_of(tree) == before);
	arg.input = end - size;
	arg.output = end - HEADER;
	tap_check(call(tree, BLINK_TREE_IOC_RECORDS, &arg) == -EFAULT);
	tap_check(arg.done == 2 && arg.input_used == size && !arg.output_used);
}

static void loads(enum blink_tree_key kind)
{
	struct blink_tree_ioc_records arg = {
		.flags = BLINK_TREE_RECORDS_LOAD,
		.fill = 100,
	};
	size_t size = put_stores(kind, MANY), each = size / MANY;
	int tree = create_kind("", kind);
	unsigned int i;

	/* A load has no other operations, and values. */
	tap_check(execute(tree, size, 0, &arg) == -EINVAL && !arg.done);
	rec_put(input, kind, &(struct rec){ .opcode = BLINK_TREE_OP_INSERT });
	tap_check(execute(tree, size, 0, &arg) == -EINVAL && !arg.done);
	size = put_stores(kind, MANY);
	for (i = 0; i < MANY; i++)
		((struct blink_tree_record *)(input + i * each))->opcode =
			BLINK_TREE_OP_INSERT;
	tap_check(!execute(tree, size, 0, &arg) && arg.done == MANY);
	tap_check(arg.input_used == size && entries_of(tree) == MANY);
	/* The same entries: the first one is present. */
	tap_check(execute(tree, size, 0, &arg) == -EEXIST && !arg.done);
	ONE(tree, kind, BLINK_TREE_OP_ERASE, .key = key_of(kind, 0));
	size = put_stores(kind, MANY);
	for (i = 0; i < MANY; i++)
		((struct blink_tree_record *)(input + i * each))->opcode =
			BLINK_TREE_OP_INSERT;
	tap_check(execute(tree, size, 0, &arg) == -EEXIST && arg.done == 1);
	tap_check(arg.input_used == each);
	arg.fill = 0;
	tap_check(execute(tree, size, 0, &arg) == -EINVAL);
	arg.fill = 101;
	tap_check(execute(tree, size, 0, &arg) == -EINVAL);
	arg = (struct blink_tree_ioc_records){ .fill = 1 };
	tap_check(execute(tree, size, 0, &arg) == -EINVAL);
	fuzz_close(tree);
}

void records_cut(void)
{
	unsigned int i;
	int tree;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		tree = create_kind("", kinds[i]);
		full_outputs(tree, kinds[i]);
		signals(tree, kinds[i]);
		faults(tree, kinds[i]);
		fuzz_close(tree);
		loads(kinds[i]);
	}
	tap_case("a call of records that ends early tells what it did");
}

static void add_pairs(int tree, __u64 key, __u64 first, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		tap_check(!ONE(tree, BLINK_TREE_KEY_MULTI, BLINK_TREE_OP_INSERT,
			       .key.low = key, .has_value = true,
			       .value = first + i)
				   .result);
}

#define PAIR(tree, op, ...) \
	ONE(tree, BLINK_TREE_KEY_MULTI, BLINK_TREE_OP_##op, __VA_ARGS__)

void records_of_pairs(void)
{
	int tree = create_kind("", BLINK_TREE_KEY_MULTI);
	struct rec r;

	add_pairs(tree, 5, 10, 3);
	add_pairs(tree, 7, ~0ULL, 1);
	r = PAIR(tree, INSERT, .key.low = 5, .has_value = true, .value = 11);
	tap_check(r.result == -EEXIST && !r.has_old);
	r = PAIR(tree, STORE, .key.low = 5, .has_value = true, .value = 11);
	tap_check(r.result == 1 && !r.has_old);
	r = PAIR(tree, LOOKUP, .key.low = 5);
	tap_check(!r.result && r.has_value && r.value == 10 && !r.has_key);
	tap_check(PAIR(tree, LOOKUP, .key.low = 4).result == -ENOENT);
	tap_check(PAIR(tree, LOOKUP, .key.low = 6).result == -ENOENT);
	r = PAIR(tree, FLOOR, .key.low = 6);
	tap_check(!r.result && r.key.low == 5 && r.value == 12);
	r = PAIR(tree, FLOOR, .key.low = 5);
	tap_check(!r.result && r.key.low == 5 && r.value == 12);
	r = PAIR(tree, FLOOR, .key.low = 5, .has_value = true, .value = 11);
	tap_check(!r.result && r.key.low == 5 && r.value == 11);
	r = PAIR(tree, CEILING, .key.low = 5);
	tap_check(!r.result && r.key.low == 5 && r.value == 10);
	r = PAIR(tree, CEILING, .key.low = 5, .has_value = true, .value = 13);
	tap_check(!r.result && r.key.low == 7 && r.value == ~0ULL);
	tap_check(PAIR(tree, REPLACE, .key.low = 5).result == -EOPNOTSUPP);
	tap_check(PAIR(tree, CMPXCHG, .key.low = 5).result == -EOPNOTSUPP);
	tap_check(PAIR(tree, GET_OR_INSERT, .key.low = 5).result ==
		  -EOPNOTSUPP);
	tap_check(PAIR(tree, CMPERASE, .key.low = 5).result == -EINVAL);
	tap_check(PAIR(tree, ERASE, .key.low = 5, .has_value = true).result ==
		  -EINVAL);
	r = PAIR(tree, CMPERASE, .key.low = 5, .has_old = true, .old = 9);
	tap_check(r.result == -ENOENT && !r.has_old);
	r = PAIR(tree, CMPERASE, .key.low = 5, .has_old = true, .old = 10);
	tap_check(!r.result && !r.has_old && entries_of(tree) == 3);
	r = PAIR(tree, POP_MAX, .key.low = 5);
	tap_check(!r.result && r.key.low == 5 && r.has_old && r.old == 12);
	r = PAIR(tree, POP_MIN, .key.low = 6, .has_value = true);
	tap_check(!r.result && r.key.low == 7 && r.old == ~0ULL);
	add_pairs(tree, 5, 100, 60);
	tap_check(PAIR(tree, ERASE, .key.low = 5).result == 61);
	tap_check(PAIR(tree, ERASE, .key.low = 5).result == -ENOENT);
	tap_check(!entries_of(tree));
	fuzz_close(tree);
	tap_case("a tree of pairs has several values for a key");
}

static void concealed(enum blink_tree_key kind)
{
	static const __u16 refused[] = {
		BLINK_TREE_OP_LOOKUP,	BLINK_TREE_OP_FLOOR,
		BLINK_TREE_OP_CEILING,	BLINK_TREE_OP_POP_MIN,
		BLINK_TREE_OP_POP_MAX,	BLINK_TREE_OP_CMPXCHG,
		BLINK_TREE_OP_CMPERASE, BLINK_TREE_OP_GET_OR_INSERT,
	};
	int full = create_kind("c", kind), tree;
	struct rec rec = { .opcode = BLINK_TREE_OP_INSERT, .has_value = true };
	unsigned int i;

	one(full, kind, &rec);
	tree = open_tree("c", BLINK_TREE_OPEN_WRITE);
	for (i = 0; i < ARRAY_SIZE(refused); i++)
		tap_check(ONE(tree, kind, refused[i]).result == -EBADF);
	rec = one(tree, kind, &rec);
	tap_check(rec.result == -EEXIST && !rec.has_old);
	rec = ONE(tree, kind, BLINK_TREE_OP_STORE, .has_value = true);
	tap_check(rec.result == 1 && !rec.has_old);
	tap_check(!ONE(tree, kind, BLINK_TREE_OP_ERASE).has_old);
	tap_check(!entries_of(full));
	fuzz_close(tree);
	tree = open_tree("c", BLINK_TREE_OPEN_READ);
	for (i = BLINK_TREE_OP_INSERT; i <= BLINK_TREE_OP_CMPERASE; i++)
		tap_check(ONE(tree, kind, i, .has_value = true).result ==
			  -EBADF);
	tap_check(ONE(tree, kind, BLINK_TREE_OP_LOOKUP).result == -ENOENT);
	tap_check(ONE(tree, kind, BLINK_TREE_OP_NR).result == -EINVAL);
	fuzz_close(tree);
	fuzz_close(full);
	unlink_tree("c");
}

void records_concealed(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		concealed(kinds[i]);
	tap_case("records do no more than the descriptor permits");
}

/* The bounds of a range, and the stream of its entries behind them. */
struct range {
	struct blink_tree_ioc_record_scan arg;
	__u8 first[16];
	__u8 last[16];
	char *output;
};

#define ROOM 1024

static long scan(int tree, struct range *range)
{
	char *to = array(32 + ROOM);
	long ret;

	memcpy(to, range->first, 32);
	range->arg.first = array_address();
	range->arg.last = array_address() + 16;
	if (!(range->arg.flags & BLINK_TREE_RECORD_SCAN_COUNT)) {
		range->arg.output = array_address() + 32;
		range->arg.output_size = ROOM;
	}
	ret = call(tree, BLINK_TREE_IOC_RECORD_SCAN, &range->arg);
	memcpy(range->first, to, 32);
	range->output = to + 32;
	return ret;
}

static __u64 count(int tree, __u32 flags, const char *first, size_t nr_first,
		   const char *last, size_t nr_last)
{
	struct range range = {
		.arg = {
			.flags = flags | BLINK_TREE_RECORD_SCAN_COUNT,
			.first_length = nr_first,
			.last_length = nr_last,
		},
	};
	long ret;

	memcpy(range.first, first, nr_first);
	memcpy(range.last, last, nr_last);
	ret = scan(tree, &range);
	if (ret)
		return ret;
	tap_check(range.arg.flags & BLINK_TREE_RECORD_SCAN_DONE);
	return range.arg.count;
}

#define FIRST_OPEN BLINK_TREE_RECORD_SCAN_FIRST_OPEN
#define LAST_OPEN BLINK_TREE_RECORD_SCAN_LAST_OPEN
#define PREFIX BLINK_TREE_RECORD_SCAN_PREFIX

/* Bounds that are keys and shorter than keys; five pairs of two keys. */
static void bounds(void)
{
	int tree = create_kind("", BLINK_TREE_KEY_MULTI);
	const char *five = "\0\0\0\0\0\0\0\5", *six = "\0\0\0\0\0\0\0\6";
	const char *pair = "\0\0\0\0\0\0\0\5\0\0\0\0\0\0\0\1";
	const char *ones = "\xff\xff\xff\xff\xff\xff\xff\xff";

	add_pairs(tree, 5, 0, 3);
	add_pairs(tree, 6, 0, 2);
	tap_check(count(tree, 0, "", 0, "", 0) == 5);
	tap_check(count(tree, PREFIX, "", 0, "", 0) == 5);
	tap_check(count(tree, PREFIX, five, 8, "", 0) == 3);
	tap_check(count(tree, PREFIX, five, 7, "", 0) == 5);
	tap_check(count(tree, PREFIX, pair, 16, "", 0) == 1);
	tap_check(count(tree, 0, five, 8, five, 8) == 3);
	tap_check(count(tree, FIRST_OPEN, five, 8, "", 0) == 2);
	tap_check(count(tree, LAST_OPEN, "", 0, six, 8) == 3);
	tap_check(count(tree, FIRST_OPEN, pair, 16, "", 0) == 3);
	tap_check(count(tree, LAST_OPEN, "", 0, pair, 16) == 1);
	tap_check(count(tree, FIRST_OPEN | LAST_OPEN, five, 8, six, 8) == 0);
	tap_check(count(tree, FIRST_OPEN, five, 8, five, 8) == 0);
	tap_check(count(tree, FIRST_OPEN, "", 0, "", 0) == 0);
	tap_check(count(tree, LAST_OPEN, "", 0, "", 0) == 0);
	tap_check(count(tree, FIRST_OPEN, ones, 8, "", 0) == 0);
	/* Bounds of different length: each stands for all keys that begin with it. */
	tap_check(count(tree, 0, pair, 16, five, 8) == 2);
	tap_check(count(tree, 0, six, 8, five, 7) == 2);
	tap_check(count(tree, FIRST_OPEN, five, 8, pair, 16) == 0);
	tap_check(count(tree, LAST_OPEN, pair, 16, five, 8) == 0);
	tap_check((long)count(tree, 0, six, 8, pair, 16) == -EINVAL);
	tap_check((long)count(tree, 0, six, 8, five, 8) == -EINVAL);
	tap_check((long)count(tree, PREFIX | FIRST_OPEN, five, 8, "", 0) ==
		  -EINVAL);
	tap_check((long)count(tree, PREFIX, five, 8, five, 8) == -EINVAL);
	fuzz_close(tree);
}

/* All keys, in steps of as many as fit. */
static void in_steps(int tree, enum blink_tree_key kind, __u32 flags)
{
	const bool desc = flags & BLINK_TREE_RECORD_SCAN_DESC;
	struct range range = { .arg.flags = flags };
	unsigned int seen = 0, i;
	struct rec rec;
	size_t at, length;

	do {
		tap_check(!scan(tree, &range));
		for (at = 0; at < range.arg.output_used; seen++) {
			i = desc ? MANY - 1 - seen : seen;
			length = rec_get(range.output + at,
					 range.arg.output_used - at, kind,
					 &rec);
			if (!tap_check(length && seen < MANY))
				return;
			at += length;
			tap_check(rec.opcode == BLINK_TREE_OP_LOOKUP &&
				  rec.has_value && !rec.has_old);
			tap_check(rec.key.low == key_of(kind, i).low &&
				  rec.key.high == key_of(kind, i).high &&
				  rec.value == i);
		}
	} while (range.arg.count && range.arg.output_used &&
		 !(range.arg.flags & BLINK_TREE_RECORD_SCAN_DONE));
	tap_check(seen == MANY);
	/* After DONE, as after the end. */
	tap_check(!scan(tree, &range) && !range.arg.count);
	range.arg.flags = 2 << 8;
	tap_check(scan(tree, &range) == -EINVAL);
}

static void erase_some(int tree, enum blink_tree_key kind)
{
	char *to = array(32);
	struct blink_tree_ioc_record_erase arg = {
		.first = array_address(),
		.last = array_address() + 16,
		.first_length = record_key_bytes(kind),
		.flags = BLINK_TREE_RECORD_ERASE_FIRST_OPEN,
	};
	struct blink_tree_ioc_record_erase bad = arg;

	key_put(to, kind, key_of(kind, 100));
	bad.last = memory_address(0, PLACE_READ_ONLY, 16, true);
	tap_check(call(tree, BLINK_TREE_IOC_RECORD_ERASE, &bad) == -EFAULT);
	bad = arg;
	bad.flags = BLINK_TREE_RECORD_SCAN_DESC;
	tap_check(call(tree, BLINK_TREE_IOC_RECORD_ERASE, &bad) == -EINVAL);
	bad = arg;
	bad.first_length = 17;
	tap_check(call(tree, BLINK_TREE_IOC_RECORD_ERASE, &bad) == -EINVAL);
	tap_check(entries_of(tree) == MANY);
	tap_check(!call(tree, BLINK_TREE_IOC_RECORD_ERASE, &arg));
	tap_check(arg.count == MANY - 101);
	tap_check(arg.flags == BLINK_TREE_RECORD_ERASE_DONE);
	tap_check(!call(tree, BLINK_TREE_IOC_RECORD_ERASE, &arg) && !arg.count);
	tap_check(entries_of(tree) == 101);
}

void records_in_ranges(void)
{
	struct blink_tree_ioc_records arg = {};
	struct blink_tree_ioc_record_scan small = {};
	unsigned int i;
	size_t size;
	int tree;

	bounds();
	for (i = 0; i < NUMBERS; i++) {
		tree = create_kind("", kinds[i]);
		size = put_stores(kinds[i], MANY);
		for (arg.input_used = 0; size; size -= arg.input_used) {
			tap_check(!execute(tree, size, 600, &arg));
			memmove(input, input + arg.input_used,
				size - arg.input_used);
		}
		in_steps(tree, kinds[i], 0);
		in_steps(tree, kinds[i], BLINK_TREE_RECORD_SCAN_DESC);
		in_steps(tree, kinds[i], PREFIX);
		in_steps(tree, kinds[i], PREFIX | BLINK_TREE_RECORD_SCAN_DESC);
		erase_some(tree, kinds[i]);
		small = (struct blink_tree_ioc_record_scan){
			.first = array_address(),
			.last = array_address() + 16,
			.output = array_address() + 32,
			.output_size = HEADER + 15,
		};
		tap_check(call(tree, BLINK_TREE_IOC_RECORD_SCAN, &small) ==
			  -EMSGSIZE);
		fuzz_close(tree);
	}
	tap_case("ranges of records are scanned, counted and erased");
}

/* The ioctls with keys of 64 bits refuse other trees, and all tell the kind. */
void words_refused(void)
{
	struct blink_tree_ioc_attr attr;
	unsigned int i;
	int tree;

	for (i = 1; i < ARRAY_SIZE(kinds); i++) {
		struct blink_tree_ioc_op op = {};
		struct blink_tree_ioc_batch batch = { .op_size = sizeof(op) };
		struct blink_tree_ioc_load load = { .fill = 1,
						    .entry_size = 16 };
		struct blink_tree_ioc_scan scan = { .capacity = 1,
						    .entry_size = 16 };
		struct blink_tree_ioc_verify verify = {};
		struct blink_tree_ioc_stats stats = {};

		tree = create_kind("", kinds[i]);
		tap_check(call(tree, BLINK_TREE_IOC_OP, &op) == -EOPNOTSUPP);
		tap_check(call(tree, BLINK_TREE_IOC_BATCH, &batch) ==
			  -EOPNOTSUPP);
		tap_check(call(tree, BLINK_TREE_IOC_LOAD, &load) ==
			  -EOPNOTSUPP);
		tap_check(call(tree, BLINK_TREE_IOC_SCAN, &scan) ==
			  -EOPNOTSUPP);
		tap_check(!call(tree, BLINK_TREE_IOC_VERIFY, &verify));
		tap_check(!call(tree, BLINK_TREE_IOC_STATS, &stats) &&
			  stats.key == kinds[i]);
		tap_check(!attr_of(tree, &attr) && attr.key == kinds[i]);
		fuzz_close(tree);
	}
	tap_check(create_kind("", 4) == -EINVAL);
	tap_case("ioctls with keys of 64 bits refuse trees of another kind");
}
