// SPDX-License-Identifier: GPL-2.0
/* Reading entries from files, with the formats of format.h. */
#include "reader.h"

static enum line parse(struct reader *reader, const char *line, size_t len,
		       struct entry *entry, const char **why)
{
	enum line kind;

	if (reader->format == FORMAT_TEXT)
		return format_parse_text(line, len, reader->kinds, entry, why);
	kind = format_parse_csv(line, len, !reader->header_passed,
				reader->kinds, entry, why);
	/* Only empty lines are allowed above the header. */
	if (len)
		reader->header_passed = true;
	return kind;
}

static int next_line(struct reader *reader, struct entry *entry)
{
	const char *line, *why;
	size_t len;
	int ret;

	while ((ret = input_line(reader->input, &line, &len)) == 1) {
		switch (parse(reader, line, len, entry, &why)) {
		case LINE_ENTRY:
			return 1;
		case LINE_NOTHING:
			break;
		case LINE_WRONG:
			input_complain(reader->input, why);
			return -STATUS_USAGE;
		}
	}
	return ret ? -STATUS_SYSTEM : 0;
}

static int next_pair(struct reader *reader, struct entry *entry)
{
	unsigned char pair[FORMAT_PAIR_MAX];
	int ret = input_bytes(reader->input, pair,
			      format_pair_bytes(reader->kinds.key));

	if (ret == 1)
		format_decode_pair(pair, reader->kinds.key, entry);
	return ret < 0 ? -STATUS_USAGE : ret;
}

int reader_next(struct reader *reader, struct entry *entry)
{
	if (reader->format == FORMAT_BINARY)
		return next_pair(reader, entry);
	return next_line(reader, entry);
}
