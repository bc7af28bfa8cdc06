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

void refused_narrow(struct kunit *test, struct blink_tree *tree);
void refused_wide(struct kunit *test, struct blink_tree *tree);
void refused_strings(struct kunit *test, struct blink_tree *tree);

#endif /* BLINK_KUNIT_REFUSED_H */
