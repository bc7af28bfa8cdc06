// SPDX-License-Identifier: GPL-2.0
/*
 * Conversion between entries and bytes, without files. A *field* is the text of one
 * number. A *cursor* is the part of a line that was not read yet.
 */
#include <string.h>
#include <strings.h>

#include "format.h"
#include "number.h"

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

static const char *parse(struct cursor field, __u64 *number)
{
	return number_parse(field.at, field.end - field.at, number);
}

enum line format_parse_text(const char *line, size_t len,
			    struct blink_tree_entry *entry, const char **why)
{
	struct cursor cursor = { .at = line, .end = line + len };
	struct cursor key, value;

	skip_blanks(&cursor);
	if (cursor.at == cursor.end || *cursor.at == '#')
		return LINE_NOTHING;
	key = take_word(&cursor);
	skip_blanks(&cursor);
	value = take_word(&cursor);
	skip_blanks(&cursor);

	*why = parse(key, &entry->key);
	if (!*why && value.at == value.end)
		*why = "the value is missing: expected KEY VALUE";
	if (!*why)
		*why = parse(value, &entry->value);
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
			   struct blink_tree_entry *entry, const char **why)
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

	*why = parse(key, &entry->key);
	if (!*why && memchr(value.at, ',', value.end - value.at))
		*why = "more than KEY,VALUE";
	if (!*why)
		*why = parse(value, &entry->value);
	return *why ? LINE_WRONG : LINE_ENTRY;
}

static __u64 decode(const unsigned char *bytes)
{
	__u64 n = 0;
	int i;

	for (i = 7; i >= 0; i--)
		n = n << 8 | bytes[i];
	return n;
}

static void encode(__u64 n, unsigned char *bytes)
{
	int i;

	for (i = 0; i < 8; i++)
		bytes[i] = n >> (8 * i);
}

void format_decode_pair(const unsigned char *bytes,
			struct blink_tree_entry *entry)
{
	entry->key = decode(bytes);
	entry->value = decode(bytes + 8);
}

void format_encode_pair(const struct blink_tree_entry *entry,
			unsigned char *bytes)
{
	encode(entry->key, bytes);
	encode(entry->value, bytes + 8);
}
