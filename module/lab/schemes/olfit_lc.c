// SPDX-License-Identifier: GPL-2.0
/*
 * Authors: Sang K. Cha, Sangyong Hwang, Kihong Kim, Keunjoo Kwon. Paper: "Cache-Conscious
 * Concurrency Control of Main-Memory Indexes on Shared-Memory Multiprocessor Systems"
 * (OLFIT, VLDB 2001), sections 2.3 and 6: LC, lock coupling with the
 * optimistic descent of Bayer and Schkolnick (Acta Informatica 9, 1977): "upon insertion,
 * the algorithm first traverses to a leaf with the optimistic assumption that the target
 * leaf is a safe node. If the assumption is not true, it tries again without".
 *
 * Promises: each operation takes effect at one moment; writers of different leaves run in
 * parallel.
 *
 * Left open by the paper: the second descent. It splits nodes on its way down, so that it
 * holds two latches, and not those of all unsafe nodes of the path as in the paper of 1977.
 * The erasure of keys is left open too: a node that would become empty is refilled or
 * merged here.
 */
#include "coupling_engine.h"

static const struct coupling_policy policy = {
	.latch = COUPLING_NODE,
	.slots = 15,
	.optimistic = true,
};

COUPLING_SCHEME(olfit_lc, policy);
