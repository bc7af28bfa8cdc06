// SPDX-License-Identifier: GPL-2.0
/*
 * Malbrain's tree with granular locking: nodes below a level have no latches.
 *
 * Author: Marlon McKenzie. Paper: his thesis (malbrain.h), section 3.3.4. Promises: as
 * Malbrain's tree, but threads that change or read different nodes with one granted node
 * wait for each other.
 *
 * The level is a parameter of the manager of the tree in the thesis; here it is one of the
 * policy, so that a scheme for another level is a line. The thesis measures the latches of
 * the root alone (section 4.4): mckenzie_granular. In mckenzie_granular_leaves, leaves share
 * the latches of their parent, and in mckenzie_granular_2 these have none either: level 2
 * is the lowest one that has latches.
 */
#include "malbrain_index.h"

MALBRAIN_INDEX(mckenzie_granular, .latch = LATCH_RWSEM, .grant = MALBRAIN_ROOT);
MALBRAIN_INDEX(mckenzie_granular_leaves, .latch = LATCH_RWSEM, .grant = 1);
MALBRAIN_INDEX(mckenzie_granular_2, .latch = LATCH_RWSEM, .grant = 2);
