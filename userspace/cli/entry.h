/* SPDX-License-Identifier: GPL-2.0 */
/* An entry of a tree, and the kinds of a tree's keys and values. */
#ifndef BLINKTREE_CLI_ENTRY_H
#define BLINKTREE_CLI_ENTRY_H

#include "key.h"
#include "value.h"

struct kinds {
	/* enum blink_tree_key */
	unsigned int key;
	enum value_kind value;
};

struct entry {
	struct key key;
	struct value value;
};

#endif /* BLINKTREE_CLI_ENTRY_H */
