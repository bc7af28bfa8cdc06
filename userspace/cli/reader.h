/* SPDX-License-Identifier: GPL-2.0 */
/* Reading entries from a file, in any format. */
#ifndef BLINKTREE_CLI_READER_H
#define BLINKTREE_CLI_READER_H

#include "format.h"
#include "input.h"
#include "message.h"

/**
 * reader_next() - read the next entry of a file
 * @input: the file
 * @format: format of the file
 * @first: whether a header is still allowed; set to false after the first line
 *	that is not empty
 * @entry: the entry; written if the return value is 1
 *
 * Return: 1; 0 at the end; -STATUS_USAGE or -STATUS_SYSTEM after a message.
 */
int reader_next(struct input *input, enum format format, bool *first,
		struct blink_tree_entry *entry);

#endif /* BLINKTREE_CLI_READER_H */
