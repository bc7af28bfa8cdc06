/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trees with values of bytes, for the tests of the contract: streams of records for them,
 * with the input in the memory of one lane, and the output in that of the other.
 */
#ifndef FUZZ_CONTRACT_VALUES_H
#define FUZZ_CONTRACT_VALUES_H

#include "../common/values.h"
#include "contract.h"

/* The most bytes of an input, and of an output. */
#define VALUES_STREAM 11000

/* The stream that is built, the results of the last call, and the kind of the tree. */
extern char values_input[VALUES_STREAM];
extern char values_output[VALUES_STREAM];
extern size_t values_size;
extern enum blink_tree_key values_kind;

/* Do something in a tree of each kind, and expect that no memory of it is left. */
void with_each_kind(void (*check)(int tree), __u64 max_entries,
		    __u64 max_bytes);

/* A key; strings have many lengths. Its content stays until the next call. */
struct string values_key(unsigned int number);
/* A value that no other number and length has; two of them stay at a time. */
struct string values_like(unsigned int number, size_t length);

void values_add(const struct values_rec *rec);

#define ADD(op, ...)                                                   \
	values_add(&(struct values_rec){ .opcode = BLINK_TREE_OP_##op, \
					 __VA_ARGS__ })

__u64 values_output_address(void);
/* Execute the stream, of which @room bytes of results are wanted. */
long values_execute(int tree, size_t room, struct blink_tree_ioc_records *arg);
/* Execute one record, and expect that it has one result. */
struct values_rec values_one(int tree, const struct values_rec *rec);

#define ONE(tree, op, ...)                                                   \
	values_one(tree, &(struct values_rec){ .opcode = BLINK_TREE_OP_##op, \
					       __VA_ARGS__ })

/* The entries of a tree that has no violation. */
__u64 values_entries(int tree);

static inline bool has_value(const struct values_rec *r, int ret,
			     struct string value)
{
	return r->result == ret && string_same(r->value, value) &&
	       !r->old.length;
}

static inline bool has_old(const struct values_rec *r, int ret,
			   struct string old)
{
	return r->result == ret && string_same(r->old, old) && !r->value.length;
}

static inline size_t values_room(bool with_key)
{
	return sizeof(struct blink_tree_record) + VALUES_MAX +
	       (with_key ? values_key_max(values_kind) : 0);
}

#endif /* FUZZ_CONTRACT_VALUES_H */
