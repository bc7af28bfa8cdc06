/* SPDX-License-Identifier: GPL-2.0 */
/* A macro that all files of the program use. */
#ifndef BLINKTREE_CLI_UTIL_H
#define BLINKTREE_CLI_UTIL_H

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

#endif /* BLINKTREE_CLI_UTIL_H */
