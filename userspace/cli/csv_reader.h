/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records of CSV, as RFC 4180 has them, by libcsv. A field is all bytes between two commas,
 * with its blanks, or all bytes between quotes, where a quote is doubled.
 */
#ifndef BLINKTREE_CLI_CSV_READER_H
#define BLINKTREE_CLI_CSV_READER_H

#include <stddef.h>

#include "input.h"

#define CSV_FIELDS_MAX 2

struct csv_reader;

/* A field. A record with a longer one is refused. */
#define CSV_FIELD_MAX 5000

struct csv_field {
	size_t length;
	unsigned char bytes[CSV_FIELD_MAX];
};

/* NULL without memory. */
struct csv_reader *csv_reader_open(struct input *input);

/**
 * csv_reader_next() - read the next record
 * @reader: the file
 * @fields: the first fields of the record, valid until the next call
 * @nr: the number of its fields, which can be greater than CSV_FIELDS_MAX
 *
 * Return: 1; 0 at the end; -STATUS_USAGE or -STATUS_SYSTEM after a message.
 */
int csv_reader_next(struct csv_reader *reader, const struct csv_field **fields,
		    size_t *nr);

void csv_reader_close(struct csv_reader *reader);

#endif /* BLINKTREE_CLI_CSV_READER_H */
