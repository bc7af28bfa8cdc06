/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Numbers that look random and all follow from a seed (SplitMix64: Steele, Lea
 * and Flood, "Fast splittable pseudorandom number generators", 2014).
 */
#ifndef BLINK_RANDOM_H
#define BLINK_RANDOM_H

#include <linux/types.h>

/* A bijection, in which every bit of the result depends on all of @n. */
static inline __u64 random_mix(__u64 n)
{
	n = (n ^ (n >> 30)) * 0xbf58476d1ce4e5b9ULL;
	n = (n ^ (n >> 27)) * 0x94d049bb133111ebULL;
	return n ^ (n >> 31);
}

static inline __u64 random_next(__u64 *state)
{
	return random_mix(*state += 0x9e3779b97f4a7c15ULL);
}

/* @limit is not 0, and so far below 2^64 that the bias of the remainder is negligible. */
static inline __u64 random_below(__u64 *state, __u64 limit)
{
	return random_next(state) % limit;
}

/* A state to begin with, another one for each @id. */
static inline __u64 random_stream(__u64 seed, __u64 id)
{
	return random_mix(seed ^ random_mix(id + 1));
}

#endif /* BLINK_RANDOM_H */
