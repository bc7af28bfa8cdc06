// SPDX-License-Identifier: GPL-2.0
/*
 * The order in which a thread loads its numbers. Keys at random, each in a leaf that no cache
 * has, would take most of the time of a point with millions of keys. So the keys are loaded a
 * range after the other, in nodes that stay in the cache, and at random within a range, so that
 * nodes are as full and as scattered as without ranges.
 */
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/slab.h>

#include "thread.h"

/* Keys in a range: a few hundred kilobytes of nodes, and many leaves. */
#define RANGE_KEYS 32768
#define RANGE_BITS_MAX 16

/* Keys that are not random have an order of their own, which loading keeps. */
static unsigned int range_bits(const struct point_run *run)
{
	u64 ranges = run->load.window / RANGE_KEYS;

	if (run->load.keys.order != LAB_RANDOM || !ranges)
		return 0;
	return min(fls64(ranges) - 1, RANGE_BITS_MAX);
}

static u64 range_of(const struct point_run *run, u64 number, unsigned int bits)
{
	return lab_key(&run->load.keys, number) >> (63 - bits);
}

/* Where the numbers of each range begin. */
static void find_begins(const struct point_run *run, u32 id, unsigned int bits,
			u32 *begin)
{
	u32 nr = 0, count;
	u64 number, i;

	for (number = id; number < run->load.window; number += run->loaders)
		begin[range_of(run, number, bits)]++;
	for (i = 0; i < BIT_ULL(bits); i++) {
		count = begin[i];
		begin[i] = nr;
		nr += count;
	}
}

/* The numbers that a loader loads, for kvfree(), or NULL. @nr is set to how many. */
u32 *point_load_order(const struct point_run *run, u32 id, u32 *nr)
{
	unsigned int bits = range_bits(run);
	u32 window = run->load.window;
	u32 *begin, *order;
	u64 number;

	*nr = window > id ? (window - id - 1) / run->loaders + 1 : 0;
	order = kvmalloc_array(*nr + 1, sizeof(*order), LAB_GFP);
	begin = kvcalloc(BIT_ULL(bits), sizeof(*begin), LAB_GFP);
	if (order && begin) {
		find_begins(run, id, bits, begin);
		for (number = id; number < window; number += run->loaders)
			order[begin[range_of(run, number, bits)]++] = number;
	} else {
		kvfree(order);
		order = NULL;
	}
	kvfree(begin);
	return order;
}
