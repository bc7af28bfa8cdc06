/* SPDX-License-Identifier: GPL-2.0 */
/* A file that is read from start to end, with the position of the reader. */
#ifndef BLINKTREE_CLI_INPUT_H
#define BLINKTREE_CLI_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <linux/types.h>

struct input;

/* Open a file, or standard input for "-". NULL after a message. */
struct input *input_open(const char *path);
void input_close(struct input *input);

/*
 * Read the next line. It is valid until the next call, and has no newline.
 * Return: 1; 0 at the end; -1 after a message about an error.
 */
int input_line(struct input *input, const char **line, size_t *len);

/*
 * Read up to @len bytes, and fewer only at the end.
 * Return: the number of bytes; -1 after a message about an error, or if a signal has
 * ended the command.
 */
ssize_t input_read(struct input *input, void *bytes, size_t len);

/* Print a message about a mistake in the line that was read last. */
void input_complain(const struct input *input, const char *why);

/* The name of the input in messages. */
const char *input_name(const struct input *input);

/* The bytes read so far; the size of the file, 0 if it is unknown. */
__u64 input_position(const struct input *input);
__u64 input_size(const struct input *input);

/* Whether the input is a terminal. */
bool input_is_terminal(const struct input *input);

#endif /* BLINKTREE_CLI_INPUT_H */
