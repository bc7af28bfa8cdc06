// SPDX-License-Identifier: GPL-2.0
/* The layout of keys of 64 bits: its sources are compiled as they are. */
#define BLINK_THIS_KIND blink_kind_u64
#include "table.h"
