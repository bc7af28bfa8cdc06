// SPDX-License-Identifier: GPL-2.0
/* Checking the invariants of a tree, and the texts for violations. */
#include "internal.h"

static const char *const texts[] = {
	[BLINK_TREE_OK] = "ok",
	[BLINK_TREE_BAD_ORDER] = "keys of a node do not ascend",
	[BLINK_TREE_BAD_RANGE] = "a key outside of its node's range",
	[BLINK_TREE_BAD_CHAIN] = "neighbours whose ranges do not meet",
	[BLINK_TREE_BAD_ROUTE] = "an index entry that does not match its node",
	[BLINK_TREE_BAD_LEVEL] = "a link to a node of a wrong level",
	[BLINK_TREE_BAD_COUNT] = "a node with too few or too many entries",
	[BLINK_TREE_BAD_DEAD] = "a link to a dead node",
	[BLINK_TREE_BAD_COPY] = "a leaf whose copy is not equal to it",
	[BLINK_TREE_BAD_SIGN] = "a node whose signposts do not match its keys",
	[BLINK_TREE_BAD_HEAD] = "a slot without the first bytes of its key",
};

int blinktree_verify(struct blinktree *tree,
		     struct blink_tree_ioc_verify *report, size_t size)
{
	struct blink_tree_ioc_verify arg = {};
	int err = blinktree_call(tree->fd, BLINK_TREE_IOC_VERIFY, &arg);

	if (err)
		return err;
	/* The caller's structure can be shorter or longer than the library's. */
	memset(report, 0, size);
	memcpy(report, &arg, size < sizeof(arg) ? size : sizeof(arg));
	return 0;
}

const char *blinktree_violation_text(unsigned int violation)
{
	if (violation >= ARRAY_SIZE(texts))
		return "a violation that this library does not know";
	return texts[violation];
}
