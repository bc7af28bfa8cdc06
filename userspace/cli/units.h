/* SPDX-License-Identifier: GPL-2.0 */
/* Numbers in few characters. */
#ifndef BLINKTREE_CLI_UNITS_H
#define BLINKTREE_CLI_UNITS_H

/* Room for any number. */
#define UNITS_MAX 8

/*
 * Three digits at least and five characters at most: 0, 12, 999, 1.00k, 12.3M. The units
 * are powers of 1,000.
 */
const char *units_text(char text[UNITS_MAX], double number);

#endif /* BLINKTREE_CLI_UNITS_H */
