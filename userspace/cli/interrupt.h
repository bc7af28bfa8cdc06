/* SPDX-License-Identifier: GPL-2.0 */
/* Signals that end a long command. */
#ifndef BLINKTREE_CLI_INTERRUPT_H
#define BLINKTREE_CLI_INTERRUPT_H

#include <stdbool.h>

/*
 * From now on the first signal that asks the program to end, such as SIGTERM, only sets
 * interrupted(), and ends a system call that waits. The second one ends the program.
 */
void interrupt_catch(void);

bool interrupted(void);

#endif /* BLINKTREE_CLI_INTERRUPT_H */
