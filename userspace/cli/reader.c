// SPDX-License-Identifier: GPL-2.0
/* Reading entries from files, with the formats of format.h. */
#include <stdio.h>

#include "csv_reader.h"
#include "reader.h"

static int wrong(const struct reader *reader, const char *why)
{
	input_complain(reader->input, why);
	return -STATUS_USAGE;
}

static int next_line(struct reader *reader, struct entry *entry)
{
	const char *line, *why;
	size_t len;
	int ret;

	while ((ret = input_line(reader->input, &line, &len)) == 1) {
		switch (format_parse_text(line, len, reader->kinds, entry,
					  &why)) {
		case LINE_ENTRY:
			return 1;
		case LINE_NOTHING:
			break;
		case LINE_WRONG:
			return wrong(reader, why);
		}
	}
	return ret ? -STATUS_SYSTEM : 0;
}

static const char *take_record(const struct reader *reader,
			       const struct csv_field *fields, size_t nr,
			       struct entry *entry)
{
	if (nr != 2)
		return nr < 2 ? "no comma: expected KEY,VALUE" :
				"more than KEY,VALUE";
	return format_take_fields(fields[0].bytes, fields[0].length,
				  fields[1].bytes, fields[1].length,
				  reader->kinds, entry);
}

/* Only empty lines are allowed above the header. */
static bool is_header(struct reader *reader, const struct csv_field *fields,
		      size_t nr)
{
	bool passed = reader->header_passed;

	reader->header_passed = true;
	return !passed && nr == 2 &&
	       format_is_header(fields[0].bytes, fields[0].length,
				fields[1].bytes, fields[1].length);
}

static int next_record(struct reader *reader, struct entry *entry)
{
	const struct csv_field *fields;
	const char *why;
	size_t nr;
	int ret;

	if (!reader->csv)
		reader->csv = csv_reader_open(reader->input);
	if (!reader->csv) {
		message("no memory");
		return -STATUS_SYSTEM;
	}
	do {
		ret = csv_reader_next(reader->csv, &fields, &nr);
		if (ret != 1)
			return ret;
	} while (is_header(reader, fields, nr));
	why = take_record(reader, fields, nr, entry);
	return why ? wrong(reader, why) : 1;
}

static int next_pair(struct reader *reader, struct entry *entry)
{
	unsigned char pair[FORMAT_PAIR_MAX];
	const ssize_t size = format_pair_bytes(reader->kinds.key);
	ssize_t nr = input_read(reader->input, pair, size);

	if (nr < 0)
		return -STATUS_SYSTEM;
	if (!nr)
		return 0;
	if (nr < size) {
		message("%s: at byte %llu: %zd bytes are left, of an entry of %zd",
			input_name(reader->input),
			input_position(reader->input) - nr, nr, size);
		return -STATUS_USAGE;
	}
	format_decode_pair(pair, reader->kinds.key, entry);
	return 1;
}

int reader_next(struct reader *reader, struct entry *entry)
{
	if (reader->format == FORMAT_BINARY)
		return next_pair(reader, entry);
	if (reader->format == FORMAT_CSV)
		return next_record(reader, entry);
	return next_line(reader, entry);
}

void reader_close(struct reader *reader)
{
	csv_reader_close(reader->csv);
	reader->csv = NULL;
}
