// SPDX-License-Identifier: GPL-2.0
/* Which indexes there are; indexes_kernel.c has fewer. */
#include <stddef.h>

#include "index.h"

const struct index *const indexes[] = {
	&index_blink, &index_maple,  &index_xarray,   &index_rbtree,
	&index_btree, &index_judy,   &index_absl,     &index_tbb,
	&index_lmdb,  &index_congee, &index_skiplist, NULL,
};
