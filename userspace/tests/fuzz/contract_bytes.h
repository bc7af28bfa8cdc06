/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trees whose keys are byte strings, for the tests of the contract: single records, with
 * the input in the memory of one lane, and the output in that of the other.
 */
#ifndef FUZZ_CONTRACT_BYTES_H
#define FUZZ_CONTRACT_BYTES_H

#include "../common/bytes.h"
#include "contract.h"

/* The most bytes of an output. */
#define BYTES_OUTPUT 6000

/* The results of the last call. */
extern char bytes_output[BYTES_OUTPUT];

int bytes_create(__u64 max_entries);

/* Execute one record, and expect that it has one result. */
struct bytes_rec bytes_one(int tree, const struct bytes_rec *rec);

#define ONE(tree, op, ...)                                                 \
	bytes_one(tree, &(struct bytes_rec){ .opcode = BLINK_TREE_OP_##op, \
					     __VA_ARGS__ })
#define VALUE(number) .has_value = true, .value = (number)

/* The entries of a tree that has no violation. */
__u64 bytes_entries(int tree);

#endif /* FUZZ_CONTRACT_BYTES_H */
