/* SPDX-License-Identifier: GPL-2.0 */
/* Writing entries to a file, in any format. */
#ifndef BLINKTREE_CLI_WRITER_H
#define BLINKTREE_CLI_WRITER_H

#include "format.h"

struct writer;

/*
 * Open a file, or standard output for "-". NULL after a message. @hex and @form are the
 * forms of numbers and of keys with 128 bits.
 */
struct writer *writer_open(const char *path, enum format format, bool hex,
			   enum key_form form);

/* Not 0 after an error, which writer_close() reports. */
int writer_put(struct writer *writer, const struct entry *entry);

/* Close the file. Not 0, after a message, if writing failed. */
int writer_close(struct writer *writer);

#endif /* BLINKTREE_CLI_WRITER_H */
