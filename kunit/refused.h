/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions that a tree with other keys or other values must refuse: each returns
 * -EOPNOTSUPP.
 */
#ifndef BLINK_KUNIT_REFUSED_H
#define BLINK_KUNIT_REFUSED_H

#include <linux/blink_tree_bytes.h>

#include "fixture.h"

#define EXPECT_REFUSED(test, call) KUNIT_EXPECT_EQ(test, (call), -EOPNOTSUPP)

void refused_narrow_writes(struct kunit *test, struct blink_tree *tree);
void refused_narrow_ops(struct kunit *test, struct blink_tree *tree);
void refused_wide_writes(struct kunit *test, struct blink_tree *tree);
void refused_wide_ops(struct kunit *test, struct blink_tree *tree);
void refused_string_writes(struct kunit *test, struct blink_tree *tree);
void refused_string_ops(struct kunit *test, struct blink_tree *tree);

#endif /* BLINK_KUNIT_REFUSED_H */
