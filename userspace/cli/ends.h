/* SPDX-License-Identifier: GPL-2.0 */
/* The range that a command works on. */
#ifndef BLINKTREE_CLI_ENDS_H
#define BLINKTREE_CLI_ENDS_H

#include "target.h"

/*
 * The ends of a range. An end that is no key is the least or the greatest key. With
 * @prefix the range has the strings that begin with @first.
 */
struct ends {
	struct key first;
	struct key last;
	bool prefix;
};

/* Whether the first end is not greater than the last one. */
bool ends_ascend(const struct ends *ends);

/* Read the range of the options. False after a message. */
bool ends_read(const struct args *args, const struct target *target,
	       struct ends *ends);

/* The range for the library; @flags are BLINK_TREE_RECORD_SCAN_*. */
struct blinktree_range ends_range(struct ends *ends, unsigned int flags);

#endif /* BLINKTREE_CLI_ENDS_H */
