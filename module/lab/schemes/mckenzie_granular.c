// SPDX-License-Identifier: GPL-2.0
/*
 * Malbrain's tree with granular locking: nodes below a level have no latches.
 *
 * Author: Marlon McKenzie. Paper: his thesis (malbrain.h), section 3.3.4. Promises: as
 * Malbrain's tree, but threads that change or read different nodes with one granted node
 * wait for each other.
 *
 * The thesis measures the latches of the root alone (section 4.4): mckenzie_granular. In
 * mckenzie_granular_leaves, leaves share the latches of their parent.
 */
#include "malbrain_index.h"

MALBRAIN_INDEX(mckenzie_granular, .latch = LATCH_RWSEM, .grant = MALBRAIN_ROOT);
MALBRAIN_INDEX(mckenzie_granular_leaves, .latch = LATCH_RWSEM, .grant = 1);
