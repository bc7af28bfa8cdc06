// SPDX-License-Identifier: GPL-2.0
/*
 * Authors: Pranjal Patil, Manisha Dodeja, Semil Jain. Paper: "Concurrent B+Trees - RCU
 * Approach", section 3, "Our RWLock Implementation": readers hold a read latch on
 * a node until they have one on its child, writers a write latch until the child is safe.
 *
 * Promises: each operation takes effect at one moment; writers run in parallel below the
 * nodes near the root.
 *
 * Left open by the paper: how a latch is built; it is the kernel's rwlock_t here.
 */
#include "coupling_engine.h"

static const struct coupling_policy policy = {
	.latch = COUPLING_NODE,
	.slots = 64,
	.half = true,
};

COUPLING_SCHEME(rcu_rwlock, policy);
