// SPDX-License-Identifier: GPL-2.0
/*
 * Authors: Sang K. Cha, Sangyong Hwang, Kihong Kim, Keunjoo Kwon. Paper: "Cache-Conscious
 * Concurrency Control of Main-Memory Indexes on Shared-Memory Multiprocessor Systems"
 * (OLFIT, VLDB 2001), sections 2.3 and 6: VN, physical versioning with node
 * latches, after Rastogi et al. (VLDB 1997): "updaters allocate a new version of a node,
 * copy the content of the old version to the new one, and update the new one. It then
 * atomically swaps the old version and the new one. When node latches are used, the node to
 * update and its parent are latched." The tree latch of 1997 is left out, as in the paper.
 *
 * Promises: each operation takes effect at one moment; readers never wait; writers below
 * different parents run in parallel.
 *
 * Left open by the paper: splits. All nodes that are replaced are latched, and the parent of
 * the highest one. The garbage collector is RCU, and nodes come from the slab allocator. The
 * erasure of keys is left open too: an empty leaf is merged with its neighbour here.
 */
#include "copying.h"

static const struct copying_policy policy = {
	.writers = COPYING_NODE_LATCHES,
	.grace = COPYING_DEFER,
	.slots = 15,
};

COPYING_SCHEME(olfit_vn, policy, 0);
