// SPDX-License-Identifier: GPL-2.0
/*
 * Records as bytes: how long a record is, whether it is malformed, and how its content
 * is read and written.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "record.h"

#define HEADER BLINK_RECORD_HEADER
#define PADDED(length) BLINK_RECORD_PADDED(length)

static bool header_valid(const struct blink_tree_record *record)
{
	return !record->flags && !record->result &&
	       !memchr_inv(record->__reserved, 0, sizeof(record->__reserved)) &&
	       record->key_length <= BLINK_TREE_RECORD_KEY_MAX &&
	       record->value_length <= BLINK_TREE_RECORD_VALUE_MAX &&
	       record->old_length <= BLINK_TREE_RECORD_VALUE_MAX &&
	       record->length == HEADER + PADDED(record->key_length) +
					 PADDED(record->value_length) +
					 PADDED(record->old_length);
}

static bool padding_valid(const struct blink_tree_record *record)
{
	const u16 length[] = {
		record->key_length,
		record->value_length,
		record->old_length,
	};
	const u8 *at = (const u8 *)(record + 1);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(length); i++) {
		if (memchr_inv(at + length[i], 0, -length[i] & 7))
			return false;
		at += PADDED(length[i]);
	}
	return true;
}

/**
 * blink_record_length() - the length of the record at the begin of a buffer
 * @record: the record
 * @size: bytes in the buffer
 *
 * Context: any.
 * Return: the length, at most BLINK_RECORD_MAX; 0 if the record does not end within the
 * buffer; -EINVAL if it is malformed.
 */
int blink_record_length(const struct blink_tree_record *record, size_t size)
{
	if (size < HEADER)
		return 0;
	if (!header_valid(record))
		return -EINVAL;
	if (record->length > size)
		return 0;
	return padding_valid(record) ? record->length : -EINVAL;
}

/**
 * blink_record_get() - read the content of an operation's record
 * @record: the record; blink_record_check() has accepted it
 * @content: set to its content; the key is that of the record
 *
 * Context: any.
 */
void blink_record_get(const struct blink_tree_record *record,
		      struct blink_record *content)
{
	const u8 *at = (const u8 *)(record + 1);

	*content = (struct blink_record){
		.opcode = record->opcode,
		.has = BLINK_RECORD_KEY,
		.key = at,
		.key_length = record->key_length,
	};
	at += PADDED(record->key_length);
	if (record->value_length) {
		content->has |= BLINK_RECORD_VALUE;
		content->value = *(const u64 *)at;
		at += sizeof(u64);
	}
	if (record->old_length) {
		content->has |= BLINK_RECORD_OLD;
		content->old = *(const u64 *)at;
	}
}

/**
 * blink_record_size() - the length of a record that the kernel writes
 * @key_length: bytes of its key
 * @has: BLINK_RECORD_*: the fields that it has
 *
 * Context: any.
 * Return: the length, at most BLINK_RESULT_MAX without both values.
 */
size_t blink_record_size(size_t key_length, unsigned int has)
{
	return HEADER + (has & BLINK_RECORD_KEY ? PADDED(key_length) : 0) +
	       (has & BLINK_RECORD_VALUE ? sizeof(u64) : 0) +
	       (has & BLINK_RECORD_OLD ? sizeof(u64) : 0);
}

static u8 *put_key(u8 *at, const struct blink_record *content)
{
	const size_t length = content->key_length;

	memmove(at, content->key, length);
	memset(at + length, 0, PADDED(length) - length);
	return at + PADDED(length);
}

/**
 * blink_record_put() - write a record
 * @to: room for it, at a multiple of 8
 * @content: its content; the key may lie in this room, where the record has it
 *	or behind that place
 *
 * Context: any.
 * Return: the length of the record.
 */
size_t blink_record_put(void *to, const struct blink_record *content)
{
	struct blink_tree_record *header = to;
	u8 *at = to + HEADER;

	*header = (struct blink_tree_record){
		.length = blink_record_size(content->key_length, content->has),
		.opcode = content->opcode,
		.flags = content->flags,
		.result = content->result,
	};
	if (content->has & BLINK_RECORD_KEY) {
		header->key_length = content->key_length;
		at = put_key(at, content);
	}
	if (content->has & BLINK_RECORD_VALUE) {
		header->value_length = sizeof(u64);
		*(u64 *)at = content->value;
		at += sizeof(u64);
	}
	if (content->has & BLINK_RECORD_OLD) {
		header->old_length = sizeof(u64);
		*(u64 *)at = content->old;
	}
	return header->length;
}
