/* SPDX-License-Identifier: GPL-2.0 */
/* From words to struct args. */
#ifndef BLINKTREE_CLI_PARSE_H
#define BLINKTREE_CLI_PARSE_H

#include "command.h"

/**
 * parse_command_line() - read a command line
 * @argc: number of words
 * @argv: the words; they may be reordered
 * @args: what they say; given back with parse_release() in any case
 * @command: which command; NULL where there is none and none is needed
 *
 * Return: STATUS_OK, or STATUS_USAGE after the user was told what is wrong.
 */
enum status parse_command_line(int argc, char **argv, struct args *args,
			       const struct command **command);

void parse_release(struct args *args);

#endif /* BLINKTREE_CLI_PARSE_H */
