/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trees that were short of memory: their indexes lack entries. The menders, which
 * would see to that at once, are held until a test lets them go.
 */
#ifndef BLINK_KUNIT_SHORT_H
#define BLINK_KUNIT_SHORT_H

#include "orders.h"

void short_need_arms(struct kunit *test);
void short_need_one_index(struct kunit *test, struct blink_tree *tree);
void short_hold(struct blink_tree *tree);
void short_let_go(struct blink_tree *tree);
void short_of_inner(struct kunit *test, struct blink_tree *tree,
		    enum order order, unsigned int nr, unsigned int inner);

#endif /* BLINK_KUNIT_SHORT_H */
