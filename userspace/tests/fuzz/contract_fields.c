// SPDX-License-Identifier: GPL-2.0
/*
 * Records in trees with keys of each kind: the fields that operations have and tell, full
 * trees, and arguments that no call takes.
 */
#include <string.h>

#define TAP_ELSEWHERE
#include "../common/tap.h"
#include "contract_records.h"
#include "memory.h"

/* More than a call erases before it looks for signals. */
#define PAIRS 3000

static const enum blink_tree_key unique_kinds[] = {
	BLINK_TREE_KEY_U64,
	BLINK_TREE_KEY_U128,
	BLINK_TREE_KEY_BYTES,
};

static bool same_key(struct key a, struct key b)
{
	return a.high == b.high && a.low == b.low;
}

/* Results with nothing but their number; with an old value; with an entry. */
static bool bare(const struct rec *r, int result)
{
	return r->result == result && !r->has_key && !r->has_value &&
	       !r->has_old;
}

static bool with_old(const struct rec *r, int result, __u64 old)
{
	return r->result == result && !r->has_key && !r->has_value &&
	       r->has_old && r->old == old;
}

static bool found(const struct rec *r, struct key of, __u64 value)
{
	return !r->result && r->has_key && same_key(r->key, of) &&
	       r->has_value && r->value == value && !r->has_old;
}

static bool popped(const struct rec *r, struct key of, __u64 old)
{
	return !r->result && r->has_key && same_key(r->key, of) &&
	       !r->has_value && r->has_old && r->old == old;
}

#define OP(op, ...) (r = ONE(tree, kind, BLINK_TREE_OP_##op, __VA_ARGS__), &r)
#define NEW(number) .has_value = true, .value = (number)
#define OLD(number) .has_old = true, .old = (number)

static void operations(enum blink_tree_key kind)
{
	const struct key key = key_of(kind, 5), more = key_of(kind, 6);
	int tree = create_kind("", kind);
	struct rec r;

	tap_check(bare(OP(LOOKUP, .key = key), -ENOENT));
	tap_check(bare(OP(REPLACE, .key = key, NEW(1)), -ENOENT));
	tap_check(bare(OP(CMPXCHG, .key = key, NEW(1), OLD(1)), -ENOENT));
	tap_check(bare(OP(ERASE, .key = key), -ENOENT));
	tap_check(bare(OP(INSERT, .key = key, NEW(7)), 0));
	tap_check(with_old(OP(INSERT, .key = key, NEW(8)), -EEXIST, 7));
	tap_check(with_old(OP(GET_OR_INSERT, .key = key, NEW(8)), 1, 7));
	tap_check(with_old(OP(STORE, .key = key, NEW(9)), 1, 7));
	tap_check(with_old(OP(REPLACE, .key = key, NEW(10)), 0, 9));
	tap_check(with_old(OP(CMPXCHG, .key = key, NEW(11), OLD(9)), -ESTALE,
			   10));
	tap_check(with_old(OP(CMPXCHG, .key = key, NEW(11), OLD(10)), 0, 10));
	r = ONE(tree, kind, BLINK_TREE_OP_LOOKUP, .key = key);
	tap_check(!r.result && r.has_value && r.value == 11 && !r.has_key);
	tap_check(found(OP(FLOOR, .key = more), key, 11));
	tap_check(bare(OP(CEILING, .key = more), -ENOENT));
	tap_check(found(OP(CEILING, .key = {}), key, 11));
	tap_check(with_old(OP(CMPERASE, .key = key, OLD(10)), -ESTALE, 11));
	tap_check(with_old(OP(CMPERASE, .key = key, OLD(11)), 0, 11));
	tap_check(bare(OP(GET_OR_INSERT, .key = key, NEW(12)), 0));
	tap_check(bare(OP(POP_MIN, .key = more), -ENOENT));
	tap_check(popped(OP(POP_MIN, .key = {}), key, 12));
	tap_check(bare(OP(STORE, .key = key, NEW(13)), 0));
	tap_check(bare(OP(POP_MAX, .key = {}), -ENOENT));
	tap_check(popped(OP(POP_MAX, .key = more), key, 13));
	tap_check(bare(OP(INSERT, .key = key, NEW(14)), 0));
	tap_check(with_old(OP(ERASE, .key = key), 0, 14));
	tap_check(!entries_of(tree));
	fuzz_close(tree);
}

void records_of_unique_keys(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(unique_kinds); i++)
		operations(unique_kinds[i]);
	tap_case("each operation on unique keys tells what it found");
}

static bool takes(unsigned int opcode, bool value, bool old)
{
	switch (opcode) {
	case BLINK_TREE_OP_INSERT:
	case BLINK_TREE_OP_STORE:
	case BLINK_TREE_OP_REPLACE:
	case BLINK_TREE_OP_GET_OR_INSERT:
		return value && !old;
	case BLINK_TREE_OP_CMPXCHG:
		return value && old;
	case BLINK_TREE_OP_CMPERASE:
		return !value && old;
	default:
		return opcode < BLINK_TREE_OP_NR && !value && !old;
	}
}

/* Each operation, and none, with all fields that it can have. */
static void fields_of(int tree, enum blink_tree_key kind)
{
	unsigned int opcode, i;
	struct rec r;

	for (opcode = 0; opcode <= BLINK_TREE_OP_NR; opcode++) {
		for (i = 0; i < 4; i++) {
			const bool value = i & 1, old = i & 2;

			r = ONE(tree, kind, opcode, .has_value = value,
				.has_old = old);
			if (!tap_check(takes(opcode, value, old) ?
					       r.result != -EINVAL :
					       bare(&r, -EINVAL)))
				printf("# opcode %u, combination %u\n", opcode,
				       i);
		}
	}
}

/* A store of which the key, or the value, has another length than that of its kind. */
static long stored(int tree, size_t key, size_t value)
{
	const struct blink_tree_record record = {
		.length = HEADER + (key + 7) / 8 * 8 + (value + 7) / 8 * 8,
		.opcode = BLINK_TREE_OP_STORE,
		.key_length = key,
		.value_length = value,
	};
	struct blink_tree_ioc_records arg = {};

	memset(input, 0, record.length);
	memcpy(input, &record, HEADER);
	tap_check(!execute(tree, record.length, RESULT_MAX, &arg));
	tap_check(arg.done == 1 && arg.input_used == record.length);
	return ((struct blink_tree_record *)output)->result;
}

void fields_refused(void)
{
	static const size_t lengths[] = { 0, 1, 7, 8, 9, 15, 16, 17, 1024 };
	unsigned int i, k;
	int tree;

	for (i = 0; i < ARRAY_SIZE(unique_kinds); i++) {
		const enum blink_tree_key kind = unique_kinds[i];
		const bool number = kind != BLINK_TREE_KEY_BYTES;
		const size_t bytes = record_key_bytes(kind);

		tree = create_kind("", kind);
		fields_of(tree, kind);
		for (k = 0; k < ARRAY_SIZE(lengths); k++) {
			tap_check((stored(tree, lengths[k], 8) == -EINVAL) ==
				  (number && lengths[k] != bytes));
			tap_check((stored(tree, bytes, lengths[k]) ==
				   -EINVAL) == (lengths[k] != 8));
		}
		tap_check(stored(tree, BLINK_TREE_RECORD_KEY_MAX,
				 BLINK_TREE_RECORD_VALUE_MAX) == -EINVAL);
		fuzz_close(tree);
	}
	tap_case("an operation has its fields, of the lengths of the tree");
}

/* Operations of one stream on one key come one after the other. */
static void in_order(int tree, enum blink_tree_key kind)
{
	struct blink_tree_ioc_records arg = {};
	struct rec r = { .key = key_of(kind, 3), .has_value = true };
	size_t size = 0, at = 0;
	unsigned int i;

	for (i = 0; i < 90; i++) {
		static const __u16 turns[] = { BLINK_TREE_OP_INSERT,
					       BLINK_TREE_OP_LOOKUP,
					       BLINK_TREE_OP_ERASE };

		r.opcode = turns[i % 3];
		r.has_value = i % 3 == 0;
		r.value = i;
		size += rec_put(input + size, kind, &r);
	}
	tap_check(!execute(tree, size, sizeof(output), &arg) && arg.done == 90);
	for (i = 0; i < 90; i++) {
		at += rec_get(output + at, RECORD_BYTES, kind, &r);
		tap_check(r.result ==
			  (i % 3 == 2 && kind == BLINK_TREE_KEY_MULTI));
		tap_check(i % 3 != 1 || r.value == i - 1);
	}
	tap_check(!entries_of(tree));
}

void records_in_order(void)
{
	unsigned int i;
	int tree;

	for (i = 0; i < KINDS; i++) {
		tree = create_kind("", kinds[i]);
		in_order(tree, kinds[i]);
		fuzz_close(tree);
	}
	tap_case("operations on one key are executed in their order");
}

/* A signal comes after each part of an ERASE of many pairs. */
void pairs_erased(void)
{
	const enum blink_tree_key kind = BLINK_TREE_KEY_MULTI;
	struct blink_tree_ioc_records arg = {
		.flags = BLINK_TREE_RECORDS_LOAD,
		.fill = 100,
	};
	int tree = create_kind("", kind), removed = 0;
	struct rec r = { .opcode = BLINK_TREE_OP_INSERT, .has_value = true };
	unsigned int i, k, parts = 0;
	bool pieces;
	size_t size;

	for (i = 0; i < PAIRS; i += MANY) {
		for (k = 0, size = 0; k < MANY; k++) {
			r.value = i + k;
			size += rec_put(input + size, kind, &r);
		}
		tap_check(!execute(tree, size, 0, &arg) && arg.done == MANY);
	}
	tap_check(bare(OP(INSERT, .key.low = 1, NEW(1)), 0));
	pieces = interrupt(true);
	do {
		r = ONE(tree, kind, BLINK_TREE_OP_ERASE, .key = {});
		tap_check(r.result > 0 || (parts && r.result == -ENOENT));
		tap_check(!r.flags || r.flags == BLINK_TREE_RECORD_MORE);
		removed += r.result > 0 ? r.result : 0;
	} while (r.flags && ++parts < PAIRS);
	interrupt(false);
	tap_check(removed == PAIRS && entries_of(tree) == 1);
	tap_check(!parts == !pieces);
	fuzz_close(tree);
	tap_case("an erase of many pairs tells whether there are more");
}

void records_refused_by_full_trees(void)
{
	struct blink_tree_ioc_create how = { .max_entries = 30 };
	unsigned int i, k;
	struct rec r;
	int tree;

	for (i = 0; i < KINDS; i++) {
		const enum blink_tree_key kind = kinds[i];

		how.key = kind;
		tree = call(device, BLINK_TREE_IOC_CREATE, &how);
		for (k = 0; k < 40; k++)
			tap_check(
				bare(OP(INSERT, .key = key_of(kind, k), NEW(k)),
				     k < 30 ? 0 : -ENOSPC));
		/* A key that is there needs no room. */
		tap_check(OP(STORE, .key = key_of(kind, 29), NEW(29))->result ==
			  1);
		tap_check(entries_of(tree) == 30);
		fuzz_close(tree);
	}
	tap_case("a full tree refuses each new key by itself");
}

/* The kind of a tree is told by all that tell its attributes. */
static void told(enum blink_tree_key kind, __u32 flags)
{
	struct blink_tree_ioc_create how = {
		.name = "kind", .mode = 0600, .key = kind, .flags = flags
	};
	struct blink_tree_ioc_list list = {
		.capacity = 1,
		.trees = array_address(),
		.entry_size = sizeof(struct blink_tree_list_entry),
	};
	struct blink_tree_ioc_stats stats = {};
	struct blink_tree_list_entry *entry;
	struct blink_tree_ioc_attr attr;
	int tree = call(device, BLINK_TREE_IOC_CREATE, &how);

	tap_check(!attr_of(tree, &attr) && attr.key == kind &&
		  attr.create_flags == flags);
	tap_check(!call(tree, BLINK_TREE_IOC_STATS, &stats) &&
		  stats.key == kind && stats.create_flags == flags);
	entry = array(sizeof(*entry));
	tap_check(!call(device, BLINK_TREE_IOC_LIST, &list) && list.count == 1);
	tap_check(entry->key == kind && entry->create_flags == flags);
	fuzz_close(tree);
	unlink_tree("kind");
}

/* A tree of 64-bit numbers takes either option; each other kind refuses one or both. */
void kinds_created(void)
{
	const __u32 compress = BLINK_TREE_CREATE_COMPRESS;
	const __u32 values = BLINK_TREE_CREATE_BYTE_VALUES;
	struct blink_tree_ioc_create how = {};
	unsigned int i, flags;

	for (i = 0; i <= KINDS + 1; i++) {
		how.key = i <= KINDS ? i : ~0u;
		for (flags = 0; flags <= (compress | values); flags++) {
			const bool bad = i >= KINDS ||
					 flags == (compress | values) ||
					 (flags == compress && how.key) ||
					 (flags == values &&
					  how.key == BLINK_TREE_KEY_MULTI);

			how.flags = flags;
			if (bad)
				tap_check(call(device, BLINK_TREE_IOC_CREATE,
					       &how) == -EINVAL);
			else
				told(how.key, flags);
		}
	}
	tap_case("each kind of tree is created, and told");
}

static const struct blink_tree_ioc_records bad_calls[] = {
	{ .fill = 1 },
	{ .flags = 2 },
	{ .flags = BLINK_TREE_RECORDS_LOAD },
	{ .flags = BLINK_TREE_RECORDS_LOAD, .fill = 101 },
	{ .flags = BLINK_TREE_RECORDS_LOAD, .fill = 1, .output = 8 },
	{ .flags = BLINK_TREE_RECORDS_LOAD, .fill = 1, .output_size = 8 },
};

#define SCAN(flag) BLINK_TREE_RECORD_SCAN_##flag

static const struct blink_tree_ioc_record_scan bad_ranges[] = {
	{ .first_length = BLINK_TREE_RECORD_KEY_MAX + 1 },
	{ .last_length = BLINK_TREE_RECORD_KEY_MAX + 1 },
	{ .flags = SCAN(PREFIX), .first_length = ~0u },
	{ .last_length = ~0u },
	{ .flags = SCAN(PREFIX) | SCAN(FIRST_OPEN) },
	{ .flags = SCAN(PREFIX) | SCAN(LAST_OPEN) },
	{ .flags = SCAN(PREFIX), .last_length = 1 },
	{ .flags = 1 << 5 },
	{ .flags = 1 << 30 },
	{ .__reserved = 1 },
};

static void arguments(int tree)
{
	static const __u64 nowhere[] = { 0, ~0ULL, ~31ULL, 1ULL << 63,
					 0xffff888000000000ULL };
	struct blink_tree_ioc_records records;
	struct blink_tree_ioc_record_scan range;
	struct blink_tree_ioc_record_erase erase = {};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad_calls); i++) {
		records = bad_calls[i];
		tap_check(call(tree, BLINK_TREE_IOC_RECORDS, &records) ==
			  -EINVAL);
	}
	for (i = 0; i < ARRAY_SIZE(nowhere); i++) {
		records = (struct blink_tree_ioc_records){
			.input = nowhere[i],
			.input_size = ~0ULL,
			.output = nowhere[i],
			.output_size = ~0ULL,
			.done = 5,
		};
		tap_check(call(tree, BLINK_TREE_IOC_RECORDS, &records) ==
			  -EFAULT);
		tap_check(!records.done);
	}
	/* No records are no error. */
	records = (struct blink_tree_ioc_records){};
	tap_check(!call(tree, BLINK_TREE_IOC_RECORDS, &records));
	for (i = 0; i < ARRAY_SIZE(bad_ranges); i++) {
		range = bad_ranges[i];
		range.first = array_address();
		range.last = array_address() + 2000;
		erase.flags = range.flags;
		erase.first = range.first;
		erase.last = range.last;
		erase.first_length = range.first_length;
		erase.last_length = range.last_length;
		if (!range.__reserved)
			tap_check(call(tree, BLINK_TREE_IOC_RECORD_ERASE,
				       &erase) == -EINVAL);
		range.flags |= BLINK_TREE_RECORD_SCAN_COUNT;
		if (!tap_check(call(tree, BLINK_TREE_IOC_RECORD_SCAN, &range) ==
			       -EINVAL))
			printf("# range %u\n", i);
		range.flags &= ~BLINK_TREE_RECORD_SCAN_COUNT;
		range.output = array_address() + 4000;
		range.output_size = 3000;
		tap_check(call(tree, BLINK_TREE_IOC_RECORD_SCAN, &range) ==
			  -EINVAL);
	}
	/* A count wants no output; an erase no order, and no count. */
	range = (struct blink_tree_ioc_record_scan){
		.flags = BLINK_TREE_RECORD_SCAN_COUNT,
		.first = array_address(),
		.last = array_address() + 2000,
		.output = array_address() + 4000,
		.output_size = 3000,
	};
	tap_check(call(tree, BLINK_TREE_IOC_RECORD_SCAN, &range) == -EINVAL);
	erase = (struct blink_tree_ioc_record_erase){
		.flags = BLINK_TREE_RECORD_SCAN_COUNT,
		.first = array_address(),
		.last = array_address() + 2000,
	};
	tap_check(call(tree, BLINK_TREE_IOC_RECORD_ERASE, &erase) == -EINVAL);
	erase.flags = BLINK_TREE_RECORD_SCAN_DESC;
	tap_check(call(tree, BLINK_TREE_IOC_RECORD_ERASE, &erase) == -EINVAL);
}

void arguments_refused(void)
{
	unsigned int i, k;
	int tree;

	for (i = 0; i < KINDS; i++) {
		tree = create_kind("", kinds[i]);
		for (k = 0; k < 5; k++)
			ONE(tree, kinds[i], BLINK_TREE_OP_STORE,
			    .key = key_of(kinds[i], k), .has_value = true);
		arguments(tree);
		tap_check(entries_of(tree) == 5);
		fuzz_close(tree);
	}
	tap_case("calls with bad arguments do nothing, in trees of any kind");
}
