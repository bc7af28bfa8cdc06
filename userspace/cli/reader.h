/* SPDX-License-Identifier: GPL-2.0 */
/* Reading entries from a file, in any format. */
#ifndef BLINKTREE_CLI_READER_H
#define BLINKTREE_CLI_READER_H

#include "format.h"
#include "input.h"
#include "message.h"

/**
 * reader_next() - the next entry of a file
 * @input: the file
 * @format: its format
 * @first: whether nothing was read yet, so that a header may come; set to
 *	false when something was
 * @entry: the entry; written where the return value is 1
 *
 * Return: 1; 0 at the end; or -STATUS_USAGE or -STATUS_SYSTEM after the user
 * was told what is wrong.
 */
int reader_next(struct input *input, enum format format, bool *first,
		struct blink_tree_entry *entry);

#endif /* BLINKTREE_CLI_READER_H */
