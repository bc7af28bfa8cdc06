/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trees with keys and values of each kind, as variants; streams of records for them, and
 * ranges.
 *
 * Include it after blink_test.h.
 */
#ifndef BLINK_TEST_RECORDS_H
#define BLINK_TEST_RECORDS_H

#include "../common/record.h"

#include "modes.h"

#define ADD_KIND(fixture, kind, ...)       \
	FIXTURE_VARIANT_ADD(fixture, kind) \
	MEMBERS(.how = { __VA_ARGS__ })

#define BYTE_VALUES .flags = BLINK_TREE_CREATE_BYTE_VALUES

/* ADD(arg, name, members of struct blink_tree_ioc_create...) for each with such values. */
#define FOR_EACH_VALUES(ADD, arg)                                       \
	ADD(arg, u64, BYTE_VALUES);                                     \
	ADD(arg, u64_full_cohort, BYTE_VALUES, MODE_FULL, MODE_COHORT); \
	ADD(arg, u128_inner, BYTE_VALUES, MODE_U128, MODE_INNER);       \
	ADD(arg, bytes, BYTE_VALUES, MODE_BYTES);                       \
	ADD(arg, bytes_full, BYTE_VALUES, MODE_BYTES, MODE_FULL)

/**
 * struct stream - a tree, and operations for it
 * @tree: the tree
 * @kind: its kind
 * @size: bytes at @input
 * @input: the operations
 * @output: the results of the last call
 * @arg: the structure of the last call
 */
struct stream {
	int tree;
	enum blink_tree_key kind;
	size_t size;
	char *input;
	char *output;
	struct blink_tree_ioc_records arg;
};

#define STREAM_INPUT (64 * 4096)
#define STREAM_OUTPUT (2 * STREAM_INPUT)

/* For a tree, or an error; its memory is there, so that no call needs any for it. */
static inline int stream_open(struct stream *s, int tree,
			      enum blink_tree_key kind)
{
	*s = (struct stream){
		.tree = tree,
		.kind = kind,
		.input = shared_alloc(STREAM_INPUT),
		.output = shared_alloc(STREAM_OUTPUT),
	};
	if (tree < 0 || !s->input || !s->output)
		return tree < 0 ? tree : -ENOMEM;
	memset(s->input, 1, STREAM_INPUT);
	memset(s->output, 1, STREAM_OUTPUT);
	return 0;
}

static inline void stream_add(struct stream *s, const struct rec *rec)
{
	s->size += rec_put(s->input + s->size, rec);
}

/* Let the next call execute the stream, or load it if @fill is not 0. */
static inline void stream_arm(struct stream *s, size_t room, unsigned int fill)
{
	s->arg = (struct blink_tree_ioc_records){
		.flags = fill ? BLINK_TREE_RECORDS_LOAD : 0,
		.fill = fill,
		.input = ptr_to_u64(s->input),
		.output = fill ? 0 : ptr_to_u64(s->output),
		.input_size = s->size,
		.output_size = fill ? 0 : room,
		.done = JUNK,
	};
}

static inline int stream_call(struct stream *s, size_t room)
{
	stream_arm(s, room, 0);
	return call(s->tree, BLINK_TREE_IOC_RECORDS, &s->arg);
}

/* Execute one record; without a result that can be read its opcode is 0xffff. */
static inline struct rec stream_one(struct stream *s, const struct rec *rec)
{
	struct rec result = { .opcode = 0xffff };

	s->size = 0;
	stream_add(s, rec);
	memset(s->output, 0xee, RESULT_MAX);
	if (stream_call(s, RESULT_MAX) || s->arg.done != 1 ||
	    s->arg.input_used != s->size ||
	    rec_get(s->output, s->arg.output_used, &result) !=
		    s->arg.output_used ||
	    result.opcode != rec->opcode || result.flags)
		result.opcode = 0xffff;
	return result;
}

#define STREAM_ONE(s, op, ...) \
	stream_one(s,          \
		   &(struct rec){ .opcode = BLINK_TREE_OP_##op, __VA_ARGS__ })

/* Buffers whose content stays until some more calls were made. */
#define BUFFERS 4

/* Bytes that follow from a number; no other number or length has the same ones. */
static inline struct string value_like(__u64 number, size_t length)
{
	static unsigned char buffers[BUFFERS][RECORD_VALUE_MAX];
	static unsigned int next;
	unsigned char *bytes = buffers[next++ % BUFFERS];
	__u64 word;
	size_t i;

	for (i = 0; i < length; i += sizeof(word)) {
		word = random_mix(number * 8192 + length) + i;
		memcpy(bytes + i, &word,
		       length - i < sizeof(word) ? length - i : sizeof(word));
	}
	return (struct string){ length, bytes };
}

/* Keys ascend with their number; those that are strings have many lengths. */
static inline struct string key_like(enum blink_tree_key kind, __u64 number)
{
	static unsigned char buffers[BUFFERS][RECORD_KEY_MAX];
	static unsigned int next;
	unsigned char *bytes = buffers[next++ % BUFFERS];

	if (kind != BLINK_TREE_KEY_BYTES)
		return number_put(bytes, kind, number / 3, number << 20 | 1);
	memset(bytes, 0xff, RECORD_KEY_MAX);
	bytes[0] = number >> 8;
	bytes[1] = number;
	return (struct string){ 2 + number * 37 % (RECORD_KEY_MAX - 1), bytes };
}

/* The same range, for an erase. */
static inline struct blink_tree_ioc_record_erase
range_erasing(const struct range *range)
{
	return (struct blink_tree_ioc_record_erase){
		.flags = range->arg.flags,
		.first = range->arg.first,
		.last = range->arg.last,
		.first_length = range->arg.first_length,
		.last_length = range->arg.last_length,
	};
}

/* Remove the entries of a range. Returns how many there were, or a negative errno. */
static inline long range_erase(const struct stream *s,
			       const struct range *range)
{
	struct blink_tree_ioc_record_erase arg = range_erasing(range);
	long sum = 0;
	int ret;

	do {
		ret = call(s->tree, BLINK_TREE_IOC_RECORD_ERASE, &arg);
		sum += arg.count;
	} while (!ret && !(arg.flags & BLINK_TREE_RECORD_ERASE_DONE));
	return ret ? ret : sum;
}

#endif /* BLINK_TEST_RECORDS_H */
