// SPDX-License-Identifier: GPL-2.0
/*
 * Authors: Pranjal Patil, Manisha Dodeja, Semil Jain. Paper: "Concurrent B+Trees - RCU
 * Approach", section 3, "Our OCC Implementation": an updater takes read latches down to
 * the leaf, and a write latch on that. If the leaf is full (for removal: if "there is only
 * 1 element present"), it starts again as in rcu_rwlock.c.
 *
 * Promises: each operation takes effect at one moment; writers of different leaves run in
 * parallel.
 */
#include "coupling_engine.h"

static const struct coupling_policy policy = {
	.latch = COUPLING_NODE,
	.slots = 64,
	.optimistic = true,
	.half = true,
};

COUPLING_SCHEME(rcu_occ, policy);
