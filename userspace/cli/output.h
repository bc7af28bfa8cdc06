/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A file that is replaced in one step. Its new content goes to a temporary file beside
 * it, which takes its name when the content is complete and on the disk. Standard output
 * and files that are not regular, such as pipes, are written directly. place.h says which
 * symbolic links are followed.
 */
#ifndef BLINKTREE_CLI_OUTPUT_H
#define BLINKTREE_CLI_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <linux/types.h>

#include "message.h"

struct output;

/* Whether a path means standard output: "-", or "/dev/stdout". */
bool output_is_standard(const char *path);

/* Whether an output has the same file as standard output, as "/dev/fd/1" has. */
bool output_shares_standard(const struct output *output);

/*
 * Begin to write a file, or standard output. A new file has the permissions @mode, less the
 * umask. NULL after a message, or if a signal has ended the command.
 */
struct output *output_open(const char *path, mode_t mode);

/* The status of a command whose output failed: after a message, or a signal. */
enum status output_failed(void);

/* Write bytes. False after a message, or if a signal has ended the command. */
bool output_write(struct output *output, const void *bytes, size_t len);

/* The bytes written so far. */
__u64 output_position(const struct output *output);

/* Complete the file. False after a message, which says if the old file was replaced. */
bool output_commit(struct output *output);

/* Leave the old file unchanged. */
void output_discard(struct output *output);

#endif /* BLINKTREE_CLI_OUTPUT_H */
