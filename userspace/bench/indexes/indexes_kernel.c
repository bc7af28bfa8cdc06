// SPDX-License-Identifier: GPL-2.0
/* In the place of indexes.c: the schemes that need no packages. */
#include <stddef.h>

#include "lab/schemes/lab_index.h"

const struct lab_scheme lab_schemes[] = {
	LAB_SCHEMES(LAB_SCHEME) LAB_SCHEMES_BTREE(LAB_SCHEME) LAB_SCHEMES_END,
};
