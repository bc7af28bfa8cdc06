// SPDX-License-Identifier: GPL-2.0
/* Reading entries from files, with the formats of format.h. */
#include "reader.h"

static enum line parse(const char *line, size_t len, enum format format,
		       bool *first, struct blink_tree_entry *entry,
		       const char **why)
{
	enum line kind;

	if (format == FORMAT_TEXT)
		return format_parse_text(line, len, entry, why);
	kind = format_parse_csv(line, len, *first, entry, why);
	/* Only empty lines are allowed above the header. */
	if (len)
		*first = false;
	return kind;
}

static int next_line(struct input *input, enum format format, bool *first,
		     struct blink_tree_entry *entry)
{
	const char *line, *why;
	size_t len;
	int ret;

	while ((ret = input_line(input, &line, &len)) == 1) {
		switch (parse(line, len, format, first, entry, &why)) {
		case LINE_ENTRY:
			return 1;
		case LINE_NOTHING:
			break;
		case LINE_WRONG:
			input_complain(input, why);
			return -STATUS_USAGE;
		}
	}
	return ret ? -STATUS_SYSTEM : 0;
}

static int next_pair(struct input *input, struct blink_tree_entry *entry)
{
	unsigned char pair[FORMAT_PAIR_BYTES];
	int ret = input_bytes(input, pair, sizeof(pair));

	if (ret == 1)
		format_decode_pair(pair, entry);
	return ret < 0 ? -STATUS_USAGE : ret;
}

int reader_next(struct input *input, enum format format, bool *first,
		struct blink_tree_entry *entry)
{
	if (format == FORMAT_BINARY)
		return next_pair(input, entry);
	return next_line(input, format, first, entry);
}
