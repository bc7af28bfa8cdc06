// SPDX-License-Identifier: GPL-2.0
/*
 * Authors: Pranjal Patil, Manisha Dodeja, Semil Jain. Paper: "Concurrent B+Trees - RCU
 * Approach", section 3, "Our RCU Implementation": an updater copies a node, changes the
 * copy, makes the pointer to the old node lead to the new one, sleeps in synchronize_rcu()
 * and frees the old node. "The writers are implemented sequentially".
 *
 * Promises: each operation takes effect at one moment; readers never wait.
 *
 * As rcu_replace.c, but a writer sleeps after it has released the mutex: several writers
 * wait for the same grace period.
 */
#include "copying.h"

/* Each takes a grace period, but not those that are loaded. */
#define MOST_KEYS 500000

static const struct copying_policy policy = {
	.writers = COPYING_MUTEX,
	.grace = COPYING_WAIT,
	.slots = 64,
	.half = true,
};

COPYING_SCHEME(rcu_replace_after, policy, MOST_KEYS);
