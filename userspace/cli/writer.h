/* SPDX-License-Identifier: GPL-2.0 */
/* Writing entries to a file, in any format. The file is that of output.h. */
#ifndef BLINKTREE_CLI_WRITER_H
#define BLINKTREE_CLI_WRITER_H

#include "format.h"

struct writer;

/*
 * Open a file, or standard output for "-". NULL as from output_open(). @hex and @form are the
 * forms of numbers and of keys with 128 bits.
 */
struct writer *writer_open(const char *path, enum format format, bool hex,
			   enum key_form form);

/* False after a message, or if a signal has ended the command. */
bool writer_put(struct writer *writer, const struct entry *entry);

/*
 * Close the file. If the entries are not @complete, it stays as it was. False then, or
 * after a message, or a signal.
 */
bool writer_close(struct writer *writer, bool complete);

#endif /* BLINKTREE_CLI_WRITER_H */
