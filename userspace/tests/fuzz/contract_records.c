// SPDX-License-Identifier: GPL-2.0
/* Streams of records: lying lengths, fields that operations have, and their order. */
#include <string.h>

#define TAP_ELSEWHERE
#include "contract_kinds.h"
#include "memory.h"

#define HEADER RECORD_HEADER

/* Of two records only the first one is executed; the second one has this header. */
static void refused(int tree, const struct blink_tree_record *second,
		    size_t size, int byte)
{
	struct blink_tree_ioc_records arg = {};
	size_t half;

	stream_size = 0;
	ADD(STORE, .key = key_nr(1), .value = value_nr(1, 30));
	half = stream_size;
	memset(stream + half, byte, STREAM_BYTES - half);
	memcpy(stream + half, second, HEADER);
	stream_size += size;
	tap_check(stream_execute(tree, 5200, &arg) == -EINVAL);
	tap_check(arg.done == 1 && arg.input_used == half);
	tap_check(entries_of(tree) == 1);
}

static void malformed(int tree)
{
	struct blink_tree_ioc_records arg = {};
	struct blink_tree_record good = { .opcode = BLINK_TREE_OP_CMPXCHG },
				 bad;

	/* The longest fields with padding, and both of them fit into memory. */
	good.key_length = has_strings() ? RECORD_KEY_MAX - 5 : key_max();
	good.value_length = has_bytes() ? RECORD_VALUE_MAX - 6 : 8;
	good.old_length = has_bytes() ? 2001 : 8;
	good.length = HEADER + record_padded(good.key_length) +
		      record_padded(good.value_length) +
		      record_padded(good.old_length);
	memset(stream, 0, STREAM_BYTES);
	memcpy(stream, &good, HEADER);
	stream_size = good.length;
	tap_check(!stream_execute(tree, 5200, &arg) && arg.done == 1);
#define BAD(byte, change)                                                      \
	do {                                                                   \
		bad = good;                                                    \
		change;                                                        \
		refused(tree, &bad,                                            \
			bad.length < STREAM_BYTES / 8 * 7 && bad.length > 24 ? \
				bad.length :                                   \
				good.length,                                   \
			byte);                                                 \
	} while (0)
	BAD(0, bad.length = 0);
	BAD(0, bad.length = HEADER - 8);
	BAD(0, bad.length -= 8);
	BAD(0, bad.length += 8);
	BAD(0, bad.length += 4);
	BAD(0, bad.length = 1u << 31);
	BAD(0, bad.length = -8);
	BAD(0, bad.flags = 1);
	BAD(0, bad.result = 1);
	BAD(0, bad.__reserved[0] = 1);
	BAD(0, bad.__reserved[2] = 1);
	BAD(0, bad.key_length = 0);
	BAD(0, bad.key_length -= 8);
	BAD(0, bad.key_length = 0xffff);
	BAD(0, (bad.key_length = RECORD_KEY_MAX + 1,
		bad.length +=
		RECORD_KEY_MAX + 8 - record_padded(good.key_length)));
	BAD(0, (bad.key_length = RECORD_KEY_MAX + 8,
		bad.length +=
		RECORD_KEY_MAX + 8 - record_padded(good.key_length)));
	BAD(0, bad.value_length = 0);
	BAD(0, bad.value_length -= 8);
	BAD(0, bad.value_length = 0xffff);
	BAD(0, (bad.value_length = RECORD_VALUE_MAX + 1,
		bad.length +=
		RECORD_VALUE_MAX + 8 - record_padded(good.value_length)));
	BAD(0, bad.old_length = 0);
	BAD(0, bad.old_length += 8);
	BAD(0, (bad.old_length = RECORD_VALUE_MAX + 1,
		bad.length +=
		RECORD_VALUE_MAX + 8 - record_padded(good.old_length)));
	/* Padding of one field that is not zero. */
#define PADDING(change)                                              \
	BAD(1, (bad.key_length = record_padded(good.key_length),     \
		bad.value_length = record_padded(good.value_length), \
		bad.old_length = record_padded(good.old_length), change))
	PADDING(bad.key_length--);
	PADDING(bad.value_length--);
	PADDING(bad.old_length--);
}

/* However much is missing, the records before it are executed. */
static void truncated(int tree)
{
	struct blink_tree_ioc_records arg = {};
	size_t ends[5], all, i;

	stream_size = 0;
	for (i = 0; i < 5; i++) {
		ends[i] = stream_size;
		ADD(STORE, .key = key_nr(i), .value = value_nr(i, 30));
	}
	for (all = stream_size; stream_size; stream_size--) {
		for (i = 4; ends[i] > stream_size; i--)
			;
		if (stream_size == all || ends[i] == stream_size) {
			tap_check(!stream_execute(tree, 6000, &arg));
			tap_check(arg.input_used == stream_size);
		} else {
			tap_check(stream_execute(tree, 6000, &arg) == -EINVAL);
			tap_check(arg.done == i && arg.input_used == ends[i]);
		}
	}
}

void records_malformed(void)
{
	with_each_kind(KIND_ALL, 0, 0, malformed);
	with_each_kind(KIND_ALL, 0, 0, truncated);
	tap_case(
		"a malformed record ends the call, and nothing of it is executed");
}

/* A field of no bytes is a missing one, or an empty value. */
static bool takes(unsigned int opcode, bool value, bool old)
{
	return opcode < BLINK_TREE_OP_NR && opcode != BLINK_TREE_OP_EXPECT &&
	       opcode != BLINK_TREE_OP_ABSENT &&
	       (value == takes_value(opcode) || (has_bytes() && !value)) &&
	       (old == takes_old(opcode) || (has_bytes() && !old));
}

/* A store of which the key, or the value, has another length than that of its kind. */
static long stored(int tree, size_t key, size_t value)
{
	const struct blink_tree_record record = {
		.length = HEADER + record_padded(key) + record_padded(value),
		.opcode = BLINK_TREE_OP_STORE,
		.key_length = key,
		.value_length = value,
	};
	struct blink_tree_ioc_records arg = {};

	memset(stream, 0, record.length);
	memcpy(stream, &record, HEADER);
	stream_size = record.length;
	tap_check(!stream_execute(tree, RESULT_MAX, &arg));
	tap_check(arg.done == 1 && arg.input_used == record.length);
	return ((struct blink_tree_record *)output)->result;
}

/* An operation by OP and by BATCH; neither has missing fields. */
static void op_refused(int tree, unsigned int opcode, unsigned int flags)
{
	struct blink_tree_ioc_op op = { .opcode = opcode, .flags = flags },
				 *ops;
	struct blink_tree_ioc_batch batch = {
		.count = 1,
		.ops = array_address(),
		.op_size = sizeof(op),
	};

	ops = array(sizeof(op));
	*ops = op;
	tap_check(call(tree, BLINK_TREE_IOC_OP, &op) == -EINVAL);
	tap_check(op.result == -EINVAL);
	tap_check(!call(tree, BLINK_TREE_IOC_BATCH, &batch));
	tap_check(ops->result == -EINVAL);
}

static void fields(int tree)
{
	static const unsigned int unknown[] = {
		BLINK_TREE_OP_NR, 64, 255, 256, 0x8000, 0xffff
	};
	static const size_t lengths[] = { 0, 1, 7, 8, 9, 15, 16, 17, 1024 };
	const size_t bytes = has_strings() ? 8 : key_max();
	unsigned int opcode, i;
	struct rec r;

	for (opcode = 0; opcode <= BLINK_TREE_OP_NR; opcode++) {
		for (i = 0; i < 4; i++) {
			const bool value = i & 1, old = i & 2;
			const struct string word = value_nr(7, 8);

			r = one(tree, &(struct rec){
					      .opcode = opcode,
					      .key = key_short(9),
					      .value = value ? word : NO_STRING,
					      .old = old ? word : NO_STRING });
			if (has_bytes() && takes_number(opcode))
				tap_check(bare(&r, -EOPNOTSUPP));
			else if (!tap_check(takes(opcode, value, old) ?
						    r.result != -EINVAL :
						    bare(&r, -EINVAL)))
				printf("# opcode %u, combination %u\n", opcode,
				       i);
		}
		for (i = 0; is_u64() && i < 16; i++)
			op_refused(tree, opcode, 1 << i);
	}
	for (i = 0; is_u64() && i < ARRAY_SIZE(unknown); i++)
		op_refused(tree, unknown[i], 0);
	for (i = 0; i < ARRAY_SIZE(lengths); i++) {
		tap_check((stored(tree, lengths[i], 8) == -EINVAL) ==
			  (!has_strings() && lengths[i] != bytes));
		tap_check((stored(tree, bytes, lengths[i]) == -EINVAL) ==
			  (!has_bytes() && lengths[i] != 8));
	}
}

void fields_refused(void)
{
	with_each_kind(KIND_UNIQUE, 0, 0, fields);
	tap_case("an operation has its fields, of the lengths of the tree");
}

#define TURNS 4
#define ORDERED (22 * TURNS)

/* One that cannot be executed is no end of the others. */
static const __u16 turns[TURNS] = { BLINK_TREE_OP_INSERT, BLINK_TREE_OP_LOOKUP,
				    BLINK_TREE_OP_NR, BLINK_TREE_OP_ERASE };

/* Operations of one batch on one key come one after the other. */
static void in_order_of_a_batch(int tree)
{
	struct blink_tree_ioc_op *ops = array(ORDERED * sizeof(*ops));
	struct blink_tree_ioc_batch arg = {
		.count = ORDERED,
		.ops = array_address(),
		.op_size = sizeof(*ops),
	};
	unsigned int i;

	for (i = 0; i < ORDERED; i++)
		ops[i] = (struct blink_tree_ioc_op){ .opcode = turns[i % TURNS],
						     .key = 3,
						     .value = i };
	tap_check(!call(tree, BLINK_TREE_IOC_BATCH, &arg) &&
		  arg.done == ORDERED);
	for (i = 0; i < ORDERED; i += TURNS) {
		tap_check(!ops[i].result);
		tap_check(!ops[i + 1].result && ops[i + 1].value == i);
		tap_check(ops[i + 2].result == -EINVAL);
		tap_check(!ops[i + 3].result && ops[i + 3].old == i);
	}
}

/* Of one stream, too. */
static void in_order(int tree)
{
	const bool pairs = kind->group == KIND_PAIRS;
	struct blink_tree_ioc_records arg = {};
	struct rec r[TURNS] = {};
	size_t at = 0;
	unsigned int i;

	stream_size = 0;
	for (i = 0; i < ORDERED; i++)
		stream_add(&(struct rec){
			.opcode = turns[i % TURNS],
			.key = key_short(3),
			.value = i % TURNS ? NO_STRING : value_nr(i, 8) });
	tap_check(!stream_execute(tree, STREAM_BYTES, &arg));
	tap_check(arg.done == ORDERED);
	for (i = 0; i < ORDERED; i++) {
		at += rec_get(output + at, STREAM_BYTES - at, &r[i % TURNS]);
		if (i % TURNS < TURNS - 1)
			continue;
		tap_check(bare(&r[0], 0) && bare(&r[2], -EINVAL));
		tap_check(has_value(&r[1], value_nr(i - 3, 8)));
		tap_check(pairs ? bare(&r[3], 1) :
				  has_old(&r[3], 0, value_nr(i - 3, 8)));
	}
	tap_check(!entries_of(tree));
	if (is_u64())
		in_order_of_a_batch(tree);
}

void records_in_order(void)
{
	with_each_kind(KIND_ALL, 0, 0, in_order);
	tap_case("operations on one key are executed in their order");
}

/* The kind of a tree is told by all that tell its attributes. */
static void told(struct blink_tree_ioc_create how)
{
	struct blink_tree_ioc_list list = {
		.capacity = 1,
		.trees = array_address(),
		.entry_size = sizeof(struct blink_tree_list_entry),
	};
	struct blink_tree_ioc_stats stats = {};
	struct blink_tree_list_entry *entry;
	struct blink_tree_ioc_attr attr;
	int tree;

	memcpy(how.name, "kind", 5);
	how.mode = 0600;
	tree = call(device, BLINK_TREE_IOC_CREATE, &how);
	tap_check(!attr_of(tree, &attr) && attr.key == how.key &&
		  attr.create_flags == how.flags);
	tap_check(!call(tree, BLINK_TREE_IOC_STATS, &stats) &&
		  stats.key == how.key && stats.create_flags == how.flags);
	entry = array(sizeof(*entry));
	tap_check(!call(device, BLINK_TREE_IOC_LIST, &list) && list.count == 1);
	tap_check(entry->key == how.key && entry->create_flags == how.flags);
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

	for (i = 0; i <= BLINK_TREE_KEY_BYTES + 2; i++) {
		how.key = i <= BLINK_TREE_KEY_BYTES + 1 ? i : ~0u;
		for (flags = 0; flags <= 7; flags++) {
			const bool bad = i > BLINK_TREE_KEY_BYTES ||
					 flags > values ||
					 (flags & compress && how.key) ||
					 (flags & values &&
					  how.key == BLINK_TREE_KEY_MULTI);

			how.flags = flags;
			if (bad)
				tap_check(call(device, BLINK_TREE_IOC_CREATE,
					       &how) == -EINVAL);
			else
				told(how);
		}
	}
	for (how.key = 0, how.flags = 4; how.flags; how.flags <<= 1)
		tap_check(call(device, BLINK_TREE_IOC_CREATE, &how) == -EINVAL);
	tap_case("each kind of tree is created, and told");
}

/* The ioctls with keys of 64 bits refuse other trees. */
static void words(int tree)
{
	struct blink_tree_ioc_op op = {};
	struct blink_tree_ioc_batch batch = { .op_size = sizeof(op) };
	struct blink_tree_ioc_load load = { .fill = 1, .entry_size = 16 };
	struct blink_tree_ioc_scan scan = { .capacity = 1, .entry_size = 16 };

	if (is_u64())
		return;
	tap_check(call(tree, BLINK_TREE_IOC_OP, &op) == -EOPNOTSUPP);
	tap_check(call(tree, BLINK_TREE_IOC_BATCH, &batch) == -EOPNOTSUPP);
	tap_check(call(tree, BLINK_TREE_IOC_LOAD, &load) == -EOPNOTSUPP);
	tap_check(call(tree, BLINK_TREE_IOC_SCAN, &scan) == -EOPNOTSUPP);
}

void words_refused(void)
{
	with_each_kind(KIND_ALL, 0, 0, words);
	tap_case("ioctls with keys of 64 bits refuse trees of another kind");
}

static const struct blink_tree_ioc_records bad_calls[] = {
	{ .fill = 1 },
	{ .flags = 4 },
	{ .flags = BLINK_TREE_RECORDS_COMMIT, .fill = 1 },
	{ .flags = BLINK_TREE_RECORDS_COMMIT | BLINK_TREE_RECORDS_LOAD,
	  .fill = 1 },
	{ .flags = BLINK_TREE_RECORDS_LOAD },
	{ .flags = BLINK_TREE_RECORDS_LOAD, .fill = 101 },
	{ .flags = BLINK_TREE_RECORDS_LOAD, .fill = 1, .output = 8 },
	{ .flags = BLINK_TREE_RECORDS_LOAD, .fill = 1, .output_size = 8 },
};

#define SCAN(flag) BLINK_TREE_RECORD_SCAN_##flag

/* The last ones are bad for an ERASE only. */
static const struct blink_tree_ioc_record_scan bad_ranges[] = {
	{ .first_length = BLINK_TREE_RECORD_KEY_MAX + 1 },
	{ .last_length = BLINK_TREE_RECORD_KEY_MAX + 1 },
	{ .flags = SCAN(PREFIX), .first_length = ~0u },
	{ .last_length = ~0u },
	{ .flags = SCAN(PREFIX) | SCAN(FIRST_OPEN) },
	{ .flags = SCAN(PREFIX) | SCAN(LAST_OPEN) },
	{ .flags = SCAN(PREFIX), .last_length = 1 },
	{ .flags = 1 << 5 },
	{ .flags = 2 << 8 },
	{ .flags = 1 << 30 },
	{ .__reserved = 1 },
	{ .flags = SCAN(COUNT) },
	{ .flags = SCAN(DESC) },
};

static void bad_range(int tree, const struct blink_tree_ioc_record_scan *bad)
{
	struct blink_tree_ioc_record_scan range = *bad;
	struct blink_tree_ioc_record_erase erase = {
		.flags = bad->flags,
		.__reserved = bad->__reserved,
		.first = array_address(),
		.last = array_address() + 2000,
		.first_length = bad->first_length,
		.last_length = bad->last_length,
	};

	range.first = erase.first;
	range.last = erase.last;
	tap_check(call(tree, BLINK_TREE_IOC_RECORD_ERASE, &erase) == -EINVAL);
	if (bad >= bad_ranges + ARRAY_SIZE(bad_ranges) - 2)
		return;
	range.flags |= SCAN(COUNT);
	tap_check(call(tree, BLINK_TREE_IOC_RECORD_SCAN, &range) == -EINVAL);
	range.flags &= ~SCAN(COUNT);
	range.output = array_address() + 4000;
	range.output_size = 3000;
	tap_check(call(tree, BLINK_TREE_IOC_RECORD_SCAN, &range) == -EINVAL);
}

/* No room, or a range whose ends are in the wrong order. */
static void bad_scans(int tree)
{
	struct blink_tree_ioc_scan arg = {
		.first = 2,
		.last = 1,
		.capacity = 1,
		.entries = array_address(),
		.entry_size = sizeof(struct blink_tree_entry),
	};

	tap_check(call(tree, BLINK_TREE_IOC_SCAN, &arg) == -EINVAL);
	arg.flags = BLINK_TREE_SCAN_DONE;
	tap_check(call(tree, BLINK_TREE_IOC_SCAN, &arg) == -EINVAL);
	arg.flags = 0;
	arg.last = 2;
	arg.capacity = 0;
	tap_check(call(tree, BLINK_TREE_IOC_SCAN, &arg) == -EINVAL);
}

static void arguments(int tree)
{
	static const __u64 nowhere[] = { 0, ~0ULL, ~31ULL, 1ULL << 63,
					 0xffff888000000000ULL };
	struct blink_tree_ioc_record_scan count = {
		.flags = SCAN(COUNT),
		.first = array_address(),
		.last = array_address() + 2000,
		.output = array_address() + 4000,
		.output_size = 3000,
	};
	struct blink_tree_ioc_load load = { .fill = 1, .entry_size = 16 };
	struct blink_tree_ioc_records records;
	struct blink_tree_ioc_batch batch;
	unsigned int i;

	ONE(tree, STORE, .key = key_nr(1), .value = value_nr(1, 1));
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
		batch = (struct blink_tree_ioc_batch){
			.count = ~0u,
			.ops = nowhere[i],
			.op_size = sizeof(struct blink_tree_ioc_op),
			.done = 5,
		};
		tap_check(call(tree, BLINK_TREE_IOC_RECORDS, &records) ==
			  -EFAULT);
		tap_check(!records.done);
		if (is_u64())
			tap_check(call(tree, BLINK_TREE_IOC_BATCH, &batch) ==
					  -EFAULT &&
				  !batch.done);
	}
	/* No records, operations, or entries are no error, wherever they are. */
	records = (struct blink_tree_ioc_records){};
	tap_check(!call(tree, BLINK_TREE_IOC_RECORDS, &records));
	batch.count = 0;
	load.entries = batch.ops;
	if (is_u64())
		tap_check(!call(tree, BLINK_TREE_IOC_BATCH, &batch) &&
			  !call(tree, BLINK_TREE_IOC_LOAD, &load));
	for (i = 0; i < ARRAY_SIZE(bad_ranges); i++)
		bad_range(tree, &bad_ranges[i]);
	if (is_u64())
		bad_scans(tree);
	/* A count wants no output. */
	tap_check(call(tree, BLINK_TREE_IOC_RECORD_SCAN, &count) == -EINVAL);
	tap_check(entries_of(tree) == 1);
}

void arguments_refused(void)
{
	with_each_kind(KIND_ALL, 0, 0, arguments);
	tap_case("calls with bad arguments do nothing, in trees of any kind");
}
