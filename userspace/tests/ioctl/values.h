/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trees with values of bytes, and keys of each kind, as variants; and streams of records
 * for them.
 *
 * Include it after blink_test.h and records.h.
 */
#ifndef BLINK_TEST_VALUES_H
#define BLINK_TEST_VALUES_H

#include "../common/values.h"

#include "modes.h"
#include "ranges.h"

#define BYTE_VALUES .flags = BLINK_TREE_CREATE_BYTE_VALUES

/* ADD(arg, name, members of struct blink_tree_ioc_create...) for each. */
#define FOR_EACH_VALUES(ADD, arg)                                       \
	ADD(arg, u64, BYTE_VALUES);                                     \
	ADD(arg, u64_full_cohort, BYTE_VALUES, MODE_FULL, MODE_COHORT); \
	ADD(arg, u128_inner, BYTE_VALUES, MODE_U128, MODE_INNER);       \
	ADD(arg, bytes, BYTE_VALUES, MODE_BYTES);                       \
	ADD(arg, bytes_full, BYTE_VALUES, MODE_BYTES, MODE_FULL)

#define ADD_VALUES(fixture) FOR_EACH_VALUES(ADD_KIND, fixture)

/* Buffers whose content stays until some more calls were made. */
#define VALUE_BUFFERS 4

/* Bytes that follow from a number; no other number or length has the same ones. */
static inline struct string value_like(__u64 number, size_t length)
{
	static unsigned char buffers[VALUE_BUFFERS][VALUES_MAX];
	static unsigned int next;
	unsigned char *bytes = buffers[next++ % VALUE_BUFFERS];
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
	static unsigned char buffers[VALUE_BUFFERS][BYTES_KEY_MAX];
	static unsigned int next;
	unsigned char *bytes = buffers[next++ % VALUE_BUFFERS];

	if (kind != BLINK_TREE_KEY_BYTES)
		return (struct string){
			key_put(bytes, kind, key_number(kind, number)), bytes
		};
	memset(bytes, 0xff, BYTES_KEY_MAX);
	bytes[0] = number >> 8;
	bytes[1] = number;
	return (struct string){ 2 + number * 37 % (BYTES_KEY_MAX - 1), bytes };
}

static inline void values_add(struct stream *s, const struct values_rec *rec)
{
	s->size += values_put(s->input + s->size, rec);
}

/* Execute one record; without a result that can be read its opcode is 0xffff. */
static inline struct values_rec values_one(struct stream *s,
					   const struct values_rec *rec)
{
	struct values_rec result = { .opcode = 0xffff };

	stream_reset(s);
	values_add(s, rec);
	memset(s->output, 0xee, VALUES_RESULT_MAX);
	if (stream_call(s, 0, s->size, VALUES_RESULT_MAX) || s->arg.done != 1 ||
	    s->arg.input_used != s->size ||
	    values_get(s->output, s->arg.output_used, &result) !=
		    s->arg.output_used ||
	    result.opcode != rec->opcode || result.flags)
		result.opcode = 0xffff;
	return result;
}

#define VALUES_ONE(s, op, ...)                                            \
	values_one(s, &(struct values_rec){ .opcode = BLINK_TREE_OP_##op, \
					    __VA_ARGS__ })

#define NO_STRING ((struct string){})

/* The operations that have a value, and an expected value. */
static inline bool takes_value(unsigned int opcode)
{
	return opcode == BLINK_TREE_OP_INSERT ||
	       opcode == BLINK_TREE_OP_STORE ||
	       opcode == BLINK_TREE_OP_REPLACE ||
	       opcode == BLINK_TREE_OP_CMPXCHG ||
	       opcode == BLINK_TREE_OP_GET_OR_INSERT;
}

static inline bool takes_old(unsigned int opcode)
{
	return opcode == BLINK_TREE_OP_CMPXCHG ||
	       opcode == BLINK_TREE_OP_CMPERASE;
}

static inline bool gives_key(unsigned int opcode)
{
	return opcode == BLINK_TREE_OP_FLOOR ||
	       opcode == BLINK_TREE_OP_CEILING ||
	       opcode == BLINK_TREE_OP_POP_MIN ||
	       opcode == BLINK_TREE_OP_POP_MAX;
}

/* The room that an operation needs before it begins. */
static inline size_t room_needed(enum blink_tree_key kind, unsigned int opcode)
{
	return sizeof(struct blink_tree_record) + VALUES_MAX +
	       (gives_key(opcode) ? values_key_max(kind) : 0);
}

/* The longest record of an entry. */
static inline size_t entry_max(enum blink_tree_key kind)
{
	return room_needed(kind, BLINK_TREE_OP_FLOOR);
}

static inline __u64 blocks_of(int tree)
{
	struct blink_tree_ioc_stats stats;

	return tree_stats(tree, &stats) ? U64_MAX : stats.block_bytes;
}

/*
 * Whether a tree without entries has no value, soon: after some grace periods. One whose
 * keys are strings can have some keys that separate its nodes.
 */
static inline bool values_vanish(const struct stream *s)
{
	const __u64 most = s->kind == BLINK_TREE_KEY_BYTES ? 2 * VALUES_MAX : 0;
	unsigned int i;

	for (i = 0; i < 600 && blocks_of(s->tree) > most; i++)
		usleep(100000);
	return blocks_of(s->tree) <= most;
}

#endif /* BLINK_TEST_VALUES_H */
