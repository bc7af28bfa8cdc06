// SPDX-License-Identifier: GPL-2.0
/* The layout of keys of 128 bits: all sources that depend on keys, compiled for them. */
#include <linux/blink_range.h>
#include <linux/blink_tree.h>
#include <linux/blink_tree_u128.h>
#include <linux/blink_tree_value.h>

#define BLINK_COMPILE_U128
#define BLINK_NAME(name) blink_u128_##name
#define BLINK_TREE_NAME(name) blink_tree_u128_##name
#include "names.h"

#include "../node/copies.c"
#include "../node/entries.c"
#include "../node/locking.c"
#include "../node/section.c"
#include "../index/alloc.c"
#include "../index/mend.c"
#include "../index/merge.c"
#include "../index/near.c"
#include "../index/nodes.c"
#include "../index/post.c"
#include "../index/rebuild.c"
#include "../index/reclaim.c"
#include "../index/root.c"
#include "../index/state.c"
#include "../index/walk.c"
#include "../op/ahead.c"
#include "../op/batch.c"
#include "../op/commit.c"
#include "../op/commit_lock.c"
#include "../op/commit_write.c"
#include "../op/cursor.c"
#include "../op/erase_range.c"
#include "../op/finger.c"
#include "../op/insert.c"
#include "../op/load.c"
#include "../op/lookup.c"
#include "../op/nearest.c"
#include "../op/op.c"
#include "../op/range.c"
#include "../op/range_store.c"
#include "../op/scan.c"
#include "../op/update.c"
#include "../op/value.c"
#include "../inspect/hot.c"
#include "../inspect/level_walk.c"
#include "../inspect/levels.c"
#include "../inspect/sample.c"
#include "../inspect/verify.c"
#include "../inspect/visit.c"

#define BLINK_THIS_KIND blink_kind_u128
#include "table.h"
