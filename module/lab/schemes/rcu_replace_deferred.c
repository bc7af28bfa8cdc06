// SPDX-License-Identifier: GPL-2.0
/*
 * Authors: Pranjal Patil, Manisha Dodeja, Semil Jain. Paper: "Concurrent B+Trees - RCU
 * Approach", section 7, "Future Work": "call_rcu(&callback) (a non-blocking writer)".
 *
 * Promises: each operation takes effect at one moment; readers never wait.
 *
 * As rcu_replace.c, but a writer gives the old nodes to call_rcu() and returns: it waits for
 * the mutex alone. The paper does not say what happens if callbacks do not keep up; here a
 * writer waits for a grace period if too many nodes wait to be freed (copying_update.c).
 */
#include "copying.h"

static const struct copying_policy policy = {
	.writers = COPYING_MUTEX,
	.grace = COPYING_DEFER,
	.slots = 64,
	.half = true,
};

COPYING_SCHEME(rcu_replace_deferred, policy, 0);
