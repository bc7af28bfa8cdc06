// SPDX-License-Identifier: GPL-2.0
/*
 * Authors: Cha, Hwang, Kim, Kwon. Paper: OLFIT (VLDB 2001), section 6:
 * NO, no concurrency control, on the full CSB+-tree (csb.h).
 *
 * Promises: those of olfit_no.c.
 */
#include "csb.h"

CSB_SCHEME(olfit_csb_no, CSB_NO, csb_lookup, csb_scan, csb_floor, csb_update);
