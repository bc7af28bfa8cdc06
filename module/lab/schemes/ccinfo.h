/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: the latch and the version of a node in one word
 *
 * Authors: Sang K. Cha, Sangyong Hwang, Kihong Kim, Keunjoo Kwon. Paper: OLFIT (VLDB
 * 2001), section 4, figure 4. The lowest bit of *ccinfo* is the latch, the other bits are
 * the version. A writer turns the bit on by compare-and-swap (U1), changes the node (U2),
 * and adds 1, which turns the bit off and increments the version (U3 and U4). A reader
 * copies the word with the bit off (R1) and reads the node (R2). If the word is another
 * one afterwards, the node was latched (R3) or has a new version (R4), and the reader
 * begins again.
 *
 * Between ccinfo_latch() and ccinfo_unlatch() the caller has preemption disabled, since
 * readers would wait for it.
 */
#ifndef BLINK_LAB_SCHEMES_CCINFO_H
#define BLINK_LAB_SCHEMES_CCINFO_H

#include <linux/atomic.h>
#include <linux/processor.h>
#include <linux/types.h>

#include "../marks.h"

static inline void ccinfo_latch(u64 *ccinfo)
{
	u64 t;

	blink_tell_lock(ccinfo, BLINK_TAG_LOCK);
	for (;;) {
		t = READ_ONCE(*ccinfo) & ~1ULL;
		/* Fully ordered: all later accesses come after the bit is on. */
		if (cmpxchg(ccinfo, t, t | 1) == t)
			return;
		cpu_relax();
	}
}

static inline void ccinfo_unlatch(u64 *ccinfo)
{
	/* Pairs with ccinfo_read_begin() and ccinfo_latch(). */
	smp_store_release(ccinfo, READ_ONCE(*ccinfo) + 1);
	blink_tell_lock(ccinfo, BLINK_TAG_UNLOCK);
}

static __always_inline u64 ccinfo_read_begin(const u64 *ccinfo)
{
	/* Pairs with ccinfo_unlatch(): the node is as it was then, or newer. */
	return smp_load_acquire(ccinfo) & ~1ULL;
}

/* Whether the node was the same since ccinfo_read_begin(), and was not latched. */
static __always_inline bool ccinfo_read_valid(const u64 *ccinfo, u64 t)
{
	/* Pairs with ccinfo_latch(): a reader of a change sees the bit or a new version. */
	smp_rmb();
	return READ_ONCE(*ccinfo) == t;
}

#endif /* BLINK_LAB_SCHEMES_CCINFO_H */
