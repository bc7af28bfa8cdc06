// SPDX-License-Identifier: GPL-2.0
/*
 * Authors: Pranjal Patil, Manisha Dodeja, Semil Jain. Paper: "Concurrent B+Trees - RCU
 * Approach", section 3, "Our RCU Implementation": an updater copies a node, changes the
 * copy, makes the pointer to the old node lead to the new one, sleeps in synchronize_rcu()
 * and frees the old node. "The writers are implemented sequentially".
 *
 * Promises: each operation takes effect at one moment; readers never wait.
 *
 * Left open by the paper: the lock that makes writers sequential, and whether a writer
 * sleeps before or after the next one may begin. Here it is a mutex, and the writer holds
 * it until its grace period is over, so the tree has one update for each grace period.
 * rcu_replace_after.c is the other choice. A removal merges nodes where the path has too
 * few entries, and not before.
 *
 * The authors' published program (src/rcu) is something else. It declares the functions in
 * the places where it should call them ("void synchronize_rcu(void);", and rcu_read_lock()
 * likewise), and copies the pointer to a node, not the node. Its updaters change nodes in
 * place under a spinlock and do not wait, so that the paper's figures for updates are not
 * those of this scheme.
 */
#include "copying.h"

/* Each takes a grace period, but not those that are loaded. */
#define MOST_KEYS 500000

static const struct copying_policy policy = {
	.writers = COPYING_MUTEX,
	.grace = COPYING_WAIT_HELD,
	.slots = 64,
	.half = true,
};

COPYING_SCHEME(rcu_replace, policy, MOST_KEYS);
