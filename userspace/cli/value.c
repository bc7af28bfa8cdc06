// SPDX-License-Identifier: GPL-2.0
/* Reading and writing values as people see them. */
#include <stdio.h>
#include <string.h>

#include <linux/blink_tree.h>

#include "number.h"
#include "value.h"

enum value_kind value_kind(__u64 create_flags)
{
	return create_flags & BLINK_TREE_CREATE_BYTE_VALUES ? VALUE_BYTES :
							      VALUE_U64;
}

void value_set(struct value *value, enum value_kind kind, const void *bytes,
	       size_t length)
{
	if (length > sizeof(value->bytes))
		length = sizeof(value->bytes);
	value->string = kind == VALUE_BYTES;
	value->length = length;
	memcpy(value->bytes, bytes, length);
}

void value_copy(struct value *to, const struct value *from)
{
	to->string = from->string;
	to->length = from->length;
	memcpy(to->bytes, from->bytes, from->length);
}

const char *value_parse(enum value_kind kind, const char *text, size_t len,
			struct value *value)
{
	value->string = kind == VALUE_BYTES;
	if (value->string)
		return escape_read(text, len, value->bytes,
				   sizeof(value->bytes), &value->length);
	value->length = sizeof(value->number);
	return number_parse(text, len, &value->number);
}

const char *value_parse_change(enum value_kind kind, const char *text,
			       size_t len, bool limits, struct value *value)
{
	const bool minus = len && *text == '-';
	const char *why;

	if (kind == VALUE_BYTES)
		return value_parse(kind, text, len, value);
	why = value_parse(kind, text + minus, len - minus, value);
	if (why)
		return why;
	if ((minus || limits) && value->number > (1ULL << 63) - !minus)
		return "the number is too far from 0";
	if (minus)
		value->number = -value->number;
	return NULL;
}

const char *value_text(char text[VALUE_TEXT_MAX], const struct value *value,
		       bool hex)
{
	if (value->string)
		escape_write(text, value->bytes, value->length);
	else
		sprintf(text, hex ? "0x%llx" : "%llu", value->number);
	return text;
}
