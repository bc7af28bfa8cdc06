// SPDX-License-Identifier: GPL-2.0
/*
 * Authors: Pranjal Patil, Manisha Dodeja, Semil Jain. Paper: "Concurrent B+Trees - RCU
 * Approach", section 3, "we also implemented the distributed counter": rcu_rwlock.c with
 * latches whose readers count themselves on their CPU (spread_latch.h).
 *
 * Promises: as rcu_rwlock.c.
 *
 * Left open by the paper: see spread_latch.h. A node has 17 cache lines of latch.
 */
#include "coupling_engine.h"

static const struct coupling_policy policy = {
	.latch = COUPLING_SPREAD,
	.slots = 64,
	.half = true,
};

COUPLING_SCHEME(rcu_spread, policy);
