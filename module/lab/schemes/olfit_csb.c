// SPDX-License-Identifier: GPL-2.0
/*
 * Authors: Cha, Hwang, Kim, Kwon. Paper: OLFIT (VLDB 2001), section 6: the schemes on the
 * full CSB+-tree (csb.h) whose readers do not latch nodes.
 */
#include "csb.h"

/* NO, no concurrency control. Promises: those of olfit_no.c. */
CSB_SCHEME(olfit_csb_no, CSB_NO, csb_lookup, csb_scan, csb_floor, csb_update);

/*
 * TL, a latch of the tree. Promises: each operation takes effect at one moment; scans and
 * floors too.
 */
CSB_SCHEME(olfit_csb_tl, CSB_TL, csb_lookup, csb_scan, csb_floor, csb_update);

/*
 * VN, physical versioning with node latches as in olfit_vn.c (section 2.3): "the versions
 * are created per node group basis" (csb_versions.c).
 *
 * Promises: each operation takes effect at one moment; readers never wait; writers below
 * different parents run in parallel.
 *
 * Left open by the paper: the latches for the copy of a group (latch_plan()), and as in
 * olfit_vn.c.
 */
CSB_SCHEME(olfit_csb_vn, CSB_VN, csb_lookup, csb_scan, csb_floor,
	   csb_versions_update, .load = csb_load);

/*
 * VT, physical versioning with a tree latch only (section 2.3): VN with one latch for all
 * updaters. Promises: each operation takes effect at one moment; readers never wait.
 */
CSB_SCHEME(olfit_csb_vt, CSB_VT, csb_lookup, csb_scan, csb_floor,
	   csb_versions_update, .load = csb_load);
