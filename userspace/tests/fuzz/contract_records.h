/* SPDX-License-Identifier: GPL-2.0 */
/* Trees with values of 8 bytes and keys of each kind, for the tests of the contract. */
#ifndef FUZZ_CONTRACT_RECORDS_H
#define FUZZ_CONTRACT_RECORDS_H

#include "../common/record.h"
#include "contract.h"

/* More records than a chunk has. */
#define MANY 150
#define HEADER sizeof(struct blink_tree_record)
/* Room for any result. */
#define RESULT_MAX (HEADER + BLINK_TREE_RECORD_KEY_MAX + 8)

/* The last one has keys of 8 bytes here; contract_bytes.c has others. */
#define KINDS 4
extern const enum blink_tree_key kinds[KINDS];
/* Kinds with bounds of at most 16 bytes. */
#define NUMBERS 3

/* The stream that is built, and the results of the last call. */
extern char input[MANY * RECORD_BYTES];
extern char output[MANY * RECORD_BYTES];

int create_kind(const char *name, enum blink_tree_key kind);

/* A key that differs from others in both halves. */
struct key key_of(enum blink_tree_key kind, __u64 number);

/* Execute a stream of which @room bytes of results are wanted. */
long execute(int tree, size_t size, size_t room,
	     struct blink_tree_ioc_records *arg);

/* Execute one record, and return its result. */
struct rec one(int tree, enum blink_tree_key kind, const struct rec *rec);

#define ONE(tree, kind, ...) \
	one(tree, kind, &(struct rec){ .opcode = __VA_ARGS__ })

/* Stores of the first keys, each with its number; returns the bytes of the stream. */
size_t put_stores(enum blink_tree_key kind, unsigned int nr);

/* How many entries a tree has. */
__u64 entries_of(int tree);

#endif /* FUZZ_CONTRACT_RECORDS_H */
