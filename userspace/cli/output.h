/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A file that is replaced in one step. Its new content goes to a temporary file beside
 * it, which takes its name when the content is complete and on the disk. Standard output
 * and files that are not regular, such as pipes, are written directly.
 */
#ifndef BLINKTREE_CLI_OUTPUT_H
#define BLINKTREE_CLI_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

struct output;

/* Begin to write a file, or standard output for "-". NULL after a message. */
struct output *output_open(const char *path);

/* Write bytes. False after a message, or if a signal has ended the command. */
bool output_write(struct output *output, const void *bytes, size_t len);

/* The bytes written so far. */
__u64 output_position(const struct output *output);

/* Complete the file. False after a message: the old file is unchanged, or was replaced. */
bool output_commit(struct output *output);

/* Leave the old file unchanged. */
void output_discard(struct output *output);

#endif /* BLINKTREE_CLI_OUTPUT_H */
