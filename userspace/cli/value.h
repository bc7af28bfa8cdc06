/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Values of both kinds, and their texts. A *value* has the form of a record: a number of
 * 64 bits in the order of the machine, or a string, which is written with escapes
 * (escape.h).
 */
#ifndef BLINKTREE_CLI_VALUE_H
#define BLINKTREE_CLI_VALUE_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

#include "escape.h"

#define VALUE_BYTES_MAX 4096

enum value_kind {
	VALUE_U64,
	VALUE_BYTES,
};

/* The kind that BLINK_TREE_CREATE_* flags choose. */
enum value_kind value_kind(__u64 create_flags);

/* A number without bytes is no value. */
struct value {
	size_t length;
	bool string;
	union {
		__u64 number;
		unsigned char bytes[VALUE_BYTES_MAX];
	};
};

static inline bool value_is_none(const struct value *value)
{
	return !value->length && !value->string;
}

static inline void value_clear(struct value *value)
{
	value->length = 0;
	value->string = false;
}

/* Set a value to that of a record, which has none if a number has no bytes. */
void value_set(struct value *value, enum value_kind kind, const void *bytes,
	       size_t length);

/* Copy a value, without the room behind its bytes. */
void value_copy(struct value *to, const struct value *from);

/**
 * value_parse() - read a value
 * @kind: kind of the tree's values
 * @text: the text; it need not be NUL-terminated
 * @len: length of the text
 * @value: the value; written on success
 *
 * Return: NULL, or a text that explains the mistake.
 */
const char *value_parse(enum value_kind kind, const char *text, size_t len,
			struct value *value);

/**
 * value_parse_change() - read a number to add to a value
 * @kind: kind of the tree's values
 * @text: the text; it need not be NUL-terminated
 * @len: length of the text
 * @limits: the number is for a sum within the limits of a value: it is less than 2^63
 * @value: the number, modulo 2^64; written on success
 *
 * A number with a minus sign is at least -2^63.
 *
 * Return: NULL, or a text that explains the mistake.
 */
const char *value_parse_change(enum value_kind kind, const char *text,
			       size_t len, bool limits, struct value *value);

/* Room for the text of a value, with its NUL. */
#define VALUE_TEXT_MAX ESCAPED_MAX(VALUE_BYTES_MAX)

/**
 * value_text() - write a value as text
 * @text: the text
 * @value: the value
 * @hex: write a number in hexadecimal
 *
 * Return: @text.
 */
const char *value_text(char text[VALUE_TEXT_MAX], const struct value *value,
		       bool hex);

#endif /* BLINKTREE_CLI_VALUE_H */
