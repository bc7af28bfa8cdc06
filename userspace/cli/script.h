/* SPDX-License-Identifier: GPL-2.0 */
/* Operations as text, for the command batch. */
#ifndef BLINKTREE_CLI_SCRIPT_H
#define BLINKTREE_CLI_SCRIPT_H

#include "format.h"
#include "operation.h"

/* The names of the operations in a script, by enum blink_tree_opcode. */
extern const char *const script_names[BLINK_TREE_OP_NR];

/*
 * Read a line of a script for a tree of these kinds. In a @commit it can end with a flag. If it
 * is LINE_WRONG, @why explains the mistake.
 */
enum line script_parse(const char *line, size_t len, struct kinds kinds,
		       bool commit, struct operation *op, const char **why);

/* Whether a line of a script is empty, or has only blanks. */
bool script_blank(const char *line, size_t len);

#endif /* BLINKTREE_CLI_SCRIPT_H */
