/* SPDX-License-Identifier: GPL-2.0 */
/* Messages on standard error, and exit codes. */
#ifndef BLINKTREE_CLI_MESSAGE_H
#define BLINKTREE_CLI_MESSAGE_H

#define PROGRAM "blinktree"

/* Exit codes. A command returns the greatest that applies. */
enum status {
	STATUS_OK = 0,
	/* A key is absent, or its value is not the expected one; a tree was removed. */
	STATUS_NO = 1,
	/* The command line or the input has a mistake. */
	STATUS_USAGE = 2,
	/* The system refused the request or failed. */
	STATUS_SYSTEM = 3,
	/* A snapshot ends before its end mark. */
	STATUS_TRUNCATED = 4,
	/* A snapshot has other bytes than were written. */
	STATUS_CORRUPTED = 5,
	/* A snapshot has parts that this program does not know. */
	STATUS_NEWER = 6,
	/* A snapshot has entries of another kind than the tree. */
	STATUS_OTHER_KIND = 7,
	/* A signal ended it, after it printed the results so far. */
	STATUS_INTERRUPTED = 130,
};

/* Print one line, with the name of the program before it. */
[[gnu::format(printf, 1, 2)]] void message(const char *format, ...);

/* The name of an errno value, such as "ENOENT", or its number. */
const char *errno_name(int error);

#endif /* BLINKTREE_CLI_MESSAGE_H */
