/* SPDX-License-Identifier: GPL-2.0 */
/* The texts of --help, made from the tables of command.h. */
#ifndef BLINKTREE_CLI_HELP_H
#define BLINKTREE_CLI_HELP_H

#include "command.h"

/* Of a command, or of the whole program for NULL. */
void help_print(const struct command *command);

#endif /* BLINKTREE_CLI_HELP_H */
