// SPDX-License-Identifier: GPL-2.0
/*
 * Authors: Sang K. Cha, Sangyong Hwang, Kihong Kim, Keunjoo Kwon. Paper: "Cache-Conscious
 * Concurrency Control of Main-Memory Indexes on Shared-Memory Multiprocessor Systems"
 * (OLFIT, VLDB 2001), sections 2.3 and 6: VT, physical versioning with a
 * tree latch only: olfit_vn.c with one latch for all updaters.
 *
 * Promises: each operation takes effect at one moment; readers never wait.
 *
 * Left open by the paper: as in olfit_vn.c.
 */
#include "copying.h"

static const struct copying_policy policy = {
	.writers = COPYING_TREE_LATCH,
	.grace = COPYING_DEFER,
	.slots = 15,
};

COPYING_SCHEME(olfit_vt, policy, 0);
