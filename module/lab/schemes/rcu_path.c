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
 * Left open by the paper: the memory of old paths, which RCU frees here, without a wait.
 * The paper tells of two versions: a loop that waited until no other updater was at work,
 * and one with compare-and-swap, which this is. It also says that compare-and-swap "avoids
 * unnecessary copies of the path"; an updater that loses the race copies again here, as it
 * must. A removal merges nodes where the path has too few entries, and not before.
 */
#include "copying.h"

static const struct copying_policy policy = {
	.writers = COPYING_SWAP_ROOT,
	.grace = COPYING_DEFER,
	.slots = 64,
	.half = true,
};

COPYING_SCHEME(rcu_path, policy, 0);
