/* SPDX-License-Identifier: GPL-2.0 */
/* Random choices, all of which follow from a seed (xorshift64*). */
#ifndef FUZZ_RANDOM_H
#define FUZZ_RANDOM_H

#include <stdbool.h>

#include <linux/types.h>

static inline __u64 random_next(__u64 *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1dULL;
}

/* A state of its own for each @id; never zero. */
static inline __u64 random_seed(__u64 seed, unsigned int id)
{
	__u64 state = seed ^ (id + 1) * 0x9e3779b97f4a7c15ULL;

	return state ? state : 1;
}

static inline __u64 random_below(__u64 *state, __u64 nr)
{
	return (random_next(state) >> 16) % nr;
}

static inline bool one_in(__u64 *state, unsigned int nr)
{
	return !random_below(state, nr);
}

#endif /* FUZZ_RANDOM_H */
