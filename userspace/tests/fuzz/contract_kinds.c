// SPDX-License-Identifier: GPL-2.0
/* The trees of each kind, and the calls on them (contract_kinds.h). */
#include <endian.h>
#include <string.h>

#define TAP_ELSEWHERE
#include "contract_kinds.h"
#include "memory.h"

#define MODE_COMPRESS BLINK_TREE_CREATE_COMPRESS
#include "../../../kunit/modes.h"

#define BYTE_VALUES .flags = BLINK_TREE_CREATE_BYTE_VALUES
#define KIND(group, mode, text, nodes, ...) { text, group, { __VA_ARGS__ } },

static const struct tree_kind kinds[] = {
	{ "pairs", KIND_PAIRS, { .key = BLINK_TREE_KEY_MULTI } },
	{ "values", KIND_BYTES, { BYTE_VALUES } },
	{ "values-full", KIND_BYTES, { BYTE_VALUES, MODE_FULL, MODE_COHORT } },
	{ "values-u128", KIND_BYTES, { BYTE_VALUES, MODE_U128, MODE_INNER } },
	{ "values-bytes", KIND_BYTES, { BYTE_VALUES, MODE_BYTES } },
	{ "values-bytes-2", KIND_BYTES, { BYTE_VALUES, MODE_BYTES, MODE_FULL } },
	FOR_EACH_MODE(KIND, KIND_WORDS)
};

const struct tree_kind *kind;
enum way way;
char stream[STREAM_BYTES];
char output[STREAM_BYTES];
size_t stream_size;

/* Buffers whose content stays until some more calls were made. */
#define BUFFERS 8

void with_each_kind(unsigned int groups, __u64 max_entries, __u64 max_bytes,
		    void (*check)(int tree))
{
	const bool broken = tap_broken;
	struct blink_tree_ioc_create how;
	long before;
	int tree;

	for (kind = kinds; kind < kinds + ARRAY_SIZE(kinds); kind++) {
		if (!(kind->group & groups))
			continue;
		before = live_objects();
		how = kind->how;
		how.max_entries = max_entries;
		how.max_bytes = max_bytes;
		tree = call(device, BLINK_TREE_IOC_CREATE, &how);
		tap_check(tree > 0);
		check(tree);
		fuzz_close(tree);
		tap_check(live_objects() == before);
		if (tap_broken && !broken) {
			printf("# in a tree of the kind %s\n", kind->name);
			return;
		}
	}
}

static unsigned char *key_buffer(void)
{
	static unsigned char buffers[BUFFERS][RECORD_KEY_MAX];
	static unsigned int next;

	return buffers[next++ % BUFFERS];
}

struct string key_nr(unsigned int number)
{
	unsigned char *bytes = key_buffer();

	if (!has_strings())
		return number_put(bytes, kind->how.key, number / 4,
				  (__u64)number << 32 | 1);
	memset(bytes, 0xff, RECORD_KEY_MAX);
	bytes[0] = number >> 8;
	bytes[1] = number;
	return (struct string){ 2 + number * 37 % (RECORD_KEY_MAX - 1), bytes };
}

struct string key_short(unsigned int number)
{
	return number_put(key_buffer(), kind->how.key, number / 4,
			  (__u64)number << 32 | 1);
}

struct string key_least(void)
{
	return has_strings() ? NO_STRING :
			       number_put(key_buffer(), kind->how.key, 0, 0);
}

struct string value_nr(__u64 number, size_t length)
{
	static unsigned char buffers[BUFFERS][RECORD_VALUE_MAX];
	static unsigned int next;
	unsigned char *bytes = buffers[next++ % BUFFERS];

	length = has_bytes() ? length : sizeof(number);
	memset(bytes, 'a' + number % 26, length);
	memcpy(bytes, &number,
	       length < sizeof(number) ? length : sizeof(number));
	return (struct string){ length, bytes };
}

void stream_add(const struct rec *rec)
{
	stream_size += rec_put(stream + stream_size, rec);
}

void stream_fill(unsigned int opcode, unsigned int nr)
{
	unsigned int i;

	stream_size = 0;
	for (i = 0; i < nr; i++)
		stream_add(&(struct rec){ .opcode = opcode,
					  .key = key_short(i),
					  .value = value_nr(i, 8) });
}

__u64 output_address(void)
{
	return memory_address(0, PLACE_OTHER, 0, true);
}

long stream_execute(int tree, size_t room, struct blink_tree_ioc_records *arg)
{
	const bool load = arg->flags & BLINK_TREE_RECORDS_LOAD;
	size_t bytes = room < STREAM_BYTES ? room : STREAM_BYTES;
	char *to = memory_alias(output_address(), &bytes);
	long ret;

	memcpy(array(stream_size), stream, stream_size);
	memset(to, 0xee, bytes);
	arg->input = array_address();
	arg->input_size = stream_size;
	arg->output = load ? 0 : output_address();
	arg->output_size = load ? 0 : room;
	ret = call(tree, BLINK_TREE_IOC_RECORDS, arg);
	memcpy(output, to, bytes);
	return ret;
}

/* The value of a field that an operation has not. */
#define NO_WORD 0xdeadbeefcafef00dULL

static __u64 word_of(struct string field)
{
	__u64 word = NO_WORD;

	if (field.length)
		memcpy(&word, field.data, field.length);
	return word;
}

/* The result of an operation; a field that it does not tell is as before. */
static struct rec result_of(const struct blink_tree_ioc_op *op,
			    const struct blink_tree_ioc_op *before)
{
	/* Until the next call. */
	static __u64 told[3];
	const bool key = gives_key(op->opcode) && op->result >= 0;
	const bool value = !op->result && (op->opcode == BLINK_TREE_OP_LOOKUP ||
					   op->opcode == BLINK_TREE_OP_FLOOR ||
					   op->opcode == BLINK_TREE_OP_CEILING);
	const bool old = op->old != before->old ||
			 (!op->result && takes_old(op->opcode));
	struct rec r = { .opcode = op->opcode, .result = op->result };

	tap_check(op->opcode == before->opcode && op->flags == before->flags);
	if (key)
		r.key = number_put(&told[0], BLINK_TREE_KEY_U64, 0, op->key);
	else
		tap_check(op->key == before->key);
	if (value)
		r.value = (struct string){ 8, memcpy(&told[1], &op->value, 8) };
	else
		tap_check(op->value == before->value);
	if (old)
		r.old = (struct string){ 8, memcpy(&told[2], &op->old, 8) };
	return r;
}

static struct rec one_op(int tree, const struct rec *rec)
{
	struct blink_tree_ioc_op op = {
		.opcode = rec->opcode,
		.value = word_of(rec->value),
		.old = word_of(rec->old),
	}, before, *ops;
	struct blink_tree_ioc_batch batch = {
		.count = 1,
		.ops = array_address(),
		.op_size = sizeof(op),
	};
	long ret;

	memcpy(&op.key, rec->key.data, sizeof(op.key));
	op.key = be64toh(op.key);
	before = op;
	if (way == BY_OP) {
		ret = call(tree, BLINK_TREE_IOC_OP, &op);
		tap_check(ret == (op.result < 0 ? op.result : 0));
	} else {
		ops = array(sizeof(op));
		*ops = op;
		tap_check(!call(tree, BLINK_TREE_IOC_BATCH, &batch));
		tap_check(batch.done == 1);
		op = *ops;
	}
	return result_of(&op, &before);
}

struct rec one(int tree, const struct rec *rec)
{
	struct blink_tree_ioc_records arg = {};
	struct rec result = {};

	if (way != BY_RECORDS && is_u64())
		return one_op(tree, rec);
	stream_size = 0;
	stream_add(rec);
	tap_check(!stream_execute(tree, room_of(true), &arg));
	tap_check(arg.done == 1 && arg.input_used == stream_size);
	tap_check(rec_get(output, arg.output_used, &result) == arg.output_used);
	tap_check(result.opcode == rec->opcode);
	tap_check(!result.flags || kind->group == KIND_PAIRS);
	return result;
}

__u64 entries_of(int tree)
{
	struct blink_tree_ioc_stats stats = {};
	struct blink_tree_ioc_verify verify = {};

	tap_check(!call(tree, BLINK_TREE_IOC_STATS, &stats));
	tap_check(!call(tree, BLINK_TREE_IOC_VERIFY, &verify));
	tap_check(!verify.violation && verify.entries == stats.entries);
	return stats.entries;
}
