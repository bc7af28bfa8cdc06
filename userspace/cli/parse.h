/* SPDX-License-Identifier: GPL-2.0 */
/* Parsing a command line. */
#ifndef BLINKTREE_CLI_PARSE_H
#define BLINKTREE_CLI_PARSE_H

#include "command.h"

/**
 * parse_command_line() - read a command line
 * @argc: number of words
 * @argv: the words; the function can reorder them
 * @args: the parsed words
 * @command: the command; NULL if the line needs none, such as --help
 *
 * Return: STATUS_OK; STATUS_USAGE after a message.
 */
enum status parse_command_line(int argc, char **argv, struct args *args,
			       const struct command **command);

#endif /* BLINKTREE_CLI_PARSE_H */
