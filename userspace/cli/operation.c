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

int operation_add_entry(struct blinktree_stream *stream, unsigned int opcode,
			const struct entry *entry)
{
	const struct blinktree_record record = {
		.opcode = opcode,
		.key = entry->key.bytes,
		.key_length = entry->key.length,
		.value = &entry->value,
		.value_length = sizeof(entry->value),
	};

	return blinktree_stream_add(stream, &record);
}

/* Whether an operation that succeeds returns a key, which can have no bytes. */
static bool finds_key(unsigned int opcode)
{
	switch (opcode) {
	case BLINK_TREE_OP_FLOOR:
	case BLINK_TREE_OP_CEILING:
	case BLINK_TREE_OP_POP_MIN:
	case BLINK_TREE_OP_POP_MAX:
		return true;
	}
	return false;
}

static struct maybe to_value(const void *bytes, size_t length)
{
	struct maybe value = { .known = length == sizeof(value.value) };

	if (value.known)
		memcpy(&value.value, bytes, length);
	return value;
}

struct result operation_result(struct blinktree_stream *stream,
			       unsigned int kind)
{
	const struct blinktree_record *record;
	struct result result = {};

	if (blinktree_stream_next(stream, &record) != 1)
		return result;
	result.result = record->result;
	result.more = record->flags & BLINK_TREE_RECORD_MORE;
	if (!record->result && finds_key(record->opcode))
		key_set(&result.found, kind, record->key, record->key_length);
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

int operation_status(struct blinktree_stream *stream)
{
	const struct blinktree_record *record;

	return blinktree_stream_next(stream, &record) == 1 ? record->result : 0;
}

void operation_entry(const struct blinktree_record *record, unsigned int kind,
		     struct entry *entry)
{
	key_set(&entry->key, kind, record->key, record->key_length);
	entry->value = to_value(record->value, record->value_length).value;
}
