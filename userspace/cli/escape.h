/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Strings of bytes as text. Characters of UTF-8 stand for themselves, except for those
 * that would change the meaning of a line or of a terminal. An *escape* begins with a
 * backslash:
 *
 *   \\             a backslash
 *   \t \n \r       a tabulator, a line feed, a carriage return
 *   \xHH           the byte with this hexadecimal number
 *   \&             nothing: the text of the string without bytes
 *
 * Blanks, commas, quotes, bytes that are not UTF-8, and characters that a terminal obeys or
 * hides are written as escapes, and so is a hash at the begin. Such characters are control
 * characters, those that set the direction of text, and those without a width. The string -
 * is written as \x2d, because a field without a value is printed as -.
 */
#ifndef BLINKTREE_CLI_ESCAPE_H
#define BLINKTREE_CLI_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>

/**
 * escape_read() - read the text of a string
 * @text: the text; it need not be NUL-terminated
 * @len: its length
 * @bytes: the string
 * @room: the most bytes that it can have
 * @length: their number; written on success
 *
 * Return: NULL, or a text that explains the mistake.
 */
const char *escape_read(const char *text, size_t len, unsigned char *bytes,
			size_t room, size_t *length);

/* The most characters of a string's text, with its NUL. */
#define ESCAPED_MAX(length) (4 * (length) + 3)

/**
 * escape_write() - write a string as text
 * @text: the text; NUL-terminated
 * @bytes: the string
 * @length: its length
 */
void escape_write(char *text, const unsigned char *bytes, size_t length);

/* Whether a string is UTF-8 without characters that a terminal obeys or hides. */
bool escape_is_utf8(const unsigned char *bytes, size_t length);

#endif /* BLINKTREE_CLI_ESCAPE_H */
