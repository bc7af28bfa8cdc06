// SPDX-License-Identifier: GPL-2.0
/*
 * Combinations of McKenzie's techniques.
 *
 * Author: Marlon McKenzie. Paper: his thesis (malbrain.h), section 3.3.6; measured in 4.4
 * and 4.6. Promises: those that all of its techniques have. With replication the thesis
 * measures local updates. Here, one combination updates all copies.
 */
#include "malbrain_index.h"

MALBRAIN_INDEX(mckenzie_numa_rw_granular, .latch = LATCH_NEUTRAL,
	       .grant = MALBRAIN_ROOT);
MALBRAIN_INDEX(mckenzie_lockfree_numa_rw, .latch = LATCH_NEUTRAL,
	       .lockfree = true);
MALBRAIN_INDEX(mckenzie_lockfree_granular, .latch = LATCH_RWSEM,
	       .lockfree = true, .grant = MALBRAIN_ROOT);
MALBRAIN_INDEX(mckenzie_lockfree_numa_rw_granular, .latch = LATCH_NEUTRAL,
	       .lockfree = true, .grant = MALBRAIN_ROOT);

MALBRAIN_INDEX(mckenzie_numa_rw_local, .latch = LATCH_NEUTRAL,
	       .copies = MALBRAIN_LOCAL);
MALBRAIN_INDEX(mckenzie_granular_local, .latch = LATCH_RWSEM,
	       .grant = MALBRAIN_ROOT, .copies = MALBRAIN_LOCAL);
MALBRAIN_INDEX(mckenzie_lockfree_local, .latch = LATCH_RWSEM, .lockfree = true,
	       .copies = MALBRAIN_LOCAL);
MALBRAIN_INDEX(mckenzie_lockfree_numa_rw_local, .latch = LATCH_NEUTRAL,
	       .lockfree = true, .copies = MALBRAIN_LOCAL);
MALBRAIN_INDEX(mckenzie_numa_rw_granular_local, .latch = LATCH_NEUTRAL,
	       .grant = MALBRAIN_ROOT, .copies = MALBRAIN_LOCAL);
MALBRAIN_INDEX(mckenzie_lockfree_granular_local, .latch = LATCH_RWSEM,
	       .lockfree = true, .grant = MALBRAIN_ROOT,
	       .copies = MALBRAIN_LOCAL);
MALBRAIN_INDEX(mckenzie_lockfree_all, .latch = LATCH_RWSEM, .lockfree = true,
	       .copies = MALBRAIN_ALL);
