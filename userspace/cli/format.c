// SPDX-License-Identifier: GPL-2.0
/*
 * Conversion between entries and bytes, without files. A *field* is the text of a
 * key or a value. A *cursor* is the part of a line that was not read yet.
 */
#include <string.h>
#include <strings.h>

#include <linux/blink_tree.h>

#include "format.h"

const char *const format_names[FORMAT_NR + 1] = {
	[FORMAT_TEXT] = "text",
	[FORMAT_CSV] = "csv",
	[FORMAT_BINARY] = "binary",
};

struct cursor {
	const char *at;
	const char *end;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Lines of some systems end with a carriage return, which counts as blank. */
static void skip_blanks(struct cursor *cursor)
{
	while (cursor->at < cursor->end && is_blank(*cursor->at))
		cursor->at++;
}

static struct cursor take_word(struct cursor *cursor)
{
	struct cursor word = { .at = cursor->at };

	while (cursor->at < cursor->end && !is_blank(*cursor->at))
		cursor->at++;
	word.end = cursor->at;
	return word;
}

/* A string ends at the last tabulator of the line, if there is one. */
static struct cursor take_key(struct cursor *cursor, unsigned int kind)
{
	struct cursor key = { .at = cursor->at };
	const char *tab = memrchr(cursor->at, '\t', cursor->end - cursor->at);

	if (kind != BLINK_TREE_KEY_BYTES || !tab)
		return take_word(cursor);
	key.end = tab;
	cursor->at = tab;
	return key;
}

static const char *parse_key(struct cursor field, unsigned int kind,
			     struct entry *entry)
{
	return key_parse(kind, field.at, field.end - field.at, &entry->key);
}

static const char *parse_value(struct cursor field, struct entry *entry)
{
	return number_parse(field.at, field.end - field.at, &entry->value);
}

enum line format_parse_text(const char *line, size_t len, unsigned int kind,
			    struct entry *entry, const char **why)
{
	struct cursor cursor = { .at = line, .end = line + len };
	struct cursor key, value;

	skip_blanks(&cursor);
	if (cursor.at == cursor.end || *cursor.at == '#')
		return LINE_NOTHING;
	key = take_key(&cursor, kind);
	skip_blanks(&cursor);
	value = take_word(&cursor);
	skip_blanks(&cursor);

	*why = parse_key(key, kind, entry);
	if (!*why && value.at == value.end)
		*why = "the value is missing: expected KEY VALUE";
	if (!*why)
		*why = parse_value(value, entry);
	if (!*why && cursor.at < cursor.end)
		*why = "more than KEY VALUE";
	return *why ? LINE_WRONG : LINE_ENTRY;
}

/* Remove the blanks around a field, and then the quotes around it. */
static struct cursor trim(struct cursor field)
{
	skip_blanks(&field);
	while (field.end > field.at && is_blank(field.end[-1]))
		field.end--;
	if (field.end - field.at >= 2 && *field.at == '"' &&
	    field.end[-1] == '"') {
		field.at++;
		field.end--;
	}
	return field;
}

static bool equals(struct cursor field, const char *word)
{
	size_t len = field.end - field.at;

	return len == strlen(word) && !strncasecmp(field.at, word, len);
}

enum line format_parse_csv(const char *line, size_t len, bool header,
			   unsigned int kind, struct entry *entry,
			   const char **why)
{
	struct cursor rest = { .at = line, .end = line + len };
	const char *comma = memchr(line, ',', len);
	struct cursor key, value;

	skip_blanks(&rest);
	if (rest.at == rest.end)
		return LINE_NOTHING;
	if (!comma) {
		*why = "no comma: expected KEY,VALUE";
		return LINE_WRONG;
	}
	key = trim((struct cursor){ .at = line, .end = comma });
	value = trim((struct cursor){ .at = comma + 1, .end = line + len });
	if (header && equals(key, "key") && equals(value, "value"))
		return LINE_NOTHING;

	*why = parse_key(key, kind, entry);
	if (!*why && memchr(value.at, ',', value.end - value.at))
		*why = "more than KEY,VALUE";
	if (!*why)
		*why = parse_value(value, entry);
	return *why ? LINE_WRONG : LINE_ENTRY;
}

/* Copy bytes in the other order. */
static void reverse(unsigned char *to, const unsigned char *from, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		to[i] = from[len - 1 - i];
}

size_t format_pair_bytes(unsigned int kind)
{
	return key_length(kind) + 8;
}

/* A key of 8 bytes is a number like a value. A longer one is a string of bytes. */
static void copy_key(unsigned char *to, const unsigned char *from, size_t len)
{
	if (len == 8)
		reverse(to, from, len);
	else
		memcpy(to, from, len);
}

void format_decode_pair(const unsigned char *bytes, unsigned int kind,
			struct entry *entry)
{
	struct key value;

	value.length = 8;

	entry->key.string = false;
	entry->key.length = key_length(kind);
	copy_key(entry->key.bytes, bytes, entry->key.length);
	reverse(value.bytes, bytes + entry->key.length, 8);
	entry->value = key_number(&value);
}

size_t format_encode_pair(const struct entry *entry,
			  unsigned char bytes[FORMAT_PAIR_MAX])
{
	size_t i, len = entry->key.length;

	copy_key(bytes, entry->key.bytes, len);
	for (i = 0; i < 8; i++)
		bytes[len + i] = entry->value >> 8 * i;
	return len + 8;
}
