/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: limbo
 *
 * A dead node is in *limbo* from the moment that the last index has let go of it
 * until a grace period later. Limbo is counted in bytes for each tree: on each CPU
 * up to a batch, and from there in &blink_tree.limbo.
 */
#ifndef BLINK_CORE_LIMBO_H
#define BLINK_CORE_LIMBO_H

#include <linux/types.h>

struct blink_tree;

/*
 * A merge that would put more than this into limbo is left undone, unless the
 * node is empty. Who can sleep should wait long before (blink_tree_limbo()).
 */
#define BLINK_LIMBO_MAX (64L << 20)
/* No leaf is allocated while more than this waits there. */
#define BLINK_LIMBO_FULL (4 * BLINK_LIMBO_MAX)
/*
 * What each CPU counts for itself, at most, before it adds that to the count which
 * these two are compared with; and what all CPUs may have counted so, however many
 * there are: so much is what the two may be off by.
 */
#ifndef BLINK_LIMBO_BATCH
#define BLINK_LIMBO_BATCH (32L << 10)
#endif
#define BLINK_LIMBO_SLACK (4L << 20)

void blink_limbo_add(struct blink_tree *tree, s64 bytes);
bool blink_limbo_admits(struct blink_tree *tree, gfp_t gfp);

#endif /* BLINK_CORE_LIMBO_H */
