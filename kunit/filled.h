/* SPDX-License-Identifier: GPL-2.0 */
/* A tree with the keys FIRST, FIRST + STEP, ... LAST. */
#ifndef BLINK_KUNIT_FILLED_H
#define BLINK_KUNIT_FILLED_H

#include "fixture.h"

#define KEYS 1000ULL
#define FIRST 100ULL
#define STEP 3ULL
#define LAST (FIRST + (KEYS - 1) * STEP)

static inline struct blink_tree *filled_tree(struct kunit *test)
{
	struct blink_tree *tree = fixture_tree(test);

	fixture_fill(test, tree, FIRST, STEP, KEYS);
	return tree;
}

#endif /* BLINK_KUNIT_FILLED_H */
