// SPDX-License-Identifier: GPL-2.0
/* The schemes of the native benchmark; indexes_kernel.c has fewer. */
#include <stddef.h>

#include "peers.h"

const struct lab_scheme lab_schemes[] = {
	LAB_SCHEMES(LAB_SCHEME) LAB_SCHEMES_BTREE(LAB_SCHEME) PEERS(LAB_SCHEME)
		LAB_SCHEMES_END,
};
