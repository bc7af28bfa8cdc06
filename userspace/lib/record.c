// SPDX-License-Identifier: GPL-2.0
/* Writing and reading records: the form in which the kernel takes operations. */
#include "record.h"

/* Bytes of a key or a value with its padding. */
static size_t padded(size_t length)
{
	return (length + 7) & ~(size_t)7;
}

size_t blinktree_record_size(const struct blinktree_record *record)
{
	if (record->key_length > BLINK_TREE_RECORD_KEY_MAX ||
	    record->value_length > BLINK_TREE_RECORD_VALUE_MAX ||
	    record->old_length > BLINK_TREE_RECORD_VALUE_MAX)
		return 0;
	return sizeof(struct blink_tree_record) + padded(record->key_length) +
	       padded(record->value_length) + padded(record->old_length);
}

static unsigned char *put(unsigned char *to, const void *from, size_t length)
{
	if (length)
		memcpy(to, from, length);
	memset(to + length, 0, padded(length) - length);
	return to + padded(length);
}

void blinktree_record_write(void *to, const struct blinktree_record *record)
{
	const struct blink_tree_record header = {
		.length = blinktree_record_size(record),
		.opcode = record->opcode,
		.flags = record->flags,
		.key_length = record->key_length,
		.value_length = record->value_length,
		.old_length = record->old_length,
	};
	unsigned char *at = to;

	memcpy(at, &header, sizeof(header));
	at += sizeof(header);
	at = put(at, record->key, record->key_length);
	at = put(at, record->value, record->value_length);
	put(at, record->old, record->old_length);
}

size_t blinktree_record_read(const void *from, struct blinktree_record *record)
{
	const unsigned char *at = from;
	struct blink_tree_record header;

	memcpy(&header, at, sizeof(header));
	at += sizeof(header);
	record->opcode = header.opcode;
	record->flags = header.flags;
	record->result = header.result;
	record->key_length = header.key_length;
	record->value_length = header.value_length;
	record->old_length = header.old_length;
	record->key = at;
	at += padded(header.key_length);
	record->value = at;
	at += padded(header.value_length);
	record->old = at;
	return header.length;
}
