// SPDX-License-Identifier: GPL-2.0
/*
 * Authors: Cha, Hwang, Kim, Kwon. Paper: OLFIT (VLDB 2001), sections 2.3 and 6: VT, physical
 * versioning with a tree latch only: olfit_csb_vn.c with one latch for all updaters.
 *
 * Promises: each operation takes effect at one moment; readers never wait.
 */
#include "csb.h"

CSB_SCHEME(olfit_csb_vt, CSB_VT, csb_lookup, csb_scan, csb_floor,
	   csb_versions_update, .load = csb_load);
