// SPDX-License-Identifier: GPL-2.0
/*
 * Authors: Cha, Hwang, Kim, Kwon. Paper: OLFIT (VLDB 2001), sections 2.3 and 6: VN, physical
 * versioning with node latches as in olfit_vn.c, on the full CSB+-tree (csb.h): "the
 * versions are created per node group basis" (csb_versions.c).
 *
 * Promises: each operation takes effect at one moment; readers never wait; writers below
 * different parents run in parallel.
 *
 * Left open by the paper: the latches for the copy of a group (latch_plan()), and as in
 * olfit_vn.c.
 */
#include "csb.h"

CSB_SCHEME(olfit_csb_vn, CSB_VN, csb_lookup, csb_scan, csb_floor,
	   csb_versions_update, .load = csb_load);
