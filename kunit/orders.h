/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The orders in which keys are inserted and erased: each makes a tree split or
 * merge at other places.
 */
#ifndef BLINK_KUNIT_ORDERS_H
#define BLINK_KUNIT_ORDERS_H

#include "fixture.h"

/**
 * enum order - an order of the numbers below n
 * @ORDER_ASCENDING: 0, 1, 2, ...
 * @ORDER_DESCENDING: n - 1, n - 2, ...
 * @ORDER_RANDOM: shuffled
 * @ORDER_ZIGZAG: 0, n - 1, 1, n - 2, ... from both ends to the middle
 * @ORDER_INSIDE_OUT: from the middle to both ends
 * @ORDER_STRIDES: 0, 16, 32, ..., 1, 17, ... every node is visited in turn
 * @ORDER_NR: number of orders
 */
enum order {
	ORDER_ASCENDING,
	ORDER_DESCENDING,
	ORDER_RANDOM,
	ORDER_ZIGZAG,
	ORDER_INSIDE_OUT,
	ORDER_STRIDES,
	ORDER_NR
};

extern const char *const order_names[ORDER_NR];

u64 *order_keys(struct kunit *test, enum order order, unsigned int nr);

#endif /* BLINK_KUNIT_ORDERS_H */
