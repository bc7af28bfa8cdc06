// SPDX-License-Identifier: GPL-2.0
/*
 * Authors: Cha, Hwang, Kim, Kwon. Paper: OLFIT (VLDB 2001), section 6:
 * TL, a latch of the tree, on the full CSB+-tree (csb.h).
 *
 * Promises: each operation takes effect at one moment; scans and floors too.
 */
#include "csb.h"

CSB_SCHEME(olfit_csb_tl, CSB_TL, csb_lookup, csb_scan, csb_floor, csb_update);
