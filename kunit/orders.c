// SPDX-License-Identifier: GPL-2.0
/* The orders of orders.h: arrays of the numbers below n, each of them once. */
#include "orders.h"

#define STRIDE 16

const char *const order_names[ORDER_NR] = {
	[ORDER_ASCENDING] = "ascending",   [ORDER_DESCENDING] = "descending",
	[ORDER_RANDOM] = "random",	   [ORDER_ZIGZAG] = "zigzag",
	[ORDER_INSIDE_OUT] = "inside out", [ORDER_STRIDES] = "strides",
};

static u64 zigzag(unsigned int i, unsigned int nr)
{
	return i % 2 ? nr - 1 - i / 2 : i / 2;
}

static void fill_strides(u64 *keys, unsigned int nr)
{
	unsigned int start, key, i = 0;

	for (start = 0; start < STRIDE; start++)
		for (key = start; key < nr; key += STRIDE)
			keys[i++] = key;
}

/*
 * The numbers below @nr in an order, freed with the test; the seed of a random one
 * is in the log.
 */
u64 *order_keys(struct kunit *test, enum order order, unsigned int nr)
{
	struct rnd_state rnd;
	unsigned int i;
	u64 *keys;

	keys = fixture_alloc(test, nr, sizeof(*keys));
	for (i = 0; i < nr; i++) {
		if (order == ORDER_DESCENDING)
			keys[i] = nr - 1 - i;
		else if (order == ORDER_ZIGZAG)
			keys[i] = zigzag(i, nr);
		else if (order == ORDER_INSIDE_OUT)
			keys[i] = zigzag(nr - 1 - i, nr);
		else
			keys[i] = i;
	}
	if (order == ORDER_STRIDES)
		fill_strides(keys, nr);
	if (order == ORDER_RANDOM) {
		fixture_seed(test, &rnd);
		fixture_shuffle(&rnd, keys, nr);
	}
	return keys;
}
