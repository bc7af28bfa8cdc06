/* SPDX-License-Identifier: GPL-2.0 */
/* Rebuilding an index of a tree of one layout. */
#ifndef BLINK_CORE_REBUILD_H
#define BLINK_CORE_REBUILD_H

#include "../tree/tree.h"

int blink_rebuild(struct blink_tree *tree, int nid, gfp_t gfp);

#endif /* BLINK_CORE_REBUILD_H */
