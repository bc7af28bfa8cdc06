// SPDX-License-Identifier: GPL-2.0
/*
 * Authors: Sang K. Cha, Sangyong Hwang, Kihong Kim, Keunjoo Kwon. Paper: "Cache-Conscious
 * Concurrency Control of Main-Memory Indexes on Shared-Memory Multiprocessor Systems"
 * (OLFIT, VLDB 2001), section 6: NO, no concurrency control.
 *
 * Promises: a B+-tree for one thread, or for readers without a writer. Threads that write
 * must not run at the same time as others.
 *
 * Left open by the paper: the erasure of keys. A node that would become empty is refilled
 * or merged here.
 */
#include "coupling_engine.h"

static const struct coupling_policy policy = {
	.latch = COUPLING_NONE,
	.slots = 15,
};

COUPLING_SCHEME(olfit_no, policy);
