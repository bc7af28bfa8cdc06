// SPDX-License-Identifier: GPL-2.0
/*
 * Malbrain's tree with NUMA-aware reader/writer locks as latches, in three variants.
 *
 * Author: Marlon McKenzie, with the locks of Calciu and others (numa_rw.h). Paper: his
 * thesis (malbrain.h), section 3.3.2. Promises: as Malbrain's tree.
 *
 * The thesis does not say which variant it measures. It is taken to be the neutral one,
 * since its readers go through the cohort lock; combinations have that one.
 */
#include "malbrain_index.h"

MALBRAIN_INDEX(mckenzie_numa_rw, .latch = LATCH_NEUTRAL);
MALBRAIN_INDEX(mckenzie_numa_rw_readers, .latch = LATCH_READERS);
MALBRAIN_INDEX(mckenzie_numa_rw_writers, .latch = LATCH_WRITERS);
