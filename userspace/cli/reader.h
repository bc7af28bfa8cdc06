/* SPDX-License-Identifier: GPL-2.0 */
/* Reading entries from a file, in any format. */
#ifndef BLINKTREE_CLI_READER_H
#define BLINKTREE_CLI_READER_H

#include "format.h"
#include "input.h"
#include "message.h"

/**
 * struct reader - a file of entries
 * @input: the file
 * @format: format of the file
 * @kinds: kinds of the tree that gets the entries
 * @header_passed: a header is not allowed any more
 * @csv: the records of a file of CSV
 */
struct reader {
	struct input *input;
	enum format format;
	struct kinds kinds;
	bool header_passed;
	struct csv_reader *csv;
};

/**
 * reader_next() - read the next entry of a file
 * @reader: the file
 * @entry: the entry; written if the return value is 1
 *
 * Return: 1; 0 at the end; -STATUS_USAGE or -STATUS_SYSTEM after a message.
 */
int reader_next(struct reader *reader, struct entry *entry);

/* Release all but the input. */
void reader_close(struct reader *reader);

#endif /* BLINKTREE_CLI_READER_H */
