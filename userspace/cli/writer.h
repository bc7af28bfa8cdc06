/* SPDX-License-Identifier: GPL-2.0 */
/* Writing entries to a file, in any format. */
#ifndef BLINKTREE_CLI_WRITER_H
#define BLINKTREE_CLI_WRITER_H

#include "format.h"

struct writer;

/* @path may be "-". NULL after the user was told why. */
struct writer *writer_open(const char *path, enum format format, bool hex);

/* Not 0 if the file takes no more; writer_close() tells the user why. */
int writer_put(struct writer *writer, const struct blink_tree_entry *entry);

/* Not 0, after the user was told, if not all was written. */
int writer_close(struct writer *writer);

#endif /* BLINKTREE_CLI_WRITER_H */
