// SPDX-License-Identifier: GPL-2.0
/*
 * Malbrain's B-link tree, with the latches of McKenzie's "original code".
 *
 * Author: Karl Malbrain. Paper: McKenzie's thesis (malbrain.h), section 3.2. Promises
 * and choices: malbrain.h.
 */
#include "malbrain_index.h"

MALBRAIN_INDEX(mckenzie_original, .latch = LATCH_RWSEM);
