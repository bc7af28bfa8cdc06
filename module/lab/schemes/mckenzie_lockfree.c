// SPDX-License-Identifier: GPL-2.0
/*
 * Malbrain's tree with lock-free reads by odd and even versions.
 *
 * Author: Marlon McKenzie. Paper: his thesis (malbrain.h), section 3.3.5. Promises: as
 * Malbrain's tree; lookups take no latch. Their retries are counted.
 */
#include "malbrain_index.h"

MALBRAIN_INDEX(mckenzie_lockfree, .latch = LATCH_RWSEM, .lockfree = true);
