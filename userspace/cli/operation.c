// SPDX-License-Identifier: GPL-2.0
/* Conversion between operations and the records of the library. */
#include <errno.h>
#include <string.h>

#include "operation.h"

int operation_add(struct blinktree_stream *stream, const struct operation *op)
{
	const struct blinktree_record record = {
		.opcode = op->opcode,
		.key = op->key.bytes,
		.key_length = op->key.length,
		.value = &op->value,
		.value_length =
			operation_has_value(op->opcode) ? sizeof(op->value) : 0,
		.old = &op->old,
		.old_length = operation_has_old(op->opcode) ? sizeof(op->old) :
							      0,
	};

	return blinktree_stream_add(stream, &record);
}

static struct key to_key(const void *bytes, size_t length)
{
	struct key key = { .length = length };

	if (length > sizeof(key.bytes))
		key.length = sizeof(key.bytes);
	memcpy(key.bytes, bytes, key.length);
	return key;
}

static struct maybe to_value(const void *bytes, size_t length)
{
	struct maybe value = { .known = length == sizeof(value.value) };

	if (value.known)
		memcpy(&value.value, bytes, length);
	return value;
}

struct result operation_result(struct blinktree_stream *stream)
{
	const struct blinktree_record *record;
	struct result result = {};

	if (blinktree_stream_next(stream, &record) != 1)
		return result;
	result.result = record->result;
	result.more = record->flags & BLINK_TREE_RECORD_MORE;
	result.found = to_key(record->key, record->key_length);
	result.value = to_value(record->value, record->value_length);
	result.old = to_value(record->old, record->old_length);
	return result;
}

int operation_finish(struct blinktree *tree, const struct key *key,
		     const struct result *result)
{
	int ret = 0;

	if (result->more)
		ret = blinktree_bytes_erase(tree, key->bytes, key->length,
					    NULL);
	return ret < 0 && ret != -ENOENT ? ret : 0;
}

struct entry operation_entry(const struct blinktree_record *record)
{
	return (struct entry){
		.key = to_key(record->key, record->key_length),
		.value = to_value(record->value, record->value_length).value,
	};
}
