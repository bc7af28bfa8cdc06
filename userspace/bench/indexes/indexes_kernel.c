// SPDX-License-Identifier: GPL-2.0
/* In the place of indexes.c: those that take no packages. */
#include <stddef.h>

#include "index.h"

const struct index *const indexes[] = {
	&index_blink,  &index_maple, &index_xarray,
	&index_rbtree, &index_btree, NULL,
};
