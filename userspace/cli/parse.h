/* SPDX-License-Identifier: GPL-2.0 */
/* Parsing a command line. */
#ifndef BLINKTREE_CLI_PARSE_H
#define BLINKTREE_CLI_PARSE_H

#include "command.h"

/**
 * parse_command_line() - read a command line
 * @argc: number of words
 * @argv: the words; the function can reorder them
 * @args: the parsed words; the caller frees them with parse_release() in any case
 * @command: the command; NULL if the line needs none, such as --help
 *
 * Return: STATUS_OK; STATUS_USAGE or STATUS_SYSTEM after a message.
 */
enum status parse_command_line(int argc, char **argv, struct args *args,
			       const struct command **command);

void parse_release(struct args *args);

#endif /* BLINKTREE_CLI_PARSE_H */
