/* SPDX-License-Identifier: GPL-2.0 */
/* The texts of --help, made from the tables of command.h. */
#ifndef BLINKTREE_CLI_HELP_H
#define BLINKTREE_CLI_HELP_H

#include "command.h"

/* Print the help of a command, or, for NULL, that of the program. */
void help_print(const struct command *command);

#endif /* BLINKTREE_CLI_HELP_H */
