/* SPDX-License-Identifier: GPL-2.0 */
/* What the command says on standard error, and how it ends. */
#ifndef BLINKTREE_CLI_MESSAGE_H
#define BLINKTREE_CLI_MESSAGE_H

#define PROGRAM "blinktree"

/* Exit codes; a command that meets several ends with the greatest. */
enum status {
	STATUS_OK = 0,
	/* Not found, or not as expected: an answer, but not the hoped-for. */
	STATUS_NO = 1,
	/* The command line, or the input, makes no sense. */
	STATUS_USAGE = 2,
	/* The system refused or failed. */
	STATUS_SYSTEM = 3,
};

/* One line, the program's name before it. */
[[gnu::format(printf, 1, 2)]] void message(const char *format, ...);

/* The name of an errno value, "ENOENT"; the number if it has none. */
const char *errno_name(int error);

#endif /* BLINKTREE_CLI_MESSAGE_H */
