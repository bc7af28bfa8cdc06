/* SPDX-License-Identifier: GPL-2.0 */
/* The parts that the tests of commits share. */
#ifndef BLINK_KUNIT_COMMIT_H
#define BLINK_KUNIT_COMMIT_H

#include <linux/minmax.h>

#include "fixture.h"

#define OP(code, k, v, o) \
	{ .opcode = BLINK_TREE_OP_##code, .key = (k), .value = (v), .old = (o) }

/* The most operations of a commit that fit into the nodes of this build. */
static inline unsigned int commit_max(struct kunit *test)
{
	struct fixture_shape shape;

	fixture_shape(test, &shape);
	return min(shape.leaf_slots - 1, BLINK_TREE_COMMIT_MAX + 0U);
}

static inline int commit(struct blink_tree *tree, struct blink_tree_ioc_op *ops,
			 unsigned int nr)
{
	return blink_tree_commit(tree, ops, nr, NULL, GFP_KERNEL);
}

#endif /* BLINK_KUNIT_COMMIT_H */
