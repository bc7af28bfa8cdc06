/* SPDX-License-Identifier: GPL-2.0 */
/* Random choices, all of which follow from a seed. */
#ifndef FUZZ_RANDOM_H
#define FUZZ_RANDOM_H

#include <stdbool.h>

#include "../common/random.h"

static inline bool one_in(__u64 *state, unsigned int nr)
{
	return !random_below(state, nr);
}

#endif /* FUZZ_RANDOM_H */
