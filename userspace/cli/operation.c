// SPDX-License-Identifier: GPL-2.0
/* Conversion between operations and the records of the library. */
#include <errno.h>

#include "operation.h"

int operation_add(struct blinktree_stream *stream, const struct operation *op)
{
	const struct blinktree_record record = {
		.opcode = op->opcode,
		.flags = op->flags,
		.key = op->key.bytes,
		.key_length = op->key.length,
		.value = op->value.bytes,
		.value_length = op->value.length,
		.old = op->old.bytes,
		.old_length = op->old.length,
	};

	return blinktree_stream_add(stream, &record);
}

int operation_add_entry(struct blinktree_stream *stream, unsigned int opcode,
			const struct entry *entry)
{
	const struct blinktree_record record = {
		.opcode = opcode,
		.key = entry->key.bytes,
		.key_length = entry->key.length,
		.value = entry->value.bytes,
		.value_length = entry->value.length,
	};

	return blinktree_stream_add(stream, &record);
}

/*
 * The parts of a result. A string can have no bytes, so the length does not tell whether
 * an operation returns it.
 */
static bool has_key(const struct blinktree_record *record)
{
	switch (record->opcode) {
	case BLINK_TREE_OP_FLOOR:
	case BLINK_TREE_OP_CEILING:
	case BLINK_TREE_OP_POP_MIN:
	case BLINK_TREE_OP_POP_MAX:
		return !record->result;
	}
	return false;
}

static bool has_value(const struct blinktree_record *record)
{
	switch (record->opcode) {
	case BLINK_TREE_OP_LOOKUP:
	case BLINK_TREE_OP_FLOOR:
	case BLINK_TREE_OP_CEILING:
		return !record->result;
	}
	return false;
}

static bool has_old(const struct blinktree_record *record)
{
	switch (record->opcode) {
	case BLINK_TREE_OP_INSERT:
		return record->result == -EEXIST;
	case BLINK_TREE_OP_STORE:
	case BLINK_TREE_OP_GET_OR_INSERT:
	case BLINK_TREE_OP_ADD:
	case BLINK_TREE_OP_ADD_SATURATE:
		return record->result == 1;
	case BLINK_TREE_OP_REPLACE:
	case BLINK_TREE_OP_ERASE:
	case BLINK_TREE_OP_POP_MIN:
	case BLINK_TREE_OP_POP_MAX:
		return !record->result;
	case BLINK_TREE_OP_CMPXCHG:
	case BLINK_TREE_OP_CMPERASE:
		return !record->result || record->result == -ESTALE;
	case BLINK_TREE_OP_EXPECT:
		return record->result == -ESTALE;
	case BLINK_TREE_OP_ABSENT:
		return record->result == -EEXIST;
	}
	return false;
}

void operation_result(struct blinktree_stream *stream, struct kinds kinds,
		      struct result *result)
{
	const struct blinktree_record *record;

	result->result = 0;
	key_clear(&result->found);
	value_clear(&result->value);
	value_clear(&result->old);
	if (blinktree_stream_next(stream, &record) != 1)
		return;
	result->result = record->result;
	if (has_key(record))
		key_set(&result->found, kinds.key, record->key,
			record->key_length);
	if (has_value(record))
		value_set(&result->value, kinds.value, record->value,
			  record->value_length);
	if (has_old(record))
		value_set(&result->old, kinds.value, record->old,
			  record->old_length);
}

int operation_status(struct blinktree_stream *stream)
{
	const struct blinktree_record *record;

	return blinktree_stream_next(stream, &record) == 1 ? record->result : 0;
}

void operation_entry(const struct blinktree_record *record, struct kinds kinds,
		     struct entry *entry)
{
	key_set(&entry->key, kinds.key, record->key, record->key_length);
	value_set(&entry->value, kinds.value, record->value,
		  record->value_length);
}
