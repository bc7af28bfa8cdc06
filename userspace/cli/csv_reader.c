// SPDX-License-Identifier: GPL-2.0
/* Reading CSV line by line (csv_reader.h). A record can go on in the next line. */
#include <csv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv_reader.h"
#include "message.h"

/*
 * The most bytes of a record, so that a quote that is not closed does not read the whole
 * file: more than those of the longest key and the longest value, each byte a quote.
 */
#define RECORD_BYTES_MAX 16384

/**
 * struct csv_reader - a file of records
 * @input: the file
 * @parser: the state of libcsv
 * @fields: the fields of the record
 * @nr: number of fields so far
 * @complete: the record has ended
 * @extra: another record is in the same line
 * @too_long: a field of the record has more bytes than are kept
 * @bytes: bytes of the record so far
 * @line: number of the line
 * @begin: number of the line in which the record begins
 */
struct csv_reader {
	struct input *input;
	struct csv_parser parser;
	struct csv_field fields[CSV_FIELDS_MAX];
	size_t nr;
	bool complete;
	bool extra;
	bool too_long;
	size_t bytes;
	unsigned long line;
	unsigned long begin;
};

/* Blanks belong to a field. */
static int is_no_blank(unsigned char c)
{
	(void)c;
	return 0;
}

struct csv_reader *csv_reader_open(struct input *input)
{
	struct csv_reader *reader = calloc(1, sizeof(*reader));

	if (!reader || csv_init(&reader->parser, CSV_STRICT)) {
		free(reader);
		return NULL;
	}
	csv_set_space_func(&reader->parser, is_no_blank);
	reader->input = input;
	return reader;
}

void csv_reader_close(struct csv_reader *reader)
{
	if (!reader)
		return;
	csv_free(&reader->parser);
	free(reader);
}

static void end_field(void *bytes, size_t length, void *data)
{
	struct csv_reader *reader = data;
	struct csv_field *field;

	reader->extra |= reader->complete;
	if (reader->nr++ >= CSV_FIELDS_MAX)
		return;
	field = &reader->fields[reader->nr - 1];
	if (length > CSV_FIELD_MAX) {
		reader->too_long = true;
		return;
	}
	field->length = length;
	memcpy(field->bytes, bytes, length);
}

static void end_record(int c, void *data)
{
	struct csv_reader *reader = data;

	(void)c;
	reader->complete = true;
}

/* In its state 0 the parser is between two records. */
static bool is_inside(const struct csv_reader *reader)
{
	return reader->parser.pstate;
}

/* Excel writes the separator into the first line. */
static bool take_separator(struct csv_reader *reader, const char *line,
			   size_t len)
{
	if (reader->line > 1 || len < 5 || memcmp(line, "sep=", 4) ||
	    (len > 5 && line[5] != '\r') || len > 6)
		return false;
	csv_set_delim(&reader->parser, line[4]);
	return true;
}

static const char *parse_line(struct csv_reader *reader, const char *line,
			      size_t len)
{
	struct csv_parser *parser = &reader->parser;

	reader->bytes += len + 1;
	if (csv_parse(parser, line, len, end_field, end_record, reader) < len ||
	    csv_parse(parser, "\n", 1, end_field, end_record, reader) < 1)
		return csv_error(parser) == CSV_EPARSE ?
			       "a quote is neither around a field nor doubled" :
			       "no memory";
	if (reader->extra)
		return "a carriage return is inside the line";
	if (reader->too_long)
		return "a field is too long";
	if (is_inside(reader) && reader->bytes > RECORD_BYTES_MAX)
		return "the record is too long: a quote may be missing";
	return NULL;
}

/* The file ends between two records. */
static int end_file(const struct csv_reader *reader)
{
	char why[80];

	if (!is_inside(reader))
		return 0;
	snprintf(
		why, sizeof(why),
		"the quote is not closed of the record that begins in line %lu",
		reader->begin);
	input_complain(reader->input, why);
	return -STATUS_USAGE;
}

int csv_reader_next(struct csv_reader *reader, const struct csv_field **fields,
		    size_t *nr)
{
	const char *line, *why;
	size_t len;
	int ret;

	reader->nr = 0;
	reader->bytes = 0;
	reader->complete = false;
	while (!reader->complete) {
		ret = input_line(reader->input, &line, &len);
		if (ret != 1)
			return ret ? -STATUS_SYSTEM : end_file(reader);
		reader->line++;
		if (take_separator(reader, line, len))
			continue;
		if (!is_inside(reader))
			reader->begin = reader->line;
		why = parse_line(reader, line, len);
		if (why) {
			input_complain(reader->input, why);
			return csv_error(&reader->parser) == CSV_ENOMEM ?
				       -STATUS_SYSTEM :
				       -STATUS_USAGE;
		}
	}
	*fields = reader->fields;
	*nr = reader->nr;
	return 1;
}
