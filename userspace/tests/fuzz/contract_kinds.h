/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trees with keys and values of each kind, in each mode, for the tests of the contract: one
 * suite for all of them. Calls have their input in the memory of one lane, and their output
 * in that of the other.
 */
#ifndef FUZZ_CONTRACT_KINDS_H
#define FUZZ_CONTRACT_KINDS_H

#include "../common/record.h"
#include "../common/tap.h"
#include "contract.h"

/* Unique keys with values that are numbers, pairs of numbers, values of bytes. */
#define KIND_WORDS 1
#define KIND_PAIRS 2
#define KIND_BYTES 4
#define KIND_UNIQUE (KIND_WORDS | KIND_BYTES)
#define KIND_ALL (KIND_UNIQUE | KIND_PAIRS)

struct tree_kind {
	const char *name;
	unsigned int group;
	struct blink_tree_ioc_create how;
};

/* The kind of the tree under test. */
extern const struct tree_kind *kind;

/* Do something in a tree of each kind, and expect that no memory of it is left. */
void with_each_kind(unsigned int groups, __u64 max_entries, __u64 max_bytes,
		    void (*check)(int tree));

/* The ioctls that execute operations. Only trees of 64-bit numbers take the last two. */
enum way { BY_RECORDS, BY_OP, BY_BATCH, WAYS };
extern enum way way;

static inline bool has_bytes(void)
{
	return kind->group == KIND_BYTES;
}

static inline bool has_strings(void)
{
	return kind->how.key == BLINK_TREE_KEY_BYTES;
}

/* Whether OP, BATCH, LOAD and SCAN take the tree. */
static inline bool is_u64(void)
{
	return kind->group == KIND_WORDS && kind->how.key == BLINK_TREE_KEY_U64;
}

/* The longest key, and the longest value, of the tree. */
static inline size_t key_max(void)
{
	return record_key_max(kind->how.key);
}

static inline size_t value_max(void)
{
	return has_bytes() ? RECORD_VALUE_MAX : 8;
}

/* The room that a search needs before it begins, with its key or without. */
static inline size_t room_of(bool with_key)
{
	return RECORD_HEADER + value_max() + (with_key ? key_max() : 0);
}

/*
 * Keys ascend with their number; strings have many lengths, or 8 bytes. The content stays
 * until some more calls were made.
 */
struct string key_nr(unsigned int number);
struct string key_short(unsigned int number);
/* The least key. */
struct string key_least(void);
/* The value with a number: no other number has it, and, of bytes, no other length. */
struct string value_nr(__u64 number, size_t length);

/* The stream that is built, and the results of the last call. */
#define STREAM_BYTES 11000
extern char stream[STREAM_BYTES];
extern char output[STREAM_BYTES];
extern size_t stream_size;

void stream_add(const struct rec *rec);

#define ADD(op, ...) \
	stream_add(&(struct rec){ .opcode = BLINK_TREE_OP_##op, __VA_ARGS__ })

/* Operations on the first short keys, with their numbers as values. */
void stream_fill(unsigned int opcode, unsigned int nr);

__u64 output_address(void);
/* Execute the stream, of which @room bytes of results are wanted. */
long stream_execute(int tree, size_t room, struct blink_tree_ioc_records *arg);

/* Execute one record, by any way, and expect that it has one result. */
struct rec one(int tree, const struct rec *rec);

#define ONE(tree, op, ...) \
	one(tree, &(struct rec){ .opcode = BLINK_TREE_OP_##op, __VA_ARGS__ })
#define OP(op, ...) (r = ONE(tree, op, __VA_ARGS__), &r)

/* The entries of a tree that has no violation. */
__u64 entries_of(int tree);

/* Results with nothing but their number; with a value; with an old value; an entry. */
static inline bool has_fields(const struct rec *r, int result,
			      struct string key, struct string value,
			      struct string old)
{
	return r->result == result && string_same(r->key, key) &&
	       string_same(r->value, value) && string_same(r->old, old);
}

static inline bool bare(const struct rec *r, int result)
{
	return has_fields(r, result, NO_STRING, NO_STRING, NO_STRING);
}

static inline bool has_value(const struct rec *r, struct string value)
{
	return has_fields(r, 0, NO_STRING, value, NO_STRING);
}

static inline bool has_old(const struct rec *r, int result, struct string old)
{
	return has_fields(r, result, NO_STRING, NO_STRING, old);
}

static inline bool found(const struct rec *r, struct string key,
			 struct string value)
{
	return has_fields(r, 0, key, value, NO_STRING);
}

static inline bool popped(const struct rec *r, struct string key,
			  struct string old)
{
	return has_fields(r, 0, key, NO_STRING, old);
}

#endif /* FUZZ_CONTRACT_KINDS_H */
