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

static bool header_valid(const struct blink_tree_record *record, u16 flags)
{
	return !(record->flags & ~flags) && !record->result &&
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

/*
 * The length of the record at the begin of @size bytes, at most BLINK_RECORD_MAX; 0 if it
 * does not end within them; -EINVAL if it is malformed, or has other flags than @flags.
 */
int blink_record_length(const struct blink_tree_record *record, size_t size,
			u16 flags)
{
	if (size < HEADER)
		return 0;
	if (!header_valid(record, flags))
		return -EINVAL;
	if (record->length > size)
		return 0;
	return padding_valid(record) ? record->length : -EINVAL;
}

/* The field at *@at, where the next one follows. */
static struct blink_field get_field(const u8 **at, u16 length)
{
	const struct blink_field field = { .data = *at, .length = length };

	*at += PADDED(length);
	return field;
}

/*
 * Read the content of a record that blink_record_check() has accepted. Its fields point
 * into the record.
 */
void blink_record_get(const struct blink_tree_record *record,
		      struct blink_record *content)
{
	const u8 *at = (const u8 *)(record + 1);

	*content = (struct blink_record){
		.opcode = record->opcode,
		.flags = record->flags,
		.has = BLINK_RECORD_KEY,
	};
	content->key = get_field(&at, record->key_length);
	content->value = get_field(&at, record->value_length);
	content->old = get_field(&at, record->old_length);
	if (record->value_length)
		content->has |= BLINK_RECORD_VALUE;
	if (record->old_length)
		content->has |= BLINK_RECORD_OLD;
}

/*
 * The length of a record that the kernel writes, at most BLINK_RESULT_MAX without both
 * values. Of the fields only the lengths are read.
 */
size_t blink_record_size(const struct blink_record *content)
{
	const unsigned int has = content->has;

	return HEADER +
	       (has & BLINK_RECORD_KEY ? PADDED(content->key.length) : 0) +
	       (has & BLINK_RECORD_VALUE ? PADDED(content->value.length) : 0) +
	       (has & BLINK_RECORD_OLD ? PADDED(content->old.length) : 0);
}

/* Write a field. Returns its length without padding. */
static u16 put_field(u8 **at, const struct blink_field *field)
{
	const size_t length = field->length;

	memmove(*at, field->data, length);
	memset(*at + length, 0, PADDED(length) - length);
	*at += PADDED(length);
	return length;
}

/**
 * blink_record_put() - write a record
 * @to: room for it, at a multiple of 8
 * @content: its content; a field may lie in this room, where the record has it or
 *	behind that place, and behind the fields before it
 *
 * Context: any.
 * Return: the length of the record.
 */
size_t blink_record_put(void *to, const struct blink_record *content)
{
	struct blink_tree_record *header = to;
	u8 *at = to + HEADER;

	*header = (struct blink_tree_record){
		.length = blink_record_size(content),
		.opcode = content->opcode,
		.flags = content->flags,
		.result = content->result,
	};
	if (content->has & BLINK_RECORD_KEY)
		header->key_length = put_field(&at, &content->key);
	if (content->has & BLINK_RECORD_VALUE)
		header->value_length = put_field(&at, &content->value);
	if (content->has & BLINK_RECORD_OLD)
		header->old_length = put_field(&at, &content->old);
	return header->length;
}
