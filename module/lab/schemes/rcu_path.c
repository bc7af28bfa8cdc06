// SPDX-License-Identifier: GPL-2.0
/*
 * Authors: Pranjal Patil, Manisha Dodeja, Semil Jain. Paper: "Concurrent B+Trees - RCU
 * Approach", section 3, "Our Lock-Free Implementation": an updater "first copies the
 * path from the root to the leaf", changes the copies, and swaps the root.
 *
 * Promises: each operation takes effect at one moment; a scan and a floor see the whole
 * tree of one moment; readers never wait. Some updater always succeeds, but one alone may
 * lose each race.
 *
 * Left open by the paper: the memory of old paths, which RCU frees here, without a wait as long
 * as few of them wait (copying_update.c); and the variable that updaters compare and swap. The
 * paper tells of two versions. In the first one, an updater copied "even if there is already one
 * insert that is still doing the operation", in a loop. The second one uses compare-and-swap "to
 * confirm that only 1 thread is executed at a time". The authors' published program
 * (src/NO_locks) has this one: it sets a flag before it copies, so that updaters wait for each
 * other as for a lock. Here the variable is the root, as befits the name: an updater that loses
 * the race copies again. A removal merges nodes where the path has too few entries, and not
 * before.
 */
#include "copying.h"

static const struct copying_policy policy = {
	.writers = COPYING_SWAP_ROOT,
	.grace = COPYING_DEFER,
	.slots = 64,
	.half = true,
};

COPYING_SCHEME(rcu_path, policy, 0);
