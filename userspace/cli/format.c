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

static const char *parse_key(struct cursor field, struct kinds kinds,
			     struct entry *entry)
{
	return key_parse(kinds.key, field.at, field.end - field.at,
			 &entry->key);
}

static const char *parse_value(struct cursor field, struct kinds kinds,
			       struct entry *entry)
{
	return value_parse(kinds.value, field.at, field.end - field.at,
			   &entry->value);
}

enum line format_parse_text(const char *line, size_t len, struct kinds kinds,
			    struct entry *entry, const char **why)
{
	struct cursor cursor = { .at = line, .end = line + len };
	struct cursor key, value;
	const char *tab;

	skip_blanks(&cursor);
	if (cursor.at == cursor.end || *cursor.at == '#')
		return LINE_NOTHING;
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
			   struct kinds kinds, struct entry *entry,
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

	*why = parse_key(key, kinds, entry);
	if (!*why && memchr(value.at, ',', value.end - value.at))
		*why = "more than KEY,VALUE";
	if (!*why)
		*why = parse_value(value, kinds, entry);
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
