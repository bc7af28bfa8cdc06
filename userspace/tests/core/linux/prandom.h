/* SPDX-License-Identifier: GPL-2.0 */
/* Random numbers for kunit/. */
#ifndef TESTS_LINUX_PRANDOM_H
#define TESTS_LINUX_PRANDOM_H

#include "../../common/random.h"

struct rnd_state {
	u64 state;
};

static inline void prandom_seed_state(struct rnd_state *rnd, u64 seed)
{
	rnd->state = seed;
}

static inline u32 prandom_u32_state(struct rnd_state *rnd)
{
	return random_next(&rnd->state) >> 32;
}

#endif /* TESTS_LINUX_PRANDOM_H */
