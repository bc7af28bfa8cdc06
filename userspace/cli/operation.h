/* SPDX-License-Identifier: GPL-2.0 */
/* Operations and their results, with keys and values of any kind. */
#ifndef BLINKTREE_CLI_OPERATION_H
#define BLINKTREE_CLI_OPERATION_H

#include "../lib/blinktree_bytes.h"
#include "entry.h"

struct operation {
	unsigned int opcode;
	/* BLINK_TREE_COMMIT_EMPTY or BLINK_TREE_COMMIT_CLEAR, in a commit. */
	unsigned int flags;
	struct key key;
	/* An operation without one of them has none. */
	struct value value;
	/* The expected value. */
	struct value old;
};

/* A part that the operation did not return is none. */
struct result {
	int result;
	struct key found;
	struct value value;
	struct value old;
};

static inline bool operation_has_value(unsigned int opcode)
{
	switch (opcode) {
	case BLINK_TREE_OP_INSERT:
	case BLINK_TREE_OP_STORE:
	case BLINK_TREE_OP_REPLACE:
	case BLINK_TREE_OP_CMPXCHG:
	case BLINK_TREE_OP_GET_OR_INSERT:
	case BLINK_TREE_OP_ADD:
	case BLINK_TREE_OP_ADD_SATURATE:
		return true;
	}
	return false;
}

/* Whether an operation has an expected value. */
static inline bool operation_has_old(unsigned int opcode)
{
	return opcode == BLINK_TREE_OP_CMPXCHG ||
	       opcode == BLINK_TREE_OP_CMPERASE ||
	       opcode == BLINK_TREE_OP_EXPECT;
}

/* Read the value of an operation. Returns NULL, or a text that explains the mistake. */
static inline const char *operation_parse_value(unsigned int opcode,
						enum value_kind kind,
						const char *text, size_t len,
						struct value *value)
{
	const bool limits = opcode == BLINK_TREE_OP_ADD_SATURATE;

	if (limits || opcode == BLINK_TREE_OP_ADD)
		return value_parse_change(kind, text, len, limits, value);
	return value_parse(kind, text, len, value);
}

/* Add an operation to a stream. Returns 0 or -ENOMEM. */
int operation_add(struct blinktree_stream *stream, const struct operation *op);

/* Add an operation that stores an entry. */
int operation_add_entry(struct blinktree_stream *stream, unsigned int opcode,
			const struct entry *entry);

/* Read the next result of a stream, in a tree of these kinds. There must be one. */
void operation_result(struct blinktree_stream *stream, struct kinds kinds,
		      struct result *result);

/* The same without a key and values. */
int operation_status(struct blinktree_stream *stream);

/* Set an entry to one of a scan of a tree of these kinds. */
void operation_entry(const struct blinktree_record *record, struct kinds kinds,
		     struct entry *entry);

#endif /* BLINKTREE_CLI_OPERATION_H */
