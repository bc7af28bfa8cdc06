/* SPDX-License-Identifier: GPL-2.0 */
/* The tree that a command works on, and the kinds of its keys and values. */
#ifndef BLINKTREE_CLI_TARGET_H
#define BLINKTREE_CLI_TARGET_H

#include "../lib/blinktree_bytes.h"
#include "command.h"
#include "format.h"
#include "entry.h"

struct target {
	const char *name;
	struct blinktree *tree;
	struct kinds kinds;
	/* The descriptor tells values. */
	bool readable;
};

/* For target_open(): as much access as the mode of the tree allows. */
#define OPEN_AS_ALLOWED 0

/* Open the tree that the first operand names. Not STATUS_OK: after a message. */
enum status target_open(const struct args *args, unsigned int flags,
			struct target *target);

/* Find out about an open tree: all but its name. False after a message. */
bool target_describe(struct target *target);
void target_close(const struct target *target);

/* Whether a format can have the entries of the tree. False after a message. */
bool target_format(const struct target *target, enum format format);

/* Read a key of the tree. @what names the operand or option. False after a message. */
bool target_key(const struct target *target, const char *what, const char *text,
		struct key *key);

/* The same for the value of an operation. */
bool target_value(const struct target *target, const char *what,
		  unsigned int opcode, const char *text, struct value *value);

/* Explain an error of an operation on the tree. @what can be the text of its key. */
enum status target_failed(const struct target *target, const char *what,
			  int error);

#endif /* BLINKTREE_CLI_TARGET_H */
