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

/*
 * The tabulator that ends a key, if the line has one: the first before a value that is a
 * string, and the last behind a key that is one.
 */
static const char *find_tab(const struct cursor *cursor, struct kinds kinds)
{
	size_t len = cursor->end - cursor->at;

	if (kinds.value == VALUE_BYTES)
		return memchr(cursor->at, '\t', len);
	if (kinds.key == BLINK_TREE_KEY_BYTES)
		return memrchr(cursor->at, '\t', len);
	return NULL;
}

static struct cursor take_key(struct cursor *cursor, const char *tab)
{
	struct cursor key = { .at = cursor->at, .end = tab };

	if (!tab)
		return take_word(cursor);
	cursor->at = tab;
	return key;
}

/* Behind a tabulator, a string takes the rest of the line. */
static struct cursor take_value(struct cursor *cursor, struct kinds kinds,
				const char *tab)
{
	struct cursor value;

	if (tab && kinds.value == VALUE_BYTES) {
		value = (struct cursor){ .at = tab + 1, .end = cursor->end };
		cursor->at = cursor->end;
		if (value.end > value.at && value.end[-1] == '\r')
			value.end--;
		return value;
	}
	skip_blanks(cursor);
	value = take_word(cursor);
	skip_blanks(cursor);
	return value;
}

/* Blanks are part of a string, but they say nothing about a number. */
static struct cursor trim(struct cursor field)
{
	skip_blanks(&field);
	while (field.end > field.at && is_blank(field.end[-1]))
		field.end--;
	return field;
}

static const char *parse_key(struct cursor field, struct kinds kinds,
			     struct entry *entry)
{
	if (kinds.key != BLINK_TREE_KEY_BYTES)
		field = trim(field);
	return key_parse(kinds.key, field.at, field.end - field.at,
			 &entry->key);
}

static const char *parse_value(struct cursor field, struct kinds kinds,
			       struct entry *entry)
{
	if (kinds.value != VALUE_BYTES)
		field = trim(field);
	return value_parse(kinds.value, field.at, field.end - field.at,
			   &entry->value);
}

enum line format_parse_text(const char *line, size_t len, struct kinds kinds,
			    struct entry *entry, const char **why)
{
	struct cursor whole = { .at = line, .end = line + len };
	struct cursor cursor = whole, key, value;
	const char *tab;

	skip_blanks(&cursor);
	if (cursor.at == cursor.end || *cursor.at == '#')
		return LINE_NOTHING;
	/* Before a tabulator, the blanks at the begin are those of a key that is a string. */
	if (kinds.key == BLINK_TREE_KEY_BYTES && find_tab(&whole, kinds))
		cursor = whole;
	tab = find_tab(&cursor, kinds);
	key = take_key(&cursor, tab);
	value = take_value(&cursor, kinds, tab);

	*why = parse_key(key, kinds, entry);
	if (!*why && value.at == value.end)
		*why = "the value is missing: expected KEY VALUE";
	if (!*why)
		*why = parse_value(value, kinds, entry);
	if (!*why && cursor.at < cursor.end)
		*why = "more than KEY VALUE";
	return *why ? LINE_WRONG : LINE_ENTRY;
}

static bool equals(const unsigned char *bytes, size_t len, const char *word)
{
	return len == strlen(word) &&
	       !strncasecmp((const char *)bytes, word, len);
}

bool format_is_header(const unsigned char *key, size_t key_length,
		      const unsigned char *value, size_t value_length)
{
	return equals(key, key_length, "key") &&
	       equals(value, value_length, "value");
}

static struct cursor field_of(const unsigned char *bytes, size_t len)
{
	const char *text = (const char *)bytes;

	return (struct cursor){ .at = text, .end = text + len };
}

const char *format_take_fields(const unsigned char *key, size_t key_length,
			       const unsigned char *value, size_t value_length,
			       struct kinds kinds, struct entry *entry)
{
	const char *why = NULL;

	if (kinds.key != BLINK_TREE_KEY_BYTES)
		why = parse_key(field_of(key, key_length), kinds, entry);
	else if (key_length > KEY_BYTES_MAX)
		why = "the key is too long";
	else
		key_set(&entry->key, kinds.key, key, key_length);
	if (why)
		return why;
	if (kinds.value != VALUE_BYTES)
		return parse_value(field_of(value, value_length), kinds, entry);
	if (value_length > VALUE_BYTES_MAX)
		return "the value is too long";
	value_set(&entry->value, kinds.value, value, value_length);
	return NULL;
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
	entry->value.string = false;
	entry->value.length = 8;
	entry->value.number = key_number(&value);
}

size_t format_encode_pair(const struct entry *entry,
			  unsigned char bytes[FORMAT_PAIR_MAX])
{
	size_t i, len = entry->key.length;

	copy_key(bytes, entry->key.bytes, len);
	for (i = 0; i < 8; i++)
		bytes[len + i] = entry->value.number >> 8 * i;
	return len + 8;
}
