// SPDX-License-Identifier: GPL-2.0
/*
 * Authors: Sang K. Cha, Sangyong Hwang, Kihong Kim, Keunjoo Kwon. Paper: "Cache-Conscious
 * Concurrency Control of Main-Memory Indexes on Shared-Memory Multiprocessor Systems"
 * (OLFIT, VLDB 2001), sections 2.3 and 6: TL, tree-level locking:
 * "latches the whole tree in the shared mode for search and in the exclusive mode for
 * update".
 *
 * Promises: each operation takes effect at one moment; readers run in parallel with each
 * other. A scan and a floor take the latch once for each leaf.
 *
 * Left open by the paper: the erasure of keys. A node that would become empty is refilled
 * or merged here.
 */
#include "coupling_engine.h"

static const struct coupling_policy policy = {
	.latch = COUPLING_TREE,
	.slots = 15,
};

COUPLING_SCHEME(olfit_tl, policy);
