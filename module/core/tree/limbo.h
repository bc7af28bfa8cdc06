/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: limbo
 *
 * A dead node is in *limbo* from the moment at which the last index has dropped
 * it until a grace period later. Each tree counts its bytes in limbo twice. For the
 * limits each CPU counts up to a batch for itself, and adds batches to
 * &blink_tree.limbo, which is inexact. For the exact sum each CPU counts what enters
 * and what leaves (&blink_counters.limbo_in, &blink_counters.limbo_out).
 */
#ifndef BLINK_CORE_LIMBO_H
#define BLINK_CORE_LIMBO_H

#include <linux/types.h>

struct blink_tree;

/*
 * A merge that would put more than this into limbo is left undone, unless the
 * node is empty. A caller that can sleep should wait long before
 * (blink_tree_limbo()).
 */
#ifndef BLINK_LIMBO_MAX
#define BLINK_LIMBO_MAX (64L << 20)
#endif
/* No leaf is allocated while more than this is in limbo. */
#define BLINK_LIMBO_FULL (4 * BLINK_LIMBO_MAX)
/*
 * The most that each CPU counts for itself before it adds this to
 * &blink_tree.limbo, which is compared with the two limits above; and the most
 * that all CPUs together keep, whatever their number. The limits are inexact by
 * the latter.
 */
#ifndef BLINK_LIMBO_BATCH
#define BLINK_LIMBO_BATCH (32L << 10)
#endif
#define BLINK_LIMBO_SLACK (4L << 20)

void blink_limbo_add(struct blink_tree *tree, s64 bytes);
int blink_limbo_admits(struct blink_tree *tree, gfp_t gfp);
bool blink_limbo_exceeds(struct blink_tree *tree, u64 most);

#endif /* BLINK_CORE_LIMBO_H */
