// SPDX-License-Identifier: GPL-2.0
/* Strings of bytes as text (escape.h). */
#include <stdio.h>
#include <string.h>

#include "escape.h"
#include "number.h"
#include "util.h"

/* The bytes that one letter behind a backslash stands for. */
static const char letters[] = "\\tnr";
static const char meanings[] = "\\\t\n\r";

/* Read the escape behind a backslash. Returns its characters, or 0 if it is none. */
static size_t read_escape(const char *text, size_t len, unsigned char *byte)
{
	const char *letter;

	if (!len || !*text)
		return 0;
	letter = strchr(letters, *text);
	if (letter) {
		*byte = meanings[letter - letters];
		return 1;
	}
	if (*text != 'x' || len < 3 || number_digit(text[1]) > 15 ||
	    number_digit(text[2]) > 15)
		return 0;
	*byte = number_digit(text[1]) << 4 | number_digit(text[2]);
	return 3;
}

const char *escape_read(const char *text, size_t len, unsigned char *bytes,
			size_t room, size_t *length)
{
	size_t i = 0, nr = 0, took;
	static char too_long[32];
	unsigned char byte;

	while (i < len) {
		byte = text[i++];
		if (byte == '\\') {
			if (i < len && text[i] == '&') {
				i++;
				continue;
			}
			took = read_escape(text + i, len - i, &byte);
			if (!took)
				return "behind a backslash is none of \\ t n r xHH &";
			i += took;
		}
		if (nr == room) {
			sprintf(too_long, "more than %zu bytes", room);
			return too_long;
		}
		bytes[nr++] = byte;
	}
	*length = nr;
	return NULL;
}

/*
 * The bytes of the character of UTF-8 at the begin of a string; 0 if there is none. The
 * shortest form only, without surrogates, as RFC 3629 has it.
 */
static size_t character(const unsigned char *at, size_t length,
			unsigned int *code)
{
	static const unsigned int least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t size, i;

	if (at[0] < 0x80)
		size = 1;
	else if (at[0] >= 0xc2 && at[0] < 0xf5)
		size = 2 + (at[0] >= 0xe0) + (at[0] >= 0xf0);
	else
		return 0;
	if (size > length)
		return 0;
	*code = size == 1 ? at[0] : at[0] & (0x7f >> size);
	for (i = 1; i < size; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (at[i] & 0x3f);
	}
	if (*code < least[size] || *code > 0x10ffff ||
	    (*code >= 0xd800 && *code < 0xe000))
		return 0;
	return size;
}

/*
 * Characters that a terminal obeys or hides, in ascending order: control characters, the
 * ends of lines and paragraphs, the directions of text, and what has no width or looks
 * like a blank. Two strings that differ in one of them can look the same.
 */
static const struct {
	unsigned int first;
	unsigned int last;
} hidden[] = {
	{ 0x0000, 0x001f },   { 0x007f, 0x00a0 },   { 0x00ad, 0x00ad },
	{ 0x034f, 0x034f },   { 0x061c, 0x061c },   { 0x115f, 0x1160 },
	{ 0x1680, 0x1680 },   { 0x17b4, 0x17b5 },   { 0x180b, 0x180f },
	{ 0x2000, 0x200f },   { 0x2028, 0x202f },   { 0x205f, 0x206f },
	{ 0x2800, 0x2800 },   { 0x3000, 0x3000 },   { 0x3164, 0x3164 },
	{ 0xfe00, 0xfe0f },   { 0xfeff, 0xfeff },   { 0xffa0, 0xffa0 },
	{ 0xfff0, 0xfffb },   { 0x1bca0, 0x1bca3 }, { 0x1d173, 0x1d17a },
	{ 0xe0000, 0xe0fff },
};

static bool is_hidden(unsigned int code)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(hidden) && code >= hidden[i].first; i++) {
		if (code <= hidden[i].last)
			return true;
	}
	return false;
}

bool escape_is_utf8(const unsigned char *bytes, size_t length)
{
	unsigned int code;
	size_t i, size;

	for (i = 0; i < length; i += size) {
		size = character(bytes + i, length - i, &code);
		if (!size || is_hidden(code))
			return false;
	}
	return true;
}

static bool stands_for_itself(unsigned int code, bool first)
{
	if (is_hidden(code) || (first && code == '#'))
		return false;
	return code >= 0x80 || !strchr(" ,\"\\", code);
}

static size_t write_escape(char *text, unsigned char byte)
{
	const char *meaning = byte ? strchr(meanings, byte) : NULL;

	if (meaning)
		return sprintf(text, "\\%c", letters[meaning - meanings]);
	return sprintf(text, "\\x%02x", byte);
}

void escape_write(char *text, const unsigned char *bytes, size_t length)
{
	/* A field without a value has this text. */
	const bool none = length == 1 && bytes[0] == '-';
	unsigned int code;
	size_t i, size;

	if (!length)
		text += sprintf(text, "\\&");
	for (i = 0; i < length; i += size) {
		size = character(bytes + i, length - i, &code);
		if (size && !none && stands_for_itself(code, !i)) {
			memcpy(text, bytes + i, size);
			text += size;
		} else {
			size = 1;
			text += write_escape(text, bytes[i]);
		}
	}
	*text = '\0';
}
