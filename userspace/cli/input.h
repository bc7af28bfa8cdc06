/* SPDX-License-Identifier: GPL-2.0 */
/* A file that is read from its beginning to its end, and where we are in it. */
#ifndef BLINKTREE_CLI_INPUT_H
#define BLINKTREE_CLI_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

struct input;

/* @path may be "-". NULL after the user was told why. */
struct input *input_open(const char *path);
void input_close(struct input *input);

/*
 * The next line, without its newline, valid until the next call.
 * Return: 1; 0 at the end; -1 after the user was told of an error.
 */
int input_line(struct input *input, const char **line, size_t *len);

/*
 * The next @len bytes.
 * Return: 1; 0 at the end; -1 after the user was told of an error, or that
 * there are fewer.
 */
int input_bytes(struct input *input, void *bytes, size_t len);

/* Tell the user what is wrong with the line that was read last. */
void input_complain(const struct input *input, const char *why);

/* Bytes read so far; bytes in all, 0 if that is not known. */
__u64 input_position(const struct input *input);
__u64 input_size(const struct input *input);

/* A person types it. */
bool input_is_terminal(const struct input *input);

#endif /* BLINKTREE_CLI_INPUT_H */
