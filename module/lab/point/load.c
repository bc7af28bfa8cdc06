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
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "thread.h"

/* Keys in a range: a few hundred kilobytes of nodes, and many leaves. */
#define RANGE_KEYS 32768
#define RANGE_BITS_MAX 16
/* Numbers between two offers to give up the CPU. */
#define PATIENCE 4096

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

/* The next number of a loader; beyond the window if the threads are to end. */
static u64 next_number(const struct point_run *run, u64 number)
{
	if (number % PATIENCE < run->loaders)
		cond_resched();
	return READ_ONCE(run->stop) ? U64_MAX : number + run->loaders;
}

/* Where the numbers of each range begin. */
static void find_begins(const struct point_run *run, u32 id, unsigned int bits,
			u32 *begin)
{
	u64 window = run->load.window, number, i;
	u32 nr = 0, count;

	for (number = id; number < window; number = next_number(run, number))
		begin[range_of(run, number, bits)]++;
	for (i = 0; i < BIT_ULL(bits); i++) {
		count = begin[i];
		begin[i] = nr;
		nr += count;
	}
}

/*
 * The numbers that a loader loads in another order than their own, for kvfree(). NULL: in
 * their own, as they are few or not random, or as there is no memory for the order.
 */
u32 *point_load_order(const struct point_run *run, u32 id)
{
	unsigned int bits = range_bits(run);
	u64 window = run->load.window, number;
	u32 *begin, *order;

	if (!bits)
		return NULL;
	order = kvmalloc_array(window / run->loaders + 1, sizeof(*order),
			       LAB_GFP);
	begin = kvcalloc(BIT_ULL(bits), sizeof(*begin), LAB_GFP);
	if (order && begin) {
		find_begins(run, id, bits, begin);
		for (number = id; number < window;
		     number = next_number(run, number))
			order[begin[range_of(run, number, bits)]++] = number;
	} else {
		kvfree(order);
		order = NULL;
	}
	kvfree(begin);
	return order;
}
