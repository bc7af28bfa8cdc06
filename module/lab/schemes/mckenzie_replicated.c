// SPDX-License-Identifier: GPL-2.0
/*
 * A copy of Malbrain's tree for each NUMA node.
 *
 * Author: Marlon McKenzie. Paper: his thesis (malbrain.h), section 3.3.3. Promises: with
 * all copies updated, as Malbrain's tree; with the local one alone, each NUMA node has a
 * map of its own.
 */
#include "malbrain_index.h"

MALBRAIN_INDEX(mckenzie_replicated_local, .latch = LATCH_RWSEM,
	       .copies = MALBRAIN_LOCAL);
MALBRAIN_INDEX(mckenzie_replicated_all, .latch = LATCH_RWSEM,
	       .copies = MALBRAIN_ALL);
