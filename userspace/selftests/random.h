/* SPDX-License-Identifier: GPL-2.0 */
/* Random numbers that all follow from a seed (xorshift64*). */
#ifndef BLINK_TEST_RANDOM_H
#define BLINK_TEST_RANDOM_H

#include <linux/types.h>

/* @state must not be zero. */
static inline __u64 random_next(__u64 *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1dULL;
}

/* A state of its own for each @id; never zero. */
static inline __u64 random_stream(__u64 seed, unsigned int id)
{
	__u64 state = seed ^ (id + 1) * 0x9e3779b97f4a7c15ULL;

	return state ? state : 1;
}

#endif /* BLINK_TEST_RANDOM_H */
